"""Impossible configurations are rejected in one clear line, before anything is loaded."""

from typing import Any

import pytest

from noughts.rules import NoughtsError
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.train import AlphaZero
from tests.training.alphazero.tiny import tiny


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"search": {"sims": 3}}, "unknown field 'sims'"),
        ({"task": "tic-tac-two"}, "tic-tac-two"),
        ({"network": "perceptron"}, "choose from: graph, line, mlp,"),
        ({"batch": 65}, "batch=65 does not fit into window=64"),
        ({"search": {"simulations": 0}}, "teaches nothing"),
        ({"held_out": "bttt(Z9)"}, "Z9"),
    ],
)
def test_impossible_configurations_are_rejected(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        tiny(**fields)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.heavy
def test_a_network_that_cannot_serve_the_task_is_rejected() -> None:
    with pytest.raises(NoughtsError, match="the network cannot serve") as caught:
        AlphaZero(tiny(task="mnk(3,3,3,bricks=A1)", network="mlp:inputs=signed,widths=4"))
    assert "\n" not in str(caught.value)


def test_a_configuration_survives_json() -> None:
    config = tiny(task="bttt(*)", held_out="bttt(D4)", network="resnet:preset=paper", optimiser={"zero_after": 7})
    assert AlphaZeroConfig.from_json(config.to_json()) == config
    assert AlphaZeroConfig(**config.model_dump(mode="json")) == config
    assert "zero_after" not in tiny().to_json()  # so that the keys of older trainings are unchanged


def test_a_configuration_from_before_distributed_games_is_read() -> None:
    config = tiny()
    assert AlphaZeroConfig(**config.model_dump(mode="json"), **{"actors": 0, "lag": 0}) == config
    with pytest.raises(NoughtsError, match="unknown field 'actors'"):
        tiny(actors=2)


@pytest.mark.heavy
def test_a_network_that_does_not_see_the_rules_cannot_learn_a_mixture() -> None:
    task = "mnk(3,3,3) | mnk(3,3,3,line=loses)"
    with pytest.raises(NoughtsError, match=r"'mlp' sees size and bricks only.*network=line"):
        AlphaZero(AlphaZeroConfig(task=task, network="mlp", measure_positions=0))
    AlphaZero(tiny(task=task, network="line:features=4,blocks=1"))
