"""Wording: numbers, intervals, times, and when the paper's number can be marked."""

import pytest

from noughts.document.result import Row, Table
from noughts.reports.wording import (
    duration_text,
    interval_text,
    is_percent,
    number_text,
    ours_text,
    paper_figure,
    when_text,
)


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


def test_an_interval_needs_both_ends() -> None:
    assert interval_text(Row(labels=(), low=68.2, high=72.25)) == "68.2 to 72.2"
    assert interval_text(Row(labels=(), low=68.2, high=72.25), "–") == "68.2–72.2"
    assert interval_text(Row(labels=(), low=-1, high=1), "–") == "-1 to 1"
    assert interval_text(Row(labels=(), low=68.2)) == ""


def test_ours_is_as_the_study_wrote_it_or_else_the_figure() -> None:
    assert ours_text(Row(labels=(), ours="70-30", value=70)) == "70-30"
    assert ours_text(Row(labels=(), value=70.04)) == "70"
    assert ours_text(Row(labels=())) == ""


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


def test_which_tables_hold_percentages() -> None:
    def table(unit: str) -> Table:
        return Table(title="", label_columns=(), unit=unit, rows=())

    assert is_percent(table("games won by the first, percent"))
    assert is_percent(table("% of games"))
    assert not is_percent(table("seconds"))
