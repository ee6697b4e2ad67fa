"""Traces Monte-Carlo tree search: the n-th iteration, and the tree after it.

The kernel builds the tree before it, and the readable search runs the iteration itself. Both draw the same numbers, so
this is iteration n of `mcts` with an equal generator.
"""

from noughts.positions import Position, Rng
from noughts.search.mcts import Node, Pick, SlicedSearch, iterate_reference
from noughts.search.result import require_unfinished
from noughts.search.rollout import kernel_rng
from noughts.search.trace import NotTracedError, Trace, VisitedNode

MAX_TRACED = 100_000
"""Most iterations that can be traced, because every node becomes an object."""


def trace_mcts(
    position: Position, iterations: int, c: float, rng: Rng, pick: Pick = "visits", budget: int = MAX_TRACED
) -> Trace:
    """Search with `iterations` iterations, 0 to `budget`, and record the last one.

    Args:
        position, c, rng, pick: As in `mcts`.
        iterations: Number of iterations to run.
        budget: Number of iterations of the whole search; the tree does not depend on it.

    Raises:
        IllegalMoveError: the game is over.
        NotTracedError: there are too many iterations.
    """
    require_unfinished(position)
    if not 0 <= iterations <= min(budget, MAX_TRACED):
        raise NotTracedError(f"iterations={iterations}: 0 to {min(budget, MAX_TRACED)} can be traced")
    search = SlicedSearch(position, max(1, iterations), c, kernel_rng(rng))
    if iterations > 1:
        search.advance(iterations - 1)
    root = search.root()
    rng = Rng(int(search.rng[0]))
    path, expanded, end = iterate_reference(position, root, c, rng) if iterations else ([], False, position)
    nodes = {node.moves: node for node in _nodes(root, c)}
    tried = tuple(node for node in nodes.values() if len(node.moves) == 1)
    moves = tuple(node.move for node in path[1:])
    movers = (position.to_move.other, position.to_move)  # into the nodes of the path, by turns
    return Trace(
        formula="ucb1",
        judge="rollout",
        simulations=iterations,
        budget=budget,
        select=moves[:-1] if expanded else moves,
        expand=moves[-1] if expanded else None,
        rollout=end.moves[position.ply + len(moves) :],
        outcome=end.outcome,
        path=tuple(nodes[moves[:depth]] for depth in range(len(path))),
        gained=tuple(float(end.outcome.value(movers[depth % 2])) for depth in range(len(path))),
        nodes=tuple(nodes.values()),
        tried=tried,
        move=max(tried, key=lambda n: n.visits if pick == "visits" else n.mean).moves[0] if tried else None,
    )


def _nodes(root: Node, c: float) -> list[VisitedNode]:
    """The whole tree, level by level, the oldest of siblings first."""
    found = [(VisitedNode((), root.visits, root.total, None), root)]
    for seen, node in found:  # the loop extends it
        found += [
            (VisitedNode((*seen.moves, child.move), child.visits, child.total, node.bound(child, c)), child)
            for child in reversed(node.children)
        ]
    return [seen for seen, _ in found]
