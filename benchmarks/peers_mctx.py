"""Pgx and mctx: self-play as one of their users would write it, for comparison with noughts.

Pgx has no m,n,k game on a larger board, so one with its interface is defined here. The rest follows the examples of both
libraries: a residual network in plain JAX, search by mctx, `auto_reset`, all in one compiled loop on all available cores.
Because XLA does not spread that loop, it is also divided over devices, and over processes.
"""

import contextlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from benchmarks.case import Work
from benchmarks.jax_playouts import JaxGame, scattered
from benchmarks.workers import Worker

Weights = dict[str, Any]

_VALUE_WIDTH = 64
_LOWEST = -3.4028235e38  # of float32


def self_play(
    rules: str, method: str, games: int, simulations: int, plies: int, channels: int, blocks: int, devices: int = 0
) -> Work:
    """A chunk makes `plies` moves in each of `games` games at once; positions are counted.

    The games are divided over `devices` devices; with 0 it is one program on the first device.
    """
    import jax

    from noughts.rules import parse_rules

    game = parse_rules(rules)
    env = k_in_a_row(game.rows, game.cols, game.k)
    key = jax.random.key(0)
    states = scattered(
        JaxGame(env.init, env.step, lambda state: state.terminated, lambda state: state.legal_action_mask), games, key
    )
    weights = make_weights(key, states.observation.shape[1:], channels, blocks, env.num_actions)
    each = games // devices if devices else games
    loop = _loop(env, method, each, simulations, plies)
    if devices:
        states = jax.tree.map(lambda leaf: leaf.reshape(devices, each, *leaf.shape[1:]), states)
    play = jax.pmap(loop, in_axes=(None, 0, 0)) if devices else jax.jit(loop)

    def chunk() -> int:
        nonlocal states, key
        key, now = jax.random.split(key)
        states = play(weights, states, jax.random.split(now, devices) if devices else now)
        states.legal_action_mask.block_until_ready()
        return max(devices, 1) * each * plies

    return Work(chunk, f"{games:,} games at once{f', {devices} devices' if devices else ''}")


