"""`Mlp`: the fully connected network of the tic-tac-toe and Notakto papers; for one size of board."""

from typing import Self

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.layers import Dense, Keys
from noughts.networks.network import Array, BoardShape, Network, Observation, Prediction
from noughts.networks.options import MlpOptions
from noughts.networks.stacks import DenseStack, hidden_layers, through
from noughts.rules import Rules


class Mlp(Network):
    """Dense layers over all cells at once.

    Attributes:
        body: Dense layers with normalisation and ReLU.
        policy, value: The hidden layers of each head; then one logit per cell, and one number through tanh.
        options: With ``inputs="signed"`` the input is one number per cell: own mark +1, other's -1. With rectified logits, a
            mistake whose cost a study measures, a logit below zero becomes zero and gets no more gradient.
    """

    body: DenseStack
    policy: DenseStack
    value: DenseStack
    policy_out: Dense
    value_out: Dense
    options: MlpOptions = eqx.field(static=True)
    board: tuple[int, int, int] = eqx.field(static=True)

    def __init__(self, key: Array, board: BoardShape, options: MlpOptions) -> None:
        keys, self.options, numbers = Keys(key), options, options.numbers
        self.board = (board.rows, board.cols, board.boards)
        self.body, width = hidden_layers(keys, numbers_seen(options, board), numbers(options.widths), options.norm)
        # The tic-tac-toe paper normalises its body and its value head, but not its policy head.
        self.policy, policy_width = hidden_layers(keys, width, numbers(options.policy_widths), "none")
        self.value, value_width = hidden_layers(keys, width, numbers(options.value_widths), options.norm)
        self.policy_out = Dense(keys, policy_width, board.size, gain=0.1)
        self.value_out = Dense(keys, value_width, 1, gain=0.1)

    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        """See `Network.apply`."""
        x, body = through(self.body, numbers_of(seen, self.options), training)
        policy, policy_layers = through(self.policy, x, training)
        value, value_layers = through(self.value, x, training)
        logits = self.policy_out(policy)
        logits = jax.nn.relu(logits) if self.options.rectified_logits else logits
        prediction = Prediction(logits, jnp.tanh(self.value_out(value))[:, 0])
        if not training:
            return prediction, self
        parts = (body, policy_layers, value_layers)
        return prediction, eqx.tree_at(lambda net: (net.body, net.policy, net.value), self, parts)

    def refusal(self, rules: Rules) -> str | None:
        """See `mlp_refusal`."""
        return mlp_refusal(rules, self.board, self.options)


def numbers_of(seen: Observation, options: MlpOptions) -> Array:
    """The input of the first layer: float32 [B, `numbers_seen`]."""
    planes = seen.planes
    x = planes[..., 0] - planes[..., 1] if options.inputs == "signed" else planes
    return x.reshape(x.shape[0], -1)


def numbers_seen(options: MlpOptions, board: BoardShape) -> int:
    """The number of inputs of the first layer."""
    return board.size * (1 if options.inputs == "signed" else 4)


def mlp_refusal(rules: Rules, board: tuple[int, int, int], options: MlpOptions) -> str | None:
    """Why dense layers made for `board`, its rows, columns and boards, do not support a game; None if they do."""
    if (rules.rows, rules.cols, rules.boards) != board:
        rows, cols, boards = board
        return f"an mlp serves only the board it was made for, {rows}x{cols}" + (f" x{boards}" * (boards > 1))
    if options.inputs == "signed" and (rules.bricks or rules.boards > 1):
        return "an mlp with inputs=signed sees no bricks and no closed boards: give it inputs=planes"
    return None
