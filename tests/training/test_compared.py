"""Runs side by side: different settings, and the measurements with their interval and n."""

import pytest

from noughts.statistics import wilson
from noughts.store.run_metrics import MetricsLine
from noughts.training.compared import (
    MetricReading,
    SeedsMean,
    different_settings,
    equal_but_for_seeds,
    flat_config,
    means_over_seeds,
    reading,
)


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
    assert (known.low, known.high, known.n, known.share) == (None, None, None, None)
    assert reading("es", "proved", line({"proved": 1.0}, proved=1))[3:5] == (None, None)
    unknown = reading("other", "wins", line({"wins": None}))
    assert (unknown.about, unknown.value, unknown.low, unknown.n) == ("", None, None, None)


def test_runs_that_only_differ_in_their_seeds_form_a_group() -> None:
    configs = [{"network": n, "seed": s} for n, s in (("line", 1), ("graph", 1), ("line", 2), ("graph", 3), ("mlp", 1))]
    assert equal_but_for_seeds(configs) == [[0, 2], [1, 3]]
    assert equal_but_for_seeds([*configs, configs[0]]) == [[0, 2], [1, 3]]
    assert equal_but_for_seeds([{**config, "seed": 0} for config in configs]) == []  # the same run twice is no sample
    assert equal_but_for_seeds(configs[:2]) == []


def test_means_over_seeds_have_intervals_no_narrower_than_their_tests() -> None:
    def of(*shares: float) -> list[list[MetricReading]]:
        return [[reading("es", "lost_rounds", line({"lost_rounds": 100 * share}, lost_rounds=40))] for share in shares]

    (mean,) = means_over_seeds(of(0.2, 0.8, 0.5))
    assert (mean.name, mean.runs) == ("lost_rounds", 3)
    assert mean.mean == pytest.approx(50, abs=1e-9)
    assert (mean.low, mean.high) == (0, 100)  # Student's t of three values so far apart is wider than the whole range
    (alike,) = means_over_seeds(of(0.5, 0.5))
    assert alike.low == pytest.approx(100 * wilson(20, 40).low, abs=1e-9)
    without = [[reading("az", "policy_loss", line({"policy_loss": value}))] for value in (1.0, 2.0)]
    assert means_over_seeds(without) == [SeedsMean("policy_loss", 2, 1.5, None, None)]
    assert means_over_seeds([*without[:1], []]) == []
