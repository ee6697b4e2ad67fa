"""A record of one simulation of a search, and the tree after it: the same type for every search that grows a tree.

The trace includes the selection formula and the kind of evaluation, so code that shows it does not depend on the search.
"""

from dataclasses import dataclass
from typing import Literal

from noughts.positions import Outcome

Formula = Literal["ucb1", "gumbel", "puct", "muzero"]
"""The selection formula: equation 4 of the Brick Tic-Tac-Toe paper, or a method of `SearchSettings`."""

Judge = Literal["rollout", "network"]
"""How a new position is evaluated: by a random game from there, or by a network."""


class NotTracedError(ValueError):
    """A search does not make as many simulations as a trace should show."""


@dataclass(frozen=True, slots=True)
class VisitedNode:
    """A node of the tree, for display. All values are those of the side that moved into it.

    Attributes:
        moves: The moves from the root to it, cell indices.
        visits: N, the number of simulations that went through it; one more for the root.
        total: W, the sum of their results.
        score: The number by which selection compared it with its siblings; None for the root.
        prior: P, the probability of the move into it in a network's policy; None without a network, and for the root.
        worth: A network's value of it, from -1 to 1; the result if the game is over. None without a network.
    """

    moves: tuple[int, ...]
    visits: int
    total: float
    score: float | None
    prior: float | None = None
    worth: float | None = None

    @property
    def mean(self) -> float:
        """Q, the mean result for the side that moved into it."""
        return self.total / self.visits if self.visits else 0.0


@dataclass(frozen=True, slots=True)
class Trace:
    """The last simulation, and the tree after it.

    Attributes:
        formula: The selection formula.
        judge: How the position at its end was evaluated.
        simulations: The number of simulations so far.
        budget: The number of simulations that the search makes before its move.
        select: The selected moves, from the root.
        expand: The move whose node was added; None if the path ended at an existing node, for example a finished game.
        rollout: The moves of the random game from there; empty if a network evaluated it.
        outcome: The outcome of that game; ONGOING if there was none.
        path: The nodes to which the result was added, the root first.
        gained: The amount added to `total` of each of them.
        nodes: The tree: the root first, each node after its parent.
        tried: The nodes of the moves from the root; with a network, also of moves that were never tried.
        move: The move to play now; None before the first simulation.
    """

    formula: Formula
    judge: Judge
    simulations: int
    budget: int
    select: tuple[int, ...]
    expand: int | None
    rollout: tuple[int, ...]
    outcome: Outcome
    path: tuple[VisitedNode, ...]
    gained: tuple[float, ...]
    nodes: tuple[VisitedNode, ...]
    tried: tuple[VisitedNode, ...]
    move: int | None

    def most_visited(self, count: int) -> list[VisitedNode]:
        """The most visited nodes below the root, in descending order; equal ones keep their order."""
        return sorted(self.nodes[1:], key=lambda node: -node.visits)[:count]
