"""`SearchResult`: what any search found, in one shape whatever the search."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from noughts.rules import Rules

MAX_SIMULATIONS = 10_000_000
"""The largest budget of a search that simulates."""


class Kind(StrEnum):
    """How a value is meant: the exact one, a bound on it, or an estimate."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"
    ESTIMATE = "estimate"


@dataclass(frozen=True, slots=True)
class MoveResult:
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
class SearchResult:
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
    """

    move: int
    value: float
    kind: Kind
    moves: tuple[MoveResult, ...]
    principal_variation: tuple[int, ...]
    nodes: int
    distance: int | None = None

    def to_dict(self, rules: Rules) -> dict[str, Any]:
        """For JSON: the same, with squares by name and the moves best first."""
        ranked = sorted(self.moves, key=lambda found: (found.move != self.move, -found.visits, -found.value))
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
                for m in ranked
            ],
            "principal_variation": [rules.name_of(cell) for cell in self.principal_variation],
            "nodes": self.nodes,
            "distance": self.distance,
        }
