"""Runs side by side: different settings, and the measurements with their interval and n."""

import pytest

from noughts.statistics import wilson
from noughts.store.run_metrics import MetricsLine
from noughts.training.compared import different_settings, flat_config, reading


def line(metrics: dict[str, float | None], **counts: int) -> MetricsLine:
    return MetricsLine(kind="measurement", iteration=1, positions=10, seconds=1.0, metrics=metrics, counts=counts)


def test_different_and_missing_settings_are_listed() -> None:
    first, second = {"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 4}}
    assert different_settings([first, second]) == {"b.c": [2, 4], "b.d": [3, None]}
    assert different_settings([first, first]) == {}
    assert flat_config(first) == [("a", 1), ("b.c", 2), ("b.d", 3)]


def test_a_counted_share_has_an_interval() -> None:
    found = reading("az", "first_score", line({"first_score": 0.5}, first_score=20))
    share = wilson(10, 20)
    assert (found.value, found.n) == (0.5, 20)
    assert (found.low, found.high) == pytest.approx((share.low, share.high), abs=1e-9)
    assert "minimax:depth=2" in found.about
    of_rounds = reading("es", "lost_rounds", line({"lost_rounds": 25.0}, lost_rounds=40))
    assert of_rounds.low == pytest.approx(100 * wilson(10, 40).low, abs=1e-7)


def test_a_number_without_counts_has_no_interval() -> None:
    known = reading("az", "first_score", line({"first_score": 0.5}))
    assert (known.low, known.high, known.n) == (None, None, None)
    assert reading("es", "proved", line({"proved": 1.0}, proved=1))[3:5] == (None, None)
    unknown = reading("other", "wins", line({"wins": None}))
    assert (unknown.about, unknown.value, unknown.low, unknown.n) == ("", None, None, None)
