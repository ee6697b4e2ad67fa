"""`Convolution`, and an equivalent form for small boards: a few dense products, which a CPU computes several times as fast.

XLA's convolution moves a window over an image. But a whole board fits into one tile, on which a convolution is a product of
spectra, as in the FFT: with x on cells and w on the kernel, both zero elsewhere,

    spectrum of x        X(u) = sum over cells j of x(j) exp(-i u.j)
    of the kernel        W(u) = sum over places k of w(k) exp(+i u.(k - before)),  with `before` cells before the middle
    of the outcome       Y(u) = sum over inputs of W(u) X(u)

The frequencies u have a period of n + kernel // 2 along an axis of n cells, so values that wrap around an edge land outside
the board, where they are not read. x and w are real, so half of the frequencies suffice. A complex product takes
three real ones (Gauss), and their sums are folded into three constant matrices:

    [products, cells] @ x      then for each product  [B, inputs] @ weight [inputs, outputs]      then  [cells, products] @

All are real and well conditioned, so the result is as exact as a sum over the window (the tests bound both against float64).

Play on small boards uses fewer products, which are less exact: a convolution also is a part of a product of polynomials, with x and
the kernel as coefficients, and their values at rows + kernel - 1 points determine it (Toom, 1963; Winograd, 1980). Points that
are evenly spread over the projective line, (cos t : sin t), make the smallest errors that we found. They grow with the number of points.

The cells come first, [cells, B, features], so that each step is a plain matrix product.

`convolution_table`, which a benchmark writes, lists the sizes for which this is faster. GPUs have faster convolutions.
"""

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from noughts.networks.convolution_table import LEARNING, PLAY
from noughts.networks.layers import Array, Keys

Matrix = NDArray[np.float32]
Basis = Callable[[int, int, int], tuple[Matrix, Matrix, Matrix]]
"""`fourier_basis` or `point_basis`.

From the rows and columns of a board and the side of a kernel to three constant matrices: [products, cells], from the cells to the
first factors; [products, kernel * kernel], from a kernel to the second factors; and [cells, products], from the products to the cells.
"""

_MOST_POINTS = 9  # along an axis; with 10, errors are three times as large

_plain: ContextVar[bool] = ContextVar("_plain", default=False)


