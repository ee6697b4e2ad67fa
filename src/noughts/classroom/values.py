"""The records of a class: the class, its pupils, their games, solved puzzles and assignments."""

import unicodedata
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from noughts.positions import Position
from noughts.rules import Value
from noughts.web.asked import MoveNames, with_example
from noughts.web.errors import Refused
from noughts.web.reading import RulesText, Text, play

LONGEST_NICKNAME = 24


class ClassValue(Value):
    """A record of a class. It ignores unknown fields, because earlier versions wrote some that are no longer used."""

    model_config = ConfigDict(extra="ignore", json_schema_serialization_defaults_required=True)


class KeptClass(ClassValue):
    """A class: the code with which pupils join, when it began, whether it is closed, and the id of the assignment."""

    code: str
    begun: str
    closed: bool = False
    assignment: str = ""


class KeptPupil(ClassValue):
    """A pupil. `token` is a hash, so that a reader of the store cannot impersonate the pupil."""

    nickname: str
    token: str
    joined: str
    removed: bool = False


class Seat(ClassValue):
    """The player of a side: a pupil, an agent, or, if both are empty, the first pupil who takes the seat."""

    pupil: str = ""
    agent: str = ""


def _without_withdrawn(state: Any) -> Any:
    return "ended" if state == "withdrawn" else state


class KeptGame(ClassValue):
    """A game in the class.

    Attributes:
        opening, moves: The squares of the moves with which the game begins, and of the moves played after them.
        seats: The first and the second player.
        seed: The seed of agents.
        state: Earlier versions also wrote `withdrawn`, for a link that another one replaced; it is read as `ended`.
        outcome: The result, once the game has ended; empty for none.
        ending: How the game ended. Earlier versions wrote `broken off` if a player was removed.
        why: The error, if the game failed.
        version: How often the game has changed. Of two answers about it, the one with the higher version is newer.
        assignment: The id of the assignment it belongs to; empty for none.
    """

    rules: RulesText
    opening: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    seats: tuple[Seat, Seat]
    maker: str
    seed: int
    state: Annotated[Literal["waiting", "playing", "ended"], BeforeValidator(_without_withdrawn)]
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
        """The current position."""
        return play(self.rules, self.opening + self.moves)

    def seat_of(self, pupil: str) -> int | None:
        """Return the seat of a pupil: 0 moves first, 1 second; None if the pupil does not play."""
        return next((number for number, seat in enumerate(self.seats) if pupil and seat.pupil == pupil), None)


class KeptSolved(ClassValue):
    """A record that a pupil solved a bundled puzzle, both by id."""

    pupil: str
    puzzle: str
    moment: str


class Assignment(ClassValue):
    """An assignment: puzzles, or a game against an agent from the empty board or a given position."""

    model_config = with_example(kind="game", rules="tic-tac-toe", moves=["B2"], agent="perfect")

    kind: Literal["game", "puzzles"]
    words: str = Field("", max_length=400, description="A text for all pupils.")
    rules: RulesText
    moves: MoveNames = Field(default_factory=list, description="Moves before the pupil's first.")
    agent: Text = "perfect"
    grade: Literal["", "easy", "medium", "hard"] = Field("", description="Of the puzzles; all if left out.")
    count: int = Field(0, ge=0, le=1000, description="How many puzzles, the easiest first; all if left out.")


def moment() -> str:
    """Return the current time in UTC, as ISO 8601 in seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def hashed(token: str) -> str:
    """Return the hash of a token that is saved instead of it."""
    return blake2b(token.encode("utf-8", "replace"), digest_size=24).hexdigest()


def clean_nickname(text: str) -> str:
    """Return a nickname as one line of printable characters. Raises Refused if it has no letter or digit, or is too long."""
    letters = unicodedata.normalize("NFKC", text[:500])
    nickname = " ".join("".join(each if each.isprintable() else " " * each.isspace() for each in letters).split())
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in nickname):
        raise Refused(422, "nickname: choose one with a letter or a digit in it")
    if len(nickname) > LONGEST_NICKNAME:
        raise Refused(422, f"nickname: {len(nickname)} characters are too long: at most {LONGEST_NICKNAME}")
    return nickname
