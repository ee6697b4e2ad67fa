"""`GraphNetwork`: message passing between adjacent cells of a board, without knowledge of lines.

Nodes are cells, without bricks; edges join cells that touch by a side or a corner, also across a joined edge of the board. The
weights distinguish these two kinds of edges, but no directions, and fit every size of board. In each round a cell

    receives    s = mean of y over the cells that touch by a side, c = mean over those that touch by a corner
    becomes     x + relu(y A + s B + c C + b) D,  y = x normalised by its own features
"""

from functools import lru_cache
from typing import Self

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from noughts.networks.layers import Dense, Keys, LayerNorm, pool
from noughts.networks.network import Array, BoardShape, Network, Observation, Prediction
from noughts.networks.options import GraphOptions
from noughts.rules import Rules
from noughts.rules.squares import WRAPS, Wrap, joins_columns, joins_rows

_SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0))
_CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_CELL_FEATURES = 4  # my mark, the other side's mark, empty, the first player is to move


class GraphRound(eqx.Module):
    """The weights of one round."""

    norm: LayerNorm
    own: Dense
    sides: Dense
    corners: Dense
    out: Dense

    def __init__(self, keys: Keys, features: int) -> None:
        self.norm = LayerNorm(features)
        self.own = Dense(keys, features, features)
        self.sides, self.corners = (Dense(keys, features, features, bias=False) for _ in range(2))
        self.out = Dense(keys, features, features, gain=0.1)

    def __call__(self, x: Array, usable: Array, around: "tuple[Array, Array]") -> Array:
        """[B, size, features] to the same.

        Args:
            x: The cells.
            usable: [B, size, 1]; 0 for bricks.
            around: The neighbours of each cell by sides, and by corners: each int [B, size, 4], `size` for none.
        """
        y, _ = self.norm(x)
        y = y * usable
        heard = self.own(y) + self.sides(_mean(y, usable, around[0])) + self.corners(_mean(y, usable, around[1]))
        return x + self.out(jax.nn.relu(heard)) * usable


class GraphNetwork(Network):
    """Rounds of messages between adjacent cells, one logit per cell, and a value from the pooled cells."""

    embed: Dense
    rounds: tuple[GraphRound, ...]
    norm: LayerNorm
    policy: Dense
    value_hidden: Dense
    value_out: Dense

    def __init__(self, key: Array, options: GraphOptions) -> None:
        keys, features = Keys(key), options.features
        self.embed = Dense(keys, _CELL_FEATURES, features, gain=4.0)
        self.rounds = tuple(GraphRound(keys, features) for _ in range(options.rounds))
        self.norm = LayerNorm(features)
        self.policy = Dense(keys, features, 1, gain=0.1)
        self.value_hidden = Dense(keys, 2 * features, features)
        self.value_out = Dense(keys, features, 1, gain=0.1)

    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        """See `Network.apply`."""
        mine, other, blocked, first = (seen.plane(number) for number in range(4))
        usable = (1.0 - blocked)[..., None]
        x = self.embed(jnp.stack([mine, other, 1.0 - mine - other - blocked, first], -1))
        tables = np.stack([neighbours(board.rows, board.cols, board.boards, wrap) for wrap in WRAPS])
        around = (jnp.asarray(tables[:, 0])[seen.wrap], jnp.asarray(tables[:, 1])[seen.wrap])
        for one in self.rounds:
            x = one(x, usable, around)
        x, _ = self.norm(x)
        value = jax.nn.relu(self.value_hidden(pool(x[:, None], usable[:, None, :, 0])))
        return Prediction(self.policy(x)[..., 0], jnp.tanh(self.value_out(value))[:, 0]), self

    def refusal(self, rules: Rules) -> str | None:
        """None: it supports every board, but its only inputs from the rules are bricks and joined edges."""
        return None


@lru_cache(maxsize=64)
def neighbours(rows: int, cols: int, boards: int, wrap: Wrap) -> NDArray[np.int32]:
    """The neighbours of each cell by sides, and by corners: int [2, size, 4], `size` for none."""
    size = boards * rows * cols
    found = np.full((2, size, 4), size, np.int32)
    for kind, steps in enumerate((_SIDES, _CORNERS)):
        for cell in range(size):
            board, at = divmod(cell, rows * cols)
            for place, (down, right) in enumerate(steps):
                row, col = at // cols + down, at % cols + right
                row = row % rows if joins_rows(wrap) else row
                col = col % cols if joins_columns(wrap) else col
                if 0 <= row < rows and 0 <= col < cols:
                    found[kind, cell, place] = board * rows * cols + row * cols + col
    return found


def _mean(y: Array, usable: Array, around: Array) -> Array:
    """The mean over the usable neighbours of each cell; zero if there are none."""
    padded, counted = (jnp.pad(array, ((0, 0), (0, 1), (0, 0))) for array in (y, usable))
    rows = jnp.arange(y.shape[0])[:, None, None]
    total, count = padded[rows, around].sum(2), counted[rows, around].sum(2)
    found: Array = total / jnp.maximum(count, 1.0)
    return found
