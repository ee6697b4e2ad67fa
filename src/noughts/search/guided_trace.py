"""Traces a search guided by a network: the n-th simulation, and the tree after it.

It searches twice, up to the simulation and with it. The simulation's path is the nodes whose visits differ.
"""

import numpy as np

from noughts.positions import Outcome, Position
from noughts.search.guided import GuidedSearch
from noughts.search.result import require_unfinished
from noughts.search.trace import NotTracedError, Trace, VisitedNode
from noughts.search.tree import SeenTree

_ROOT = 0


def trace_guided(search: GuidedSearch, position: Position, simulations: int) -> Trace:
    """Search with the first `simulations` of the search's simulations, and record the last one.

    Gumbel's search allots all its simulations to the moves in advance, so each is shown as part of the full search.

    Raises:
        IllegalMoveError: the game is over.
        NotTracedError: the search makes fewer simulations, or none at all.
    """
    budget = search.settings.simulations
    require_unfinished(position)
    if budget == 0:
        raise NotTracedError("simulations=0: the network's policy plays alone, and nothing is searched")
    if not 0 <= simulations <= budget:
        raise NotTracedError(f"simulations={simulations}: the search makes 0 to {budget}")
    move, tree = search.until(position, simulations)
    _, before = search.until(position, max(0, simulations - 1))
    ways = _ways(tree)
    changed = np.flatnonzero(tree.visits != before.visits).tolist() if simulations else []
    walked = sorted((node for node in changed if node in ways), key=lambda node: len(ways[node]))
    nodes = {number: _node(tree, ways, number) for number in ways}
    is_new = bool(walked) and before.visits[walked[-1]] == 0
    moves = ways[walked[-1]] if walked else ()
    return Trace(
        formula=search.settings.method,
        judge="network",
        simulations=simulations,
        budget=budget,
        select=moves[:-1] if is_new else moves,
        expand=moves[-1] if is_new else None,
        rollout=(),
        outcome=Outcome.ONGOING,
        path=tuple(nodes[number] for number in walked),
        gained=tuple(nodes[number].total - _total(before, number) for number in walked),
        nodes=tuple(nodes.values()),
        tried=_tried(position, tree, nodes),
        move=move if simulations else None,
    )


def _ways(tree: SeenTree) -> dict[int, tuple[int, ...]]:
    """The moves from the root to each node, in the order of creation; without nodes beyond the end of a game."""
    found: dict[int, tuple[int, ...]] = {_ROOT: ()}
    for number in range(1, len(tree.visits)):
        parent = int(tree.parent[number])
        if tree.visits[number] and parent in found and not tree.over[parent]:
            found[number] = (*found[parent], int(tree.action[number]))
    return found


def _node(tree: SeenTree, ways: dict[int, tuple[int, ...]], number: int) -> VisitedNode:
    parent, action = int(tree.parent[number]), int(tree.action[number])
    return VisitedNode(
        moves=ways[number],
        visits=int(tree.visits[number]),
        total=_total(tree, number),
        score=None if number == _ROOT else float(tree.score[parent, action]),
        prior=None if number == _ROOT else float(tree.prior[parent, action]),
        worth=float(np.clip(tree.worth[number], -1, 1)),
    )


def _total(tree: SeenTree, number: int) -> float:
    """W of a node; 0 before its creation."""
    visits = int(tree.visits[number])
    return visits * float(np.clip(tree.mean[number], -1, 1)) if visits else 0.0


def _tried(position: Position, tree: SeenTree, nodes: dict[int, VisitedNode]) -> tuple[VisitedNode, ...]:
    """A node for every legal move of the root, visited or not."""
    made = {node.moves[0]: node for node in nodes.values() if len(node.moves) == 1}
    return tuple(
        made.get(move) or VisitedNode((move,), 0, 0.0, float(tree.score[_ROOT, move]), float(tree.prior[_ROOT, move]))
        for move in position.legal_moves
    )
