"""Self-play, wholly on the device: many games side by side, each move searched, each position kept with its targets.

There are two ways. *Restarting*: a segment is so many plies long, and a new game begins where one ended. A game that is
not over at the end of the segment goes on in the next one; its result is bootstrapped from the network's value.
*Whole games*, as in the papers: every game begins anew and is played to its end.
"""

from functools import partial
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec

from noughts.networks.network import Array, BoardShape, Network, observe
from noughts.positions.batched import BatchedState, RulesArrays, stack_rules
from noughts.positions.position import Outcome
from noughts.rules import Task
from noughts.search.guided import guided_search
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.devices import GAMES


class TaskDistribution(NamedTuple):
    """The games of a task as arrays, to draw from.

    Attributes:
        rules: With a leading axis [games of the task].
        log_weights: float32 [games of the task].
    """

    rules: RulesArrays
    log_weights: Array

    @classmethod
    def of_task(cls, task: Task) -> "TaskDistribution":
        """Those of a task, by their weights."""
        return cls(stack_rules(task.rules), jnp.log(jnp.asarray(task.weights, jnp.float32)))

    def of(self, number: Array) -> RulesArrays:
        """The rules of these numbers."""
        return RulesArrays(*(jnp.asarray(array)[number] for array in self.rules))


class GamesInFlight(NamedTuple):
    """Games under way, G of them.

    Attributes:
        states: Their positions, with an empty tuple for the rules: these are found by `number`.
        number: int32 [G], which of the task's games is played.
        digest: uint32 [G, 2], a hash of the moves made so far.
    """

    states: BatchedState
    number: Array
    digest: Array


class Samples(NamedTuple):
    """Positions with what the network should say of them; leading axes [plies, G] here, [N] in the replay.

    Attributes:
        cells: int8 [size].
        closed: bool [boards].
        ply: int32.
        number: int32, which of the task's games it is.
        policy: float32 [size].
        value: float32, the game's result for the side to move.
        valid: bool, whether there was a position: not after the end of a whole game.
    """

    cells: Array
    closed: Array
    ply: Array
    number: Array
    policy: Array
    value: Array
    valid: Array


class Endings(NamedTuple):
    """What ended at each step, [plies, G].

    Attributes:
        outcome: int32, the number of the `Outcome`; ONGOING where no game ended.
        length: int32, plies of the game that ended.
        digest: uint32 [2], its hash.
    """

    outcome: Array
    length: Array
    digest: Array


def new_games(board: BoardShape, task: TaskDistribution, key: Array, count: int, opening_plies: int) -> GamesInFlight:
    """`count` games about to begin, each after a random number of random moves, `opening_plies` at most.

    No such move ends a game. They lead self-play to positions that good play never reaches.
    """
    number_key, length_key, opening_key = jax.random.split(key, 3)
    number = jax.random.categorical(number_key, task.log_weights, shape=(count,)).astype(jnp.int32)
    states = jax.vmap(board.env.init)(task.of(number))
    length = jax.random.randint(length_key, (count,), 0, opening_plies + 1)
    for ply in range(opening_plies):
        scores = jax.random.uniform(jax.random.fold_in(opening_key, ply), (count, board.size))
        after = jax.vmap(board.env.step)(states, jnp.argmax(jnp.where(states.legal_action_mask, scores, -1.0), -1))
        made = (ply < length) & ~after.is_terminal
        states = jax.tree.map(
            lambda new, old, made=made: jnp.where(made.reshape(-1, *[1] * (old.ndim - 1)), new, old), after, states
        )
    return GamesInFlight(states._replace(rules=()), number, _begun(number, states.cells))  # type: ignore[arg-type]


def _begun(number: Array, cells: Array) -> Array:
    """The digest of a game in which no move was searched yet: which game it is, and from where it begins."""
    powers = np.array([pow(0x01000193, cell, 1 << 32) for cell in range(cells.shape[-1])], np.uint32)
    content = (cells.astype(jnp.uint32) * powers).sum(-1, dtype=jnp.uint32)
    return jnp.stack([number.astype(jnp.uint32), content], -1)


def self_play(
    network: Network,
    games: GamesInFlight,
    task: TaskDistribution,
    keys: Array,
    board: BoardShape,
    config: AlphaZeroConfig,
    mesh: Mesh,
) -> tuple[GamesInFlight, Samples, Endings]:
    """One segment, or one round of whole games, on every device of the mesh.

    Args:
        network: On every device.
        games: Shared out; of whole games only their number counts.
        task: On every device.
        keys: One for each device.
        board, config, mesh: Static.
    """
    shared, whole = PartitionSpec(GAMES), PartitionSpec()  # type: ignore[no-untyped-call]
    along = PartitionSpec(None, GAMES)  # type: ignore[no-untyped-call]
    arrays, static = eqx.partition(network, eqx.is_array)

    def on_one(
        arrays: Network, games: GamesInFlight, task: TaskDistribution, keys: Array
    ) -> tuple[GamesInFlight, Samples, Endings]:
        return _segment(eqx.combine(arrays, static), games, task, keys[0], board, config)

    return jax.shard_map(
        on_one,
        mesh=mesh,
        in_specs=(whole, shared, whole, shared),
        out_specs=(shared, along, along),
        check_vma=False,
    )(arrays, games, task, keys)


