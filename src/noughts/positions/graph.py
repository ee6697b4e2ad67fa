"""`GameGraph`: every position of a small game by number, so that playing a move is a table lookup.

    edges of position p    first[p] to first[p + 1], one for each legal move, in ascending order of cells
    cell[edge]             the move
    child[edge]            the position it leads to

Position 0 is the empty board, and children have greater numbers than their parents. Tic-tac-toe has 5,478 positions and
16,167 edges.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions.position import Position
from noughts.rules import Rules

MOST_POSITIONS = 20_000


class GameGraph(NamedTuple):
    """A game's positions. Move orders that lead to one board share a position; see the module docstring."""

    first: NDArray[np.int32]  # [positions + 1]
    cell: NDArray[np.int32]  # [edges]
    child: NDArray[np.int32]  # [edges]
    outcome: NDArray[np.int8]  # [positions] the `Outcome`
    side: NDArray[np.int8]  # [positions] the side to move


def is_small(rules: Rules) -> bool:
    """Whether an upper bound on a game's number of positions is at most `MOST_POSITIONS`."""
    contents = 2 if rules.marks == "shared" else 3
    return rules.size <= 32 and contents ** (rules.size - len(rules.bricks) * rules.boards) <= MOST_POSITIONS


@lru_cache(maxsize=8)
def game_graph(rules: Rules) -> tuple[GameGraph, tuple[Position, ...]]:
    """Return the graph of a game, and its positions by number; raise ValueError if the game is too large."""
    if not is_small(rules):
        raise ValueError("the game has too many positions for a graph")
    numbers: dict[bytes, int] = {}
    positions: list[Position] = []
    layer = [Position.start(rules)]
    while layer:
        following: dict[bytes, Position] = {}
        for position in layer:
            numbers[position.cells] = len(positions)
            positions.append(position)
            for move in position.legal_moves:
                after = position.play(move)
                following.setdefault(after.cells, after)
        layer = list(following.values())
    edges = [(move, numbers[p.play(move).cells]) for p in positions for move in p.legal_moves]
    graph = GameGraph(
        first=np.cumsum([0, *(len(position.legal_moves) for position in positions)], dtype=np.int32),
        cell=np.array([move for move, _ in edges], np.int32),
        child=np.array([after for _, after in edges], np.int32),
        outcome=np.array([int(position.outcome) for position in positions], np.int8),
        side=np.array([int(position.to_move) for position in positions], np.int8),
    )
    return graph, tuple(positions)
