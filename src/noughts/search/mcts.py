"""Monte-Carlo tree search: UCT with random rollouts, exactly as defined in the Brick Tic-Tac-Toe paper.

One iteration: descend by UCB1 (the paper's equation 4) while every move of a position has been tried; add one
node, for a random untried move; play a random game from there; add its result to every node on the
path. The search plays the most visited move. Two constants are in use: c = 1 (that paper) and c = sqrt(2), which
gives the other papers' bound sqrt(2 ln n / n_j).
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions import EMPTY, Outcome, Position, Rng, Side
from noughts.positions.kernels import (
    FREE,
    OUTCOME,
    PLY,
    UNKNOWN,
    below,
    board_at,
    copy_board,
    new_board,
    play_known,
    play_out,
    tables,
)
from noughts.positions.numba_kernel import kernel
from noughts.search.result import MAX_SIMULATIONS, Kind, MoveResult, SearchResult, last, require_unfinished
from noughts.search.rollout import RolloutPosition, kernel_rng, reference_rng, rollout_reference

Pick = Literal["visits", "value"]
SLICE_PLIES = 500_000
"""Plies played between two checks for Ctrl-C; an iteration plays at most a whole game."""


class Node:
    """A position in the tree of the readable search.

    `total` sums the results of the games through it for the side that moved into it, as the paper's v_a;
    `visits` is its n_a. The root starts with one visit, so that for all nodes the visits of the
    children add up to one less than the node's own.
    """

    def __init__(self, move: int, visits: int = 0) -> None:
        self.move = move
        self.visits = visits
        self.total = 0
        self.children: list[Node] = []  # newest first, as in the kernel's linked lists

    def bound(self, child: "Node", c: float) -> float:
        """The upper confidence bound of a child, equation 4."""
        return child.total / child.visits + c * math.sqrt(math.log(self.visits - 1) / child.visits)

    def best_child(self, c: float) -> "Node":
        """The child with the largest upper bound; of equal ones the newest."""
        return max(self.children, key=lambda child: self.bound(child, c))


def mcts_reference(position: Position, simulations: int, c: float, rng: Rng, pick: Pick = "visits") -> SearchResult:
    """The search in plain, readable Python; `mcts` gives the same result for an equal `rng`."""
    _check(position, simulations)
    rng = reference_rng(rng)
    root = Node(-1, visits=1)
    for _ in range(simulations):
        iterate_reference(position, root, c, rng)
    line, node = [], root
    while node.children:
        node = max(reversed(node.children), key=lambda child: child.visits)  # the oldest of equals
        line.append(node.move)
    found = {child.move: (child.visits, child.total) for child in reversed(root.children)}
    return _result(position, found, line, pick, simulations)


def iterate_reference(position: Position, root: Node, c: float, rng: Rng) -> tuple[list[Node], bool, Position]:
    """Run one iteration in the tree under `root`, the node of `position`.

    Returns:
        The visited nodes, root first, with its result included; whether the last of them is new (if not, the game is over
        there); the position in which its random game ended.
    """
    walk, node, path, expanded = RolloutPosition(position), root, [root], False
    while not walk.position.is_over:
        if len(node.children) < len(walk.free):
            tried = {child.move for child in node.children}
            untried = [cell for cell in walk.position.legal_moves if cell not in tried]
            node.children.insert(0, Node(untried[rng.below(len(untried))]))
            node = node.children[0]
            walk.play(node.move)
            path.append(node)
            expanded = True
            break
        node = node.best_child(c)
        walk.play(node.move)
        path.append(node)
    outcome: Outcome = rollout_reference(walk, rng)
    for depth, visited in enumerate(path):
        visited.visits += 1
        mover = Side((position.ply + depth - 1) % 2)
        visited.total += outcome.value(mover)
    return path, expanded, walk.position


def mcts(position: Position, simulations: int, c: float, rng: Rng, pick: Pick = "visits") -> SearchResult:
    """Search with a budget of `simulations` iterations.

    Args:
        position: The root; its game must not be over.
        simulations: Iterations, 1 to MAX_SIMULATIONS; each adds at most one node.
        c: The exploration constant C of equation 4.
        rng: Seeds the search by one draw.
        pick: Play the move with the most ``visits``, or with the best mean ``value`` among those visited.

    Returns:
        A result whose visits add up to `simulations`.
    """
    return last(mcts_stepwise(position, simulations, c, rng, pick))


def mcts_stepwise(
    position: Position, simulations: int, c: float, rng: Rng, pick: Pick = "visits"
) -> Iterator[SearchResult]:
    """Yield the results so far of `mcts` every few hundredths of a second; the last one is its result."""
    _check(position, simulations)
    search = SlicedSearch(position, simulations, c, kernel_rng(rng))
    iterations = max(1, SLICE_PLIES // position.rules.size)
    while search.done < simulations:
        search.advance(min(iterations, simulations - search.done))
        yield _result(position, search.root_moves(), search.principal_variation(), pick, search.done)


def _check(position: Position, simulations: int) -> None:
    require_unfinished(position)
    if not 1 <= simulations <= MAX_SIMULATIONS:
        raise ValueError(f"simulations={simulations}: a search takes 1 to {MAX_SIMULATIONS}")


def _result(
    position: Position, found: dict[int, tuple[int, int]], line: list[int], pick: Pick, simulations: int
) -> SearchResult:
    """The result from the visits and totals of the root's children, oldest child first."""
    means = {move: total / visits for move, (visits, total) in found.items()}
    move = max(found, key=lambda m: found[m][0] if pick == "visits" else means[m])
    if line[0] != move:
        line = [move]  # the most visited line starts with another move
    moves = tuple(MoveResult(m, found.get(m, (0, 0))[0], means.get(m, 0.0)) for m in position.legal_moves)
    return SearchResult(move, means[move], Kind.ESTIMATE, moves, tuple(line), simulations)


