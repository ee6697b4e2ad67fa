"""What the lines through a cell hold, as numbers given to a network that cannot see lines by itself.

A line is open to a player if it holds no brick and no mark of the other's. With shared marks all marks are both players'.
Nothing is learned here: these are facts of the position, the same for any length of line.
"""

import jax.numpy as jnp

from noughts.networks.grids import grids, line_places
from noughts.networks.network import Array, BoardShape, Observation
from noughts.rules.squares import WRAPS

LINE_FEATURES = 6
"""For the side to move and for the other one: the share of the lines that could run through a cell that are open; the largest
share of marks in an open one; and whether one mark completes one."""


def line_features(seen: Observation, board: BoardShape) -> Array:
    """Float32 [B, size, LINE_FEATURES]; zero where no line runs."""
    batch = seen.planes.shape[0]
    mine, other, blocked = (seen.planes[..., plane].reshape(batch, board.size) for plane in range(3))
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
