"""The models of what a class is asked, and answers."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from noughts.classroom.values import Assignment, KeptGame
from noughts.web.answers import Asked, LineRequest, SideName, Text, asked_with_example

Nickname = Annotated[str, Field(max_length=200, description="Is cleaned; unique in the class.")]


class JoinRequest(Asked):
    """A person wants to be in the class."""

    model_config = asked_with_example(code="K7M2QX", nickname="Mia")

    code: str = Field(max_length=64, description="Spaces and small letters do not matter.")
    nickname: Nickname


class PupilChange(Asked):
    """What is to be otherwise with a pupil; what is left out stays."""

    model_config = asked_with_example(nickname="Mia B")

    nickname: Nickname | None = None
    removed: bool | None = Field(None, description="Whether the pupil is let in no more.")


class ClassChange(Asked):
    """Whether the class is closed."""

    model_config = asked_with_example(closed=False)

    closed: bool


class GameOffer(Asked):
    """A game that is to be made: with an agent, or with the first who takes the open seat by its link."""

    model_config = asked_with_example(rules="tic-tac-toe", begins="me")

    rules: Text
    begins: Literal["me", "other", "chance"] = "chance"
    agent: Text = Field("", description="The opponent, if it is an agent.")


class ClassMoveRequest(Asked):
    """A move in a game of the class."""

    model_config = asked_with_example(ply=0, move="B2")

    ply: int = Field(ge=0, le=10_000, description="How many moves there were before: a move sent twice is played once.")
    move: str = Field(max_length=12)


class SolvedRequest(LineRequest):
    """A puzzle that ships, and the move that solves it."""

    model_config = asked_with_example(rules="tic-tac-toe", moves=["C3", "C2", "C1"], move="B2")

    move: str = Field(max_length=12)


class MeAnswer(BaseModel):
    """Who asks; `id` and `nickname` are a pupil's."""

    role: Literal["teacher", "pupil"]
    id: str = ""
    nickname: str = ""


class PupilAnswer(BaseModel):
    """A pupil."""

    id: str
    nickname: str
    present: bool = Field(description="Whether the pupil has the page open.")


class PupilResult(BaseModel):
    """A line of the table of results."""

    id: str
    nickname: str
    played: int
    won: int
    drawn: int
    lost: int
    solved: int = Field(description="Puzzles.")
    done: int = Field(description="Of the assignment: puzzles, or games that count.")
    done_at: str | None = Field(description="When the assignment was done, in UTC; None if it is not.")


class AssignmentAnswer(Assignment):
    """What the teacher wants done."""

    id: str
    name: str = Field(description="Of the game, for people.")


class ClassAnswer(BaseModel):
    """The class, as the visitor who asks sees it."""

    me: MeAnswer
    closed: bool
    pupils: list[PupilAnswer]
    assignment: AssignmentAnswer | None
    results: list[PupilResult] = Field(description="All of them for the teacher, a pupil's own for the pupil.")
    code: str = Field("", description="By which one joins; for the teacher.")
    address: str = Field("", description="Where one joins; for the teacher.")
    removed: list[PupilAnswer] = Field(default_factory=list, description="Pupils who were removed; for the teacher.")


class SeatAnswer(BaseModel):
    """Who plays a side; `id` is a pupil's, or an agent's text."""

    kind: Literal["pupil", "agent", "open"]
    id: str
    name: str


class ClassGameAnswer(KeptGame):
    """A game in the class, as the visitor who asks sees it; `moves` has those of the opening, too."""

    id: str
    name: str = Field(description="Of the rules, for people.")
    first: SeatAnswer
    second: SeatAnswer
    mine: SideName | None = Field(description="The side that the visitor who asks plays.")
    to_move: SideName | None = Field(description="None if it does not go on.")
