"""Wording: numbers, intervals, differences and durations."""

from typing import Any

import pytest

from noughts.document.result import Row, Table
from noughts.reports.wording import (
    difference_text,
    duration_text,
    figure_text,
    how_many_by_chance,
    is_percent,
    ours_text,
    spread_text,
)
from noughts.statistics import compare, compare_with_always
from tests.reports.samples import study


@pytest.mark.parametrize("unit", ["", "seconds"])
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (100, "100"), (68.24, "68.2"), (99.96, "100"), (1.236, "1.24"), (0.00212, "0.00212"),
        (1.1e-6, "0.0000011"), (1404, "1,404"), (123456.7, "123,457"), (-3.14159, "-3.14"), (0.5, "0.5"),
        (1e-12, "0"), (float("nan"), "–"), (float("inf"), "–"), (68, "68"), (6.91, "6.91"),
    ],
)  # fmt: skip
def test_a_number_has_about_three_digits(value: float, unit: str, text: str) -> None:
    assert figure_text(value, unit) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (6.91, "6.9"), (68, "68.0"), (100, "100.0"), (0, "0.0"), (99.94, "99.9"), (0.06, "0.1"), (1.1e-14, "0.0"), (-1.1e-14, "0.0"),
        (100 - 1.5e-14, "100.0"), (0.0397, "0.0397"), (99.9603, "99.9603"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_a_percentage_has_one_decimal_unless_it_would_round_to_0_or_100(value: float, text: str) -> None:
    assert figure_text(value, "games won, percent") == text


def table_of(*rows: Row, unit: str = "games won, percent", **fields: Any) -> Table:
    return Table(title="", label_columns=(), unit=unit, rows=rows, **fields)


@pytest.mark.parametrize(
    ("low", "high", "unit", "text"),
    [
        (68.2, 72.25, "seconds", "68.2 to 72.2"), (-1, 1, "seconds", "-1 to 1"), (0.0166, 2.4, "seconds", "0.02 to 2.40"),
        (0.00219, 0.0078, "seconds", "0.00219 to 0.00780"), (12, 1404, "games", "12 to 1,404"), (68.2, None, "seconds", ""),
        (94, 100, "percent", "94.0 to 100.0"),
    ],
)  # fmt: skip
def test_an_interval_needs_both_ends_with_equal_decimals(low: float, high: float | None, unit: str, text: str) -> None:
    assert spread_text(table_of(unit=unit), Row(labels=(), low=low, high=high)) == text


def test_our_result_is_the_studys_text_or_else_the_number() -> None:
    assert ours_text(table_of(), Row(labels=(), ours="70-30", value=70)) == "70-30"
    assert ours_text(table_of(), Row(labels=(), value=70.04)) == "70.0"
    assert ours_text(table_of(unit="seconds"), Row(labels=(), value=70.04)) == "70"
    assert ours_text(table_of(), Row(labels=())) == ""


def test_differences_in_points_are_formatted_alike_from_paper_and_run() -> None:
    compared = compare(35, 60, 105, 200)
    assert compared is not None
    value, low, high = (100 * share for share in (compared.value, compared.low, compared.high))
    from_paper = table_of(Row(labels=(), comparison=compared))
    from_run = table_of(Row(labels=(), value=value, low=low, high=high), spread="difference")
    text = difference_text(from_paper, from_paper.rows[0])
    assert text == "+5.8 (-8.5 to +19.3)"
    assert spread_text(from_run, from_run.rows[0]) == text
    for row, expected in (
        (Row(labels=(), value=0.0, low=-17.24, high=17.24), "0.0 (-17.2 to +17.2)"),
        (Row(labels=(), value=3.0), "+3.0"),
    ):
        assert spread_text(from_run, row) == expected
    times = table_of(unit="seconds", spread="difference")  # which has its own digits
    assert spread_text(times, Row(labels=(), value=0.0121, low=-1.5, high=2.25)) == "+0.01 (-1.50 to +2.25)"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.0 s"), (41.52, "41.5 s"), (59.99, "60.0 s"), (61, "1 min 1 s"), (3599, "59 min 59 s"), (12345.6, "3 h 25 min"), (300000, "3 d 11 h")],
)  # fmt: skip
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_which_units_are_percentages() -> None:
    assert is_percent("games won by the first, percent")
    assert is_percent("% of games")
    assert not is_percent("seconds")


def test_significant_differences_are_counted_before_and_after_adjustment() -> None:
    one, other = compare(38, 50, 27, 50), compare(25, 50, 25, 50)  # the first with a p-value between 0.05 / 3 and 0.05
    rows = [Row(labels=(), comparison=found) for found in (one, other, other, compare_with_always(1, 2))]
    told = how_many_by_chance(study(tables=(table_of(*rows),), figures=()))
    assert told.startswith("Claims compared: 4, with a margin of 10 points; tested: 3 ")
    assert "Significant differences: 1 without correction, of which chance explains at most 0.15 if all " in told
    assert told.endswith("; 0 after Holm's, by which chance brings any in 5% of such studies.")
    assert how_many_by_chance(study(tables=(table_of(rows[3]),), figures=())) == ""
