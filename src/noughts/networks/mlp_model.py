"""`MlpBody`: a learned model of fully connected layers; its latent state is one list of numbers. For one size of board."""

from typing import Self

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.errors import NetworkError
from noughts.networks.layers import Keys, Norm
from noughts.networks.mlp import Inputs, mlp_refusal, numbers_of, numbers_seen
from noughts.networks.model import ModelBody, ModelSurroundings, Role, scaled
from noughts.networks.network import Array, BoardShape, Observation
from noughts.networks.readout import FlatReadout, Readout
from noughts.networks.stacks import DenseStack, hidden_layers, through
from noughts.rules import Rules

_PROBE_WIDTHS = (128,)


class MlpBody(ModelBody):
    """The same layers see a position, and a latent state beside a move: the last is the next latent state.

    Attributes:
        see: From a position to a latent state.
        move: From a latent state and a move, one number a cell, to the next.
        inputs: As of `Mlp`.
        policy_widths, value_widths: Hidden layers of the heads; those of the value serve rewards and ends, too.
    """

    see: DenseStack
    move: DenseStack
    inputs: Inputs = eqx.field(static=True)
    policy_widths: tuple[int, ...] = eqx.field(static=True)
    value_widths: tuple[int, ...] = eqx.field(static=True)
    board: tuple[int, int, int] = eqx.field(static=True)

    def __init__(
        self,
        key: Array,
        board: BoardShape,
        widths: tuple[int, ...],
        policy_widths: tuple[int, ...],
        value_widths: tuple[int, ...],
        norm: Norm,
        inputs: Inputs,
        rectified_logits: bool,
    ) -> None:
        """NetworkError for options that a model cannot have."""
        if not widths:
            raise NetworkError("a learned model of an mlp needs a hidden layer, its latent state: give widths=128x128")
        if rectified_logits:
            raise NetworkError("a learned model of an mlp has no rectified logits: leave rectified_logits out")
        keys = Keys(key)
        self.see, width = hidden_layers(keys, numbers_seen(inputs, board), widths, norm)
        self.move, _ = hidden_layers(keys, width + board.size, widths, norm)
        self.inputs, self.board = inputs, (board.rows, board.cols, board.boards)
        self.policy_widths, self.value_widths = policy_widths, value_widths

    def encode(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Array, Self]:
        """See `ModelBody`: [B, width]."""
        x, see = through(self.see, numbers_of(seen, self.inputs), training)
        return scaled(x), eqx.tree_at(lambda body: body.see, self, see) if training else self

    def advance(
        self, latent: Array, action: Array, around: ModelSurroundings, board: BoardShape, training: bool
    ) -> tuple[Array, Self]:
        """See `ModelBody`."""
        moved = jnp.concatenate([latent, jax.nn.one_hot(action, board.size)], -1)
        x, move = through(self.move, moved, training)
        return scaled(x), eqx.tree_at(lambda body: body.move, self, move) if training else self

    def readout(self, keys: Keys, board: BoardShape, per_cell: int, per_board: int, role: Role) -> Readout:
        """See `ModelBody`."""
        widths = {"policy": self.policy_widths, "value": self.value_widths, "probe": _PROBE_WIDTHS}[role]
        width = self.see[-1][0].weight.shape[1]
        return FlatReadout(keys, width, board.size, per_cell, per_board, widths)

    def refusal(self, rules: Rules) -> str | None:
        """As of `Mlp`."""
        return mlp_refusal(rules, self.board, self.inputs)
