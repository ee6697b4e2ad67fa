"""A network's outputs for many positions, without search, as NumPy arrays."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from noughts.networks.errors import NetworkError, require_served
from noughts.networks.network import Array, BoardShape, Network, observe
from noughts.networks.outputs import require_outputs
from noughts.positions import Position
from noughts.positions.batched import BatchedState
from noughts.positions.given import require_positions

BATCH = 64
"""Positions in one call of the compiled program, by default."""


class Evaluation(NamedTuple):
    """A network's outputs for B positions.

    Attributes:
        values: float32 [B], from -1 to +1, for the side to move.
        policies: float32 [B, size], probabilities of the legal moves, which add up to 1; 0 for all other cells.
    """

    values: NDArray[np.float32]
    policies: NDArray[np.float32]


def evaluate(network: Network, positions: Sequence[Position], batch: int = BATCH) -> Evaluation:
    """Compute values and policies.

    Args:
        network: The network.
        positions: On boards of one size, of any games that the network supports; none is over.
        batch: How many are evaluated together. A program is compiled for each board and batch size. Numbers may differ
            in the last bits between batches of different size.

    Raises:
        NetworkError: there are no positions, one is over, the boards differ in size, or the network does not support a game or
            returns no valid prediction.
        NoughtsError: `positions` is not a list of positions.
    """
    positions = require_positions(positions)
    _require(network, positions, batch)
    board = BoardShape.of({position.rules for position in positions})
    values, policies = list[NDArray[np.float32]](), list[NDArray[np.float32]]()
    for some, filled in full_batches(positions, batch):
        found = jax.device_get(_compiled(network, board, board.env.states(filled)))
        values.append(found[0][: len(some)])
        policies.append(found[1][: len(some)])
    return Evaluation(np.concatenate(values), np.concatenate(policies))


def full_batches(positions: Sequence[Position], size: int) -> Iterator[tuple[Sequence[Position], list[Position]]]:
    """`size` positions at a time, and the same filled up with the last one, because a program is compiled for one size."""
    for start in range(0, len(positions), size):
        some = positions[start : start + size]
        yield some, [*some, *[some[-1]] * (size - len(some))]


@eqx.filter_jit
def _compiled(network: Network, board: BoardShape, states: BatchedState) -> tuple[Array, Array]:
    """Values [B] and policies [B, size]."""
    require_outputs(network, board)  # once, while the program is traced
    seen = network.predict(observe(board.env, states), board)
    logits = jnp.where(states.legal_action_mask, seen.logits, -jnp.inf)
    return seen.value, jax.nn.softmax(logits)


def _require(network: Network, positions: Sequence[Position], batch: int) -> None:
    """NetworkError unless the network can evaluate these positions."""
    if batch < 1:
        raise NetworkError(f"batch={batch} is not allowed: give 1 or more")
    if not positions:
        raise NetworkError("there are no positions to evaluate")
    sizes = {(position.rules.rows, position.rules.cols, position.rules.boards) for position in positions}
    if len(sizes) > 1:
        raise NetworkError(f"positions are evaluated together on boards of one size, and these have {len(sizes)}")
    for rules in {position.rules: None for position in positions}:
        require_served(network, rules)
    for number, position in enumerate(positions):
        if position.is_over:
            raise NetworkError(f"position {number} of {position.rules} is over: the rules give its value")
