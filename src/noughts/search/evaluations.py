"""`Evaluations`: a cache of a network's predictions while its weights stay the same, so that no position is evaluated twice.

Games of one iteration begin alike, and each search starts inside the tree of the one before, so most leaves were seen before.
Leaves of finished games and finished positions need no network. The rest is evaluated in small batches, as many as
necessary, because all shapes are static and the number of batches is not.

The last bits of a network's output depend on the batch size. So games differ from those of a search that evaluates
everything, as they would between two machines, but equal seeds still give equal games, bit for bit. A search whose
results must not depend on the other positions in a batch evaluates in batches of one size, `ONE_SIZE`.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Self

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from noughts.networks.network import Array, BoardShape, Network, Observation, Prediction

SIZES = (16, 8, 4)
"""Batch sizes, descending. Larger batches gain little on a CPU; smaller ones take as long, because they read the same weights."""

ONE_SIZE = (8,)
"""A fixed batch size. With 4, the last products of odd boards would be added in another order than the others."""

_BYTES = 1 << 23  # eight times as much gains 3 percent in a proof, and a process may hold dozens of networks

Body = Callable[[Any, Any], Any]


class KeptPredictions(NamedTuple):
    """A table of predictions. Each position has one slot, and a later position with the same slot replaces it.

    Attributes:
        told: int8 [slots, numbers], the network's whole input for the position; zeros in an empty slot.
        logits: float32 [slots, size].
        value: float32 [slots].
    """

    told: Array
    logits: Array
    value: Array

    @classmethod
    def empty(cls, places: int, board: BoardShape) -> Self:
        """Create an empty table with a number of slots."""
        return cls(jnp.zeros((places, _numbers(board)), jnp.int8), jnp.zeros((places, board.size)), jnp.zeros(places))

    @classmethod
    def large(cls, board: BoardShape) -> Self:
        """Create an empty table of about `_BYTES`."""
        return cls.empty(_BYTES // (_numbers(board) + 4 * board.size + 4), board)


class Evaluations:
    """The predictions for one search.

    Attributes:
        kept: The table; None to evaluate every position. It changes while a program is traced.
    """

    def __init__(self, board: BoardShape, kept: KeptPredictions | None = None, sizes: tuple[int, ...] = SIZES) -> None:
        """`sizes` are the batch sizes, descending."""
        self._board, self.kept, self._sizes = board, kept, sizes

    def of(self, network: Network, seen: Observation, wanted: Array) -> Prediction:
        """Predictions for B positions, from the table if possible, otherwise from the network; these are added to the table.

        Args:
            network, seen: See `Network.predict`. The table must come from the same weights.
            wanted: bool [B]. The predictions for other positions are arbitrary.
        """
        kept = self.kept
        if kept is None:
            return network.predict(seen, self._board)
        told = _told(seen)
        count, places = len(told), len(kept.value)
        place = _hash(told) % places
        known = (kept.told[place] == told).all(-1)
        missed = wanted & ~known
        rows = jnp.arange(count)
        # Of several positions with the same slot, the first is saved, and serves all others with equal input.
        first = jnp.argmax((place[:, None] == place) & missed, axis=1)
        asked = missed & ((first == rows) | (told[first] != told).any(-1))
        said = _in_batches(network, self._board, seen, asked, self._sizes)
        same = jnp.where(asked, rows, first)
        logits = jnp.where(known[:, None], kept.logits[place], said.logits[same])
        value = jnp.where(known, kept.value[place], said.value[same])
        into = jnp.where(missed & (first == rows), place, places)
        table = (array.at[into].set(new, mode="drop") for array, new in zip(kept, (told, logits, value), strict=True))
        self.kept = KeptPredictions(*table)
        return Prediction(logits, value)

    def loop(self, first: int, last: int, body: Body, begin: Any) -> Any:
        """`fori_loop` whose body may call `of`: it passes the table along with the body's own state."""

        def with_table(number: Array, carry: tuple[Any, KeptPredictions | None]) -> tuple[Any, KeptPredictions | None]:
            inner, self.kept = carry
            return body(number, inner), self.kept

        end, self.kept = jax.lax.fori_loop(first, last, with_table, (begin, self.kept))
        return end


def _in_batches(
    network: Network, board: BoardShape, seen: Observation, asked: Array, sizes: tuple[int, ...]
) -> Prediction:
    """Return predictions for the positions `asked`, bool [B], in as many batches as necessary; zeros for the others."""
    count, number = len(asked), asked.sum()
    sizes = tuple(size for size in sizes if size <= count) or (count,)
    place = jnp.where(asked, jnp.cumsum(asked) - 1, count)
    order = jnp.zeros(count + sizes[0], jnp.int32).at[place].set(jnp.arange(count), mode="drop")
    carry = (jnp.int32(0), Prediction(jnp.zeros((count, board.size)), jnp.zeros(count)))
    for size in sizes:
        least = 0 if size == sizes[-1] else size // 2  # fewer positions go into smaller batches

        def more(carry: tuple[Array, Prediction], least: int = least) -> Array:
            return carry[0] + least < number

        def evaluate(carry: tuple[Array, Prediction], size: int = size) -> tuple[Array, Prediction]:
            done, said = carry
            some = jax.lax.dynamic_slice(order, (done,), (size,))
            found = network.predict(jax.tree.map(lambda array: array[some], seen), board)
            into = jnp.where(done + jnp.arange(size) < number, some, count)
            return done + size, jax.tree.map(lambda all_rows, new: all_rows.at[into].set(new, mode="drop"), said, found)

        carry = jax.lax.while_loop(more, evaluate, carry)
    return carry[1]


def _numbers(board: BoardShape) -> int:
    return int(np.prod(board.env.observation_shape)) + len(Observation._fields) - 1


def _told(seen: Observation) -> Array:
    """The network's whole input, int8 [B, numbers]; never all zeros, because k is at least 1."""
    columns = [array.reshape(len(array), -1).astype(jnp.int8) for array in seen]
    return jnp.concatenate(columns, axis=1)


def _hash(told: Array) -> Array:
    """uint32 [B]."""
    mixed: Array = (told.astype(jnp.uint32) * _factors(told.shape[1])).sum(-1, dtype=jnp.uint32)
    mixed = (mixed ^ (mixed >> 16)) * jnp.uint32(0x85EBCA6B)
    return mixed ^ (mixed >> 13)


@lru_cache(maxsize=64)
def _factors(count: int) -> NDArray[np.uint32]:
    return np.random.Generator(np.random.PCG64(0)).integers(1 << 32, size=count, dtype=np.uint32) | np.uint32(1)
