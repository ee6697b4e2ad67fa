"""`SearchResult`: the common result type of all searches."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from noughts.positions import Position
from noughts.rules import IllegalMoveError, Rules
from noughts.rules.text import counted, name_cell
from noughts.showing import Shown

MAX_SIMULATIONS = 10_000_000
"""The largest budget of a search with simulations."""


class Kind(StrEnum):
    """Whether a value is exact, a bound, or an estimate."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"
    ESTIMATE = "estimate"


class MoveResult(NamedTuple):
    """The result for one legal move.

    Attributes:
        move: Cell index.
        visits: Simulations that went through it; for minimax, positions searched below it.
        value: From -1 (lost) to +1 (won) for the side to move at the root; 0 if it was never visited.
        kind: Whether `value` is exact, a bound, or an estimate.
        distance: Plies from before the move to the end of the game under fastest wins and longest resistance,
            if proved.
        prior: Probability in a network's policy before the search; None without a network.
    """

    move: int
    visits: int
    value: float
    kind: Kind = Kind.ESTIMATE
    distance: int | None = None
    prior: float | None = None


@dataclass(frozen=True, slots=True)
class SearchResult(Shown):
    """The result of a search.

    Attributes:
        move: The move to play, a cell index.
        value: Value of the position for the side to move, in [-1, 1].
        kind: Whether `value` is exact, a bound, or an estimate.
        moves: Every legal move, by cell index.
        principal_variation: The moves that both sides are expected to play, `move` first.
        nodes: The work done, in the search's own unit. Minimax: positions visited, counting repeated visits; Monte-Carlo
            tree search, with or without a network: iterations; flat Monte Carlo and the omniscient adversary: games, over all
            moves; a solver: positions solved or expanded.
        distance: Plies to the end of the game, as for a move.
        rules: The game, for the names of squares in its text form; None if unknown. Comparisons ignore it.
    """

    move: int
    value: float
    kind: Kind
    moves: tuple[MoveResult, ...]
    principal_variation: tuple[int, ...]
    nodes: int
    distance: int | None = None
    rules: Rules | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        """Describe the move, the value of the position, the principal variation, and the work done."""
        line = " ".join(name_cell(self.rules, cell) for cell in self.principal_variation)
        kind = "" if self.kind is Kind.EXACT else f" ({self.kind})"
        return f"{name_cell(self.rules, self.move)}, value {self.value:+.3g}{kind}, line {line}, {counted(self.nodes, 'node')}"

    @property
    def ranked(self) -> list[MoveResult]:
        """The moves, best first: the one to play, then by visits and value."""
        return sorted(self.moves, key=lambda found: (found.move != self.move, -found.visits, -found.value))


def require_unfinished(position: Position) -> None:
    """IllegalMoveError if the game is over."""
    if position.is_over:
        raise IllegalMoveError("the game is over: there is no move to search for")


def last(steps: Iterable[SearchResult]) -> SearchResult:
    """Return the last result of a stepwise search, which yields at least one."""
    return deque(steps, maxlen=1).pop()
