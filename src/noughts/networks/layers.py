"""The layers that networks share: dense layers, and normalisation. Convolutions are in `convolution`."""

from collections.abc import Callable
from typing import Literal, TypeAlias, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

Array: TypeAlias = jax.Array
Norm = Literal["batch", "layer", "none"]
Tree = TypeVar("Tree")


class Keys:
    """A sequence of random keys, so that a network's constructor reads as a list of its layers."""

    def __init__(self, key: Array) -> None:
        self._key = key

    def next(self) -> Array:
        """A new key."""
        key: Array
        self._key, key = jax.random.split(self._key)
        return key


class Dense(eqx.Module):
    """``x @ weight + bias`` over the last axis."""

    weight: Array
    bias: Array | None

    def __init__(self, keys: Keys, inputs: int, outputs: int, bias: bool = True, gain: float = 2.0) -> None:
        """He initialisation: variance gain / inputs."""
        self.weight = jax.random.normal(keys.next(), (inputs, outputs)) * np.sqrt(gain / inputs)
        self.bias = jnp.zeros(outputs) if bias else None

    def __call__(self, x: Array) -> Array:
        """[..., inputs] to [..., outputs]."""
        y: Array = x @ self.weight
        return y if self.bias is None else y + self.bias


class BatchNorm(eqx.Module):
    """Ioffe and Szegedy, 2015: normalises each feature by the batch in training, by running statistics in play."""

    scale: Array
    shift: Array
    mean: Array
    variance: Array
    epsilon: float = eqx.field(static=True)
    momentum: float = eqx.field(static=True)

    def __init__(self, features: int, epsilon: float = 1e-5, momentum: float = 0.9) -> None:
        """`momentum` is the weight of the old running statistics when a batch updates them."""
        self.scale, self.shift = jnp.ones(features), jnp.zeros(features)
        self.mean, self.variance = jnp.zeros(features), jnp.ones(features)
        self.epsilon, self.momentum = epsilon, momentum

    def __call__(self, x: Array, training: bool) -> tuple[Array, "BatchNorm"]:
        """Normalise over all axes but the last; also return the layer, in training with updated running statistics."""
        if not training:
            return self._normalise(x, self.mean, self.variance), self
        axes = tuple(range(x.ndim - 1))
        mean, variance = x.mean(axes), x.var(axes)
        kept = (
            self.momentum * self.mean + (1 - self.momentum) * jax.lax.stop_gradient(mean),
            self.momentum * self.variance + (1 - self.momentum) * jax.lax.stop_gradient(variance),
        )
        updated = eqx.tree_at(lambda norm: (norm.mean, norm.variance), self, kept)
        return self._normalise(x, mean, variance), updated

    def _normalise(self, x: Array, mean: Array, variance: Array) -> Array:
        factor = self.scale * jax.lax.rsqrt(variance + self.epsilon)
        return x * factor + (self.shift - mean * factor)


class LayerNorm(eqx.Module):
    """Ba, Kiros and Hinton, 2016: normalises each cell by its own features."""

    scale: Array
    shift: Array

    def __init__(self, features: int) -> None:
        self.scale, self.shift = jnp.ones(features), jnp.zeros(features)

    def __call__(self, x: Array, training: bool = False) -> tuple[Array, "LayerNorm"]:
        """Normalise over the last axis; the same in training and in play."""
        centred = x - x.mean(-1, keepdims=True)
        variance = (centred * centred).mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt(variance + 1e-5) * self.scale + self.shift, self


class NoNorm(eqx.Module):
    """Leaves its input as it is."""

    def __call__(self, x: Array, training: bool) -> tuple[Array, "NoNorm"]:
        """Return the input."""
        return x, self


AnyNorm = BatchNorm | LayerNorm | NoNorm


def make_norm(norm: Norm, features: int, epsilon: float = 1e-5) -> AnyNorm:
    """The normalisation of that name."""
    if norm == "batch":
        return BatchNorm(features, epsilon)
    return LayerNorm(features) if norm == "layer" else NoNorm()


def leaky(slope: float) -> Callable[[Array], Array]:
    """The leaky ReLU, which multiplies negative numbers by `slope`; 0 for ReLU."""
    return lambda x: jnp.where(x > 0, x, slope * x)


def pool(x: Array, usable: Array) -> Array:
    """The mean and the maximum over the usable cells.

    Args:
        x: [B, rows, cols, features].
        usable: [B, rows, cols], 1 or 0.

    Returns:
        [B, 2 * features].
    """
    weight = usable[..., None]
    mean = (x * weight).sum((1, 2)) / jnp.maximum(weight.sum((1, 2)), 1.0)
    largest = _largest(jnp.where(weight > 0, x, -1e9).reshape(x.shape[0], -1, x.shape[-1]))
    return jnp.concatenate([mean, jnp.where(weight.sum((1, 2)) > 0, largest, 0.0)], axis=-1)


@jax.custom_vjp
def _largest(x: Array) -> Array:
    """The maximum over the cells: [B, cells, features] to [B, features].

    The gradient goes to a cell by its index. That of `max` itself goes to all cells that equal the maximum, and if the compiler
    computes these anew and rounds otherwise, to none.
    """
    return x.max(1)


def _largest_with_index(x: Array) -> tuple[Array, tuple[Array, Array]]:
    return x.max(1), (jnp.arange(x.shape[1]), x.argmax(1))


def _to_the_largest(kept: tuple[Array, Array], gradient: Array) -> tuple[Array]:
    cells, largest = kept
    return (jnp.where(cells[:, None] == largest[:, None], gradient[:, None], 0.0),)


_largest.defvjp(_largest_with_index, _to_the_largest)


def trainable(tree: Tree) -> Tree:
    """A tree of bools: True for weights that gradients change, False for running statistics and all but float arrays."""

    def mark(node: object) -> object:
        if isinstance(node, BatchNorm):
            marks = jax.tree.map(lambda _: True, node)
            return eqx.tree_at(lambda norm: (norm.mean, norm.variance), marks, (False, False))
        return bool(eqx.is_inexact_array(node))

    marked: Tree = jax.tree.map(mark, tree, is_leaf=lambda node: isinstance(node, BatchNorm))
    return marked
