"""The interface of networks: a network is a pytree of weights that maps observations of many positions to policies and values.

Weights need not depend on the board. Facts that do, such as which cells form a line, are computed from a `BoardShape`, a
static value for which each program is compiled. So the same weights work in every game that a network does not refuse.
"""

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from noughts.networks.program_cache import keep_programs
from noughts.positions.batched import Batched, BatchedState
from noughts.rules import Rules
from noughts.rules.squares import WRAPS, Wrap

Array: TypeAlias = jax.Array

LOWEST = float(np.finfo(np.float32).min)
"""The logit of a move that cannot be made."""

keep_programs()  # every use of a network compiles


class Observation(NamedTuple):
    """The side to move's view of each of B positions.

    Attributes:
        planes: float32 [B, boards * rows, cols, 4], from `Batched.observe`: my marks, the other side's marks, cells
            that no side can use, and whether the first player is to move.
        k: int32 [B], cells in a complete line.
        shared: bool [B], whether both sides place the same mark.
        line_wins: bool [B], whether the side that completes the deciding line wins.
        full: int32 [B], the number of the `Outcome` when the cells run out.
        wrap: int32 [B], the number of the `Wrap` in `rules.squares.WRAPS`: which edges are joined.
    """

    planes: Array
    k: Array
    shared: Array
    line_wins: Array
    full: Array
    wrap: Array

    def plane(self, number: int) -> Array:
        """One of the planes, by cells: [B, size]."""
        return self.planes[..., number].reshape(self.planes.shape[0], -1)


class Prediction(NamedTuple):
    """A network's outputs for B positions.

    Attributes:
        logits: float32 [B, size], the policy; ignore those of illegal cells.
        value: float32 [B], from -1 to +1, for the side to move.
    """

    logits: Array
    value: Array


class BoardShape(NamedTuple):
    """The static facts about the games of one compiled program.

    Attributes:
        rows, cols, boards: As in `Rules`.
        lengths: Every k that occurs, ascending.
        wraps: Every `Wrap` that occurs, in the order of `WRAPS`.
    """

    rows: int
    cols: int
    boards: int
    lengths: tuple[int, ...]
    wraps: tuple[Wrap, ...] = ("none",)

    @classmethod
    def of(cls, games: Iterable[Rules]) -> "BoardShape":
        """The board shape of games on boards of one size."""
        games = tuple(games)
        first = games[0]
        joined = {rules.wrap for rules in games}
        wraps = tuple(wrap for wrap in WRAPS if wrap in joined)
        return cls(first.rows, first.cols, first.boards, tuple(sorted({rules.k for rules in games})), wraps)

    @property
    def size(self) -> int:
        """Cells on all boards: the number of logits."""
        return self.boards * self.rows * self.cols

    @property
    def env(self) -> Batched:
        """The batched backend for this board."""
        return Batched(self.rows, self.cols, self.boards)


class Network(eqx.Module):
    """The base of all networks.

    Attributes:
        sees_rules: Whether its inputs include the rules besides size and bricks, so that one network can learn, for example,
            a game in which a line wins and another in which a line loses.
    """

    sees_rules: ClassVar[bool] = False

    @abstractmethod
    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        """Compute policies and values.

        Args:
            seen: B positions on `board`.
            board: Static.
            training: Whether to normalise by this batch and to update the running statistics with it.

        Returns:
            The prediction, and the network, in training with updated running statistics.
        """

    def predict(self, seen: Observation, board: BoardShape) -> Prediction:
        """Compute policies and values for play."""
        return self.apply(seen, board, training=False)[0]

    def prepared(self, board: BoardShape) -> Self:
        """The network, with values that all predictions on a board share computed ahead, such as transformed weights. Only for play."""
        return self

    def block(self, board: BoardShape) -> int | None:
        """Positions whose gradients a CPU computes together, so that all between two layers stays in its cache; None for a whole batch.

        A network that normalises by the batch needs the whole.
        """
        return None

    @abstractmethod
    def refusal(self, rules: Rules) -> str | None:
        """Why these weights do not support `rules`; None if they do."""


def observe(env: Batched, states: BatchedState) -> Observation:
    """The observations of the sides to move; `states` has one leading axis [B]."""
    rules = states.rules
    return Observation(
        planes=jax.vmap(env.observe)(states),
        k=jnp.asarray(rules.k),
        shared=jnp.asarray(rules.shared),
        line_wins=jnp.asarray(rules.line_wins),
        full=jnp.asarray(rules.full),
        wrap=jnp.asarray(rules.wrap),
    )


def observation_shapes(board: BoardShape, count: Any) -> Observation:
    """The shapes and types of an observation of `count` positions; `count` may be a symbolic dimension of JAX."""
    sizes = ((board.boards * board.rows, board.cols, 4), (), (), (), (), ())
    kinds = (jnp.float32, jnp.int32, jnp.bool_, jnp.bool_, jnp.int32, jnp.int32)
    shape: Any = jax.ShapeDtypeStruct
    return Observation(*(shape((count, *size), kind) for size, kind in zip(sizes, kinds, strict=True)))


def count_parameters(network: Network) -> int:
    """The number of parameters, with running statistics, as the papers' programs count them."""
    return sum(leaf.size for leaf in jax.tree.leaves(eqx.filter(network, eqx.is_array)))
