"""A game as it is kept: everything needed to replay it, doubt it or draw it."""

from typing import ClassVar, Literal

from noughts.rules import StoreError, Value

Ending = Literal["first", "second", "draw", "error"]


class GameRecord(Value):
    """One game, played or broken off.

    Attributes:
        key: What names it within its run; unique there.
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

    key: str
    rules: str
    first: str
    second: str
    seed: int
    opening: int = 0
    moves: tuple[int, ...]
    ending: Ending
    error: str = ""
    culprit: Literal["", "first", "second"] = ""
    seconds_first: float = 0.0
    seconds_second: float = 0.0
