"""What people configure, for all methods and networks: each key has a meaning, presets are valid, and what is impossible is rejected.

`tests/golden/told.txt` lists the values of single fields of evolution; here are those with their own parser, or that depend
on others.
"""

from collections.abc import Callable
from math import inf
from typing import Any

import pytest

from noughts.networks.options import NETWORKS
from noughts.rules import NoughtsError, Value
from noughts.rules.fields import fields_of
from noughts.training.registry import METHODS
from noughts.training.schedule import Schedule
from tests.training.small_runs import tiny_alphazero, tiny_evolution, tiny_muzero

OPTIONS = {**{name: method.config for name, method in METHODS.items()}, **NETWORKS}


@pytest.mark.parametrize("values", OPTIONS.values(), ids=OPTIONS)
def test_every_setting_has_a_meaning(values: type[Value]) -> None:
    fields = fields_of(values)
    assert fields
    assert [field.key for field in fields if not field.meaning or field.allowed.startswith("see")] == []


@pytest.mark.parametrize("method", METHODS)
def test_presets_are_valid_and_can_be_overridden(method: str) -> None:
    kind = METHODS[method].config
    for name in kind.presets:
        config = kind.preset(name, task="tic-tac-toe", schedule={"iterations": 3})
        assert (config.task, config.schedule.iterations) == ("tic-tac-toe", 3)
    with pytest.raises(NoughtsError, match="unknown preset 'paper'"):
        kind.preset("paper", task="tic-tac-toe")


@pytest.mark.parametrize(
    ("make", "fields", "said"),
    [
        (tiny_alphazero, {"search": {"sims": 3}}, "unknown field 'sims'"),
        (tiny_alphazero, {"task": "tic-tac-two"}, "tic-tac-two"),
        (tiny_alphazero, {"network": "perceptron"}, "choose from: graph, line, mlp,"),
        (tiny_alphazero, {"batch": 65}, "batch=65 does not fit into window=64"),
        (tiny_alphazero, {"search": {"simulations": 0}}, "teaches nothing"),
        (tiny_alphazero, {"held_out": "bttt(Z9)"}, "Z9"),
        (tiny_alphazero, {"actors": 2}, "unknown field 'actors'"),
        (tiny_alphazero, {"restarts": {"share": 0.5}}, "restarts.share needs schedule.until"),
        (tiny_muzero, {"search": {"terminal": "network"}}, "search.terminal is for searches that know the rules"),
        (tiny_muzero, {"model": {"consistency": True}}, "needs consistency_weight"),
        (tiny_evolution, {"task": " "}, "task is missing: give a game or games, such as bttt(D4)"),
        *(
            (tiny_evolution, {"widths": text}, "widths from 1 to 1024 such as 18x18, or nothing")
            for text in ("18x0", "1025", "18,18", "18x", "2.5", " ", "1x" * 8 + "1", -3, 1.5, True)
        ),
        (
            tiny_evolution,
            {"step_size": "tpa", "strategy": "openai-es"},
            "step_size=tpa is of CMA-ES, and strategy=openai-es keeps its step size",
        ),
        *(
            (tiny_evolution, {"sigma": value}, "a number above 0 and up to 10")
            for value in (0, 10.5, float("nan"), "much")
        ),
        (
            tiny_evolution,
            {"random_moves": 0.5},
            "random_moves=0.5 is of an opponent that plays itself: give omniscient=false with it",
        ),
        (tiny_evolution, {"growth": 0.1, "rounds": 2000}, "rounds=2000 are more than most_rounds=1000"),
        (Schedule, {}, "impossible schedule: the schedule has no end: give iterations, positions, minutes or until"),
        (Schedule, {"iterations": 0}, "impossible schedule: iterations=0 is not allowed: a whole number from 1 on"),
        (Schedule, {"minutes": inf}, "impossible schedule: minutes=inf is not allowed: a finite number above 0"),
    ],
)
def test_bad_configurations_fail_in_one_line(make: Callable[..., Value], fields: dict[str, Any], said: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        make(**fields)
    assert said in str(caught.value)
    assert str(caught.value).startswith("impossible ")


@pytest.mark.parametrize(
    ("make", "fields"),
    [
        (tiny_alphazero, {"task": "bttt(*)", "held_out": "bttt(D4)", "network": "resnet:preset=paper"}),
        (tiny_alphazero, {"optimiser": {"zero_after": 7}}),
        (tiny_alphazero, {"restarts": {"share": 0.1, "source": "uniform"}}),
        *((tiny_evolution, {"widths": text}) for text in ("", "1", "1024x999x1x2x3x4x5x6")),
        (tiny_evolution, {"random_moves": 1, "omniscient": False}),
        (tiny_evolution, {"strategy": "cma", "step_size": "tpa"}),
    ],
)
def test_a_possible_configuration_survives_json(make: Callable[..., Value], fields: dict[str, Any]) -> None:
    config = make(**fields)
    assert type(config).from_json(config.to_json()) == config
    assert type(config)(**config.model_dump(mode="json")) == config


def test_later_fields_are_absent_by_default() -> None:
    """So the keys of older trainings are unchanged."""
    assert "zero_after" not in tiny_alphazero().to_json()
    assert "restarts" not in tiny_alphazero().to_json()


def test_a_configuration_from_before_distributed_games_is_read() -> None:
    config = tiny_alphazero()
    assert type(config)(**config.model_dump(mode="json"), **{"actors": 0, "lag": 0}) == config


def test_a_consistency_weight_adds_its_layers() -> None:
    assert tiny_muzero(consistency_weight=1.0).model.consistency


def test_the_task_becomes_canonical_and_is_parsed() -> None:
    config = tiny_evolution(task=" mnk(3,3,3)|2 * mnk(3,3,3,line=loses) ")
    assert config.task == "tic-tac-toe | 2*misere-tic-tac-toe"
    assert config == tiny_evolution(task=config.task)
    assert len(config.games.rules) == 2
    assert config.games.weights[1] == 2 * config.games.weights[0]


def test_widths_are_parsed() -> None:
    assert tiny_evolution(widths="18x7").hidden == (18, 7)
    assert tiny_evolution(widths=18) == tiny_evolution(widths="18")
    assert tiny_evolution(widths="").hidden == ()
