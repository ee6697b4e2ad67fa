"""`MlpBody`: a learned model of fully connected layers, with one vector as latent state; for one size of board."""

from typing import Self

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.errors import NetworkError
from noughts.networks.layers import Keys
from noughts.networks.mlp import mlp_refusal, numbers_of, numbers_seen
from noughts.networks.model import ModelBody, Role, scaled
from noughts.networks.network import Array, BoardShape, Observation
from noughts.networks.options import MlpOptions
from noughts.networks.readout import FlatReadout, Readout
from noughts.networks.stacks import DenseStack, hidden_layers, through
from noughts.rules import Rules

_PROBE_WIDTHS = "128"


class MlpBody(ModelBody):
    """Two stacks of dense layers with the same widths, one for positions and one for moves.

    Attributes:
        see: From a position to a latent state.
        move: From a latent state and a one-hot move to the next latent state.
        options: As in `Mlp`; the heads of reward and end have the value's widths.
    """

    see: DenseStack
    move: DenseStack
    options: MlpOptions = eqx.field(static=True)
    board: tuple[int, int, int] = eqx.field(static=True)

    def __init__(self, key: Array, board: BoardShape, options: MlpOptions) -> None:
        """NetworkError for options that a model does not support."""
        widths = options.numbers(options.widths)
        if not widths:
            raise NetworkError("a learned model of an mlp needs a hidden layer, its latent state: give widths=128x128")
        if options.rectified_logits:
            raise NetworkError("a learned model of an mlp has no rectified logits: leave rectified_logits out")
        keys, self.options = Keys(key), options
        self.see, width = hidden_layers(keys, numbers_seen(options, board), widths, options.norm)
        self.move, _ = hidden_layers(keys, width + board.size, widths, options.norm)
        self.board = (board.rows, board.cols, board.boards)

    def encode(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Array, Self]:
        """See `ModelBody`: [B, width]."""
        x, see = through(self.see, numbers_of(seen, self.options), training)
        return scaled(x), eqx.tree_at(lambda body: body.see, self, see) if training else self

    def advance(
        self, latent: Array, action: Array, around: Observation, board: BoardShape, training: bool
    ) -> tuple[Array, Self]:
        """See `ModelBody`."""
        moved = jnp.concatenate([latent, jax.nn.one_hot(action, board.size)], -1)
        x, move = through(self.move, moved, training)
        return scaled(x), eqx.tree_at(lambda body: body.move, self, move) if training else self

    def readout(self, keys: Keys, board: BoardShape, per_cell: int, per_board: int, role: Role) -> Readout:
        """See `ModelBody`."""
        chosen = {"policy": self.options.policy_widths, "value": self.options.value_widths, "probe": _PROBE_WIDTHS}
        widths = self.options.numbers(chosen[role])
        width = self.see[-1][0].weight.shape[1]
        return FlatReadout(keys, width, board.size, per_cell, per_board, widths)

    def refusal(self, rules: Rules) -> str | None:
        """See `mlp_refusal`."""
        return mlp_refusal(rules, self.board, self.options)
