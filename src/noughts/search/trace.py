"""What one simulation of a search did, and the tree after it: the same value for every search that grows a tree.

How a search chooses its way down, and who judges a new position, are data of the trace; whoever shows it need not ask whose it is.
"""

from dataclasses import dataclass
from typing import Literal

from noughts.positions import Outcome

Formula = Literal["ucb1", "gumbel", "puct", "muzero"]
"""By what a simulation chooses its way down: equation 4 of the Brick Tic-Tac-Toe paper, or a method of `SearchSettings`."""

Judge = Literal["rollout", "network"]
"""Who says what a new position is worth: a random game from there, or a network."""


@dataclass(frozen=True, slots=True)
class VisitedNode:
    """A node of the tree, for people. All values are those of the side that moved into it.

    Attributes:
        moves: From the root to it, cell indices.
        visits: N, how many simulations went through it; of the root one more.
        total: W, the sum of their results.
        score: What selection compared it with its siblings by; None for the root.
        prior: P, how likely a network takes the move into it to be, before any search; None without a network, and for the root.
        worth: What a network says of it, from -1 to 1; where the game is over, the result. None without a network.
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
    """What the last simulation did, and the tree after it.

    Attributes:
        formula: How it chose its way down.
        judge: Who judged the position at its end.
        simulations: How many there were.
        budget: How many the search makes before its move.
        select: The moves chosen, from the root.
        expand: The move whose node was added; None if the way ended at a node that was there, as where the game is over.
        rollout: The moves of the random game from there; empty if a network judged.
        outcome: How that game ended; ONGOING if there was none.
        path: The nodes that the result was added to, the root first.
        gained: What was added to `total` of each of them.
        nodes: The tree: the root first, each node after the one that it follows.
        tried: What is known of the moves from the root; with a network, also of those that were never tried.
        move: What would be played now; None before the first simulation.
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
        """The nodes below the root that were visited most, the most visited first; of equal ones those that stand first."""
        return sorted(self.nodes[1:], key=lambda node: -node.visits)[:count]
