"""`SearchResult`: what any search found, in one shape whatever the search."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from noughts.positions import Position
from noughts.rules import IllegalMoveError, Rules
from noughts.rules.text import counted, name_cell
from noughts.showing import Shown

MAX_SIMULATIONS = 10_000_000
"""The largest budget of a search that simulates."""


class Kind(StrEnum):
    """How a value is meant: the exact one, a bound on it, or an estimate."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"
    ESTIMATE = "estimate"


class MoveResult(NamedTuple):
    """What was found about one legal move.

    Attributes:
        move: Cell index.
        visits: Simulations that went through it; for minimax, positions searched below it.
        value: From -1 (lost) to +1 (won) for the side to move at the root; 0 if it was never visited.
        kind: How `value` is meant.
        distance: Plies from before the move to the end of the game, the winner hurrying and the loser resisting,
            where that is proved.
        prior: Probability that a network's policy gave it before the search; None without a network.
    """

    move: int
    visits: int
    value: float
    kind: Kind = Kind.ESTIMATE
    distance: int | None = None
    prior: float | None = None


@dataclass(frozen=True, slots=True)
class SearchResult(Shown):
    """The outcome of a search.

    Attributes:
        move: The move to play, a cell index.
        value: Value of the position for the side to move, in [-1, 1].
        kind: How `value` is meant.
        moves: Every legal move, by cell index.
        principal_variation: The moves that both sides are expected to play, `move` first.
        nodes: The work done, in the search's own unit. Minimax: positions visited, each time they are; Monte-Carlo
            tree search, also one guided by a network: iterations; flat Monte Carlo and the omniscient adversary: games, over all moves; a solver:
            positions solved or expanded.
        distance: Plies to the end of the game, as for a move.
        rules: The game, whose squares name the moves when it is shown; None if unknown. Results are equal without it.
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
        """In words: the move, the value of the position, the line that is expected, and the work done."""
        line = " ".join(name_cell(self.rules, cell) for cell in self.principal_variation)
        kind = "" if self.kind is Kind.EXACT else f" ({self.kind})"
        return f"{name_cell(self.rules, self.move)}, value {self.value:+.3g}{kind}, line {line}, {counted(self.nodes, 'node')}"

    @property
    def ranked(self) -> list[MoveResult]:
        """The moves, best first: the one to play, then by visits and value."""
        return sorted(self.moves, key=lambda found: (found.move != self.move, -found.visits, -found.value))

    def to_dict(self, rules: Rules) -> dict[str, Any]:
        """For JSON: the same, with squares by name and the moves best first."""
        return {
            "move": rules.name_of(self.move),
            "value": self.value,
            "kind": str(self.kind),
            "moves": [
                {
                    "move": rules.name_of(m.move),
                    "visits": m.visits,
                    "value": m.value,
                    "kind": str(m.kind),
                    "distance": m.distance,
                    "prior": m.prior,
                }
                for m in self.ranked
            ],
            "principal_variation": [rules.name_of(cell) for cell in self.principal_variation],
            "nodes": self.nodes,
            "distance": self.distance,
        }


def require_unfinished(position: Position) -> None:
    """IllegalMoveError if the game is over."""
    if position.is_over:
        raise IllegalMoveError("the game is over: there is no move to search for")


def last(steps: Iterable[SearchResult]) -> SearchResult:
    """What a search that goes on step by step found at last; there is at least one step."""
    return deque(steps, maxlen=1).pop()
