"""Which settings are tried: every combination, or random ones that extend a smaller draw."""

import pytest

from noughts.questions.conditions import Choices, Range, drawn, grid, keys_of, nested, write_setting
from noughts.rules import NoughtsError


def test_a_grid_has_every_combination() -> None:
    assert grid({"a": (1, 2), "b.c": ("x", "y")}) == [
        {"a": 1, "b.c": "x"},
        {"a": 1, "b.c": "y"},
        {"a": 2, "b.c": "x"},
        {"a": 2, "b.c": "y"},
    ]
    assert grid({}) == [{}]
    with pytest.raises(NoughtsError, match=r"settings\.a is a range: a grid needs a list of values"):
        grid({"a": Range(low=1, high=2)})


def test_a_larger_draw_extends_a_smaller_one_and_stays_in_range() -> None:
    space: dict[str, Choices] = {
        "n": Range(low=2, high=5),
        "x": Range(low=1e-4, high=1e-1, log=True),
        "kind": ("line", "mlp"),
    }
    few, many = drawn(space, 5, seed=3), drawn(space, 200, seed=3)
    assert many[:5] == few
    assert drawn(space, 5, seed=4) != few
    assert {one["n"] for one in many} == {2, 3, 4, 5}
    assert all(isinstance(one["n"], int) and 1e-4 <= one["x"] <= 1e-1 for one in many)
    # Half of the values drawn uniformly by logarithm are below the middle of the exponents.
    assert 60 <= sum(one["x"] < 10**-2.5 for one in many) <= 140
    assert {one["kind"] for one in many} == {"line", "mlp"}


def test_settings_that_are_drawn_twice_appear_once() -> None:
    assert len(drawn({"a": (1, 2)}, 100, seed=0)) == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"low": 2, "high": 1}, "low=2 is not below high=1"),
        ({"low": 0.0, "high": 1.0, "log": True}, "low=0 has no logarithm"),
        ({"low": float("nan"), "high": 1.0}, "is not below"),
        ({"low": "a", "high": 1.0}, "low: 'a' is not allowed: a number"),
        ({"low": 1, "high": 2, "step": 1}, "unknown field 'step'"),
    ],
)
def test_an_impossible_range_is_one_line(fields: dict[str, object], said: str) -> None:
    with pytest.raises(NoughtsError, match=said):
        Range(**fields)


def test_integers_are_drawn_from_equal_intervals() -> None:
    numbers = Range(low=1, high=3)
    assert [numbers.at(share) for share in (0.0, 0.3, 0.4, 0.6, 0.7, 0.999)] == [1, 1, 2, 2, 3, 3]
    assert Range(low=1.0, high=3.0).at(0.25) == 1.5


def test_keys_with_dots_are_nested_fields() -> None:
    assert nested({"search.method": "puct", "search.simulations": 4, "games": 2}) == {
        "search": {"method": "puct", "simulations": 4},
        "games": 2,
    }
    with pytest.raises(NoughtsError, match="one is a part of the other"):
        nested({"search": 3, "search.method": "puct"})
    assert keys_of([{"a": 1}, {"b": 1, "a": 2}]) == ("a", "b")
    assert [write_setting(value) for value in (True, 0.001, 1e-5, 7, "line")] == ["true", "0.001", "1e-05", "7", "line"]
