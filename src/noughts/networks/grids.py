"""`Grid`: what decides which cells make a line, and where the lines of a board are; networks that read lines share it."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.networks.network import BoardShape
from noughts.rules.squares import Wrap, runs_on_board


class Grid(NamedTuple):
    """What decides which cells make a line, bricks or not; as in `Rules`."""

    rows: int
    cols: int
    boards: int
    k: int
    wrap: Wrap = "none"


def grids(board: BoardShape) -> tuple[Grid, ...]:
    """One for each k and each way to join edges that occur on a board."""
    return tuple(Grid(board.rows, board.cols, board.boards, k, wrap) for wrap in board.wraps for k in board.lengths)


class LinePlaces(NamedTuple):
    """Which cells make a line.

    A line that goes all round a joined board has no ends: it is here once from each of its cells, so that the network
    knows none of them from the others.

    Attributes:
        cells: int [lines, k], end to end.
        through: int [size, k, 4], the lines that have a cell at a place, one for each direction; `lines` for none.
    """

    cells: NDArray[np.int32]
    through: NDArray[np.int32]


@lru_cache(maxsize=64)
def line_places(grid: Grid) -> LinePlaces:
    """The lines of k cells on boards of a size."""
    size, k = grid.rows * grid.cols, grid.k
    on_one = np.array(list(runs_on_board(grid.rows, grid.cols, k, wrap=grid.wrap)), np.int32).reshape(-1, k)
    cells = np.concatenate([on_one + board * size for board in range(grid.boards)])
    through = np.full((grid.boards * size, k, 4), len(cells), np.int32)
    used = np.zeros((grid.boards * size, k), np.int32)
    for line, members in enumerate(cells):
        for place, cell in enumerate(members):
            through[cell, place, used[cell, place]] = line
            used[cell, place] += 1
    return LinePlaces(cells, through)
