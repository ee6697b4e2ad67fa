"""What is shown of a class to its teacher and to each pupil."""

from noughts.rules import parse_rules
from noughts.web.boards import SIDES
from noughts.web.class_answers import (
    AssignmentAnswer,
    ClassAnswer,
    ClassGameAnswer,
    MeAnswer,
    PupilAnswer,
    SeatAnswer,
)
from noughts.web.class_values import Seat
from noughts.web.errors import Refused
from noughts.web.opponents import opponents
from noughts.web.play import game_name
from noughts.web.school_class import SchoolClass
from noughts.web.visitors import Visitor

NO_CLASS = "there is no class here: begin one by `noughts serve --class`"
_LATEST = 60  # games that have ended, of those that are listed


def show_me(found: SchoolClass | None, visitor: Visitor) -> MeAnswer:
    """Who asks."""
    if found is None:
        return MeAnswer(role="none")
    if visitor.pupil:
        return MeAnswer(role="pupil", id=visitor.pupil, nickname=found.room.nickname(visitor.pupil))
    return MeAnswer(role="teacher" if visitor.is_owner else "nobody")


def show_class(found: SchoolClass, visitor: Visitor) -> ClassAnswer:
    """The class, as a visitor sees it."""
    room = found.room
    answer = ClassAnswer(
        me=show_me(found, visitor),
        closed=room.is_closed,
        pupils=_pupils(found, removed=False),
        assignment=_assignment(found),
        results=found.progress.results("" if visitor.is_owner else visitor.pupil),
    )
    if visitor.is_owner:
        answer.code, answer.address, answer.removed = room.code, room.join_address, _pupils(found, removed=True)
    return answer


def show_game(found: SchoolClass, game_id: str, visitor: Visitor) -> ClassGameAnswer:
    """A game, as a visitor sees it.

    Raises:
        Refused: there is none, or it is none of the visitor's business.
    """
    game = found.games.get(game_id)
    if not visitor.is_owner and not found.games.may_see(game_id, visitor.pupil):
        raise Refused(404, f"there is no game {game_id[:40]!r} of yours in the class")
    mine = game.seat_of(visitor.pupil)
    return ClassGameAnswer(
        id=game_id,
        rules=game.rules,
        name=game_name(game.game),
        moves=list(game.squares),
        opening=len(game.opening),
        first=_seat(found, game.seats[0]),
        second=_seat(found, game.seats[1]),
        mine=None if mine is None else SIDES[mine],
        to_move=SIDES[game.position.to_move] if game.state == "playing" else None,
        state=game.state,
        maker=game.maker,
        invited=game.invited,
        outcome=game.outcome,
        ending=game.ending,
        why=game.why,
        rematch=game.rematch,
        assignment=game.assignment,
        seed=game.seed,
        version=game.version,
        updated=game.updated,
    )


def games_of(found: SchoolClass, visitor: Visitor) -> list[str]:
    """The ids of the games that a visitor sees, the latest last: all that wait or go on, and the latest that have ended."""
    games = found.games
    ids = list(games.all) if visitor.is_owner else games.of(visitor.pupil)
    shown = [id for id in ids if games.all[id].state != "withdrawn"]
    ended = sorted((id for id in shown if games.all[id].state == "ended"), key=lambda id: games.all[id].ended)
    old = set(ended[:-_LATEST])
    return [id for id in shown if id not in old]


def _pupils(found: SchoolClass, removed: bool) -> list[PupilAnswer]:
    pupils = [
        PupilAnswer(id=id, nickname=pupil.nickname, present=found.room.is_there(id))
        for id, pupil in found.room.pupils.items()
        if pupil.removed == removed
    ]
    return sorted(pupils, key=lambda pupil: pupil.nickname.casefold())


def _assignment(found: SchoolClass) -> AssignmentAnswer | None:
    kept = found.progress.assignment
    if kept is None:
        return None
    return AssignmentAnswer(
        id=found.room.assignment_id,
        kind=kept.kind,
        words=kept.words,
        rules=kept.rules,
        name=game_name(parse_rules(kept.rules)),
        moves=list(kept.moves),
        agent=kept.agent,
        goal=kept.goal,
        grade=kept.grade,
        count=kept.count,
    )


def _seat(found: SchoolClass, seat: Seat) -> SeatAnswer:
    if seat.pupil:
        return SeatAnswer(kind="pupil", id=seat.pupil, name=found.room.nickname(seat.pupil))
    if seat.agent:
        name = next((each.name for each in opponents() if each.agent == seat.agent), seat.agent)
        return SeatAnswer(kind="agent", id=seat.agent, name=name)
    return SeatAnswer(kind="open", id="", name="")
