"""Stacks of layers that networks and learned models share: dense layers, and residual blocks of convolutions."""

from typing import Any, NamedTuple, TypeAlias

import equinox as eqx
import jax

from noughts.networks.convolution import (
    AnyConvolution,
    BoardConvolution,
    Convolution,
    cells_first,
    cells_last,
    is_quick,
    quickest_basis,
)
from noughts.networks.layers import AnyNorm, Array, Dense, Keys, Norm, leaky, make_norm
from noughts.networks.options import ResNetOptions

DenseStack: TypeAlias = tuple[tuple[Dense, AnyNorm], ...]
"""Dense layers, each with its normalisation; a rectifier follows."""


def hidden_layers(keys: Keys, inputs: int, widths: tuple[int, ...], norm: Norm) -> tuple[DenseStack, int]:
    """Create hidden layers; also return the width of their output."""
    layers = []
    for width in widths:
        layers.append((Dense(keys, inputs, width), make_norm(norm, width)))
        inputs = width
    return tuple(layers), inputs


def through(layers: DenseStack, x: Array, training: bool) -> tuple[Array, DenseStack]:
    """The output of hidden layers; also the layers, in training with updated running statistics."""
    updated = []
    for dense, norm in layers:
        y, after = norm(dense(x), training)
        x = jax.nn.relu(y)
        updated.append((dense, after))
    return x, tuple(updated)


class Block(eqx.Module):
    """Two convolutions around which the input is added, then the rectifier (He et al., 2016, figure 2)."""

    first: AnyConvolution
    first_norm: AnyNorm
    second: AnyConvolution
    second_norm: AnyNorm

    def __init__(self, keys: Keys, options: ResNetOptions) -> None:
        kernel, channels, norm, epsilon = options.kernel, options.channels, options.norm, options.epsilon
        self.first = Convolution(keys, kernel, channels, channels)
        self.first_norm = make_norm(norm, channels, epsilon)
        # Without normalisation the sum over blocks would grow, so begin with small additions.
        self.second = Convolution(keys, kernel, channels, channels, gain=0.02 if norm == "none" else 2.0)
        self.second_norm = make_norm(norm, channels, epsilon)

    def __call__(self, x: Array, slope: float, training: bool) -> tuple[Array, "Block"]:
        """[B, rows, cols, channels] or [cells, B, channels] to the same; also the block, in training with updated statistics."""
        rectify = leaky(slope)
        y, first_norm = self.first_norm(self.first(x), training)
        y, second_norm = self.second_norm(self.second(rectify(y)), training)
        updated = eqx.tree_at(lambda b: (b.first_norm, b.second_norm), self, (first_norm, second_norm))
        return rectify(x + y), updated


class ResidualStack(NamedTuple):
    """A stem and residual blocks."""

    stem: AnyConvolution
    norm: AnyNorm
    blocks: tuple[Block, ...]


def residual_layers(keys: Keys, inputs: int, options: ResNetOptions) -> ResidualStack:
    """Create a stack."""
    return ResidualStack(
        Convolution(keys, options.kernel, inputs, options.channels),
        make_norm(options.norm, options.channels, options.epsilon),
        tuple(Block(keys, options) for _ in range(options.blocks)),
    )


def prepared(stack: ResidualStack, rows: int, cols: int, training: bool = False) -> ResidualStack:
    """The stack for boards of a size, with weights transformed if dense products are faster; else unchanged."""
    kernel, channels = stack.stem.weight.shape[0], stack.stem.weight.shape[-1]
    if isinstance(stack.stem, BoardConvolution) or not is_quick(rows, cols, kernel, channels, training):
        return stack

    basis = quickest_basis(rows, cols, kernel, training)

    def transformed(part: Any) -> Any:
        return BoardConvolution.of(part, rows, cols, basis) if isinstance(part, Convolution) else part

    found: ResidualStack = jax.tree.map(transformed, stack, is_leaf=lambda part: isinstance(part, Convolution))
    return found


def through_blocks(stack: ResidualStack, x: Array, slope: float, training: bool) -> tuple[Array, ResidualStack]:
    """[B, rows, cols, inputs] to [B, rows, cols, channels]; also the stack, in training with updated statistics."""
    rows, cols = x.shape[1:3]
    ready = prepared(stack, rows, cols, training)
    by_cells = isinstance(ready.stem, BoardConvolution)
    y, norm = ready.norm(ready.stem(cells_first(x) if by_cells else x), training)
    x, blocks = leaky(slope)(y), []
    for block, kept in zip(ready.blocks, stack.blocks, strict=True):
        x, updated = block(x, slope, training)
        norms = (updated.first_norm, updated.second_norm)
        blocks.append(eqx.tree_at(lambda b: (b.first_norm, b.second_norm), kept, norms))
    return cells_last(x, rows, cols) if by_cells else x, ResidualStack(stack.stem, norm, tuple(blocks))
