"""The records of the store: a game, with everything to replay, verify or draw it; and any other answer to a question."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from noughts.rules import Rules, StoreError, Value, parse_rules
from noughts.rules.text import format_game

Ending = Literal["first", "second", "draw", "error"]


class GameRecord(Value):
    """One game, complete or aborted.

    Attributes:
        rules: The text of the rules.
        first, second: The texts of the agents; `first` moves first.
        seed: The random seed of the game.
        opening: How many of the moves were made before the agents began.
        moves: Cell indices, in order.
        ending: The winner, or ``draw``; ``error`` if an agent raised an error, hung or made an illegal move.
        error: What went wrong, one line; empty otherwise.
        culprit: The agent that caused the error, ``first`` or ``second``; empty otherwise.
        seconds_first, seconds_second: Seconds that each agent took for its moves.
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
        """The agents, the game, the moves and the ending, in words."""
        moves = format_game(self.game, self.moves)
        ends = {"first": "the first wins", "second": "the second wins", "draw": "a draw"}
        return f"{self.first} against {self.second}, {moves}: {ends.get(self.ending, f'broken off: {self.error}')}"

    @property
    def failure(self) -> str:
        """The agent that caused an abort, and the error, one line; empty for a complete game."""
        if self.ending != "error":
            return ""
        return f"{self.first} - {self.second}, {self.rules}, seed {self.seed}: {self.culprit or 'game'}: {self.error}"

    @property
    def game(self) -> Rules:
        """The rules, parsed; RulesError if this version of noughts does not support their text."""
        return parse_rules(self.rules)


class StoredGame(GameRecord):
    """A saved game, with the version of the agents that played it.

    Attributes:
        run_id: The run in which it was played.
        basis: A hash of everything that the game depends on besides its question: noughts' code, libraries, and the agents'
            weights or source. Another basis means another version of the same agents.
    """

    run_id: str
    basis: str


def record_of(fields: Mapping[str, Any]) -> GameRecord:
    """The game in some fields, of which others are ignored; StoreError if they are no valid game."""
    kind = StoredGame if fields.get("run_id") else GameRecord
    return kind(**{name: fields[name] for name in kind.model_fields if name in fields})


class Kept(NamedTuple):
    """A saved answer to a question.

    Attributes:
        key: The question's key.
        basis: A hash of everything that the answer depends on besides the question.
        question: JSON text; empty for a question that was only a step of another.
        answer: JSON text.
        error: The failure that the answer records, one line; empty for a success.
    """

    key: str
    basis: str
    question: str
    answer: str
    error: str
