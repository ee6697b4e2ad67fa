"""What is kept: a game, with everything needed to replay it, doubt it or draw it; and any other answer to a question."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from noughts.rules import Rules, StoreError, Value, parse_rules
from noughts.rules.text import format_game

Ending = Literal["first", "second", "draw", "error"]


class GameRecord(Value):
    """One game, played or broken off.

    Attributes:
        rules: Text form of the rules.
        first, second: Text forms of the agents, the one who moves first first.
        seed: Every random draw of the game comes from it.
        opening: How many of the moves were set before the agents began.
        moves: Cell indices, in order.
        ending: Who won; ``error`` if an agent raised, hung or made an illegal move.
        error: What went wrong, one line; empty otherwise.
        culprit: ``first`` or ``second``: whose fault the error was; empty otherwise.
        seconds_first, seconds_second: Time the agents took for their moves, in seconds.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "game record"

    rules: str
    first: str
    second: str
    seed: int
    opening: int = 0
    moves: tuple[int, ...]
    ending: Ending
    error: str = ""
    culprit: Literal["", "first", "second"] = ""
    seconds_first: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    seconds_second: float = Field(default=0.0, ge=0, allow_inf_nan=False)

    def __str__(self) -> str:
        """In words: who played which game, the moves, and how it ended."""
        moves = format_game(self.game, self.moves)
        ends = {"first": "the first wins", "second": "the second wins", "draw": "a draw"}
        return f"{self.first} against {self.second}, {moves}: {ends.get(self.ending, f'broken off: {self.error}')}"

    @property
    def failure(self) -> str:
        """Who broke it off, and how, one line; empty if it was played to its end."""
        if self.ending != "error":
            return ""
        return f"{self.first} - {self.second}, {self.rules}, seed {self.seed}: {self.culprit or 'game'}: {self.error}"

    @property
    def game(self) -> Rules:
        """The rules themselves; RulesError if their text is none that this version of noughts knows."""
        return parse_rules(self.rules)


class StoredGame(GameRecord):
    """A game that is kept, and which version of its agents played it.

    Attributes:
        run_id: The run in which it was played.
        basis: A hash of all that it depends on besides its question: our code, the libraries, weights or source of the
            agents. Games of equal rules and agents with another basis are of another version.
    """

    run_id: str
    basis: str


def record_of(fields: Mapping[str, Any]) -> GameRecord:
    """The game that fields of more than a game describe; StoreError if it is none."""
    kind = StoredGame if fields.get("run_id") else GameRecord
    return kind(**{name: fields[name] for name in kind.model_fields if name in fields})


class Kept(NamedTuple):
    """An answer to a question, as it is kept.

    Attributes:
        key: The question's.
        basis: A hash of all that the answer depends on besides the question.
        question: JSON text; empty for a question that was only a step of another.
        answer: JSON text.
        error: What went wrong, as the answer says, one line; empty if nothing did.
    """

    key: str
    basis: str
    question: str
    answer: str
    error: str
