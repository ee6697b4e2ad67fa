"""`LineNetwork`: cells and lines pass messages. The network reads lines, and its weights do not depend on squares.

A convolution must learn from examples how a brick affects a cell, in every direction and at every distance. Here a
brick is no feature: the lines through it are absent, and its cell takes no part. So weights learned with one
brick square work with any other, on any size of board, and across joined edges. (This comes from reading lines: with
bricks as a feature, `bricks="feature"`, the network generalises as well in the study `why-it-generalises`.)

One block, for the lines of k cells, drawn for k = 4:

    cells      x_0   x_1   x_2   x_3            each [features]
    forwards   h = relu(x_0 R_0 + x_1 R_1 + x_2 R_2 + x_3 R_3 + b)
    backwards  g = relu(x_3 R_0 + x_2 R_1 + x_1 R_2 + x_0 R_3 + b)
    to x_1     h W_1 + g W_2                    summed over all lines through the cell, added to x_1

The matrices R and W belong to a place along the line, from 0 at one end to 1 at the other. The weights define them at a
few knots, with interpolation in between, so that the same weights read lines of any length. With 4 knots, each place of
a line of 4 has its own matrices.
"""

from functools import lru_cache, partial
from typing import ClassVar, Self

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from noughts.networks.grids import Grid, grids, line_places
from noughts.networks.layers import Dense, Keys, LayerNorm, pool
from noughts.networks.network import Array, BoardShape, Network, Observation, Prediction
from noughts.networks.options import LineOptions
from noughts.rules import Rules
from noughts.rules.squares import WRAPS

RULE_FEATURES = 4
CELL_FEATURES = 4  # own mark, the other side's mark, empty, the first player is to move


class LineBlock(eqx.Module):
    """The messages of one round.

    Attributes:
        norm: Normalises the cells before they are read.
        read: [knots, features, features], R above.
        read_bias: [features], b above.
        write: [knots, features, features], W above.
    """

    norm: LayerNorm
    read: Array
    read_bias: Array
    write: Array

    def __init__(self, keys: Keys, features: int, knots: int) -> None:
        self.norm = LayerNorm(features)
        self.read = jax.random.normal(keys.next(), (knots, features, features)) * np.sqrt(2 / (knots * features))
        self.read_bias = jnp.zeros(features)
        self.write = jax.random.normal(keys.next(), (knots, features, features)) * (0.3 / np.sqrt(knots * features))

    def __call__(self, x: Array, live: "dict[Grid, Array]", reverse: bool) -> Array:
        """[B, size, features] to the same; `live` marks the existing lines of each grid, bool [B, lines]."""
        y, _ = self.norm(x)
        for grid, present in live.items():
            messages = self._messages(y, present[..., None], grid, reverse)
            # Added as one row for each position, because XLA adds rows of a few features one number at a time.
            x = (x.reshape(len(x), -1) + messages.reshape(len(x), -1)).reshape(x.shape)
        return x

    def _messages(self, y: Array, present: Array, grid: "Grid", reverse: bool) -> Array:
        k, places = grid.k, interpolation(grid.k, len(self.read))
        batch, size, features = y.shape
        # First all products of cells and matrices, because up to four lines use a cell at each place.
        read = jnp.einsum("pn,nio->ipo", places, self.read).reshape(features, k * features)
        forwards, backwards = (
            jnp.where(present, jax.nn.relu(line + self.read_bias), 0.0)
            for line in lines_of((y @ read).reshape(batch, size * k, features), grid)
        )
        write = jnp.einsum("pn,nio->pio", places, self.write).reshape(k * features, features)
        lines = (forwards, backwards if reverse else jnp.zeros_like(backwards))
        return cells_of(lines, grid).reshape(batch, size, k * features) @ write


class LineNetwork(Network):
    """Rounds of messages between cells and lines, one logit per cell, and a value from the pooled cells.

    Without ``reverse`` it distinguishes left from right. With ``bricks="absent"`` a line through a brick does not exist; with
    ``feature`` all lines exist, and a brick is a feature of its cell.
    """

    sees_rules: ClassVar[bool] = True

    embed: Dense
    blocks: tuple[LineBlock, ...]
    norm: LayerNorm
    policy: Dense
    value_hidden: Dense
    value_out: Dense
    options: LineOptions = eqx.field(static=True)

    def __init__(self, key: Array, options: LineOptions) -> None:
        keys, self.options, features = Keys(key), options, options.features
        self.embed = Dense(keys, CELL_FEATURES + RULE_FEATURES + (options.bricks == "feature"), features, gain=4.0)
        self.blocks = tuple(LineBlock(keys, features, options.knots) for _ in range(options.blocks))
        self.norm = LayerNorm(features)
        self.policy = Dense(keys, features, 1, gain=0.1)
        self.value_hidden = Dense(keys, 2 * features, features)
        self.value_out = Dense(keys, features, 1, gain=0.1)

    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        """See `Network.apply`."""
        blocked = seen.plane(2)
        on_cells = cell_features(seen, self.options.bricks)
        x = self.embed(jnp.concatenate([on_cells, rule_features(seen, board.size)], axis=-1))
        x, _ = self.norm(through_rounds(x, self.blocks, seen, board, self.options))
        usable = 1.0 - blocked if self.options.bricks == "absent" else jnp.ones_like(blocked)
        value = jax.nn.relu(self.value_hidden(pool(x[:, None], usable[:, None])))
        return Prediction(self.policy(x)[..., 0], jnp.tanh(self.value_out(value))[:, 0]), self

    def block(self, board: BoardShape) -> int:
        """See `Network.block`."""
        return self.options.block(board)

    def refusal(self, rules: Rules) -> str | None:
        """None: it supports every game."""
        return None


