"""The shapes of what a class answers."""

from typing import Literal

from pydantic import BaseModel, Field

from noughts.classroom.values import Assignment, KeptGame
from noughts.web.boards import SideName


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
