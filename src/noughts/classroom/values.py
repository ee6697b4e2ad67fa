"""What a class keeps, as values: itself, its pupils, their games, what they solved, and what they are to do.

A token stands here as its hash alone: who reads the store cannot take a pupil's place.
"""

import secrets
import unicodedata
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from noughts.positions import Position
from noughts.rules import Rules, Value, parse_rules
from noughts.web.answers import MoveNames, Text
from noughts.web.boards import play
from noughts.web.errors import Refused

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Of join codes: none that is taken for another."""

CODE_LENGTH = 6
"""31^6 are 900 million codes, of which each machine may try one a second."""

LONGEST_NICKNAME = 24

_MOST_ACCENTS = 2  # on one letter

Grade = Literal["", "easy", "medium", "hard"]


class Kept(Value):
    """A record of a class. Records that earlier versions wrote may have fields that nothing reads any more."""

    model_config = ConfigDict(extra="ignore")


class KeptClass(Kept):
    """A class.

    Attributes:
        code: By which pupils join.
        begun: When.
        closed: Whether no pupil is let in any more.
        assignment: The id of what is to be done; empty for nothing.
    """

    code: str
    begun: str
    closed: bool = False
    assignment: str = ""


class KeptPupil(Kept):
    """A pupil.

    Attributes:
        nickname: As all see it.
        token: A hash of the pupil's token.
        joined: When.
        removed: Whether the teacher has removed the pupil.
    """

    nickname: str
    token: str
    joined: str
    removed: bool = False


class Seat(Kept):
    """Who plays a side: a pupil, an agent, or, if both are empty, the first pupil who takes the seat."""

    pupil: str = ""
    agent: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it waits for a pupil."""
        return not (self.pupil or self.agent)


class KeptGame(Kept):
    """A game in the class.

    Attributes:
        rules: Text form.
        opening: Squares of the moves with which it begins.
        moves: Squares of those that were played after them.
        seats: Who plays first and second.
        maker: The pupil who made it.
        seed: Of agents.
        state: How it stands; `withdrawn` if its maker made another one before a pupil took the seat.
        outcome: Who won, once it has ended; empty for no result.
        ending: How it ended; `broken off` if a player was removed.
        why: What went wrong, of one that failed.
        version: How often it has changed: of two answers about it the one with more is the later.
        made, updated, ended: Moments; `ended` is empty while it goes on.
        assignment: The id of the assignment of which it is; empty for none.
    """

    rules: str
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
    def game(self) -> Rules:
        """The rules as a value."""
        return parse_rules(self.rules)

    @property
    def squares(self) -> tuple[str, ...]:
        """All moves."""
        return self.opening + self.moves

    @property
    def position(self) -> Position:
        """Where it stands."""
        rules = self.game
        return play(rules, tuple(map(rules.cell_of, self.squares)))

    def seat_of(self, pupil: str) -> int | None:
        """Which seat a pupil has: 0 moves first, 1 second; None for none."""
        return next((number for number, seat in enumerate(self.seats) if pupil and seat.pupil == pupil), None)


class KeptSolved(Kept):
    """That a pupil solved a puzzle that ships.

    Attributes:
        pupil, puzzle: Ids.
        at_once: Whether without a wrong try before, as the pupil's page says.
        moment: When.
    """

    pupil: str
    puzzle: str
    at_once: bool
    moment: str


class Assignment(Kept):
    """What is to be done: a game against an agent, from the empty board or a position, or puzzles."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "kind": "game",
                    "words": "Hold the draw.",
                    "rules": "tic-tac-toe",
                    "moves": ["B2"],
                    "agent": "perfect",
                    "goal": "draw",
                }
            ]
        }
    )

    kind: Literal["game", "puzzles"]
    words: str = Field("", max_length=400, description="Said about it to all.")
    rules: Text
    moves: MoveNames = Field(default_factory=list, description="With which the game begins; the pupil moves next.")
    agent: Text = "perfect"
    goal: Literal["finish", "draw", "win"] = Field("finish", description="Which end counts as done.")
    grade: Grade = Field("", description="Of the puzzles; all if left out.")
    count: Annotated[int, Field(ge=0, le=1000)] = Field(
        0, description="How many puzzles, the easiest first; all if left out."
    )


def moment() -> str:
    """Now, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_code() -> str:
    """A code by which a class is joined."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str:
    """A code as it may have been typed: small letters, spaces and hyphens do not matter."""
    return "".join(character for character in text.upper() if character not in " -\t")


def hashed(token: str) -> str:
    """What is kept of a token."""
    return blake2b(token.encode("utf-8", "replace"), digest_size=24).hexdigest()


def clean_nickname(text: str) -> str:
    """A nickname as it is shown: one line, without characters that are not seen or that write over others.

    Raises:
        Refused: nothing is left of it, or it is too long.
    """
    letters: list[str] = []
    accents = 0
    for letter in unicodedata.normalize("NFKC", text[:500]):
        kind = unicodedata.category(letter)
        accents = accents + 1 if kind[0] == "M" else 0
        if letter.isspace() or kind[0] == "Z":
            letters.append(" ")
        elif kind[0] != "C" and accents <= _MOST_ACCENTS:
            letters.append(letter)
    nickname = " ".join("".join(letters).split())
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in nickname):
        raise Refused(422, "nickname: choose one with a letter or a digit in it")
    if len(nickname) > LONGEST_NICKNAME:
        raise Refused(422, f"nickname: {len(nickname)} characters are too long: at most {LONGEST_NICKNAME}")
    return nickname


def same_nickname(one: str, other: str) -> bool:
    """Whether two nicknames would be taken for the same."""
    return one.casefold().replace(" ", "") == other.casefold().replace(" ", "")
