"""`Mlp`: the fully connected network of the tic-tac-toe and Notakto papers, for one size of board."""

from typing import Literal, Self

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.layers import Dense, Keys, Norm
from noughts.networks.network import Array, BoardShape, Network, Observation, Prediction
from noughts.networks.stacks import DenseStack, hidden_layers, through
from noughts.rules import Rules

Inputs = Literal["signed", "planes"]


class Mlp(Network):
    """Dense layers over all cells at once.

    Attributes:
        body: Dense layers with normalisation and ReLU.
        policy, value: The hidden layers of either head; then one logit a cell, and one number through tanh.
        inputs: ``signed``: own mark +1, other's -1, one number a cell. ``planes``: all four planes.
        rectified_logits: Whether the logits go through a ReLU: a mistake that a study shows. A logit below zero is then
            zero, and learns nothing more.
    """

    body: DenseStack
    policy: DenseStack
    value: DenseStack
    policy_out: Dense
    value_out: Dense
    inputs: Inputs = eqx.field(static=True)
    rectified_logits: bool = eqx.field(static=True)
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
        keys, self.inputs, self.rectified_logits = Keys(key), inputs, rectified_logits
        self.board = (board.rows, board.cols, board.boards)
        self.body, width = hidden_layers(keys, numbers_seen(inputs, board), widths, norm)
        # The tic-tac-toe paper normalises its body and its value head, and not its policy head.
        self.policy, policy_width = hidden_layers(keys, width, policy_widths, "none")
        self.value, value_width = hidden_layers(keys, width, value_widths, norm)
        self.policy_out = Dense(keys, policy_width, board.size, gain=0.1)
        self.value_out = Dense(keys, value_width, 1, gain=0.1)

    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        """See `Network.apply`."""
        x, body = through(self.body, numbers_of(seen, self.inputs), training)
        policy, policy_layers = through(self.policy, x, training)
        value, value_layers = through(self.value, x, training)
        logits = self.policy_out(policy)
        logits = jax.nn.relu(logits) if self.rectified_logits else logits
        prediction = Prediction(logits, jnp.tanh(self.value_out(value))[:, 0])
        if not training:
            return prediction, self
        parts = (body, policy_layers, value_layers)
        return prediction, eqx.tree_at(lambda net: (net.body, net.policy, net.value), self, parts)

    def refusal(self, rules: Rules) -> str | None:
        """Only its own size of board; with bricks only if it sees them."""
        return mlp_refusal(rules, self.board, self.inputs)


def numbers_of(seen: Observation, inputs: Inputs) -> Array:
    """What the first layer is given of positions: float32 [B, `numbers_seen`]."""
    planes = seen.planes
    x = planes[..., 0] - planes[..., 1] if inputs == "signed" else planes
    return x.reshape(x.shape[0], -1)


def numbers_seen(inputs: Inputs, board: BoardShape) -> int:
    """How many numbers the first layer is given of a position."""
    return board.size * (1 if inputs == "signed" else 4)


def mlp_refusal(rules: Rules, board: tuple[int, int, int], inputs: Inputs) -> str | None:
    """Why dense layers made for a board of so many rows, columns and boards cannot serve a game; None if they can."""
    if (rules.rows, rules.cols, rules.boards) != board:
        rows, cols, boards = board
        return f"an mlp serves only the board it was made for, {rows}x{cols}" + (f" x{boards}" * (boards > 1))
    if inputs == "signed" and (rules.bricks or rules.boards > 1):
        return "an mlp with inputs=signed sees no bricks and no closed boards: give it inputs=planes"
    return None
