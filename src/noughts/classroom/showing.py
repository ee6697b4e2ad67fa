"""What is shown of a class to its teacher and to each pupil."""

from pydantic import BaseModel, Field

from noughts.classroom.room import join_address
from noughts.classroom.school_class import PupilResult, SchoolClass
from noughts.classroom.values import Assignment, KeptGame
from noughts.rules import parse_rules
from noughts.web.boards import SIDES, SideName
from noughts.web.errors import Refused
from noughts.web.presets import game_name
from noughts.web.visitors import Visitor

_LATEST = 60  # games that have ended, of those that are listed


class PupilAnswer(BaseModel):
    """A pupil."""

    id: str
    nickname: str
    present: bool = Field(description="Whether the pupil has the page open.")


class AssignmentAnswer(Assignment):
    """What the teacher wants done."""

    name: str = Field(description="Of the game, for people.")


class ClassAnswer(BaseModel):
    """The class, as the visitor who asks sees it."""

    me: str = Field(description="The id of the pupil who asks; empty for the teacher.")
    closed: bool
    pupils: list[PupilAnswer]
    assignment: AssignmentAnswer | None
    results: list[PupilResult] = Field(description="All of them for the teacher, a pupil's own for the pupil.")
    code: str = Field(description="By which one joins; for the teacher.")
    address: str = Field(description="Where one joins; for the teacher.")


class ClassGameAnswer(KeptGame):
    """A game in the class, as the visitor who asks sees it; `moves` has those of the opening, too."""

    id: str
    name: str = Field(description="Of the rules, for people.")
    nicknames: tuple[str, str] = Field(description="Of the pupils on the seats; empty for others.")
    mine: SideName | None = Field(description="The side that the visitor who asks plays.")
    to_move: SideName | None = Field(description="None if it does not go on.")


def show_class(found: SchoolClass, visitor: Visitor) -> ClassAnswer:
    """The class, as a visitor sees it."""
    room, assignment = found.room, found.assignment
    there = [(id, pupil.nickname) for id, pupil in room.pupils.items() if not pupil.removed]
    return ClassAnswer(
        me=visitor.client,
        closed=room.kept.closed,
        pupils=[
            PupilAnswer(id=id, nickname=nickname, present=room.present[id] > 0)
            for id, nickname in sorted(there, key=lambda pupil: pupil[1].casefold())
        ],
        assignment=assignment
        and AssignmentAnswer(name=game_name(parse_rules(assignment.rules)), **assignment.model_dump()),
        results=found.results(visitor.client),
        code=room.kept.code if visitor.is_owner else "",
        address=join_address(room.address, room.kept.code) if visitor.is_owner else "",
    )


def show_game(found: SchoolClass, game_id: str, visitor: Visitor) -> ClassGameAnswer:
    """A game, as a visitor sees it; Refused if there is none, or it is none of the visitor's business."""
    game = found.games.get(game_id)
    mine = game.seat_of(visitor.client)
    if not visitor.is_owner and mine is None and game.state != "waiting":
        raise Refused(404, f"there is no game {game_id[:40]!r} of yours in the class")
    first, second = (found.room.pupils[seat.pupil].nickname if seat.pupil else "" for seat in game.seats)
    return ClassGameAnswer(
        id=game_id,
        name=game_name(game.game),
        nicknames=(first, second),
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
