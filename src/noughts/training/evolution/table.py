"""Rounds on a game small enough for a `GameGraph`: positions are numbers, and games are look-ups.

A network evaluates a position at most once, because the position's value and its best moves are cached. Both are computed
when a game first needs them, because a candidate's games reach only some of the positions.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.networks.value_network import Parameters, active_inputs, evaluate, room
from noughts.positions.graph import game_graph
from noughts.positions.kernels import below, uniform
from noughts.positions.numba_kernel import kernel
from noughts.positions.position import Outcome
from noughts.rules import Rules
from noughts.training.evolution.rounds import OpponentSettings

WINS, DRAWS, LOSSES, PLIES = 0, 1, 2, 3
"""Places in a tally, as in `rounds.RoundTally`."""

EVERYTHING = -1
"""The choices of a network that plays at random: every bit of every mask."""

_ONGOING, _DRAW = int(Outcome.ONGOING), int(Outcome.DRAW)

Masks = NDArray[np.int32]  # [positions] bit e: the e-th move of a position may be chosen; 0: not computed yet


class Seen(NamedTuple):
    """A network's inputs in each position p: those in `active[first[p]:first[p + 1]]` are 1."""

    first: NDArray[np.int32]
    active: NDArray[np.int32]


class MemoizedNetwork(NamedTuple):
    """A network, the values and best moves that it has computed so far, and scratch arrays."""

    widths: NDArray[np.int64]
    parameters: Parameters
    tolerance: float
    worth: NDArray[np.float64]  # [positions] NaN: not computed yet
    masks: Masks
    active: NDArray[np.int32]
    layer: NDArray[np.float64]
    sums: NDArray[np.float64]


@lru_cache(maxsize=8)
def seen(rules: Rules) -> Seen:
    """The inputs of every position of a game."""
    inputs = [active_inputs(position) for position in game_graph(rules)[1]]
    flat = [entry for entries in inputs for entry in entries]
    return Seen(np.cumsum([0, *map(len, inputs)], dtype=np.int32), np.array(flat, np.int32))


def memoized_network(
    rules: Rules, widths: tuple[int, ...], parameters: Parameters, tolerance: float
) -> MemoizedNetwork:
    """A network with empty caches."""
    positions = len(game_graph(rules)[1])
    return MemoizedNetwork(
        np.array(widths, np.int64),
        parameters,
        tolerance,
        np.full(positions, np.nan),
        np.zeros(positions, np.int32),
        *room(widths),
    )


def all_masks(rules: Rules, widths: tuple[int, ...], parameters: Parameters, tolerance: float) -> Masks:
    """The moves that a network may choose in every position of a game."""
    network = memoized_network(rules, widths, parameters, tolerance)
    graph, _ = game_graph(rules)
    _find_all(graph, seen(rules), network)
    return network.masks


def play_table(
    rules: Rules,
    network: MemoizedNetwork,
    opponents: Masks,
    settings: OpponentSettings,
    seeds: NDArray[np.uint64],
    tally: NDArray[Any],
) -> None:
    """Play a round for each seed, and add the results to `tally`, int64 [4].

    Args:
        opponents: [networks, positions] the moves that each may choose.
        network: The candidate's network, which caches its results.
    """
    graph, _ = game_graph(rules)
    totals = np.zeros(rules.size, np.int64)
    play_rounds(graph, seen(rules), network, opponents, settings, seeds, np.zeros(1, np.uint64), totals, tally)


@kernel
def _choices(graph, seen, network, position):  # type: ignore[no-untyped-def]
    """The mask of a position's best moves."""
    mask = network.masks[position]
    if mask != 0:
        return mask
    start, end = graph.first[position], graph.first[position + 1]
    best = -np.inf
    for edge in range(start, end):
        child = graph.child[edge]
        if np.isnan(network.worth[child]):
            count = seen.first[child + 1] - seen.first[child]
            for place in range(count):
                network.active[place] = seen.active[seen.first[child] + place]
            network.worth[child] = evaluate(
                network.widths, network.parameters, network.active, count, network.layer, network.sums
            )
        best = max(best, network.worth[child])
    for edge in range(start, end):
        if best - network.worth[graph.child[edge]] <= network.tolerance:
            mask |= np.int32(1) << (edge - start)
    network.masks[position] = mask
    return mask


@kernel
def _find_all(graph, seen, network):  # type: ignore[no-untyped-def]
    for position in range(graph.outcome.size):
        if graph.outcome[position] == _ONGOING:
            _choices(graph, seen, network, position)


@kernel
def pick(graph, position, mask, rng):  # type: ignore[no-untyped-def]
    """The edge of one of the moves in a mask, at random if there are several."""
    start, degree = graph.first[position], graph.first[position + 1] - graph.first[position]
    count = 0
    for bit in range(degree):
        count += (mask >> bit) & 1
    skip = below(rng, count) if count > 1 else 0
    for bit in range(degree):
        if (mask >> bit) & 1:
            if skip == 0:
                return start + bit
            skip -= 1
    return start


@kernel
def worth_to(outcome, side):  # type: ignore[no-untyped-def]
    """The result of a finished game for a side: +1, 0 or -1."""
    if outcome == _DRAW:
        return 0
    return 1 if outcome == side + 1 else -1


@kernel
def _adversary(graph, seen, network, masks, settings, position, rng, totals):  # type: ignore[no-untyped-def]
    """The edge of the move of `search.montecarlo.omniscient_adversary`."""
    side = graph.side[position]
    start, end = graph.first[position], graph.first[position + 1]
    for edge in range(start, end):
        totals[edge - start] = 0
        for _ in range(settings.simulations):
            at = graph.child[edge]
            while graph.outcome[at] == _ONGOING:
                if graph.side[at] == side:
                    chosen = graph.first[at] + below(rng, graph.first[at + 1] - graph.first[at])
                else:
                    mask = _choices(graph, seen, network, at) if settings.own else masks[at]
                    chosen = pick(graph, at, mask, rng)
                at = graph.child[chosen]
            totals[edge - start] += worth_to(graph.outcome[at], side)
    best = totals[0]
    for place in range(end - start):
        best = max(best, totals[place])
    equal = 0
    for place in range(end - start):
        equal += totals[place] == best
    skip = below(rng, equal)
    for place in range(end - start):
        if totals[place] == best:
            if skip == 0:
                return start + place
            skip -= 1
    return start


@kernel
def play_rounds(graph, seen, network, opponents, settings, seeds, rng, totals, tally):  # type: ignore[no-untyped-def]
    """`rounds.play_round` for each seed."""
    for number in range(seeds.size):
        for side in range(2):
            rng[0] = seeds[number]
            which = below(rng, opponents.shape[0]) if opponents.shape[0] > 1 and not settings.own else 0
            masks = opponents[which]
            at, plies = 0, 0
            while graph.outcome[at] == _ONGOING:
                if graph.side[at] == side:
                    chosen = pick(graph, at, _choices(graph, seen, network, at), rng)
                elif settings.omniscient:
                    chosen = _adversary(graph, seen, network, masks, settings, at, rng, totals)
                else:
                    mask = _choices(graph, seen, network, at) if settings.own else masks[at]
                    if settings.random_moves > 0 and uniform(rng) < settings.random_moves:
                        mask = np.int32(EVERYTHING)
                    chosen = pick(graph, at, mask, rng)
                at = graph.child[chosen]
                plies += 1
            worth = worth_to(graph.outcome[at], side)
            tally[WINS] += worth > 0
            tally[DRAWS] += worth == 0
            tally[LOSSES] += worth < 0
            tally[PLIES] += plies
