"""What is shown of a class to its teacher and to each pupil."""

from noughts.classroom.answers import (
    AssignmentAnswer,
    ClassAnswer,
    ClassGameAnswer,
    MeAnswer,
    PupilAnswer,
    SeatAnswer,
)
from noughts.classroom.room import Classroom, join_address
from noughts.classroom.school_class import SchoolClass
from noughts.classroom.values import Seat
from noughts.classroom.visitors import pupil_id
from noughts.rules import parse_rules
from noughts.web.boards import SIDES
from noughts.web.errors import Refused
from noughts.web.opponents import opponents
from noughts.web.play import game_name
from noughts.web.visitors import Visitor

_LATEST = 60  # games that have ended, of those that are listed


def show_me(room: Classroom, visitor: Visitor) -> MeAnswer:
    """Who asks."""
    pupil = pupil_id(visitor)
    if pupil:
        return MeAnswer(role="pupil", id=pupil, nickname=room.nickname(pupil))
    return MeAnswer(role="teacher" if visitor.is_owner else "nobody")


def show_class(found: SchoolClass, visitor: Visitor) -> ClassAnswer:
    """The class, as a visitor sees it."""
    room = found.room
    answer = ClassAnswer(
        me=show_me(room, visitor),
        closed=room.is_closed,
        pupils=_pupils(room, removed=False),
        assignment=_assignment(found),
        results=found.progress.results(pupil_id(visitor)),
    )
    if visitor.is_owner:
        answer.code, answer.address = room.code, join_address(room.address, room.code)
        answer.removed = _pupils(room, removed=True)
    return answer


def show_game(found: SchoolClass, game_id: str, visitor: Visitor) -> ClassGameAnswer:
    """A game, as a visitor sees it.

    Raises:
        Refused: there is none, or it is none of the visitor's business.
    """
    game = found.games.get(game_id)
    mine = game.seat_of(pupil_id(visitor))
    if not visitor.is_owner and mine is None and game.state != "waiting":
        raise Refused(404, f"there is no game {game_id[:40]!r} of yours in the class")
    return ClassGameAnswer(
        id=game_id,
        name=game_name(game.game),
        moves=list(game.squares),
        opening=len(game.opening),
        first=_seat(found.room, game.seats[0]),
        second=_seat(found.room, game.seats[1]),
        mine=None if mine is None else SIDES[mine],
        to_move=SIDES[game.position.to_move] if game.state == "playing" else None,
        **game.model_dump(exclude={"moves", "opening", "seats", "made", "ended"}),
    )


def games_of(found: SchoolClass, visitor: Visitor) -> list[str]:
    """The ids of the games that a visitor sees, the latest last: all that wait or go on, and the latest that have ended."""
    games = found.games
    ids = list(games.all) if visitor.is_owner else games.of(pupil_id(visitor))
    shown = [id for id in ids if games.all[id].state != "withdrawn"]
    ended = sorted((id for id in shown if games.all[id].state == "ended"), key=lambda id: games.all[id].ended)
    old = set(ended[:-_LATEST])
    return [id for id in shown if id not in old]


def _pupils(room: Classroom, removed: bool) -> list[PupilAnswer]:
    pupils = [
        PupilAnswer(id=id, nickname=pupil.nickname, present=room.is_there(id))
        for id, pupil in room.pupils.items()
        if pupil.removed == removed
    ]
    return sorted(pupils, key=lambda pupil: pupil.nickname.casefold())


def _assignment(found: SchoolClass) -> AssignmentAnswer | None:
    kept = found.progress.assignment
    if kept is None:
        return None
    name = game_name(parse_rules(kept.rules))
    return AssignmentAnswer(id=found.room.assignment_id, name=name, **kept.model_dump())


def _seat(room: Classroom, seat: Seat) -> SeatAnswer:
    if seat.pupil:
        return SeatAnswer(kind="pupil", id=seat.pupil, name=room.nickname(seat.pupil))
    if seat.agent:
        name = next((each.name for each in opponents() if each.agent == seat.agent), seat.agent)
        return SeatAnswer(kind="agent", id=seat.agent, name=name)
    return SeatAnswer(kind="open", id="", name="")
