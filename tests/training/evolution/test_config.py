"""Configurations of evolution: impossible ones are rejected in one clear line, before anything is loaded.

`tests/golden/told.txt` lists the values of single fields; here are those with their own parser, or that depend on others.
"""

from typing import Any

import pytest

from noughts.rules import NoughtsError
from noughts.training.evolution.config import EvolutionConfig
from tests.training.evolution.tiny import tiny


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"task": " "}, "task is missing: give a game or games, such as bttt(D4)"),
        *(
            ({"widths": text}, "widths from 1 to 1024 such as 18x18, or nothing")
            for text in ("18x0", "1025", "18,18", "18x", "2.5", " ", "1x" * 8 + "1", -3, 1.5, True)
        ),
        (
            {"step_size": "tpa", "strategy": "openai-es"},
            "step_size=tpa is of CMA-ES, and strategy=openai-es keeps its step size",
        ),
        *(({"sigma": value}, "a number above 0 and up to 10") for value in (0, 10.5, float("nan"), "much")),
        ({"random_moves": 0.5}, "random_moves=0.5 is of an opponent that plays itself: give omniscient=false with it"),
        ({"growth": 0.1, "rounds": 2000}, "rounds=2000 are more than most_rounds=1000"),
    ],
)
def test_impossible_configurations_are_rejected(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        tiny(**fields)
    assert says in str(caught.value)
    assert str(caught.value).startswith("impossible ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "fields",
    [
        *({"widths": text} for text in ("", "1", "1024x999x1x2x3x4x5x6")),
        {"random_moves": 1, "omniscient": False},
        {"strategy": "cma", "step_size": "tpa"},
    ],
)
def test_extreme_values_are_accepted(fields: dict[str, Any]) -> None:
    config = tiny(**fields)
    assert EvolutionConfig.from_json(config.to_json()) == config
    assert EvolutionConfig(**config.model_dump(mode="json")) == config


def test_the_task_becomes_canonical_and_is_parsed() -> None:
    config = tiny(task=" mnk(3,3,3)|2 * mnk(3,3,3,line=loses) ")
    assert config.task == "tic-tac-toe | 2*misere-tic-tac-toe"
    assert config == tiny(task=config.task)
    assert len(config.games.rules) == 2
    assert config.games.weights[1] == 2 * config.games.weights[0]


def test_widths_are_parsed() -> None:
    assert tiny(widths="18x7").hidden == (18, 7)
    assert tiny(widths=18) == tiny(widths="18")
    assert tiny(widths="").hidden == ()
