"""`Puzzle`: a position, its few optimal moves, a line of play, and how often agents miss them."""

import hashlib
from functools import cached_property
from typing import ClassVar, Literal, get_args

from noughts.positions import Position
from noughts.rules import NoughtsError, Rules, Value, format_game

Grade = Literal["easy", "medium", "hard"]
GRADES: tuple[Grade, ...] = get_args(Grade)

PANEL = ("minimax:depth=1", "minimax:depth=2", "mcts:sims=20", "mcts:sims=100", "mcts:sims=500")
"""The agents that grade puzzles, the weakest first."""
_BOUNDS: tuple[tuple[Grade, float], ...] = (("easy", 0.3), ("medium", 0.6))
_ID_DIGITS = 10


class Puzzle(Value):
    """A position in which few moves are optimal.

    Attributes:
        rules: The game.
        moves: Cell indices from the empty board, in order.
        value: Of the position for the side to move: 1 if it wins, 0 if it draws.
        otherwise: The best value of any other move, -1 or 0; None if it is only known to be worse.
        solutions: The optimal moves, by cell index.
        plies: Until the win, if the winner is quick and the loser resists; None for a draw, or if it is not known.
        line: Moves from here with best play by both sides; the first is a solution.
        missed: For each agent of `PANEL` the share of tries, 0 to 1, in which it chose another move.
    """

    called: ClassVar = "puzzle"
    error_type: ClassVar = NoughtsError

    rules: Rules
    moves: tuple[int, ...]
    value: Literal[1, 0]
    otherwise: Literal[0, -1] | None
    solutions: tuple[int, ...]
    plies: int | None
    line: tuple[int, ...]
    missed: tuple[float, ...]

    @property
    def position(self) -> Position:
        """The position."""
        return Position.start(self.rules, self.moves)

    @cached_property
    def text(self) -> str:
        """Rules and moves, in the notation of games."""
        return format_game(self.rules, self.moves)

    @property
    def id(self) -> str:
        """A hash of its text, which is equal on every machine."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:_ID_DIGITS]

    @property
    def difficulty(self) -> float:
        """The share of tries, 0 to 1, that agents miss it: the mean over the panel."""
        return sum(self.missed) / len(self.missed)

    @property
    def grade(self) -> Grade:
        """Its difficulty as a word."""
        return next((grade for grade, bound in _BOUNDS if self.difficulty < bound), "hard")