class Tree(NamedTuple):
    """Nodes as columns: node 0 is the root, -1 is none. Children are linked lists, newest first."""

    move: NDArray[np.int32]
    visits: NDArray[np.int32]
    total: NDArray[np.int32]  # results for the side that moved into the node
    child: NDArray[np.int32]  # the newest child
    sibling: NDArray[np.int32]  # the next older child of the same parent
    children: NDArray[np.int32]  # number of children
    outcome: NDArray[np.int32]
    mean: NDArray[np.float64]  # total / visits, computed at each change, not at each read
    inverse_root: NDArray[np.float64]  # 1 / sqrt(visits), likewise


class SlicedSearch:
    """A search that runs in slices."""

    def __init__(self, position: Position, simulations: int, c: float, rng: NDArray[np.uint64]) -> None:
        self.tables = tables(position.rules)
        self.start = board_at(position)
        self.board = new_board(position.rules)
        nodes = simulations + 1
        self.tree = Tree._make([*np.empty((len(Tree._fields) - 2, nodes), np.int32), *np.empty((2, nodes))])
        root = {"move": -1, "visits": 1, "total": 0, "child": -1, "sibling": -1, "children": 0}
        for name, value in root.items():
            getattr(self.tree, name)[0] = value
        self.used = 1
        self.c = float(c)
        self.rng = rng
        self.path = np.empty(position.rules.size + 1, np.int64)
        self.tried = np.zeros(position.rules.size, np.int64)
        self.done = 0

    def advance(self, iterations: int) -> None:
        """Run more iterations."""
        logs = _logarithms(1 << (self.done + iterations + 2).bit_length())
        self.used = _iterate(
            self.tables,
            self.start,
            self.board,
            self.tree,
            self.used,
            logs,
            self.c,
            iterations,
            self.rng,
            self.path,
            self.tried,
        )
        self.done += iterations

    def root(self) -> Node:
        """The tree in the form of the readable search."""
        tree = self.tree
        nodes = [Node(int(tree.move[number]), int(tree.visits[number])) for number in range(self.used)]
        for number, node in enumerate(nodes):
            node.total = int(tree.total[number])
            child = int(tree.child[number])
            while child >= 0:
                node.children.append(nodes[child])
                child = int(tree.sibling[child])
        return nodes[0]

    def root_moves(self) -> dict[int, tuple[int, int]]:
        """Visits and total of each of the root's children, oldest first."""
        found, tree = {}, self.tree
        node = tree.child.item(0)
        while node >= 0:
            found[tree.move.item(node)] = (tree.visits.item(node), tree.total.item(node))
            node = tree.sibling.item(node)
        return dict(reversed(found.items()))

    def principal_variation(self) -> list[int]:
        """The most visited moves from the root down; of equal ones the oldest, as for the move played."""
        length = _most_visited(self.tree, self.path)
        moves: list[int] = self.tree.move[self.path[:length]].tolist()
        return moves


@lru_cache(maxsize=32)
def _logarithms(n: int) -> NDArray[np.float64]:
    """ln 0 (as 0) to ln n-1, from the C library that `math.log` uses, so that both searches use the same numbers."""
    return np.array([0.0, *(math.log(i) for i in range(1, n))])


