"""Self-play, entirely on the device: many games in parallel, with a search for each move, and targets for each position.

There are two modes. *Restarting*: a segment has a fixed number of plies, and a new game replaces each that ends. A game that
is not over at the end of the segment continues in the next one; its result is bootstrapped from the network's value.
*Whole games*, as in the papers: every game is played from its start to its end.
"""

from functools import partial
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.sharding import Mesh, PartitionSpec

from noughts.networks.network import Array, BoardShape, Network, observe
from noughts.positions.position import Outcome
from noughts.search.evaluations import Evaluations, KeptPredictions
from noughts.search.guided import guided_growth
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.devices import GAMES
from noughts.training.games import (
    Endings,
    GamesInFlight,
    TaskDistribution,
    chosen_moves,
    digest_after,
    new_games,
    rows_like,
    where,
)


class Samples(NamedTuple):
    """Positions with the network's targets for them; leading axes [plies, G] here, [N] in the replay.

    Attributes:
        cells: int8 [size].
        closed: bool [boards].
        ply: int32.
        number: int32, the index of the game in the task.
        policy: float32 [size].
        value: float32, the game's result for the side to move.
        valid: bool, False for rows after the end of a whole game.
    """

    cells: Array
    closed: Array
    ply: Array
    number: Array
    policy: Array
    value: Array
    valid: Array


def self_play(
    network: Network,
    games: GamesInFlight,
    task: TaskDistribution,
    keys: Array,
    board: BoardShape,
    config: AlphaZeroConfig,
    mesh: Mesh,
) -> tuple[GamesInFlight, Samples, Endings]:
    """Play one segment, or one round of whole games, on every device of the mesh.

    Args:
        network: On every device.
        games: Split over the devices; with whole games only the number of games matters.
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
    """The record of one step, [G], before the results of the games are available.

    Attributes:
        reward: The result for the mover if the game ended with this move.
        searched: The value that the search found.
        astray: Whether the move was random. Then the game's result is no evidence about this position, so
            `searched` is the target instead.
    """

    samples: Samples
    endings: Endings
    reward: Array
    searched: Array
    astray: Array


_Carry = tuple[Array, GamesInFlight, KeptPredictions | None, _Step]


def _segment(
    network: Network,
    games: GamesInFlight,
    task: TaskDistribution,
    key: Array,
    board: BoardShape,
    config: AlphaZeroConfig,
) -> tuple[GamesInFlight, Samples, Endings]:
    count, network = len(games.number), network.prepared(board)
    if config.whole_games:
        key, begin = jax.random.split(key)
        games = new_games(board, task, begin, count, config.most_opening_plies)
    plies = board.size if config.whole_games else config.plies
    step = partial(_step, network=network, task=task, board=board, config=config)
    empty = rows_like(_unwritten(games), plies)
    kept = KeptPredictions.empty(config.evaluations_kept, board) if config.evaluations_kept else None

    def go_on(carry: _Carry) -> Array:
        ply, games, _, _ = carry
        return (ply < plies) & (~games.states.is_terminal).any()

    def advance(carry: _Carry) -> _Carry:
        ply, games, kept, written = carry
        evaluations = Evaluations(board, kept)
        games, row = step(games, jax.random.fold_in(key, ply), evaluations)
        written = jax.tree.map(lambda all_rows, one: all_rows.at[ply].set(one), written, row)
        return ply + 1, games, evaluations.kept, written

    _, games, kept, written = jax.lax.while_loop(go_on, advance, (jnp.int32(0), games, kept, empty))
    states = games.states._replace(rules=task.of(games.number))
    bootstrap = Evaluations(board, kept).of(network, observe(board.env, states), ~states.is_terminal).value
    bootstrap = jnp.where(states.is_terminal, 0.0, bootstrap)

    def back(later: Array, row: _Step) -> tuple[Array, Array]:
        """The result for the side to move, from the last step to the first."""
        ended = row.endings.outcome != int(Outcome.ONGOING)
        result = jnp.where(row.astray, row.searched, jnp.where(ended, row.reward, -later))
        value = jnp.where(row.samples.valid, result, later)
        return value, value

    _, values = jax.lax.scan(back, bootstrap, written, reverse=True)
    return games, written.samples._replace(value=values), written.endings


def _unwritten(games: GamesInFlight) -> _Step:
    """The shapes and types of the record of a step."""
    states, number = games.states, jnp.zeros(len(games.number))
    flag, policy = jnp.zeros(len(number), jnp.bool_), jnp.zeros(states.cells.shape)
    samples = Samples(states.cells, states.closed, states.ply, games.number, policy, number, flag)
    return _Step(samples, Endings(states.outcome, states.ply, games.digest), number, number, flag)


def _step(
    games: GamesInFlight,
    key: Array,
    evaluations: Evaluations,
    network: Network,
    task: TaskDistribution,
    board: BoardShape,
    config: AlphaZeroConfig,
) -> tuple[GamesInFlight, _Step]:
    """Make one move in every game, and start a new game for each that ended."""
    search_key, move_key, new_key = jax.random.split(key, 3)
    before = games.states._replace(rules=task.of(games.number))
    valid = ~before.is_terminal
    found, _ = guided_growth(network, board, before, search_key, config.search, exploring=True, evaluations=evaluations)
    astray_key, random_key = jax.random.split(jax.random.fold_in(move_key, 1))
    move, astray = chosen_moves(found, before, valid, (move_key, astray_key, random_key), config)
    after = jax.vmap(board.env.step)(before, move)
    ended = after.is_terminal & valid
    reward = jnp.take_along_axis(after.rewards, (before.ply & 1)[:, None], 1)[:, 0]
    digest = digest_after(games, move, valid)
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
        played = where(ended, new, played)
    return played, _Step(samples, endings, reward, found.value, astray)
