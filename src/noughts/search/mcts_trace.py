"""Monte-Carlo tree search one iteration at a time: what the n-th iteration did, and the tree after it.

The kernel makes the tree before; the readable search makes the iteration itself. Both draw the same numbers, so this is
iteration n of `mcts` with an equal generator.
"""

from dataclasses import dataclass
from itertools import pairwise

from noughts.positions import Outcome, Position, Rng
from noughts.rules import IllegalMoveError
from noughts.search.mcts import Iteration, Node, _Search, iterate_reference
from noughts.search.rollout import kernel_rng

MAX_TRACED = 100_000
"""The most iterations that can be traced: every node becomes an object."""


@dataclass(frozen=True, slots=True)
class VisitedNode:
    """A node of the tree, for people.

    Attributes:
        moves: From the root to it, cell indices.
        visits: N, how many games went through it.
        total: W, the sum of their results for the side that moved into it.
        bound: The upper bound by which its parent compares it with the others, equation 4; None for the root.
    """

    moves: tuple[int, ...]
    visits: int
    total: int
    bound: float | None

    @property
    def mean(self) -> float:
        """Q, the mean result for the side that moved into it."""
        return self.total / self.visits if self.visits else 0.0


@dataclass(frozen=True, slots=True)
class Trace:
    """What the last iteration did, and the tree after it.

    Attributes:
        iterations: How many there were.
        select: The moves chosen by the bound, from the root.
        expand: The move whose node was added; None if the walk ended where the game is over.
        simulate: The moves of the random game from there.
        outcome: How that ended; ONGOING if there was no iteration.
        path: The nodes that the result was added to, the root first.
        root: The tree.
    """

    iterations: int
    select: tuple[int, ...]
    expand: int | None
    simulate: tuple[int, ...]
    outcome: Outcome
    path: tuple[VisitedNode, ...]
    root: Node


def trace_mcts(position: Position, iterations: int, c: float, rng: Rng) -> Trace:
    """Search with so many iterations, 0 to MAX_TRACED, and look at the last one.

    Raises:
        IllegalMoveError: the game is over.
        ValueError: there are too many iterations.
    """
    if position.is_over:
        raise IllegalMoveError("the game is over: there is no move to search for")
    if not 0 <= iterations <= MAX_TRACED:
        raise ValueError(f"iterations={iterations}: 0 to {MAX_TRACED} can be traced")
    search = _Search(position, max(1, iterations), c, kernel_rng(rng))
    if iterations == 0:
        return Trace(0, (), None, (), Outcome.ONGOING, (), search.root())
    if iterations > 1:
        search.advance(iterations - 1)
    root = search.root()
    done = iterate_reference(position, root, c, Rng(int(search.rng[0])))
    moves = tuple(node.move for node in done.path[1:])
    return Trace(
        iterations,
        moves[:-1] if done.expanded else moves,
        moves[-1] if done.expanded else None,
        done.end.moves[position.ply + len(moves) :],
        done.end.outcome,
        _visited(done, c),
        root,
    )


def most_visited(root: Node, c: float, count: int) -> list[VisitedNode]:
    """The nodes below the root that were visited most, the most visited first; of equal ones those nearer to the root."""
    found: list[tuple[VisitedNode, Node]] = [(VisitedNode((), root.visits, root.total, None), root)]
    for seen, node in found:  # grows as it is walked, level by level
        found += [
            (VisitedNode((*seen.moves, child.move), child.visits, child.total, node.bound(child, c)), child)
            for child in reversed(node.children)
        ]
    return sorted((seen for seen, _ in found[1:]), key=lambda seen: -seen.visits)[:count]


def _visited(done: Iteration, c: float) -> tuple[VisitedNode, ...]:
    moves: tuple[int, ...] = ()
    found = [VisitedNode((), done.path[0].visits, done.path[0].total, None)]
    for parent, node in pairwise(done.path):
        moves = (*moves, node.move)
        found.append(VisitedNode(moves, node.visits, node.total, parent.bound(node, c)))
    return tuple(found)
