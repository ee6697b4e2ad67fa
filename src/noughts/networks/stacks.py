"""Stacks of layers, which networks and learned models share: dense ones, and residual blocks of convolutions."""

from typing import NamedTuple, TypeAlias

import equinox as eqx
import jax

from noughts.networks.layers import AnyNorm, Array, Convolution, Dense, Keys, Norm, leaky, make_norm

DenseStack: TypeAlias = tuple[tuple[Dense, AnyNorm], ...]
"""Dense layers, each with its normalisation; a rectifier follows."""


def hidden_layers(keys: Keys, inputs: int, widths: tuple[int, ...], norm: Norm) -> tuple[DenseStack, int]:
    """Hidden layers, and the width of what comes out of them."""
    layers = []
    for width in widths:
        layers.append((Dense(keys, inputs, width), make_norm(norm, width)))
        inputs = width
    return tuple(layers), inputs


def through(layers: DenseStack, x: Array, training: bool) -> tuple[Array, DenseStack]:
    """What comes out of hidden layers; and the layers with their running statistics brought up to date."""
    updated = []
    for dense, norm in layers:
        y, after = norm(dense(x), training)
        x = jax.nn.relu(y)
        updated.append((dense, after))
    return x, tuple(updated)


class Block(eqx.Module):
    """Two convolutions around which the input is added, then the rectifier (He et al., 2016, figure 2)."""

    first: Convolution
    first_norm: AnyNorm
    second: Convolution
    second_norm: AnyNorm

    def __init__(self, keys: Keys, kernel: int, channels: int, norm: Norm, epsilon: float) -> None:
        self.first = Convolution(keys, kernel, channels, channels)
        self.first_norm = make_norm(norm, channels, epsilon)
        # Without normalisation the sum over blocks would grow: begin with small additions.
        self.second = Convolution(keys, kernel, channels, channels, gain=0.02 if norm == "none" else 2.0)
        self.second_norm = make_norm(norm, channels, epsilon)

    def __call__(self, x: Array, slope: float, training: bool) -> tuple[Array, "Block"]:
        """[B, rows, cols, channels] to the same; and the block with its running statistics brought up to date."""
        rectify = leaky(slope)
        y, first_norm = self.first_norm(self.first(x), training)
        y, second_norm = self.second_norm(self.second(rectify(y)), training)
        updated = eqx.tree_at(lambda b: (b.first_norm, b.second_norm), self, (first_norm, second_norm))
        return rectify(x + y), updated


class ResidualStack(NamedTuple):
    """A stem and residual blocks."""

    stem: Convolution
    norm: AnyNorm
    blocks: tuple[Block, ...]


def residual_layers(
    keys: Keys, inputs: int, channels: int, blocks: int, kernel: int, norm: Norm, epsilon: float
) -> ResidualStack:
    """A new stack, `channels` wide."""
    return ResidualStack(
        Convolution(keys, kernel, inputs, channels),
        make_norm(norm, channels, epsilon),
        tuple(Block(keys, kernel, channels, norm, epsilon) for _ in range(blocks)),
    )


def through_blocks(stack: ResidualStack, x: Array, slope: float, training: bool) -> tuple[Array, ResidualStack]:
    """[B, rows, cols, inputs] to [B, rows, cols, channels]; and the stack with its running statistics brought up to date."""
    y, norm = stack.norm(stack.stem(x), training)
    x, blocks = leaky(slope)(y), []
    for block in stack.blocks:
        x, updated = block(x, slope, training)
        blocks.append(updated)
    return x, ResidualStack(stack.stem, norm, tuple(blocks))