def through_rounds(
    x: Array, blocks: tuple[LineBlock, ...], seen: Observation, board: BoardShape, options: LineOptions
) -> Array:
    """[B, size, features] to the same, after the messages of all rounds; `seen` determines which lines exist."""
    present = {grid: lines_present(seen, grid, options.bricks) for grid in grids(board)}
    for block in blocks:
        x = block(x, present, options.reverse)
    return x


def cell_features(seen: Observation, bricks: str) -> Array:
    """What each cell holds: float32 [B, size, 4], or 5 with bricks as a feature."""
    mine, other, blocked, first = (seen.plane(number) for number in range(4))
    on_cells = [mine, other, 1.0 - mine - other - blocked, first] + ([blocked] if bricks == "feature" else [])
    return jnp.stack(on_cells, -1)


def rule_features(seen: Observation, size: int) -> Array:
    """The rules besides the lines, repeated on every cell: float32 [B, size, 4]."""
    facts = [seen.shared, ~seen.line_wins, seen.full == 1, seen.full == 2]
    stacked = jnp.stack([jnp.asarray(fact, jnp.float32) for fact in facts], axis=-1)
    return jnp.broadcast_to(stacked[:, None], (stacked.shape[0], size, RULE_FEATURES))


def lines_present(seen: Observation, grid: "Grid", bricks: str) -> Array:
    """Which of a grid's lines there are in each position: bool [B, lines]; none if its game is of another grid."""
    blocked, cells = seen.plane(2), line_places(grid).cells
    own = ((seen.k == grid.k) & (seen.wrap == WRAPS.index(grid.wrap)))[:, None]
    if bricks == "feature":
        return jnp.broadcast_to(own, (blocked.shape[0], len(cells)))
    return (blocked[:, cells] == 0).all(-1) & own


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def lines_of(products: Array, grid: Grid) -> tuple[Array, Array]:
    """Sum the messages of the cells of each line.

    Args:
        products: [B, size * k, features]; a cell's message by the matrix of place p is at ``cell * k + p``.
        grid: The lines.

    Returns:
        Each line read forwards and read backwards, [B, lines, features] each.
    """
    k, cells = grid.k, line_places(grid).cells

    def read(order: range) -> Array:
        said = [products[:, cells[:, place] * k + matrix] for matrix, place in enumerate(order)]
        return sum(said[1:], said[0])

    return read(range(k)), read(range(k - 1, -1, -1))


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def cells_of(lines: tuple[Array, Array], grid: Grid) -> Array:
    """Sum the messages of the lines through each cell, by the cell's place in the line: the transpose of `lines_of`."""
    k, through = grid.k, line_places(grid).through
    forwards, backwards = (jnp.pad(line, ((0, 0), (0, 1), (0, 0))) for line in lines)

    def arriving(place: int) -> Array:
        said = [forwards[:, through[:, place, way]] for way in range(4)]
        said += [backwards[:, through[:, k - 1 - place, way]] for way in range(4)]
        return sum(said[1:], said[0])

    arrived = jnp.concatenate([arriving(place) for place in range(k)], axis=-1)
    return arrived.reshape(arrived.shape[0], -1, lines[0].shape[-1])


# Each is the other's gradient. XLA's own gradient of a gather, a scatter, takes five times as long on a CPU.
lines_of.defvjp(
    lambda products, grid: (lines_of(products, grid), None),
    lambda grid, _, gradients: (cells_of(gradients, grid),),
)
cells_of.defvjp(
    lambda lines, grid: (cells_of(lines, grid), None),
    lambda grid, _, gradient: (lines_of(gradient, grid),),
)


@lru_cache(maxsize=64)
def interpolation(k: int, knots: int) -> NDArray[np.float32]:
    """The weight of each knot's matrix at each place of a line: [k, knots], piecewise linear, rows sum to 1."""
    at = np.linspace(0, 1, k) * (knots - 1) if k > 1 else np.zeros(1)
    return np.maximum(0.0, 1.0 - np.abs(at[:, None] - np.arange(knots))).astype(np.float32)