@kernel
def _iterate(tables, start, board, tree, used, logs, c, iterations, rng, path, tried):  # type: ignore[no-untyped-def]
    """The loop of `mcts_reference`; returns the number of nodes in use. Each iteration overwrites `board`."""
    first_side = start.counts[PLY] & 1
    for _ in range(iterations):
        copy_board(start, board)
        node, depth = np.int64(0), 0
        path[0] = 0
        while board.counts[OUTCOME] == 0:
            if tree.children[node] < board.counts[FREE]:
                _expand(tables, board, tree, node, used, rng, tried)
                node = used
                used += 1
                depth += 1
                path[depth] = node
                tree.outcome[node] = play_known(tables, board, tree.move[node], UNKNOWN)
                break
            log_visits = logs[tree.visits[node] - 1]
            child = clearly_best_child(tree, node, log_visits, c)
            node = child if child >= 0 else best_child(tree, node, log_visits, c)
            depth += 1
            path[depth] = node
            play_known(tables, board, tree.move[node], tree.outcome[node])
        outcome = play_out(tables, board, board, rng)
        first_result = 0 if outcome == 3 else 1 if outcome == 1 else -1
        for step in range(depth, -1, -1):
            visited = path[step]
            tree.visits[visited] += 1
            mover_is_first = (first_side + step) & 1 == 1
            tree.total[visited] += first_result if mover_is_first else -first_result
            tree.mean[visited] = tree.total[visited] / tree.visits[visited]
            tree.inverse_root[visited] = 1 / np.sqrt(tree.visits[visited])
    return used


@kernel
def best_child(tree, node, log_visits, c):  # type: ignore[no-untyped-def]
    """The child with the largest upper bound; of equal ones the newest."""
    child = np.int64(tree.child[node])
    best, best_bound = child, -np.inf
    while child >= 0:
        # Equation 4: v_a / n_a + C sqrt(ln(sum of n_b) / n_a)
        bound = tree.mean[child] + c * np.sqrt(log_visits / tree.visits[child])
        if bound > best_bound:
            best, best_bound = child, bound
        child = np.int64(tree.sibling[child])
    return best


@kernel
def clearly_best_child(tree, node, log_visits, c):  # type: ignore[no-untyped-def]
    """`best_child` without a division and a root for each child, or -1 in the rare case that rounding could change the choice.

    The bound is computed as v_a / n_a + C sqrt(ln(sum of n_b)) * (1 / sqrt(n_a)). If C sqrt(ln(sum of n_b)) < 1e6, this differs
    by less than 2e-9 from what `best_child` computes, so a lead of 1e-8 is safe. Children with equal visits and equal bounds
    have equal totals, too: both ways prefer the newest of them.
    """
    scale = c * np.sqrt(log_visits)
    child = np.int64(tree.child[node])
    best, best_bound, best_inverse_root, second_bound = child, -np.inf, 0.0, -np.inf
    while child >= 0:
        inverse_root = tree.inverse_root[child]
        bound = tree.mean[child] + scale * inverse_root
        equal = (bound == best_bound) & (inverse_root == best_inverse_root)
        second_bound = max(second_bound, -np.inf if equal else min(bound, best_bound))
        if bound > best_bound:
            best, best_bound, best_inverse_root = child, bound, inverse_root
        child = np.int64(tree.sibling[child])
    return best if best_bound - second_bound > 1e-8 and abs(scale) < 1e6 else np.int64(-1)


@kernel
def _expand(tables, board, tree, node, new, rng, tried):  # type: ignore[no-untyped-def]
    """Add a child `new` to `node` for a random untried move."""
    child = np.int64(tree.child[node])
    while child >= 0:
        tried[tree.move[child]] = new  # marks this expansion, so that nothing needs clearing
        child = np.int64(tree.sibling[child])
    skip = below(rng, board.counts[FREE] - tree.children[node])
    cell = -1
    while skip >= 0:
        cell += 1
        if board.cells[cell] == EMPTY and board.closed[tables.board_of[cell]] == 0 and tried[cell] != new:
            skip -= 1
    tree.move[new] = cell
    tree.visits[new] = 0
    tree.total[new] = 0
    tree.child[new] = -1
    tree.children[new] = 0
    tree.sibling[new] = tree.child[node]
    tree.child[node] = new
    tree.children[node] += 1


@kernel
def _most_visited(tree, path):  # type: ignore[no-untyped-def]
    """Fill `path` with the most visited nodes from the root down, each a child of the one before; return the number."""
    length, child = 0, np.int64(tree.child[0])
    while child >= 0:
        best = child
        while child >= 0:
            if tree.visits[child] >= tree.visits[best]:
                best = child
            child = np.int64(tree.sibling[child])
        path[length] = best
        length += 1
        child = np.int64(tree.child[best])
    return length
