"""Configurations of evolution: what cannot be is refused in one clear line, before anything is loaded."""

from typing import Any

import pytest

from noughts.rules import NoughtsError
from noughts.training.evolution.config import PRESETS, EvolutionConfig
from noughts.training.evolution.train import Evolution
from noughts.training.registry import METHODS, find_method
from tests.training.evolution.tiny import tiny

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"tasks": "tic-tac-toe"}, "unknown field 'tasks' (did you mean 'task'?); the fields are task, seed"),
        ({"network": "line"}, "unknown field 'network'"),
        ({"task": ""}, "task is missing: give a game or games, such as bttt(D4)"),
        ({"task": " "}, "task is missing"),
        ({"task": "tic-tac-two"}, "tic-tac-two"),
        ({"task": "mnk(3,3,3) | mnk(4,4,3)"}, "must share one board size"),
        *(
            ({"widths": text}, "widths from 1 to 1024 such as 18x18, or nothing")
            for text in ("18x0", "1025", "18,18", "18x", "2.5", " ", "1x" * 8 + "1", -3, 1.5, True)
        ),
        ({"seed": -1}, "a whole number from 0 to 2^63 - 1"),
        ({"seed": 1 << 63}, "2^63 - 1"),
        ({"strategy": "cma-es"}, "cma, separable-cma or openai-es"),
        ({"step_size": "default"}, "csa or tpa"),
        (
            {"step_size": "tpa", "strategy": "openai-es"},
            "step_size=tpa is of CMA-ES, and strategy=openai-es keeps its step size",
        ),
        *(({"sigma": value}, "a number above 0 and up to 10") for value in (0, 10.5, NAN, INF, "much")),
        *(({"population": value}, "a whole number from 4 to 10000") for value in (3, 10_001, 5.5, "many")),
        *(({"learning_rate": value}, "a number above 0 and up to 10") for value in (0, -1, 11, NAN, INF)),
        *(({"rounds": value}, "a whole number from 1 to 100000") for value in (0, -1, 100_001, 1.5)),
        ({"seeds": "random"}, "fixed, redrawn or own"),
        ({"objective": "wins"}, "losses or return"),
        ({"opponent": "worst"}, "best, self, random, hall or recent"),
        *(({"recent": value}, "a whole number from 1 to 1000") for value in (0, 1001, 1.5)),
        ({"omniscient": "perhaps"}, "true or false"),
        *(({"simulations": value}, "a whole number from 1 to 10000") for value in (0, 10_001, 1.5)),
        *(
            ({"random_moves": value, "omniscient": False}, "a number from 0 to 1")
            for value in (-0.1, 1.1, NAN, INF, "some")
        ),
        ({"random_moves": 0.5}, "random_moves=0.5 is of an opponent that plays itself: give omniscient=false with it"),
        *(({"tie_tolerance": value}, "a number from 0 to 2") for value in (-1e-9, 2.1, NAN, INF)),
        *(({"threshold": value}, "a number from 0 to 100") for value in (-1, 101, NAN, INF)),
        *(({"growth": value}, "a number from 0 to 1") for value in (-0.1, 1.5, NAN, INF)),
        *(({"most_rounds": value}, "a whole number from 1 to 100000") for value in (0, 100_001, 1.5)),
        ({"growth": 0.1, "rounds": 2000}, "rounds=2000 are more than most_rounds=1000"),
        *(({"measure_rounds": value}, "a whole number from 1 to 10000") for value in (0, 10_001)),
        ({"schedule": {}}, "the schedule has no end"),
    ],
)
def test_impossible_configurations(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        tiny(**fields)
    assert says in str(caught.value)
    assert str(caught.value).startswith("impossible ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "fields",
    [
        {"widths": ""},
        {"widths": "1"},
        {"widths": "1024x999x1x2x3x4x5x6"},
        {"sigma": 10, "population": 4, "rounds": 1, "tie_tolerance": 2, "threshold": 0},
        {"random_moves": 1, "omniscient": False, "threshold": 100, "growth": 1},
        {"strategy": "cma", "step_size": "tpa"},
    ],
)
def test_the_edges_of_what_is_possible(fields: dict[str, Any]) -> None:
    config = tiny(**fields)
    assert EvolutionConfig.from_json(config.to_json()) == config
    assert EvolutionConfig(**config.model_dump(mode="json")) == config


def test_the_task_is_canonical_and_read() -> None:
    config = tiny(task=" mnk(3,3,3)|2 * mnk(3,3,3,line=loses) ")
    assert config.task == "tic-tac-toe | 2*misere-tic-tac-toe"
    assert config == tiny(task=config.task)
    assert len(config.games.rules) == 2
    assert config.games.weights[1] == 2 * config.games.weights[0]
    assert tiny(task="mnk(3,3,3)").task == "tic-tac-toe"


def test_widths_are_numbers() -> None:
    assert tiny(widths="18x7").hidden == (18, 7)
    assert tiny(widths=18) == tiny(widths="18")
    assert tiny(widths="").hidden == ()
    assert Evolution(tiny(widths="", task="tic-tac-toe")).widths == (18, 18, 18, 1)
    assert Evolution(tiny(widths="5", task="notakto(3,boards=2)")).widths == (36, 5, 1)


def test_the_preset_is_what_the_text_says() -> None:
    """BetaZero by CMA-ES, "Optimization" and "Fitness": what the configuration is by itself."""
    config = EvolutionConfig.preset("betazero", task="tic-tac-toe")
    assert config == EvolutionConfig(task="tic-tac-toe")
    assert (config.strategy, config.step_size, config.sigma, config.population) == ("cma", "csa", 0.1, None)
    assert (config.rounds, config.seeds, config.objective, config.threshold) == (100, "fixed", "losses", 10)
    assert (config.opponent, config.omniscient, config.simulations) == ("best", True, 1)
    assert (config.tie_tolerance, config.growth, config.widths) == (1e-6, 0, "")


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_possible_and_give_way(name: str) -> None:
    config = EvolutionConfig.preset(name, task="tic-tac-toe", seed=5, tie_tolerance=0.25)
    assert (config.task, config.seed, config.tie_tolerance) == ("tic-tac-toe", 5, 0.25)


def test_unknown_presets_are_refused() -> None:
    with pytest.raises(NoughtsError, match="preset") as caught:
        EvolutionConfig.preset("paper", task="tic-tac-toe")
    assert "betazero" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_it_is_a_method_by_name() -> None:
    method = find_method("es")
    config = method.read_config(tiny(seed=3).model_dump(mode="json"))
    assert config == tiny(seed=3)
    assert method.config is EvolutionConfig
    trainer = METHODS["es"].make_trainer(config)
    assert isinstance(trainer, Evolution)
    assert trainer.iteration == trainer.positions == 0
