"""`LineBody`: a learned model with a latent state on each cell and messages along lines; for any bricks and board.

It has two stacks of the blocks of `LineNetwork`. One encodes a position. The other takes the latent state of each cell and a
mark on the cell of a move, and computes the next latent state. The lines come from the facts that do not change in a
game, so weights learned with one brick square can work with any other. The model must learn the rest: the effect of a
move, complete lines, and the change of sides.
"""

from typing import ClassVar, Self

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.layers import Dense, Keys, LayerNorm
from noughts.networks.line import (
    CELL_FEATURES,
    RULE_FEATURES,
    LineBlock,
    cell_features,
    rule_features,
    through_rounds,
)
from noughts.networks.model import ModelBody, Role
from noughts.networks.network import Array, BoardShape, Observation
from noughts.networks.options import LineOptions
from noughts.networks.readout import CellReadout, Readout
from noughts.rules import Rules


class LineBody(ModelBody):
    """Rounds of messages between cells and lines, for positions and for moves.

    Attributes:
        see, see_blocks: From a cell's content to its latent state.
        move, marked, move_blocks: From a cell's latent state, and whether the move is made there, to the next.
        norm: Normalises latent states: each cell's numbers have mean 0 and variance 1.
        options: As in `LineNetwork`.
    """

    sees_rules: ClassVar[bool] = True

    see: Dense
    see_blocks: tuple[LineBlock, ...]
    move: Dense
    marked: Array
    move_blocks: tuple[LineBlock, ...]
    norm: LayerNorm
    options: LineOptions = eqx.field(static=True)

    def __init__(self, key: Array, options: LineOptions) -> None:
        keys, self.options = Keys(key), options
        features, blocks, knots, bricks = options.features, options.blocks, options.knots, options.bricks
        self.see = Dense(keys, CELL_FEATURES + RULE_FEATURES + (bricks == "feature"), features, gain=4.0)
        self.see_blocks = tuple(LineBlock(keys, features, knots) for _ in range(blocks))
        self.move = Dense(keys, features + RULE_FEATURES + (bricks == "feature"), features, gain=1.0)
        self.marked = jax.random.normal(keys.next(), (features,))
        self.move_blocks = tuple(LineBlock(keys, features, knots) for _ in range(blocks))
        self.norm = LayerNorm(features)

    def encode(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Array, Self]:
        """See `ModelBody`: [B, size, features]."""
        x = self.see(
            jnp.concatenate([cell_features(seen, self.options.bricks), rule_features(seen, board.size)], axis=-1)
        )
        return self._through(x, self.see_blocks, seen, board), self

    def advance(
        self, latent: Array, action: Array, around: Observation, board: BoardShape, training: bool
    ) -> tuple[Array, Self]:
        """See `ModelBody`."""
        known = [latent, rule_features(around, board.size)]
        known += [around.plane(2)[..., None]] if self.options.bricks == "feature" else []
        here = jax.nn.one_hot(action, board.size)[..., None]
        x = self.move(jnp.concatenate(known, axis=-1)) + here * self.marked
        return self._through(x, self.move_blocks, around, board), self

    def readout(self, keys: Keys, board: BoardShape, per_cell: int, per_board: int, role: Role) -> Readout:
        """See `ModelBody`."""
        features = len(self.marked)
        return CellReadout(keys, features, per_cell, per_board, features if role == "probe" else 0, features)

    def block(self, board: BoardShape) -> int:
        """See `ModelBody.block`."""
        return self.options.block(board)

    def refusal(self, rules: Rules) -> str | None:
        """None: it supports every game."""
        return None

    def _through(self, x: Array, blocks: tuple[LineBlock, ...], seen: Observation, board: BoardShape) -> Array:
        return self.norm(through_rounds(x, blocks, seen, board, self.options))[0]
