"""`ResNet`: convolutions with residual connections; the Brick Tic-Tac-Toe paper's Table 1, and modern ones.

With pooled heads it is fully convolutional: all cells share every weight. With line features, the contents of the lines
through each cell are inputs; without them, it must derive these from the planes.
"""

from typing import Self

import equinox as eqx
import jax.numpy as jnp

from noughts.networks.convolution import AnyConvolution, Convolution
from noughts.networks.grids import LINE_FEATURES, line_features
from noughts.networks.layers import AnyNorm, Dense, Keys, leaky, make_norm, pool
from noughts.networks.network import Array, BoardShape, Network, Observation, Prediction
from noughts.networks.options import ResNetOptions
from noughts.networks.stacks import Block, ResidualStack, prepared, residual_layers, through_blocks
from noughts.rules import Rules


class ResNet(Network):
    """A stem, residual blocks and two heads.

    Attributes:
        options: ``heads="dense"`` is as in AlphaZero and in the paper, for one size of board. ``pooled`` computes one
            logit per cell from its own features, and the value from the mean and the maximum over the cells, for any size.
    """

    stem: AnyConvolution
    stem_norm: AnyNorm
    blocks: tuple[Block, ...]
    policy: Convolution
    policy_norm: AnyNorm
    policy_out: Dense | None
    value: Convolution
    value_norm: AnyNorm
    value_hidden: Dense
    value_out: Dense
    options: ResNetOptions = eqx.field(static=True)
    board: tuple[int, int, int] = eqx.field(static=True)

    def __init__(self, key: Array, board: BoardShape, options: ResNetOptions) -> None:
        keys, self.options = Keys(key), options
        self.board = (board.rows, board.cols, board.boards)
        self.stem, self.stem_norm, self.blocks = residual_layers(keys, given_width(options), options)
        channels, width, norm = options.channels, options.value_width, options.norm
        dense = options.heads == "dense"
        if dense:
            self.policy = Convolution(keys, 1, channels, 2)
            self.policy_out = Dense(keys, 2 * board.size, board.size, bias=False, gain=0.1)
            self.value = Convolution(keys, 1, channels, 1)
            self.value_hidden = Dense(keys, board.size, width, bias=False)
        else:
            self.policy = Convolution(keys, 1, channels, 1, gain=0.1)
            self.policy_out = None
            self.value = Convolution(keys, 1, channels, channels)
            self.value_hidden = Dense(keys, 2 * channels, width)
        self.policy_norm = make_norm(norm if dense else "none", 2, options.epsilon)
        self.value_norm = make_norm(norm, 1 if dense else channels, options.epsilon)
        self.value_out = Dense(keys, width, 1, bias=not dense, gain=0.1)

    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        """See `Network.apply`."""
        rectify = leaky(self.options.slope)
        usable = 1.0 - seen.planes[..., 2]
        stack = ResidualStack(self.stem, self.stem_norm, self.blocks)
        x, stack = through_blocks(stack, given(seen, board, self.options), self.options.slope, training)
        policy, policy_norm = self.policy_norm(self.policy(x), training)
        if self.policy_out is not None:
            policy = self.policy_out(rectify(policy).reshape(x.shape[0], -1))
        value, value_norm = self.value_norm(self.value(x), training)
        value = rectify(value)
        value = value.reshape(x.shape[0], -1) if self.options.heads == "dense" else pool(value, usable)
        value = jnp.tanh(self.value_out(rectify(self.value_hidden(value))))[:, 0]
        prediction = Prediction(policy.reshape(x.shape[0], -1), value)
        if not training:
            return prediction, self
        parts = (stack.norm, stack.blocks, policy_norm, value_norm)
        return prediction, eqx.tree_at(
            lambda net: (net.stem_norm, net.blocks, net.policy_norm, net.value_norm), self, parts
        )

    def prepared(self, board: BoardShape) -> Self:
        """See `Network.prepared`."""
        stack = prepared(ResidualStack(self.stem, self.stem_norm, self.blocks), board.boards * board.rows, board.cols)
        ready: Self = eqx.tree_at(lambda net: (net.stem, net.blocks), self, (stack.stem, stack.blocks))
        return ready

    def refusal(self, rules: Rules) -> str | None:
        """With dense heads, it supports only its own size of board; with pooled heads, no joined edges.

        Dense heads read all cells at once, so they can learn how lines continue over joined edges.
        """
        return resnet_refusal(rules, self.board, self.options)


def given(seen: Observation, board: BoardShape, options: ResNetOptions) -> Array:
    """The input of the first convolution: float32 [B, rows, cols, `given_width`]."""
    told = seen.planes[..., : options.planes]
    if options.features == "none":
        return told
    return jnp.concatenate([told, line_features(seen, board).reshape(*told.shape[:-1], -1)], axis=-1)


def given_width(options: ResNetOptions) -> int:
    """The number of input planes of the first convolution."""
    return options.planes + (LINE_FEATURES if options.features == "lines" else 0)


def resnet_refusal(rules: Rules, board: tuple[int, int, int], options: ResNetOptions) -> str | None:
    """Why convolutions made for `board`, its rows, columns and boards, do not support a game; None if they do."""
    if rules.boards > 1:
        return "a resnet would see lines that run from one board into the next: it serves one board"
    if options.heads == "pooled" and rules.wrap != "none":
        return "a resnet with heads=pooled judges a cell by those around it, and none is around it over a joined edge"
    if options.heads == "dense" and (rules.rows, rules.cols, rules.boards) != board:
        rows, cols, _ = board
        return f"a resnet with heads=dense serves only the board it was made for, {rows}x{cols}"
    return None
