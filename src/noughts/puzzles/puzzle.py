"""`Puzzle`: a position, the few moves that keep what it is worth, how it goes on, and how often agents miss them."""

import hashlib
from functools import cached_property
from typing import ClassVar, Literal, get_args

from noughts.positions import Position
from noughts.rules import NoughtsError, Rules, Value, format_game

Grade = Literal["easy", "medium", "hard"]
GRADES: tuple[Grade, ...] = get_args(Grade)

PANEL = ("minimax:depth=1", "minimax:depth=2", "mcts:sims=20", "mcts:sims=100", "mcts:sims=500")
"""The agents that are asked how hard a puzzle is, the weakest first."""
_BOUNDS: tuple[tuple[Grade, float], ...] = (("easy", 0.3), ("medium", 0.6))
_ID_DIGITS = 10


class Puzzle(Value):
    """A position in which few moves are right.

    Attributes:
        rules: The game.
        moves: Cell indices from the empty board, in order.
        value: Of the position for the side to move: 1 where it wins, 0 where it holds a draw.
        otherwise: The best value that any other move gets, -1 or 0; None where only its being worse is known.
        solutions: The moves that keep the value, by cell index.
        plies: Until the game is won if the winner hurries and the loser resists; None for a draw, or if it is not known.
        line: Moves from here in which both sides play as well as can be; the first is a solution.
        missed: For each agent of `PANEL` the share of times, 0 to 1, that it chose another move.
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
        """Where it stands."""
        return Position.start(self.rules, self.moves)

    @cached_property
    def text(self) -> str:
        """Rules and moves, as games are written."""
        return format_game(self.rules, self.moves)

    @property
    def id(self) -> str:
        """A hash of its text, the same wherever it is made."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:_ID_DIGITS]

    @property
    def difficulty(self) -> float:
        """How often agents miss it: the mean over all of the panel, 0 to 1."""
        return sum(self.missed) / len(self.missed)

    @property
    def grade(self) -> Grade:
        """Its difficulty in a word."""
        return next((grade for grade, bound in _BOUNDS if self.difficulty < bound), "hard")
