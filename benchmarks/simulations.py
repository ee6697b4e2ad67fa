"""Searches guided by a network, compared with mctx's: ``uv run python -m benchmarks.simulations``, in a minute and a half.

Both search the same positions of bttt(D4) with the same network on one core, alternately, and must give equal results. The
peer is `mctx.gumbel_muzero_policy`, with our game and our network.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import mctx
import numpy as np

from benchmarks.machine import use_one_core
from noughts.networks.network import Array, BoardShape, Network, observe
from noughts.networks.spec import make_network, parse_network
from noughts.positions import Position
from noughts.positions.batched import BatchedState
from noughts.rules import parse_rules
from noughts.search.evaluations import Evaluations
from noughts.search.guided import guided_growth, play_and_evaluate, without_rules
from noughts.search.settings import SearchSettings
from noughts.search.tree import masked

RULES = parse_rules("bttt(D4)")
BOARD = BoardShape.of({RULES})


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulations", description=__doc__)
    parser.add_argument("--network", default="line")
    parser.add_argument("--positions", type=int, default=8, help="searched together")
    parser.add_argument("--simulations", type=int, nargs="+", default=[32, 100, 300, 1000])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(words)
    use_one_core()
    network = make_network(parse_network(options.network), BOARD, jax.random.key(0))
    moves = Position.start(RULES).legal_moves[: options.positions]
    states = BOARD.env.states([Position.start(RULES, (move,)) for move in moves])
    print("| simulations | positions a second | mctx | times as quick |\n| ---: | ---: | ---: | ---: |")
    for simulations in options.simulations:
        settings = SearchSettings(method="gumbel", simulations=simulations)
        ways = [eqx.filter_jit(partial(way, settings=settings)) for way in (ours, theirs)]
        if not all(map(np.array_equal, *(jax.device_get(way(network, states)) for way in ways))):
            raise SystemExit(f"with {simulations} simulations the two searches differ")
        rounds = [[seconds(partial(way, network, states)) for way in ways] for _ in range(options.rounds)]
        rates = [options.positions / median(column) for column in zip(*rounds, strict=True)]
        ratio = median(peer / own for own, peer in rounds)
        print(f"| {simulations:,} | {rates[0]:,.1f} | {rates[1]:,.1f} | {ratio:.1f}x |", flush=True)
    return 0


def seconds(work: Callable[[], Any]) -> float:
    """The time until the arrays of a result are ready."""
    begun = time.perf_counter()
    jax.block_until_ready(work())  # type: ignore[no-untyped-call]
    return time.perf_counter() - begun


def ours(network: Network, states: BatchedState, settings: SearchSettings) -> tuple[Array, Array]:
    """Moves and visits by our search."""
    found, _ = guided_growth(network, BOARD, states, jax.random.key(0), settings, exploring=False)
    return found.move, found.visits


def theirs(network: Network, states: BatchedState, settings: SearchSettings) -> tuple[Array, Array]:
    """Moves and visits by mctx's search."""
    network = network.prepared(BOARD)
    seen = network.predict(observe(BOARD.env, states), BOARD)
    evaluations, illegal = Evaluations(BOARD), ~states.legal_action_mask

    def expand(weights: Any, key: Array, action: Array, before: BatchedState) -> Any:
        return play_and_evaluate(weights, action, before, BOARD, settings, evaluations)

    found = mctx.gumbel_muzero_policy(
        params=(network, states.rules),
        rng_key=jax.random.key(0),
        root=mctx.RootFnOutput(
            prior_logits=masked(seen.logits, illegal), value=seen.value, embedding=without_rules(states)
        ),
        recurrent_fn=expand,
        num_simulations=settings.simulations,
        invalid_actions=illegal,
        max_depth=min(settings.simulations, BOARD.size),
        max_num_considered_actions=settings.considered,
        gumbel_scale=0.0,
    )
    return found.action, found.search_tree.summary().visit_counts.astype(jnp.int32)


if __name__ == "__main__":
    raise SystemExit(main())