def self_play_in_processes(processes: int, games: int, **arguments: Any) -> Work:
    """The same in several processes, each on its own core with its part of the games; a chunk is one chunk of each."""
    usable, workers = sorted(os.sched_getaffinity(0)), []
    with contextlib.ExitStack() as stack:
        try:
            for core in usable[-processes:]:
                os.sched_setaffinity(0, {core})  # the process inherits this
                workers.append(stack.enter_context(Worker(1, devices=False)))
        finally:
            os.sched_setaffinity(0, usable)
        share = {**arguments, "games": games // processes}
        pool = stack.enter_context(ThreadPoolExecutor(processes))
        list(pool.map(lambda worker: worker.prepare("play", "benchmarks.peers_mctx:self_play", share), workers))
        stack.pop_all()  # the workers exit when this process does, because their input ends

    def chunk() -> int:
        return sum(measured.units for measured in pool.map(lambda worker: worker.measure("play", 0.0), workers))

    return Work(chunk, f"{games:,} games at once, {processes} processes")


def k_in_a_row(rows: int, cols: int, k: int) -> Any:
    """An environment of Pgx: the first player with k in a row wins; a full board is a draw."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from pgx import core
    from pgx._src.struct import dataclass  # from where Pgx's own games import it

    from noughts.rules.squares import lines_on_board

    size = rows * cols
    lines = list(lines_on_board(rows, cols, k, frozenset()))
    through = [[number for number, line in enumerate(lines) if cell in line] for cell in range(size)]
    most = max(map(len, through))
    # Repeating lines as padding does not change whether a complete one exists.
    table = jnp.asarray(np.array([(numbers * most)[:most] for numbers in through], np.int32))
    members = jnp.asarray(np.array(lines, np.int32))

    @dataclass
    class State(core.State):  # type: ignore[misc]
        current_player: Any
        observation: Any
        rewards: Any
        terminated: Any
        truncated: Any
        legal_action_mask: Any
        _step_count: Any
        _cells: Any  # int8 [size]: -1 for empty, or the colour
        _colour: Any  # int8 []: of the side to move

        @property
        def env_id(self) -> Any:
            return "k_in_a_row"

    class KInARow(core.Env):  # type: ignore[misc]
        id = "k_in_a_row"
        version = "1"
        num_players = 2

        def _init(self, key: Any) -> Any:
            return State(
                current_player=jax.random.bernoulli(key).astype(jnp.int32),
                observation=jnp.zeros((rows, cols, 2), jnp.bool_),
                rewards=jnp.zeros(2, jnp.float32),
                terminated=jnp.bool_(False),
                truncated=jnp.bool_(False),
                legal_action_mask=jnp.ones(size, jnp.bool_),
                _step_count=jnp.int32(0),
                _cells=jnp.full(size, -1, jnp.int8),
                _colour=jnp.int8(0),
            )

        def _step(self, state: Any, action: Any, key: Any) -> Any:
            del key
            cells = state._cells.at[action].set(state._colour)
            won = (cells[members[table[action]]] == state._colour).all(-1).any()
            to_winner = jnp.where(jnp.arange(2) == state.current_player, 1.0, -1.0).astype(jnp.float32)
            return state.replace(
                current_player=1 - state.current_player,
                rewards=jnp.where(won, to_winner, 0.0),
                terminated=won | (cells >= 0).all(),
                legal_action_mask=cells < 0,
                _cells=cells,
                _colour=1 - state._colour,
            )

        def _observe(self, state: Any, player_id: Any) -> Any:
            mine = jnp.where(state.current_player == player_id, state._colour, 1 - state._colour)
            cells = state._cells.reshape(rows, cols)
            return jnp.stack([cells == mine, cells == 1 - mine], -1)

    return KInARow()


def make_weights(key: Any, shape: tuple[int, int, int], channels: int, blocks: int, actions: int) -> Weights:
    """Random weights, because training does not change a network's speed."""
    import jax
    import numpy as np

    rows, cols, planes = shape
    cells = rows * cols
    keys = iter(jax.random.split(key, 2 * blocks + 6))

    def normal(*dimensions: int, gain: float = 2.0) -> Any:
        inputs = int(np.prod(dimensions[:-1]))
        return jax.random.normal(next(keys), dimensions) * np.sqrt(gain / inputs)

    return {
        "stem": normal(3, 3, planes, channels),
        "blocks": [
            (normal(3, 3, channels, channels), normal(3, 3, channels, channels, gain=0.02)) for _ in range(blocks)
        ],
        "policy": normal(1, 1, channels, 2),
        "policy_out": normal(2 * cells, actions, gain=0.1),
        "value": normal(1, 1, channels, 1),
        "value_hidden": normal(cells, _VALUE_WIDTH),
        "value_out": normal(_VALUE_WIDTH, 1, gain=0.1),
    }


def predict(weights: Weights, observation: Any) -> tuple[Any, Any]:
    """Logits [B, actions] and values [B]."""
    import jax
    import jax.numpy as jnp

    def convolve(x: Any, kernel: Any) -> Any:
        return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    relu = jax.nn.relu
    x = relu(convolve(observation.astype(jnp.float32), weights["stem"]))
    for first, second in weights["blocks"]:
        x = relu(x + convolve(relu(convolve(x, first)), second))
    policy = relu(convolve(x, weights["policy"])).reshape(len(x), -1) @ weights["policy_out"]
    value = relu(convolve(x, weights["value"])).reshape(len(x), -1)
    return policy, jnp.tanh(relu(value @ weights["value_hidden"]) @ weights["value_out"])[:, 0]


def _loop(env: Any, method: str, games: int, simulations: int, plies: int) -> Callable[[Weights, Any, Any], Any]:
    """The uncompiled loop of `plies` moves in `games` games."""
    import jax
    import jax.numpy as jnp
    import mctx
    from pgx.experimental import auto_reset

    policies: dict[str, Callable[..., Any]] = {
        "gumbel": mctx.gumbel_muzero_policy,
        "puct": partial(mctx.muzero_policy, dirichlet_fraction=0.25, dirichlet_alpha=0.3),
    }

    def masked(logits: Any, legal: Any) -> Any:
        return jnp.where(legal, logits - logits.max(-1, keepdims=True), _LOWEST)

    def expand(weights: Weights, key: Any, action: Any, state: Any) -> Any:
        del key
        mover = state.current_player
        state = jax.vmap(env.step)(state, action)
        logits, value = predict(weights, state.observation)
        output = mctx.RecurrentFnOutput(
            reward=jnp.take_along_axis(state.rewards, mover[:, None], 1)[:, 0],
            discount=jnp.where(state.terminated, 0.0, -1.0),
            prior_logits=masked(logits, state.legal_action_mask),
            value=jnp.where(state.terminated, 0.0, value),
        )
        return output, state

    def play(weights: Weights, states: Any, key: Any) -> Any:
        def move(states: Any, key: Any) -> Any:
            search_key, new_key = jax.random.split(key)
            logits, value = predict(weights, states.observation)
            found = policies[method](
                params=weights,
                rng_key=search_key,
                root=mctx.RootFnOutput(
                    prior_logits=masked(logits, states.legal_action_mask), value=value, embedding=states
                ),
                recurrent_fn=expand,
                num_simulations=simulations,
                invalid_actions=~states.legal_action_mask,
            )
            step = jax.vmap(auto_reset(env.step, env.init))
            return step(states, found.action, jax.random.split(new_key, games)), None

        return jax.lax.scan(move, states, jax.random.split(key, plies))[0]

    return play
