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
from noughts.rules import parse_rules
from noughts.web.boards import SIDES
from noughts.web.errors import Refused
from noughts.web.opponents import opponents
from noughts.web.presets import game_name
from noughts.web.visitors import Visitor

_LATEST = 60  # games that have ended, of those that are listed


def show_me(room: Classroom, pupil: str) -> MeAnswer:
    """Who asks: a pupil, or, for none, the teacher."""
    return MeAnswer(role="pupil", id=pupil, nickname=room.nickname(pupil)) if pupil else MeAnswer(role="teacher")


def show_class(found: SchoolClass, visitor: Visitor) -> ClassAnswer:
    """The class, as a visitor sees it."""
    room, assignment = found.room, None
    if (kept := found.assignment) is not None:
        name = game_name(parse_rules(kept.rules))
        assignment = AssignmentAnswer(id=room.kept.assignment, name=name, **kept.model_dump())
    answer = ClassAnswer(
        me=show_me(room, visitor.client),
        closed=room.kept.closed,
        pupils=_pupils(room),
        assignment=assignment,
        results=found.results(visitor.client),
    )
    if visitor.is_owner:
        answer.code, answer.address = room.kept.code, join_address(room.address, room.kept.code)
    return answer


def show_game(found: SchoolClass, game_id: str, visitor: Visitor) -> ClassGameAnswer:
    """A game, as a visitor sees it; Refused if there is none, or it is none of the visitor's business."""
    game = found.games.get(game_id)
    mine = game.seat_of(visitor.client)
    if not visitor.is_owner and mine is None and game.state != "waiting":
        raise Refused(404, f"there is no game {game_id[:40]!r} of yours in the class")
    return ClassGameAnswer(
        id=game_id,
        name=game_name(game.game),
        first=_seat(found.room, game.seats[0]),
        second=_seat(found.room, game.seats[1]),
        mine=None if mine is None else SIDES[mine],
        to_move=SIDES[game.position.to_move] if game.state == "playing" else None,
        **{**game.model_dump(), "moves": game.opening + game.moves},
    )


def games_of(found: SchoolClass, visitor: Visitor) -> list[str]:
    """The ids of the games that a visitor sees, the latest last: all that wait or go on, and the latest that have ended."""
    games = found.games.all
    ids = list(games) if visitor.is_owner else found.games.of(visitor.client)
    ended = sorted((id for id in ids if games[id].state == "ended"), key=lambda id: games[id].ended)
    old = set(ended[:-_LATEST])
    return [id for id in ids if id not in old and games[id].state != "withdrawn"]


def _pupils(room: Classroom) -> list[PupilAnswer]:
    pupils = [
        PupilAnswer(id=id, nickname=pupil.nickname, present=room.is_there(id))
        for id, pupil in room.pupils.items()
        if not pupil.removed
    ]
    return sorted(pupils, key=lambda pupil: pupil.nickname.casefold())


def _seat(room: Classroom, seat: Seat) -> SeatAnswer:
    if seat.pupil:
        return SeatAnswer(kind="pupil", id=seat.pupil, name=room.nickname(seat.pupil))
    if seat.agent:
        name = next((each.name for each in opponents() if each.agent == seat.agent), seat.agent)
        return SeatAnswer(kind="agent", id=seat.agent, name=name)
    return SeatAnswer(kind="open", id="", name="")
