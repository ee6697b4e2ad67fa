"""Games of self-play as arrays on the device: how they begin, how moves are chosen, and how they ended."""

from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from noughts.networks.network import Array, BoardShape
from noughts.positions.batched import BatchedState, RulesArrays, stack_rules
from noughts.positions.position import EMPTY, Outcome
from noughts.rules import Task
from noughts.search.tree import BatchedSearchResult
from noughts.training.beginnings import Beginnings
from noughts.training.self_play_config import SelfPlayConfig

Tree = TypeVar("Tree")

_RESTARTED = 0x7FFFFFFF  # derives the key for restarts; it differs from the numbers of the other keys, which are small


class TaskDistribution(NamedTuple):
    """The games of a task as arrays, to draw from.

    Attributes:
        rules: With a leading axis [games of the task].
        log_weights: float32 [games of the task].
        beginnings: Positions in which a fraction of new games begins; None if all begin at the start.
    """

    rules: RulesArrays
    log_weights: Array
    beginnings: Beginnings | None = None

    @classmethod
    def of_task(cls, task: Task) -> "TaskDistribution":
        """The games of a task, by their weights."""
        return cls(stack_rules(task.rules), jnp.log(jnp.asarray(task.weights, jnp.float32)))

    def of(self, number: Array) -> RulesArrays:
        """The rules of the games with these indices."""
        return RulesArrays(*(jnp.asarray(array)[number] for array in self.rules))


class GamesInFlight(NamedTuple):
    """G unfinished games.

    Attributes:
        states: Their positions, with an empty tuple for the rules, which `number` determines.
        number: int32 [G], the index of the game in the task.
        digest: uint32 [G, 2], a hash of the moves made so far.
    """

    states: BatchedState
    number: Array
    digest: Array


class Endings(NamedTuple):
    """The games that ended at each step, [plies, G].

    Attributes:
        outcome: int32, the number of the `Outcome`; ONGOING where no game ended.
        length: int32, plies of the game that ended.
        digest: uint32 [2], the hash of its moves.
    """

    outcome: Array
    length: Array
    digest: Array


def new_games(board: BoardShape, task: TaskDistribution, key: Array, count: int, opening_plies: int) -> GamesInFlight:
    """Start `count` games, each after a random number of random moves, `opening_plies` at most.

    No such move ends a game. They lead self-play to positions that good play never reaches. A fraction of the games begins in
    the task's `beginnings` instead.
    """
    number_key, length_key, opening_key = jax.random.split(key, 3)
    number = jax.random.categorical(number_key, task.log_weights, shape=(count,)).astype(jnp.int32)
    states = jax.vmap(board.env.init)(task.of(number))
    length = jax.random.randint(length_key, (count,), 0, opening_plies + 1)

    def one_more(ply: Array, states: BatchedState) -> BatchedState:
        scores = jax.random.uniform(jax.random.fold_in(opening_key, ply), (count, board.size))
        after = jax.vmap(board.env.step)(states, jnp.argmax(jnp.where(states.legal_action_mask, scores, -1.0), -1))
        return where((ply < length) & ~after.is_terminal, after, states)

    states = jax.lax.fori_loop(0, opening_plies, one_more, states)
    if (there := task.beginnings) is not None:
        which_key, row_key = jax.random.split(jax.random.fold_in(key, _RESTARTED))
        chosen = (jax.random.uniform(which_key, (count,)) < there.share) & (there.filled > 0)
        row = jax.random.randint(row_key, (count,), 0, jnp.maximum(there.filled, 1))
        cells, closed, ply, own = (array[row] for array in (there.cells, there.closed, there.ply, there.number))
        number = jnp.where(chosen, own, number)
        states = where(chosen, states_of(cells, closed, ply, own, task, board), states)
    return GamesInFlight(states._replace(rules=()), number, _begun(number, states.cells))


def where(chosen: Array, these: Tree, others: Tree) -> Tree:
    """`jnp.where` for trees: `these` where `chosen`, bool [G], is true, else `others`; all arrays have a leading axis [G]."""

    def choose(one: Array, other: Array) -> Array:
        return jnp.where(chosen.reshape(-1, *[1] * (other.ndim - 1)), one, other)

    found: Tree = jax.tree.map(choose, these, others)
    return found


def rows_like(row: Tree, count: int) -> Tree:
    """Arrays of zeros for `count` rows: those of `row` with a leading axis [count]."""
    room: Tree = jax.tree.map(lambda array: jnp.zeros((count, *array.shape), array.dtype), row)
    return room


def _begun(number: Array, cells: Array) -> Array:
    """The digest of a game before its first searched move: a hash of its index in the task and its first position."""
    powers = np.array([pow(0x01000193, cell, 1 << 32) for cell in range(cells.shape[-1])], np.uint32)
    content = (cells.astype(jnp.uint32) * powers).sum(-1, dtype=jnp.uint32)
    return jnp.stack([number.astype(jnp.uint32), content], -1)


def chosen_moves(
    found: BatchedSearchResult,
    searched: BatchedState,
    going: Array,
    keys: tuple[Array, Array, Array],
    config: SelfPlayConfig,
) -> tuple[Array, Array]:
    """Choose the moves after a search, int32 [G]; also return which of them are random, bool [G].

    Args:
        found: The results of the search.
        searched: The positions that were searched.
        going: bool [G], whether a game is not over; a finished game gets no random move.
        keys: For moves by visits, for which moves are random, and for the random moves.
        config: How moves are drawn.
    """
    visits_key, astray_key, random_key = keys
    move, astray = found.move, jnp.zeros_like(going)
    if config.search.method != "gumbel" and config.temperature_plies:
        drawn = jax.random.categorical(visits_key, jnp.log(jnp.maximum(found.policy, 1e-30)))
        move = jnp.where(searched.ply < config.temperature_plies, drawn, move).astype(jnp.int32)
    if config.random_moves:
        astray = going & (jax.random.uniform(astray_key, going.shape) < config.random_moves)
        drawn = jax.random.categorical(random_key, jnp.where(searched.legal_action_mask, 0.0, -jnp.inf))
        move = jnp.where(astray, drawn, move).astype(jnp.int32)
    return move, astray


def digest_after(games: GamesInFlight, move: Array, going: Array) -> Array:
    """The digest of each game after one more move, uint32 [G, 2]; unchanged for a game that is over."""
    mixed = games.digest * jnp.array([0x01000193, 0x9E3779B1], jnp.uint32) + (move + 1)[:, None].astype(jnp.uint32)
    return jnp.where(going[:, None], mixed ^ (mixed >> 15), games.digest)


def states_of(
    cells: Array, closed: Array, ply: Array, number: Array, task: TaskDistribution, board: BoardShape
) -> BatchedState:
    """Build unfinished positions [N] from their contents."""
    count = len(cells)
    on_closed = jnp.repeat(closed, board.rows * board.cols, axis=1, total_repeat_length=board.size)
    return BatchedState(
        rules=task.of(number),
        cells=cells,
        closed=closed,
        ply=ply,
        outcome=jnp.full(count, int(Outcome.ONGOING), jnp.int32),
        legal_action_mask=(cells == EMPTY) & ~on_closed,
        rewards=jnp.zeros((count, 2), jnp.float32),
    )
