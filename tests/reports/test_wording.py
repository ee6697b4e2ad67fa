"""Wording: numbers, intervals, times, and when the paper's number can be marked."""

from typing import Any

import pytest

from noughts.document.result import Row, Table
from noughts.reports.wording import (
    difference_caption,
    difference_text,
    duration_text,
    figure_text,
    interval_text,
    is_percent,
    number_text,
    ours_text,
    paper_figure,
    spread_caption,
    spread_text,
    when_text,
)
from noughts.statistics import compare


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (100, "100"), (68.24, "68.2"), (99.96, "100"), (1.236, "1.24"), (0.00212, "0.00212"),
        (1.1e-6, "0.0000011"), (1404, "1,404"), (123456.7, "123,457"), (-3.14159, "-3.14"), (0.5, "0.5"),
        (1e-12, "0"), (float("nan"), "–"), (float("inf"), "–"),
    ],
)  # fmt: skip
def test_a_number_has_about_three_digits(value: float, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (6.91, "6.9"), (68, "68.0"), (100, "100.0"), (0, "0.0"), (99.94, "99.9"), (0.06, "0.1"), (1.1e-14, "0.0"), (-1.1e-14, "0.0"),
        (100 - 1.5e-14, "100.0"), (0.0397, "0.0397"), (99.9603, "99.9603"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_a_percentage_has_one_decimal_unless_it_would_read_as_none_or_all(value: float, text: str) -> None:
    assert figure_text(value, "games won, percent") == text


def test_a_figure_in_another_unit_has_about_three_digits() -> None:
    assert figure_text(68, "seconds") == "68"
    assert figure_text(6.91, "seconds") == "6.91"


def test_an_interval_needs_both_ends() -> None:
    assert interval_text(Row(labels=(), low=68.2, high=72.25), "seconds") == "68.2 to 72.2"
    assert interval_text(Row(labels=(), low=68.2, high=72.25), "seconds", "–") == "68.2–72.2"
    assert interval_text(Row(labels=(), low=-1, high=1), "seconds", "–") == "-1 to 1"
    assert interval_text(Row(labels=(), low=0.0166, high=2.4), "seconds") == "0.02 to 2.40"
    assert interval_text(Row(labels=(), low=0.00219, high=0.0078), "seconds") == "0.00219 to 0.00780"
    assert interval_text(Row(labels=(), low=12, high=1404), "games") == "12 to 1,404"
    assert interval_text(Row(labels=(), low=68.2), "seconds") == ""
    assert interval_text(Row(labels=(), low=94, high=100), "percent") == "94.0 to 100.0"


def table_of(*rows: Row, unit: str = "games won, percent", **fields: Any) -> Table:
    return Table(title="", label_columns=(), unit=unit, rows=rows, **fields)


def test_ours_is_as_the_study_wrote_it_or_else_the_figure() -> None:
    assert ours_text(table_of(), Row(labels=(), ours="70-30", value=70)) == "70-30"
    assert ours_text(table_of(), Row(labels=(), value=70.04)) == "70.0"
    assert ours_text(table_of(unit="seconds"), Row(labels=(), value=70.04)) == "70"
    assert ours_text(table_of(), Row(labels=())) == ""


def test_a_difference_in_points_is_written_alike_from_the_paper_and_from_another_run() -> None:
    compared = compare(35, 60, 105, 200)
    assert compared is not None
    value, low, high = (100 * share for share in compared.difference)
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


def test_a_difference_in_another_unit_has_its_own_digits() -> None:
    times = table_of(unit="seconds", spread="difference")
    assert spread_text(times, Row(labels=(), value=0.0121, low=-1.5, high=2.25)) == "+0.01 (-1.50 to 2.25)"


def test_captions_say_what_intervals_and_differences_are() -> None:
    compared = table_of(Row(labels=(), value=1, low=0, high=2, comparison=compare(35, 60, 105, 200)))
    assert spread_caption(compared) == "95% intervals of: games won, percent."
    assert difference_caption(compared) == "Difference: ours less paper, in points, with its 95% interval."
    assert difference_caption(table_of(Row(labels=(), value=1, low=0, high=2))) == ""
    unit = "seed=1 less seed=0, of games won, percent"
    with_interval = table_of(Row(labels=(), value=1, low=0, high=2), unit=unit, spread="difference")
    assert spread_caption(with_interval) == f"The difference is {unit}; in parentheses its 95% interval."
    assert difference_caption(with_interval) == ""
    assert spread_caption(table_of(Row(labels=(), value=1), unit=unit, spread="difference")) == (
        f"The difference is {unit}."
    )


@pytest.mark.parametrize(
    ("paper", "ours", "value", "expected"),
    [
        ("70-30", "1404-596", 70.2, 70),
        ("70 – 30", "1,404 - 596", 70.2, 70),
        ("18.5/81.5", "19.1/80.9", 19.1, 18.5),
        ("139 of 490", "1400 of 4900 games", 28.57, 100 * 139 / 490),
        ("28.4 %", "30.1", 30.1, 28.4),
        ("98", "98.2%", 98.2, 98),
        ("", "70-30", 70, None),
        ("70-30", "", 70, None),
        ("70-30", "70-30", None, None),
        ("70-30", "30-70", 70, None),  # ours read the same way is not our value: the reading is wrong
        ("about 70", "70-30", 70, None),
        ("70-30 on V1", "70-30", 70, None),
        ("0-0", "70-30", 70, None),
        ("1000", "70", 70, None),
    ],
)
def test_the_papers_number_is_marked_only_if_its_reading_is_sure(
    paper: str, ours: str, value: float | None, expected: float | None
) -> None:
    assert paper_figure(Row(labels=(), paper=paper, ours=ours, value=value)) == expected


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.0 s"), (41.52, "41.5 s"), (59.99, "60.0 s"), (61, "1 min 1 s"), (3599, "59 min 59 s"), (12345.6, "3 h 25 min"), (300000, "3 d 11 h")],
)  # fmt: skip
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_times() -> None:
    assert when_text("2025-11-03T14:05:09+00:00") == "2025-11-03 14:05 UTC"
    assert when_text("2025-11-03T14:05:09Z") == "2025-11-03 14:05 UTC"
    assert when_text("2025-11-03T14:05:09+02:00") == "2025-11-03 14:05 UTC+0200"
    assert when_text("2025-11-03T14:05:09") == "2025-11-03 14:05"
    assert when_text("yesterday") == "yesterday"


def test_which_units_are_percentages() -> None:
    assert is_percent("games won by the first, percent")
    assert is_percent("% of games")
    assert not is_percent("seconds")
