"""The records of a class as values: the class, its pupils, their games, solved puzzles and assignments."""

import unicodedata
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Literal

from pydantic import ConfigDict, Field

from noughts.positions import Position
from noughts.rules import Value
from noughts.web.asked import MoveNames, with_example
from noughts.web.errors import Refused
from noughts.web.reading import RulesText, Text, play

LONGEST_NICKNAME = 24


class ClassValue(Value):
    """A record of a class. Records of earlier versions may have fields that are no longer read."""

    model_config = ConfigDict(extra="ignore", json_schema_serialization_defaults_required=True)


class KeptClass(ClassValue):
    """A class: the code by which pupils join, when it began, whether no pupil is let in any more, and the id of what is to be done."""

    code: str
    begun: str
    closed: bool = False
    assignment: str = ""


class KeptPupil(ClassValue):
    """A pupil; `token` is a hash, so that a reader of the store cannot take the pupil's place."""

    nickname: str
    token: str
    joined: str
    removed: bool = False


class Seat(ClassValue):
    """Who plays a side: a pupil, an agent, or, if both are empty, the first pupil who takes the seat."""

    pupil: str = ""
    agent: str = ""


class KeptGame(ClassValue):
    """A game in the class.

    Attributes:
        opening, moves: Squares of the moves with which it begins, and of those that were played after them.
        seats: Who plays first and second.
        seed: Of agents.
        state: How it stands; `withdrawn` if its maker made another one before a pupil took the seat.
        outcome: Who won, once it has ended; empty for no result.
        ending: How it ended; `broken off` if a player was removed.
        why: What went wrong, of one that failed.
        version: How often it has changed: of two answers about it the one with more is the later.
        assignment: The id of the assignment of which it is; empty for none.
    """

    rules: RulesText
    opening: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    seats: tuple[Seat, Seat]
    maker: str
    seed: int
    state: Literal["waiting", "playing", "ended", "withdrawn"]
    outcome: Literal["", "first", "second", "draw"] = ""
    ending: Literal["", "moves", "resigned", "failed", "broken off"] = ""
    why: str = ""
    version: int = 0
    made: str
    updated: str
    ended: str = ""
    assignment: str = ""

    @property
    def position(self) -> Position:
        """Where it stands."""
        return play(self.rules, self.opening + self.moves)

    def seat_of(self, pupil: str) -> int | None:
        """Which seat a pupil has: 0 moves first, 1 second; None for none."""
        return next((number for number, seat in enumerate(self.seats) if pupil and seat.pupil == pupil), None)


class KeptSolved(ClassValue):
    """That a pupil solved a puzzle that ships, both by id."""

    pupil: str
    puzzle: str
    moment: str


class Assignment(ClassValue):
    """What is to be done: a game against an agent, from the empty board or a position, or puzzles."""

    model_config = with_example(kind="game", rules="tic-tac-toe", moves=["B2"], agent="perfect", goal="draw")

    kind: Literal["game", "puzzles"]
    words: str = Field("", max_length=400, description="Said about it to all.")
    rules: RulesText
    moves: MoveNames = Field(default_factory=list, description="With which the game begins; the pupil moves next.")
    agent: Text = "perfect"
    goal: Literal["finish", "draw", "win"] = Field("finish", description="Which end counts as done.")
    grade: Literal["", "easy", "medium", "hard"] = Field("", description="Of the puzzles; all if left out.")
    count: int = Field(0, ge=0, le=1000, description="How many puzzles, the easiest first; all if left out.")


def moment() -> str:
    """Now, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def hashed(token: str) -> str:
    """What is kept of a token."""
    return blake2b(token.encode("utf-8", "replace"), digest_size=24).hexdigest()


def clean_nickname(text: str) -> str:
    """A nickname as it is shown: one line of characters that are seen; Refused if nothing is left of it, or too much."""
    letters = unicodedata.normalize("NFKC", text[:500])
    nickname = " ".join("".join(each if each.isprintable() else " " * each.isspace() for each in letters).split())
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in nickname):
        raise Refused(422, "nickname: choose one with a letter or a digit in it")
    if len(nickname) > LONGEST_NICKNAME:
        raise Refused(422, f"nickname: {len(nickname)} characters are too long: at most {LONGEST_NICKNAME}")
    return nickname
