"""`Grid`: the facts that determine the lines of a board, where these are, and features of the lines through a cell.

All networks that read lines use it. `line_features` are inputs for networks that do not read lines themselves. A line is open
to a player if it contains no brick and no mark of the other player. Shared marks belong to both players. Nothing is learned
here: the features are facts of the position, and their number is the same for any length of line.
"""

from functools import lru_cache
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from noughts.networks.network import Array, BoardShape, Observation
from noughts.rules.squares import WRAPS, Wrap, runs_on_board

LINE_FEATURES = 6
"""For the side to move and for the other one: open lines through a cell, as a fraction of the most that a cell can have; the
largest fraction of marks in an open line; and whether one mark completes a line."""


class Grid(NamedTuple):
    """The facts that determine which cells form a line, without bricks; fields as in `Rules`."""

    rows: int
    cols: int
    boards: int
    k: int
    wrap: Wrap = "none"


def grids(board: BoardShape) -> tuple[Grid, ...]:
    """One for each pair of a k and a `Wrap` that occur on a board."""
    return tuple(Grid(board.rows, board.cols, board.boards, k, wrap) for wrap in board.wraps for k in board.lengths)


class LinePlaces(NamedTuple):
    """The cells of each line.

    A line that goes all round a joined board has no ends. It is listed once from each of its cells, so that the network
    treats them alike.

    Attributes:
        cells: int [lines, k], from end to end.
        through: int [size, k, 4], the lines that have a cell at a place, one for each direction; `lines` for none.
    """

    cells: NDArray[np.int32]
    through: NDArray[np.int32]


@lru_cache(maxsize=64)
def line_places(grid: Grid) -> LinePlaces:
    """The lines of a grid."""
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


def line_features(seen: Observation, board: BoardShape) -> Array:
    """The line features of each cell: float32 [B, size, LINE_FEATURES]; zero for a cell without lines."""
    batch = seen.planes.shape[0]
    mine, other, blocked = (seen.plane(number) for number in range(3))
    shared = seen.shared[:, None]
    total = jnp.zeros((batch, board.size, LINE_FEATURES))
    for grid in grids(board):
        places = line_places(grid)
        own = ((seen.k == grid.k) & (seen.wrap == WRAPS.index(grid.wrap)))[:, None, None]
        through = places.through.reshape(board.size, -1)
        free = (blocked[:, places.cells] == 0).all(-1)
        columns = []
        for own_marks, others in ((mine, other), (other, mine)):
            marks = jnp.where(shared, jnp.maximum(mine, other), own_marks)
            against = jnp.where(shared, 0.0, others)
            is_open = free & (against[:, places.cells] == 0).all(-1)
            held = jnp.where(is_open, marks[:, places.cells].sum(-1), 0.0) / grid.k
            facts = (is_open.astype(jnp.float32), held, (is_open & (held * grid.k == grid.k - 1)).astype(jnp.float32))
            opened, most, nearly = (jnp.pad(fact, ((0, 0), (0, 1)))[:, through] for fact in facts)
            columns += [opened.sum(-1) / (4 * grid.k), most.max(-1), nearly.max(-1)]
        total = total + jnp.where(own, jnp.stack(columns, axis=-1), 0.0)
    return total
