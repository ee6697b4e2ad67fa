"""Evaluates networks in positions, and makes weights in which nothing is zero by accident."""

from collections.abc import Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from noughts.networks.layers import BatchNorm
from noughts.networks.network import BoardShape, Network, Observation, Prediction, observe
from noughts.networks.spec import make_network, parse_network
from noughts.positions import Position, Rng
from noughts.positions.batched import BatchedState
from noughts.rules import Rules, Symmetry
from tests.positions.reached import wandered

Floats = NDArray[np.float32]


@eqx.filter_jit
def predict(network: Network, seen: Observation, board: BoardShape) -> Prediction:
    return network.predict(seen, board)


def seen_in(positions: Sequence[Position]) -> tuple[Observation, BoardShape]:
    """The observations of positions of one board size."""
    board = BoardShape.of(position.rules for position in positions)
    return _observe(board.env.states(positions), board), board


@eqx.filter_jit
def _observe(states: BatchedState, board: BoardShape) -> Observation:
    return observe(board.env, states)


def ask(network: Network, positions: Sequence[Position]) -> tuple[Floats, Floats]:
    """Logits and values of positions, all in one batch."""
    seen, board = seen_in(positions)
    logits, value = predict(network, seen, board)
    return np.asarray(logits), np.asarray(value)


def shapes(text: str, rules: Rules) -> Network:
    """A new network, only as shapes."""
    board = BoardShape.of([rules])
    network: Network = eqx.filter_eval_shape(make_network, parse_network(text), board, jax.random.key(0))
    return network


def made(text: str, rules: Rules, seed: int = 0) -> Network:
    """A network with random biases, scales and statistics too. NumPy draws them, so nothing is compiled."""
    rng = np.random.default_rng(seed)

    def fill(path: Any, leaf: jax.ShapeDtypeStruct) -> jax.Array:
        name = jax.tree_util.keystr(path)
        around = 1.0 if name.endswith((".scale", ".variance")) else 0.0
        spread = np.sqrt(2 / leaf.shape[-2]) if len(leaf.shape) > 1 else 0.1
        return jnp.asarray(around + spread * rng.normal(size=leaf.shape), jnp.float32)

    network: Network = jax.tree_util.tree_map_with_path(fill, shapes(text, rules))
    return network


def batch_norms(tree: Any) -> list[BatchNorm]:
    """The batch normalisations of a network."""
    found = jax.tree.leaves(tree, is_leaf=lambda node: isinstance(node, BatchNorm))
    return [node for node in found if isinstance(node, BatchNorm)]


def some_positions(rules: Rules, count: int, seed: int = 0) -> list[Position]:
    """Unfinished positions of random play, from the start to the last plies."""
    rng = Rng(seed)
    return [wandered(rules, rng.below(rules.size), rng) for _ in range(count)]


def turned(position: Position, symmetry: Symmetry) -> Position:
    """The position with all that is on the board moved, bricks included."""
    rules = position.rules
    bricks = tuple(sorted(symmetry.image[brick] for brick in rules.bricks))
    other = rules.model_copy(update={"bricks": bricks})
    return Position.start(other, tuple(symmetry.image[move] for move in position.moves))
