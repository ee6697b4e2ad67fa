"""Convolutions as dense products equal those over a window: on every board and kernel that uses them, gradients included."""

from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from noughts.networks import convolution_table
from noughts.networks.convolution import (
    Basis,
    BoardConvolution,
    Convolution,
    cells_first,
    cells_last,
    fourier_basis,
    is_quick,
    plain_convolutions,
    point_basis,
    quickest_basis,
)
from noughts.networks.layers import Keys
from noughts.networks.options import ModelSettings
from noughts.networks.spec import make_model, make_network, parse_network
from noughts.rules import parse_rules
from tests.networks.asking import seen_in, some_positions

BOUND = 2e-6
"""For float32 against float64, as a share of the largest number; plain convolutions keep it as well."""

POINTS_BOUND = 3e-5
"""The same for play on small boards."""

KERNELS = (2, 3, 4, 5)
INPUTS, OUTPUTS = 6, 5


def windows(x: NDArray[Any], kernel: int, before: int) -> NDArray[np.float64]:
    """What the kernel sees from each cell, in float64: [B, rows, cols, inputs] to [B, rows, cols, inputs, kernel, kernel]."""
    padded = np.pad(x.astype(np.float64), ((0, 0), (before, kernel), (before, kernel), (0, 0)))
    return sliding_window_view(padded, (kernel, kernel), (1, 2))[:, : x.shape[1], : x.shape[2]]


def over_a_window(x: NDArray[Any], weight: NDArray[Any]) -> NDArray[np.float64]:
    """The slow twin: [B, rows, cols, inputs] to [B, rows, cols, outputs] in float64."""
    return np.asarray(np.einsum("brcidl,dlio->brco", windows(x, len(weight), (len(weight) - 1) // 2), weight))


def drawn(kernel: int, rows: int, cols: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    rng = np.random.default_rng(kernel + 10 * rows + 100 * cols)
    x = rng.normal(size=(3, rows, cols, INPUTS)).astype(np.float32)
    return x, rng.normal(size=(kernel, kernel, INPUTS, OUTPUTS)).astype(np.float32)


def worst(found: Any, expected: Any) -> float:
    expected = np.asarray(expected, np.float64)
    return float(np.abs(np.asarray(found) - expected).max() / np.abs(expected).max())


@pytest.mark.parametrize(("basis", "bound"), [(fourier_basis, BOUND), (point_basis, POINTS_BOUND)])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_three_matrices_make_a_convolution_on_every_board(kernel: int, basis: Basis, bound: float) -> None:
    for rows, cols in product(range(1, 10), repeat=2):
        if quickest_basis(rows, cols, kernel, training=basis is fourier_basis) is not basis:
            continue
        x, weight = drawn(kernel, rows, cols)
        forward, of_kernel, back = basis(rows, cols, kernel)
        cells = x.reshape(len(x), -1, INPUTS).swapaxes(0, 1)
        spectra = np.tensordot(forward, cells, 1)
        products = spectra @ (of_kernel @ weight.reshape(kernel * kernel, -1)).reshape(-1, INPUTS, OUTPUTS)
        found = np.tensordot(back, products, 1).swapaxes(0, 1).reshape(len(x), rows, cols, OUTPUTS)
        assert worst(found, over_a_window(x, weight)) < bound, (rows, cols)


def layer(weight: Any) -> Convolution:
    plain = Convolution(Keys(jax.random.key(0)), 1, 1, 1)
    object.__setattr__(plain, "weight", jnp.asarray(weight))
    return plain


def by_products(x: Any, weight: Any) -> Any:
    rows, cols = x.shape[1:3]
    return cells_last(BoardConvolution.of(layer(weight), rows, cols, fourier_basis)(cells_first(x)), rows, cols)


def plainly(x: Any, weight: Any) -> Any:
    return layer(weight)(x)


@pytest.mark.parametrize(("rows", "cols", "kernel"), [(3, 3, 3), (7, 7, 4), (9, 6, 5), (4, 4, 2)])
def test_results_and_gradients_are_as_exact_as_the_plain_convolution(rows: int, cols: int, kernel: int) -> None:
    x, weight = drawn(kernel, rows, cols)
    expected = over_a_window(x, weight)
    pull = np.random.default_rng(1).normal(size=expected.shape).astype(np.float32)
    # The twin's gradients: a convolution is linear in either argument, and back to x the kernel is turned around.
    of_weight = np.einsum("brcidl,brco->dlio", windows(x, kernel, (kernel - 1) // 2), pull)
    of_x = np.einsum("brcodl,dlio->brci", windows(pull, kernel, kernel // 2), weight[::-1, ::-1])
    for way in (by_products, plainly):
        found, pulled = jax.vjp(jax.jit(way), x, weight)
        for one, twin in zip((found, *pulled(pull)), (expected, of_x, of_weight), strict=True):
            assert worst(one, twin) < BOUND, way


TINY = "resnet:channels=4,blocks=2,kernel=3"


@pytest.mark.heavy
@pytest.mark.parametrize("network", [TINY, f"{TINY},norm=none,heads=dense"])
def test_both_convolutions_give_equal_results(network: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for table in (convolution_table.PLAY, convolution_table.LEARNING):
        monkeypatch.setitem(table, (4, 3), 4)
    rules = parse_rules("mnk(3,4,3)")
    seen, board = seen_in(some_positions(rules, 5))
    made = make_network(parse_network(network), board, jax.random.key(1))
    model = make_model(parse_network(network), board, jax.random.key(1), ModelSettings())
    for training in (False, True):
        with plain_convolutions():
            expected = made.apply(seen, board, training), model.represent(seen, board, training)
            assert made.prepared(board).stem.weight.ndim == 4  # type: ignore[attr-defined]
        found = made.apply(seen, board, training), model.represent(seen, board, training)
        for one, plain in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
            np.testing.assert_allclose(one, plain, rtol=1e-4, atol=2e-5)
    ready = made.prepared(board)
    assert len(jax.tree.leaves(ready)) == len(jax.tree.leaves(made))
    assert {leaf.ndim for leaf in jax.tree.leaves(ready.blocks)} <= {1, 3}  # type: ignore[attr-defined]
    for one, other in zip(ready.predict(seen, board), made.predict(seen, board), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_dense_products_are_used_as_the_table_lists_and_never_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.networks.convolution.PLAY", {(7, 4): 32})
    monkeypatch.setattr("noughts.networks.convolution.LEARNING", {(7, 4): 64})
    assert is_quick(7, 6, 4, 32, training=False)
    assert not is_quick(7, 6, 4, 32, training=True)
    assert not is_quick(7, 7, 4, 31, training=False)
    assert not is_quick(8, 7, 4, 32, training=False)
    assert not is_quick(7, 7, 3, 32, training=False)
    with plain_convolutions():
        assert not is_quick(7, 7, 4, 32, training=False)
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    assert not is_quick(7, 7, 4, 32, training=False)
