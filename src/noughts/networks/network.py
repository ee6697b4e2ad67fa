"""What a network is: a pytree of weights that turns observations of many positions into policies and values.

Weights need not depend on the board. What does, such as which cells make a line, is worked out from a `BoardShape`: a
static value, for which each program is compiled. So the same weights serve every game that a network does not refuse.
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
    """What the side to move sees, in each of B positions.

    Attributes:
        planes: float32 [B, boards * rows, cols, 4], as `Batched.observe` draws them: my marks, the other's, cells
            that nobody can use, and whether the first player is to move.
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
        logits: float32 [B, size], the policy; those of cells that cannot be played mean nothing.
        value: float32 [B], from -1 to +1, for the side to move.
    """

    logits: Array
    value: Array


class BoardShape(NamedTuple):
    """What is static about the games that one program plays.

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
        """The board of games that share its size."""
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
        """The backend that plays on it."""
        return Batched(self.rows, self.cols, self.boards)


class Network(eqx.Module):
    """The base of all networks.

    Attributes:
        sees_rules: Whether it sees what `Rules` say besides size and bricks, so that one network can learn games of
            which one side wins by a line and another loses.
    """

    sees_rules: ClassVar[bool] = False

    @abstractmethod
    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        """Policies and values.

        Args:
            seen: B positions on `board`.
            board: Static.
            training: Whether to normalise by this batch and to take its statistics into the running ones.

        Returns:
            The prediction, and the network with its running statistics brought up to date; itself without training.
        """

    def predict(self, seen: Observation, board: BoardShape) -> Prediction:
        """Policies and values, as one plays with them."""
        return self.apply(seen, board, training=False)[0]

    def prepared(self, board: BoardShape) -> Self:
        """The same, with that worked out which many predictions on a board share, such as transformed weights; no network to learn or to keep."""
        return self

    @abstractmethod
    def refusal(self, rules: Rules) -> str | None:
        """Why these weights cannot serve `rules`; None if they can."""


def observe(env: Batched, states: BatchedState) -> Observation:
    """What the sides to move see; `states` has one leading axis [B]."""
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
    """The shapes and types of what is seen of so many positions; `count` may be a symbol of JAX."""
    sizes = ((board.boards * board.rows, board.cols, 4), (), (), (), (), ())
    kinds = (jnp.float32, jnp.int32, jnp.bool_, jnp.bool_, jnp.int32, jnp.int32)
    shape: Any = jax.ShapeDtypeStruct
    return Observation(*(shape((count, *size), kind) for size, kind in zip(sizes, kinds, strict=True)))


def count_parameters(network: Network) -> int:
    """Numbers in a network, running statistics included, as the papers' programs count them."""
    return sum(leaf.size for leaf in jax.tree.leaves(eqx.filter(network, eqx.is_array)))
