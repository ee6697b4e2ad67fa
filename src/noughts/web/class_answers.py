"""The models of what a class is asked, and answers."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from noughts.web.answers import Asked, LineRequest, MoveNames, SideName, Text, asked_with_example

Nickname = Annotated[str, Field(max_length=200, description="Is cleaned; unique in the class.")]
PupilId = Annotated[str, Field(max_length=64)]


class MeAnswer(BaseModel):
    """Who asks."""

    role: Literal["teacher", "pupil", "nobody", "none"] = Field(description="none: there is no class at all.")
    id: str = Field("", description="Of a pupil.")
    nickname: str = ""


class JoinRequest(Asked):
    """Somebody wants to be in the class."""

    model_config = asked_with_example(code="K7M2QX", nickname="Mia")

    code: str = Field(
        max_length=64, description="As the teacher's page shows it; spaces and small letters do not matter."
    )
    nickname: Nickname


class NicknameRequest(Asked):
    """What a pupil is to be called."""

    model_config = asked_with_example(nickname="Mia B")

    nickname: Nickname


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


class AssignmentAnswer(BaseModel):
    """What the teacher wants done."""

    id: str
    kind: Literal["game", "puzzles"]
    words: str
    rules: str
    name: str = Field(description="Of the game, for people.")
    moves: list[str]
    agent: str
    goal: Literal["finish", "draw", "win"]
    grade: Literal["", "easy", "medium", "hard"]
    count: int = Field(description="How many puzzles.")


class AssignmentRequest(Asked):
    """What is to be done: a game against an agent, from the empty board or a position, or puzzles."""

    model_config = asked_with_example(
        kind="game", words="Hold the draw.", rules="tic-tac-toe", moves=["B2"], agent="perfect", goal="draw"
    )

    kind: Literal["game", "puzzles"]
    words: str = Field("", max_length=400, description="Said about it to all.")
    rules: Text
    moves: MoveNames = Field(default_factory=list, description="With which the game begins; the pupil moves next.")
    agent: Text = "perfect"
    goal: Literal["finish", "draw", "win"] = Field("finish", description="Which end counts as done.")
    grade: Literal["", "easy", "medium", "hard"] = Field("", description="Of the puzzles; all if left out.")
    count: int = Field(0, ge=0, le=1000, description="How many puzzles, the easiest first; all if left out.")


class ClassAnswer(BaseModel):
    """The class, as whoever asks sees it."""

    me: MeAnswer
    closed: bool
    pupils: list[PupilAnswer]
    assignment: AssignmentAnswer | None
    results: list[PupilResult] = Field(description="All of them for the teacher, a pupil's own for the pupil.")
    code: str = Field("", description="By which one joins; for the teacher.")
    address: str = Field("", description="Where one joins; for the teacher.")
    removed: list[PupilAnswer] = Field(default_factory=list, description="Who were removed; for the teacher.")


class SeatAnswer(BaseModel):
    """Who plays a side."""

    kind: Literal["pupil", "agent", "open"]
    id: str = Field(description="Of a pupil, or an agent's text.")
    name: str


class ClassGameAnswer(BaseModel):
    """A game in the class, as whoever asks sees it."""

    id: str
    rules: str
    name: str = Field(description="Of the rules, for people.")
    moves: list[str]
    opening: int = Field(description="With how many of them it began.")
    first: SeatAnswer
    second: SeatAnswer
    mine: SideName | None = Field(description="The side that whoever asks plays.")
    to_move: SideName | None = Field(description="None if it does not go on.")
    state: Literal["waiting", "playing", "ended", "withdrawn"]
    maker: str = Field(description="The id of the pupil who made it.")
    invited: str = Field(description="The id of the pupil for whom a seat is kept; empty for whoever has the link.")
    outcome: Literal["", "first", "second", "draw"]
    ending: Literal["", "moves", "resigned", "failed", "broken off"]
    why: str = Field(description="What went wrong, if it failed.")
    rematch: str = Field(description="The id of the game that was made after it; empty for none.")
    assignment: str = Field(description="The id of the assignment of which it is; empty for none.")
    seed: int
    version: int = Field(description="How often it has changed: of two answers the one with more is the later.")
    updated: str


class GameOffer(Asked):
    """A game that is to be made: with a classmate, with whoever has its link, or with an agent."""

    model_config = asked_with_example(rules="tic-tac-toe", begins="me")

    rules: Text
    begins: Literal["me", "other", "chance"] = "chance"
    pupil: PupilId = Field("", description="The classmate; empty for whoever has the link.")
    agent: Text = Field("", description="The opponent, if it is an agent.")


class ClassMoveRequest(Asked):
    """A move in a game of the class."""

    model_config = asked_with_example(ply=0, move="B2")

    ply: int = Field(ge=0, le=10_000, description="How many moves there were before: a move sent twice is played once.")
    move: str = Field(max_length=12)


class SolvedRequest(LineRequest):
    """A puzzle that ships, and the move that solves it."""

    model_config = asked_with_example(rules="tic-tac-toe", moves=["C3", "C2", "C1"], move="B2", at_once=True)

    move: str = Field(max_length=12)
    at_once: bool = Field(True, description="Whether there was no wrong try before.")


class SolvedAnswer(BaseModel):
    """How many puzzles a pupil has solved."""

    solved: int


class LinkAnswer(BaseModel):
    """An address for one pupil alone."""

    address: str
