"""`ResNetBody`: a learned model of convolutions, with a latent state per cell."""

from typing import Self

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.layers import Keys
from noughts.networks.model import ModelBody, Role, scaled
from noughts.networks.network import Array, BoardShape, Observation
from noughts.networks.options import ResNetOptions
from noughts.networks.readout import CellReadout, FlatReadout, Readout
from noughts.networks.resnet import given, given_width, resnet_refusal
from noughts.networks.stacks import ResidualStack, prepared, residual_layers, through_blocks
from noughts.rules import Rules


class ResNetBody(ModelBody):
    """Two stacks: one for positions, the other for a latent state with a plane on which the move is marked.

    Attributes:
        see, move: The stacks.
        options: As in `ResNet`. Line features are inputs only at the root, and the heads of reward and end have the value's
            width.
    """

    see: ResidualStack
    move: ResidualStack
    options: ResNetOptions = eqx.field(static=True)
    board: tuple[int, int, int] = eqx.field(static=True)

    def __init__(self, key: Array, board: BoardShape, options: ResNetOptions) -> None:
        keys, self.options = Keys(key), options
        self.see = residual_layers(keys, given_width(options), options)
        self.move = residual_layers(keys, options.channels + 1, options)
        self.board = (board.rows, board.cols, board.boards)

    def encode(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Array, Self]:
        """See `ModelBody`: [B, size, channels]."""
        x, see = through_blocks(self.see, given(seen, board, self.options), self.options.slope, training)
        return _latent(x), eqx.tree_at(lambda body: body.see, self, see) if training else self

    def advance(
        self, latent: Array, action: Array, around: Observation, board: BoardShape, training: bool
    ) -> tuple[Array, Self]:
        """See `ModelBody`."""
        moved = jnp.concatenate([latent, jax.nn.one_hot(action, board.size)[..., None]], -1)
        moved = moved.reshape(-1, board.boards * board.rows, board.cols, moved.shape[-1])
        x, move = through_blocks(self.move, moved, self.options.slope, training)
        return _latent(x), eqx.tree_at(lambda body: body.move, self, move) if training else self

    def prepared(self, board: BoardShape) -> Self:
        """See `ModelBody`."""
        stacks = (prepared(stack, board.boards * board.rows, board.cols) for stack in (self.see, self.move))
        ready: Self = eqx.tree_at(lambda body: (body.see, body.move), self, tuple(stacks))
        return ready

    def readout(self, keys: Keys, board: BoardShape, per_cell: int, per_board: int, role: Role) -> Readout:
        """See `ModelBody`."""
        channels, width = self.options.channels, self.options.value_width
        if self.options.heads == "pooled":
            return CellReadout(keys, channels, per_cell, per_board, channels if role == "probe" else 0, width)
        narrow, widths = {"policy": (2, ()), "value": (1, (width,)), "probe": (4, (2 * board.size,))}[role]
        return FlatReadout(keys, channels, board.size, per_cell, per_board, widths, narrow)

    def refusal(self, rules: Rules) -> str | None:
        """See `resnet_refusal`."""
        return resnet_refusal(rules, self.board, self.options)


def _latent(x: Array) -> Array:
    """[B, rows, cols, channels] as a latent state on cells."""
    return scaled(x.reshape(x.shape[0], -1, x.shape[-1]))