class _Step(NamedTuple):
    """What is recorded of one step, [G], before the results are known.

    Attributes:
        reward: The result for the mover if the game ended with this move.
        searched: The value that the search found.
        astray: Whether the move was a random one. The game's result then says nothing about this position, and
            `searched` is the target instead.
    """

    samples: Samples
    endings: Endings
    reward: Array
    searched: Array
    astray: Array


def _segment(
    network: Network,
    games: GamesInFlight,
    task: TaskDistribution,
    key: Array,
    board: BoardShape,
    config: AlphaZeroConfig,
) -> tuple[GamesInFlight, Samples, Endings]:
    count = len(games.number)
    if config.whole_games:
        key, begin = jax.random.split(key)
        games = new_games(board, task, begin, count, config.most_opening_plies)
    plies = board.size if config.whole_games else config.plies
    step = partial(_step, network=network, task=task, board=board, config=config)
    empty = jax.tree.map(
        lambda shape: jnp.zeros((plies, *shape.shape), shape.dtype),
        jax.eval_shape(lambda: step(games, key)[1]),
    )

    def go_on(carry: tuple[Array, GamesInFlight, _Step]) -> Array:
        ply, games, _ = carry
        return (ply < plies) & (~games.states.is_terminal).any()

    def advance(carry: tuple[Array, GamesInFlight, _Step]) -> tuple[Array, GamesInFlight, _Step]:
        ply, games, written = carry
        games, row = step(games, jax.random.fold_in(key, ply))
        return ply + 1, games, jax.tree.map(lambda all_rows, one: all_rows.at[ply].set(one), written, row)

    _, games, written = jax.lax.while_loop(go_on, advance, (jnp.int32(0), games, empty))
    states = games.states._replace(rules=task.of(games.number))
    bootstrap = network.predict(observe(board.env, states), board).value
    bootstrap = jnp.where(states.is_terminal, 0.0, bootstrap)

    def back(later: Array, row: _Step) -> tuple[Array, Array]:
        """The result for the side to move, from the last step to the first."""
        ended = row.endings.outcome != int(Outcome.ONGOING)
        result = jnp.where(row.astray, row.searched, jnp.where(ended, row.reward, -later))
        value = jnp.where(row.samples.valid, result, later)
        return value, value

    _, values = jax.lax.scan(back, bootstrap, written, reverse=True)
    return games, written.samples._replace(value=values), written.endings


def _step(
    games: GamesInFlight,
    key: Array,
    network: Network,
    task: TaskDistribution,
    board: BoardShape,
    config: AlphaZeroConfig,
) -> tuple[GamesInFlight, _Step]:
    """One move in every game, and a new game where one ended."""
    search_key, move_key, new_key = jax.random.split(key, 3)
    before = games.states._replace(rules=task.of(games.number))
    valid = ~before.is_terminal
    found = guided_search(network, board, before, search_key, config.search, exploring=True)
    move = found.move
    if config.search.method != "gumbel" and config.temperature_plies:
        drawn = jax.random.categorical(move_key, jnp.log(jnp.maximum(found.policy, 1e-30)))
        move = jnp.where(before.ply < config.temperature_plies, drawn, move).astype(jnp.int32)
    astray = jnp.zeros_like(valid)
    if config.random_moves:
        astray_key, random_key = jax.random.split(jax.random.fold_in(move_key, 1))
        astray = jax.random.uniform(astray_key, valid.shape) < config.random_moves
        drawn = jax.random.categorical(random_key, jnp.where(before.legal_action_mask, 0.0, -jnp.inf))
        move = jnp.where(astray, drawn, move).astype(jnp.int32)
    after = jax.vmap(board.env.step)(before, move)
    ended = after.is_terminal & valid
    reward = jnp.take_along_axis(after.rewards, (before.ply & 1)[:, None], 1)[:, 0]
    mixed = games.digest * jnp.array([0x01000193, 0x9E3779B1], jnp.uint32) + (move + 1)[:, None].astype(jnp.uint32)
    digest = jnp.where(valid[:, None], mixed ^ (mixed >> 15), games.digest)
    samples = Samples(
        cells=before.cells,
        closed=before.closed,
        ply=before.ply,
        number=games.number,
        policy=found.policy,
        value=jnp.zeros_like(reward),
        valid=valid,
    )
    endings = Endings(jnp.where(ended, after.outcome, int(Outcome.ONGOING)), after.ply, digest)
    played = GamesInFlight(after._replace(rules=()), games.number, digest)  # type: ignore[arg-type]
    if not config.whole_games:
        new = new_games(board, task, new_key, len(move), config.most_opening_plies)
        played = jax.tree.map(
            lambda fresh, old: jnp.where(ended.reshape(-1, *[1] * (old.ndim - 1)), fresh, old), new, played
        )
    return played, _Step(samples, endings, reward, found.value, astray)
