"""Random playouts in JAX, in the same loops for noughts and for Pgx: compiled, many games at once, on one core.

There are two loops. Which one is faster, and with how many games at once, depends on the game, so `fastest` tries every
combination and keeps the best:

    whole    play every game of a batch to its end, then a new batch; games that ended early wait for the longest
    steady   start a new game as soon as one ends; no game waits, but every step creates empty boards
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.case import Work

BATCHES = (256, 1024, 4096)
SCATTERED_PLIES = 24
STEADY_STEPS = 128
"""Steps of each game in a chunk of the steady loop."""

TRIAL_SECONDS = 0.2
"""The duration of a trial of `fastest`."""

Draw = Callable[[Any, Any], Any]
"""From a key and the legal moves, bool [games, actions], draws a random legal action for each game."""


@dataclass(frozen=True)
class JaxGame:
    """A game: functions of one position; `is_over` and `legal` also work on a batch."""

    init: Callable[[Any], Any]
    step: Callable[[Any, Any], Any]
    is_over: Callable[[Any], Any]
    legal: Callable[[Any], Any]


def one_uniform(key: Any, legal: Any) -> Any:
    """Draw with one uniform number per game, where `jax.random.categorical` needs one per action."""
    import jax
    import jax.numpy as jnp

    rank = jnp.cumsum(legal, axis=-1)  # of each legal action, from 1
    count = rank[:, -1]
    wanted = (jax.random.uniform(key, count.shape) * count).astype(jnp.int32)
    wanted = jnp.minimum(wanted, count - 1)  # a product may round up to `count`
    return jnp.sum(rank <= wanted[:, None], axis=-1, dtype=jnp.int32)


def scattered(game: JaxGame, games: int, key: Any, plies: int = SCATTERED_PLIES) -> Any:
    """Games in progress after 0 to `plies` - 1 random moves, equally many of each; a move that would end one is not made."""
    import jax
    import jax.numpy as jnp

    @jax.jit
    def make(key: Any) -> Any:
        begin, moves = jax.random.split(key)
        wanted = jnp.arange(games) % plies

        def move(ply: Any, states: Any) -> Any:
            stepped = jax.vmap(game.step)(states, one_uniform(jax.random.fold_in(moves, ply), game.legal(states)))
            moving = (wanted > ply) & ~game.is_over(stepped)
            return jax.tree.map(
                lambda new, old: jnp.where(moving.reshape(-1, *[1] * (old.ndim - 1)), new, old), stepped, states
            )

        return jax.lax.fori_loop(0, plies, move, jax.vmap(game.init)(jax.random.split(begin, games)))

    return make(key)


def fastest(game: JaxGame, draw: Draw) -> Work:
    """The fastest combination of loop and batch size; its note names it."""
    rates = {}
    for batch in BATCHES:
        for name, make in (("whole", whole_loop), ("steady", steady_loop)):
            chunk = make(game, draw, batch)
            chunk()  # compiles
            chunk()
            rates[rate_of(chunk)] = Work(chunk, f"{batch:,} games at once, {name} loop")
    return rates[max(rates)]


def rate_of(chunk: Callable[[], int]) -> float:
    """Games a second, measured for TRIAL_SECONDS."""
    begun, games = time.perf_counter(), 0
    while time.perf_counter() - begun < TRIAL_SECONDS:
        games += chunk()
    return games / (time.perf_counter() - begun)


def whole_loop(game: JaxGame, draw: Draw, batch: int) -> Callable[[], int]:
    """A chunk plays every game of a new batch to its end; it returns how many ended."""
    import jax

    @jax.jit
    def play(key: Any) -> Any:
        key, starts = jax.random.split(key)
        states = jax.vmap(game.init)(jax.random.split(starts, batch))

        def move(carry: Any) -> Any:
            states, key = carry
            key, now = jax.random.split(key)
            return jax.vmap(game.step)(states, draw(now, game.legal(states))), key

        states, key = jax.lax.while_loop(lambda carry: ~game.is_over(carry[0]).all(), move, (states, key))
        return game.is_over(states).sum(), key

    key = jax.random.key(1)

    def chunk() -> int:
        nonlocal key
        ended, key = play(key)
        return int(ended)

    return chunk


def steady_loop(game: JaxGame, draw: Draw, batch: int) -> Callable[[], int]:
    """A chunk plays STEADY_STEPS moves in each game and replaces games that end; it returns how many ended."""
    import jax
    import jax.numpy as jnp

    starts = jax.jit(lambda key: jax.vmap(game.init)(jax.random.split(key, batch)))

    @jax.jit
    def play(states: Any, key: Any) -> Any:
        key, fresh_key = jax.random.split(key)
        fresh = starts(fresh_key)

        def move(states: Any, key: Any) -> Any:
            states = jax.vmap(game.step)(states, draw(key, game.legal(states)))
            over = game.is_over(states)

            def renew(new: Any, old: Any) -> Any:
                return jnp.where(over.reshape(over.shape + (1,) * (old.ndim - 1)), new, old)

            return jax.tree.map(renew, fresh, states), over.sum()

        keys = jax.random.split(key, STEADY_STEPS + 1)
        states, ended = jax.lax.scan(move, states, keys[1:])
        return states, ended.sum(), keys[0]

    key = jax.random.key(1)
    states = starts(key)

    def chunk() -> int:
        nonlocal states, key
        states, ended, key = play(states, key)
        return int(ended)

    return chunk
