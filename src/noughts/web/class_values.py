"""What a class keeps, as values: itself, its pupils, their games, what they solved, and what they are to do.

A token stands here as its hash alone: whoever reads the store cannot take a pupil's place.
"""

import secrets
import unicodedata
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Literal

from noughts.positions import Position
from noughts.rules import Rules, Value, parse_rules
from noughts.web.boards import play
from noughts.web.errors import Refused

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Of join codes: none that is taken for another."""

CODE_LENGTH = 6
"""31^6 are 900 million codes, of which one is tried in ten seconds."""

LONGEST_NICKNAME = 24

_MOST_ACCENTS = 2  # on one letter

GameState = Literal["waiting", "playing", "ended", "withdrawn"]
Ending = Literal["", "moves", "resigned", "failed", "broken off"]
Goal = Literal["finish", "draw", "win"]


class KeptClass(Value):
    """A class.

    Attributes:
        code: By which pupils join.
        begun: When.
        closed: Whether nobody is let in any more.
        assignment: The id of what is to be done; empty for nothing.
    """

    code: str
    begun: str
    closed: bool = False
    assignment: str = ""


class KeptPupil(Value):
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


class Seat(Value):
    """Who plays a side: a pupil, an agent, or whoever comes first, if both are empty."""

    pupil: str = ""
    agent: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it waits for somebody."""
        return not (self.pupil or self.agent)


class KeptGame(Value):
    """A game in the class.

    Attributes:
        rules: Text form.
        opening: Squares of the moves with which it begins.
        moves: Squares of those that were played after them.
        seats: Who plays first and second.
        maker: The pupil who made it.
        invited: The pupil for whom the open seat is; empty for whoever has the link.
        seed: Of agents.
        state: How it stands.
        outcome: Who won, once it has ended; empty if nobody can say.
        ending: How it ended.
        why: What went wrong, of one that failed.
        version: How often it has changed: of two answers about it the one with more is the later.
        made, updated, ended: Moments; `ended` is empty while it goes on.
        rematch: The id of the game that was made after it.
        assignment: The id of the assignment of which it is; empty for none.
    """

    rules: str
    opening: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    seats: tuple[Seat, Seat]
    maker: str
    invited: str = ""
    seed: int
    state: GameState
    outcome: Literal["", "first", "second", "draw"] = ""
    ending: Ending = ""
    why: str = ""
    version: int = 0
    made: str
    updated: str
    ended: str = ""
    rematch: str = ""
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


class KeptSolved(Value):
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


class KeptAssignment(Value):
    """What the teacher wants done.

    Attributes:
        kind: A game against an agent, or puzzles.
        words: What the teacher says about it.
        rules, moves: The game, and the moves with which it begins; of puzzles the game alone.
        agent: The opponent.
        goal: What counts as done: any end, at least a draw, or a win.
        grade: Of the puzzles; empty for all.
        count: How many of them.
        made: When.
    """

    kind: Literal["game", "puzzles"]
    words: str = ""
    rules: str
    moves: tuple[str, ...] = ()
    agent: str = ""
    goal: Goal = "finish"
    grade: Literal["", "easy", "medium", "hard"] = ""
    count: int = 0
    made: str


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
