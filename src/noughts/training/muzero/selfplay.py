"""Self-play of whole games, on the device: a search in the learned model for each move, and a record of each game."""

from functools import partial
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.sharding import Mesh, PartitionSpec

from noughts.networks.model import LatentModel
from noughts.networks.network import Array, BoardShape
from noughts.search.imagined import imagined_growth
from noughts.training.devices import GAMES
from noughts.training.games import (
    Endings,
    GamesInFlight,
    TaskDistribution,
    chosen_moves,
    digest_after,
    new_games,
    rows_like,
    states_of,
)
from noughts.training.muzero.config import MuZeroConfig


class PlayedGames(NamedTuple):
    """The records of G whole games; P is the number of cells. Ply 0 is the first with a search.

    Attributes:
        number: int32 [G], the index of the game in the task.
        begin: int32 [G], moves made before ply 0.
        length: int32 [G], moves made from ply 0 on.
        result: float32 [G], +1 if the first player won, 0 for a draw, -1 if the second won.
        cells: int8 [G, P + 1, size], before each ply; from `length` on the finished position.
        closed: bool [G, P + 1, boards].
        action: int16 [G, P].
        policy: float32 [G, P, size], from the search.
        value: float32 [G, P], from the search, for the side to move.
        astray: bool [G, P], whether the move was random.
    """

    number: Array
    begin: Array
    length: Array
    result: Array
    cells: Array
    closed: Array
    action: Array
    policy: Array
    value: Array
    astray: Array


def self_play(
    model: LatentModel, task: TaskDistribution, keys: Array, board: BoardShape, config: MuZeroConfig, mesh: Mesh
) -> tuple[PlayedGames, Endings]:
    """Play one round of games on every device of the mesh; also return how they ended, with a leading axis [1].

    Args:
        model, task: On every device.
        keys: One for each device.
        board, config, mesh: Static.
    """
    shared, whole = PartitionSpec(GAMES), PartitionSpec()  # type: ignore[no-untyped-call]
    along = PartitionSpec(None, GAMES)  # type: ignore[no-untyped-call]
    arrays, static = eqx.partition(model, eqx.is_array)

    def on_one(arrays: LatentModel, task: TaskDistribution, keys: Array) -> tuple[PlayedGames, Endings]:
        return _round(eqx.combine(arrays, static), task, keys[0], board, config, config.games // mesh.size)

    return jax.shard_map(
        on_one, mesh=mesh, in_specs=(whole, whole, shared), out_specs=(shared, along), check_vma=False
    )(arrays, task, keys)


class _Row(NamedTuple):
    """One ply of every game, as in `PlayedGames`."""

    cells: Array
    closed: Array
    action: Array
    policy: Array
    value: Array
    astray: Array


def _round(
    model: LatentModel, task: TaskDistribution, key: Array, board: BoardShape, config: MuZeroConfig, count: int
) -> tuple[PlayedGames, Endings]:
    key, begin_key = jax.random.split(key)
    model = model.prepared(board)
    games = new_games(board, task, begin_key, count, config.most_opening_plies)
    begin = games.states.ply
    step = partial(_step, model=model, task=task, board=board, config=config)
    number, policy = jnp.zeros(count), jnp.zeros((count, board.size))
    row = _Row(
        games.states.cells, games.states.closed, number.astype(jnp.int16), policy, number, number.astype(jnp.bool_)
    )
    rows = rows_like(row, board.size)

    def go_on(carry: tuple[Array, GamesInFlight, Array, _Row]) -> Array:
        ply, games, _, _ = carry
        return (ply < board.size) & (~games.states.is_terminal).any()

    def advance(carry: tuple[Array, GamesInFlight, Array, _Row]) -> tuple[Array, GamesInFlight, Array, _Row]:
        ply, games, result, rows = carry
        games, result, row = step(games, result, jax.random.fold_in(key, ply))
        return ply + 1, games, result, jax.tree.map(lambda all_rows, one: all_rows.at[ply].set(one), rows, row)

    start = (jnp.int32(0), games, jnp.zeros(count), rows)
    _, games, result, rows = jax.lax.while_loop(go_on, advance, start)
    length = games.states.ply - begin
    # Rows at and after the end of a game hold the finished position.
    after = jnp.arange(board.size + 1)[:, None] >= length

    def filled(rows: Array, last: Array) -> Array:
        longer = jnp.concatenate([rows, last[None]])
        return jnp.moveaxis(jnp.where(after[..., None], last[None], longer), 0, 1)

    played = PlayedGames(
        number=games.number,
        begin=begin,
        length=length,
        result=result,
        cells=filled(rows.cells, games.states.cells),
        closed=filled(rows.closed, games.states.closed),
        action=rows.action.T,
        policy=jnp.moveaxis(rows.policy, 0, 1),
        value=rows.value.T,
        astray=rows.astray.T,
    )
    endings = Endings(games.states.outcome, games.states.ply, games.digest)
    return played, jax.tree.map(lambda array: array[None], endings)


def _step(
    games: GamesInFlight,
    result: Array,
    key: Array,
    model: LatentModel,
    task: TaskDistribution,
    board: BoardShape,
    config: MuZeroConfig,
) -> tuple[GamesInFlight, Array, _Row]:
    """Make one move in every unfinished game."""
    search_key, move_key, astray_key, random_key = jax.random.split(key, 4)
    before = games.states._replace(rules=task.of(games.number))
    going = ~before.is_terminal
    # A finished game has no legal moves, so all cells count as legal for its search, whose result is not used.
    searched = before._replace(legal_action_mask=before.legal_action_mask | ~going[:, None])
    found, _ = imagined_growth(model, board, searched, search_key, config.search, exploring=True)
    move, astray = chosen_moves(found, searched, going, (move_key, astray_key, random_key), config)
    after = jax.vmap(board.env.step)(before, move)
    result = jnp.where(going & after.is_terminal, after.rewards[:, 0], result)
    digest = digest_after(games, move, going)
    row = _Row(before.cells, before.closed, move.astype(jnp.int16), found.policy, found.value, astray)
    return GamesInFlight(after._replace(rules=()), games.number, digest), result, row  # type: ignore[arg-type]


def reanalyse(
    model: LatentModel,
    states: tuple[Array, Array, Array, Array],
    key: Array,
    task: TaskDistribution,
    board: BoardShape,
    config: MuZeroConfig,
) -> tuple[Array, Array]:
    """Policies [N, size] and values [N] of positions by a new search; `states` are the arguments of `states_of`."""
    cells, closed, ply, number = states
    found, _ = imagined_growth(
        model, board, states_of(cells, closed, ply, number, task, board), key, config.search, exploring=True
    )
    return found.policy, found.value
