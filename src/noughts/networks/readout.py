"""Heads that read a latent state, with outputs for each cell and for the whole board.

A latent state is one vector, [B, width], or has one per cell, [B, size, features]. A head supports one of these forms.
"""

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.layers import Dense, Keys, pool
from noughts.networks.network import Array


class FlatReadout(eqx.Module):
    """Dense layers over all numbers at once; for one size of board.

    Attributes:
        narrow: First reduces the features of each cell; None if the latent state is one vector.
        size, per_cell: The shape of the outputs for cells.
    """

    narrow: Dense | None
    hidden: tuple[Dense, ...]
    out: Dense
    size: int = eqx.field(static=True)
    per_cell: int = eqx.field(static=True)

    def __init__(
        self,
        keys: Keys,
        inputs: int,
        size: int,
        per_cell: int,
        per_board: int,
        widths: tuple[int, ...],
        narrow: int | None = None,
    ) -> None:
        """`inputs` is the size of the latent state or, with `narrow`, of one cell's part."""
        self.narrow = None if narrow is None else Dense(keys, inputs, narrow)
        inputs = inputs if narrow is None else narrow * size
        hidden = []
        for width in widths:
            hidden.append(Dense(keys, inputs, width))
            inputs = width
        self.hidden, self.size, self.per_cell = tuple(hidden), size, per_cell
        self.out = Dense(keys, inputs, size * per_cell + per_board, gain=0.1)

    def __call__(self, latent: Array, usable: Array) -> tuple[Array, Array]:
        """From B latent states, and the usable cells, float32 [B, size]: float32 [B, size, per_cell] and [B, per_board]."""
        x = latent if self.narrow is None else jax.nn.relu(self.narrow(latent))
        x = x.reshape(x.shape[0], -1)
        for dense in self.hidden:
            x = jax.nn.relu(dense(x))
        said, cells = self.out(x), self.size * self.per_cell
        return said[:, :cells].reshape(len(said), self.size, self.per_cell), said[:, cells:]


class CellReadout(eqx.Module):
    """Outputs for a cell are computed from its own features, those for the board from all cells pooled; for any size.

    Attributes:
        cell: The last layer for cells, after `cell_hidden`; None without outputs for cells.
        board: The last layer for the board, after `board_hidden`; None without outputs for the board.
    """

    cell_hidden: tuple[Dense, ...]
    cell: Dense | None
    board_hidden: tuple[Dense, ...]
    board: Dense | None

    def __init__(
        self, keys: Keys, features: int, per_cell: int, per_board: int, cell_width: int, board_width: int
    ) -> None:
        """A width of 0 means no hidden layer."""
        self.cell_hidden = (Dense(keys, features, cell_width),) if per_cell and cell_width else ()
        self.cell = Dense(keys, cell_width or features, per_cell, gain=0.1) if per_cell else None
        self.board_hidden = (Dense(keys, 2 * features, board_width),) if per_board and board_width else ()
        self.board = Dense(keys, board_width or 2 * features, per_board, gain=0.1) if per_board else None

    def __call__(self, latent: Array, usable: Array) -> tuple[Array, Array]:
        """See `FlatReadout`."""
        batch, size, _ = latent.shape
        x, y = latent, pool(latent[:, None], usable[:, None])
        for dense in self.cell_hidden:
            x = jax.nn.relu(dense(x))
        for dense in self.board_hidden:
            y = jax.nn.relu(dense(y))
        cells = jnp.zeros((batch, size, 0)) if self.cell is None else self.cell(x)
        return cells, jnp.zeros((batch, 0)) if self.board is None else self.board(y)


Readout = FlatReadout | CellReadout
"""A head of a learned model."""