class Convolution(eqx.Module):
    """A convolution that keeps the board's size: [B, rows, cols, inputs] to [B, rows, cols, outputs]; no bias.

    A kernel of even width reaches one cell further down and right than up and left.
    """

    weight: Array

    def __init__(self, keys: Keys, kernel: int, inputs: int, outputs: int, gain: float = 2.0) -> None:
        self.weight = jax.random.normal(keys.next(), (kernel, kernel, inputs, outputs)) * np.sqrt(
            gain / (kernel * kernel * inputs)
        )

    def __call__(self, x: Array) -> Array:
        """Convolve; cells beyond the edge count as zeros."""
        if self.weight.shape[:2] == (1, 1):
            return x @ self.weight[0, 0]
        return jax.lax.conv_general_dilated(x, self.weight, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


class BoardConvolution(eqx.Module):
    """A `Convolution` as dense products, on boards of one size: [cells, B, inputs] to [cells, B, outputs].

    Attributes:
        weight: [products, inputs, outputs], the transformed weights.
        shape: Rows and columns of the board, and the side of the kernel, in cells.
        basis: The products.
    """

    weight: Array
    shape: tuple[int, int, int] = eqx.field(static=True)
    basis: Basis = eqx.field(static=True)

    @classmethod
    def of(cls, plain: Convolution, rows: int, cols: int, basis: Basis) -> "BoardConvolution":
        """The equivalent of a convolution on boards of a size."""
        kernel, _, inputs, outputs = plain.weight.shape
        _, of_kernel, _ = basis(rows, cols, kernel)
        weight = jnp.asarray(of_kernel) @ plain.weight.reshape(kernel * kernel, inputs * outputs)
        return cls(weight.reshape(-1, inputs, outputs), (rows, cols, kernel), basis)

    def __call__(self, x: Array) -> Array:
        """Convolve; cells beyond the edge count as zeros."""
        forward, _, back = self.basis(*self.shape)
        products = jnp.matmul(jnp.tensordot(forward, x, 1), self.weight)
        return jnp.tensordot(back, products, 1)


AnyConvolution = Convolution | BoardConvolution


def quickest_basis(rows: int, cols: int, kernel: int, training: bool) -> Basis:
    """The basis for a size of board and kernel. Learning is exact, and gains nothing from points."""
    return point_basis if not training and max(rows, cols) + kernel - 1 <= _MOST_POINTS else fourier_basis


@lru_cache(maxsize=64)
def point_basis(rows: int, cols: int, kernel: int) -> tuple[Matrix, Matrix, Matrix]:
    """Values of polynomials at points, of which there are cells + kernel - 1 along each axis; see `Basis`."""
    along = [_along_an_axis(cells, kernel) for cells in (rows, cols)]
    forward, of_kernel, back = (np.kron(*pair).astype(np.float32) for pair in zip(*along, strict=True))
    return forward, of_kernel, back


def _along_an_axis(cells: int, kernel: int) -> list[NDArray[np.floating[Any]]]:
    """The matrices of `point_basis` for one axis."""
    count = cells + kernel - 1
    turn = np.pi * (np.arange(count) + 0.5)[:, None] / count

    def values(coefficients: int) -> NDArray[np.float64]:
        """[points, coefficients], the value of each power at each point (cos t : sin t)."""
        powers = np.arange(coefficients)
        return np.asarray(np.cos(turn) ** powers[::-1] * np.sin(turn) ** powers)

    first = kernel // 2  # of the product's coefficients: those before it, and after the last, are beyond the edges
    return [values(cells), values(kernel)[:, ::-1], np.linalg.inv(values(count))[first : first + cells]]


@lru_cache(maxsize=64)
def fourier_basis(rows: int, cols: int, kernel: int) -> tuple[Matrix, Matrix, Matrix]:
    """Real products of spectra; see `Basis`."""
    periods = (rows + kernel // 2, cols + kernel // 2)
    cells = np.stack(np.divmod(np.arange(rows * cols), cols))
    places = np.stack(np.divmod(np.arange(kernel * kernel), kernel)) - (kernel - 1) // 2
    forward, of_kernel, back = list[NDArray[np.float64]](), list[NDArray[np.float64]](), list[NDArray[np.float64]]()
    for u in range(periods[0]):
        for v in range(periods[1]):
            opposite = (-u % periods[0], -v % periods[1])
            if (u, v) > opposite:  # the complex conjugate of the opposite frequency
                continue
            turn = 2 * np.pi * np.array([u / periods[0], v / periods[1]])
            at, of = turn @ cells, turn @ places
            cos, sin, real, imaginary = np.cos(at), np.sin(at), np.cos(of), np.sin(of)
            share = 1 / (periods[0] * periods[1])
            if (u, v) == opposite:  # a real frequency
                forward.append(cos)
                of_kernel.append(real)
                back.append(share * cos)
                continue
            # With X = a + ib and W = c + id: c(a + b), a(d - c) and b(c + d).
            forward += [cos - sin, cos, -sin]
            of_kernel += [real, imaginary - real, real + imaginary]
            back += [2 * share * (cos - sin), -2 * share * sin, -2 * share * cos]
    return np.array(forward, np.float32), np.array(of_kernel, np.float32), np.array(np.transpose(back), np.float32)


def is_quick(rows: int, cols: int, kernel: int, channels: int, training: bool) -> bool:
    """Whether convolutions with `channels` outputs use dense products, in play or in training; see `plain_convolutions`."""
    least = (LEARNING if training else PLAY).get((max(rows, cols), kernel))
    return least is not None and channels >= least and not _plain.get() and jax.default_backend() == "cpu"


@contextlib.contextmanager
def plain_convolutions() -> Iterator[None]:
    """Use XLA's convolutions, for any size, in all programs traced in the block."""
    before = _plain.set(True)
    try:
        yield
    finally:
        _plain.reset(before)


def cells_first(x: Array) -> Array:
    """[B, rows, cols, features] to [cells, B, features]."""
    return jnp.swapaxes(x.reshape(x.shape[0], -1, x.shape[-1]), 0, 1)


def cells_last(x: Array, rows: int, cols: int) -> Array:
    """[cells, B, features] to [B, rows, cols, features]."""
    return jnp.swapaxes(x, 0, 1).reshape(x.shape[1], rows, cols, x.shape[-1])
