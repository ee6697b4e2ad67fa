"""Strength: the games against minimax are reproduced."""

from typing import Any

import numpy as np
import pytest

from noughts.agents import build_agent, choose
from noughts.networks.value_network import ValueNetwork, best_of, hidden_widths
from noughts.positions import Outcome, Position, Rng, Side, derive_seed
from noughts.rules import Rules, parse_rules
from noughts.training.evolution.strength import EvolutionStrength
from tests.networks.value_networks import random_network, remembering
from tests.training.small_runs import tiny_evolution


def measure(network: ValueNetwork, **fields: Any) -> dict[str, float]:
    config = tiny_evolution(widths="3x2", **fields)
    assert network.widths == hidden_widths(config.hidden, config.games.rules[0])
    return dict(EvolutionStrength(config, network.widths).measure(network.parameters))


def play(rules: Rules, network: ValueNetwork, opponent: str, side: Side, seed: int, tolerance: float) -> Outcome:
    """One game by the slow way: the opponent is the agent of the registry."""
    rng, position, other = Rng(seed), Position.start(rules), build_agent(opponent)
    while not position.is_over:
        if position.to_move == side:
            best = best_of(network.values(position), tolerance)
            move = best[rng.below(len(best))] if len(best) > 1 else best[0]
        else:
            move = choose(other, position, rng)
        position = position.play(move)
    return position.outcome


@pytest.mark.parametrize(
    ("text", "opponent", "tolerance"),
    [
        ("tic-tac-toe", "minimax:depth=9,eval=none", 0.01),
        ("notakto(3)", "minimax:depth=9,eval=none", 0.01),
        ("mnk(3,4,3)", "minimax:depth=2", 0.0),
    ],
)
def test_strength_is_measured_by_games_against_minimax(text: str, opponent: str, tolerance: float) -> None:
    rules, rounds = parse_rules(text), 12
    generator = np.random.Generator(np.random.PCG64(derive_seed(7, "strength", text)))
    seeds = [int(seed) for seed in generator.integers(0, 1 << 63, rounds, dtype=np.uint64)]
    network = remembering(random_network(rules, 7))
    outcomes = [(play(rules, network, opponent, side, seed, tolerance), side) for seed in seeds for side in Side]
    values = [0 if outcome is Outcome.DRAW else outcome.value(side) for outcome, side in outcomes]
    found = measure(network, task=text, measure_rounds=rounds, seed=7, tie_tolerance=tolerance)
    assert found["lost_rounds"] == pytest.approx(100 * values.count(-1) / len(values))
    assert found["drawn_rounds"] == pytest.approx(100 * values.count(0) / len(values))
    assert found["lost_rounds"] > 0


def test_each_game_of_a_task_counts_equally() -> None:
    parts = ["mnk(2,4,3)", "mnk(2,4,3,full=first)", "mnk(2,4,3,line=loses)"]
    network = random_network(parse_rules(parts[0]), 2)
    alone = [measure(network, task=part, measure_rounds=20) for part in parts]
    together = measure(network, task=f"5*{parts[0]} | {parts[1]} | {parts[2]}", measure_rounds=20)
    for name, value in together.items():
        assert value == pytest.approx(np.mean([part[name] for part in alone]))
