"""Configurations that cannot be are refused in one clear line, before anything is loaded."""

from typing import Any

import pytest

from noughts.rules import NoughtsError
from noughts.training.alphazero.config import PRESETS, AlphaZeroConfig
from noughts.training.alphazero.train import AlphaZero
from tests.training.alphazero.tiny import tiny


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"tasks": "tic-tac-toe"}, "unknown field 'tasks'"),
        ({"search": {"sims": 3}}, "unknown field 'sims'"),
        ({"optimiser": {"rate": 3}}, "unknown field 'rate'"),
        ({"task": ""}, "task is missing"),
        ({"task": "tic-tac-two"}, "tic-tac-two"),
        ({"task": "mnk(3,3,3) | mnk(4,4,3)"}, "must share one board size"),
        ({"network": "perceptron"}, "choose from: graph, line, mlp,"),
        ({"network": "line:features=0"}, "a whole number from 1 to 512"),
        ({"games": 0}, "a whole number from 1 to 1048576"),
        ({"batch": 2.5}, "a whole number from 1 to 1048576"),
        ({"batch": 65}, "batch=65 does not fit into window=64"),
        ({"averaging": 1.0}, "a number from 0 and below 1"),
        ({"augmentation": "all"}, "board, rules, reflections or none"),
        ({"search": {"simulations": 0}}, "teaches nothing"),
        ({"search": {"simulations": 10**6}}, "10000"),
        ({"schedule": {}}, "the schedule has no end"),
        ({"seed": -1}, "2^63 - 1"),
        ({"held_out": "bttt(Z9)"}, "Z9"),
    ],
)
def test_impossible_configurations(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        tiny(**fields)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("task", "network"),
    [("notakto(3,boards=2)", "resnet"), ("mnk(3,3,3,bricks=A1)", "mlp:inputs=signed,widths=4")],
)
def test_a_network_that_cannot_serve_the_task(task: str, network: str) -> None:
    with pytest.raises(NoughtsError, match="the network cannot serve") as caught:
        AlphaZero(tiny(task=task, network=network))
    assert "\n" not in str(caught.value)


def test_a_learning_rate_that_stays_is_not_written() -> None:
    assert "zero_after" not in tiny().to_json()
    falling = tiny(optimiser={"zero_after": 7})
    assert AlphaZeroConfig.from_json(falling.to_json()) == falling != tiny()


def test_json_and_back() -> None:
    config = tiny(task="bttt(*)", held_out="bttt(D4)", network="resnet:preset=paper")
    assert AlphaZeroConfig.from_json(config.to_json()) == config
    assert AlphaZeroConfig(**config.model_dump(mode="json")) == config


def test_an_older_configuration_that_shared_no_games_over_machines_is_read() -> None:
    config = tiny()
    assert AlphaZeroConfig(**config.model_dump(mode="json"), **{"actors": 0, "lag": 0}) == config
    with pytest.raises(NoughtsError, match="unknown field 'actors'"):
        tiny(actors=2)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_possible_and_give_way(name: str) -> None:
    config = AlphaZeroConfig.preset(name, task="tic-tac-toe", seed=5)
    assert (config.task, config.seed) == ("tic-tac-toe", 5)


def test_unknown_presets_are_refused() -> None:
    with pytest.raises(NoughtsError, match="preset"):
        AlphaZeroConfig.preset("paper", task="tic-tac-toe")


@pytest.mark.heavy
def test_a_network_that_does_not_see_the_rules_learns_no_mixture() -> None:
    task = "mnk(3,3,3) | mnk(3,3,3,line=loses)"
    with pytest.raises(NoughtsError, match=r"'mlp' sees size and bricks only.*network=line"):
        AlphaZero(AlphaZeroConfig(task=task, network="mlp", measure_positions=0))
    AlphaZero(tiny(task=task, network="line:features=4,blocks=1"))
