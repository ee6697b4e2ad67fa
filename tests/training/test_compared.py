"""Runs side by side: settings that differ, and what was measured with its interval and n."""

from noughts.statistics import points_interval, wilson
from noughts.store.run_metrics import MetricsLine
from noughts.training.compared import different_settings, flat_config, reading


def line(metrics: dict[str, float | None], **counts: int) -> MetricsLine:
    return MetricsLine(kind="measurement", iteration=1, positions=10, seconds=1.0, metrics=metrics, counts=counts)


def test_settings_that_differ_or_are_not_there() -> None:
    first, second = {"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 4}}
    assert different_settings([first, second]) == {"b.c": [2, 4], "b.d": [3, None]}
    assert different_settings([first, first]) == {}
    assert flat_config(first) == [("a", 1), ("b.c", 2), ("b.d", 3)]


def test_a_share_of_what_was_counted_has_an_interval() -> None:
    found = reading("az", "first_score", line({"first_score": 0.5}, first_score=20))
    share = wilson(10, 20)
    assert (found.value, found.n) == (0.5, 20)
    assert (found.low, found.high) == (share.low, share.high) or abs((found.low or 0) - share.low) < 1e-9
    assert "minimax:depth=2" in found.about
    of_rounds = reading("es", "lost_rounds", line({"lost_rounds": 25.0}, lost_rounds=40))
    assert of_rounds.low is not None
    assert abs(of_rounds.low - 100 * wilson(10, 40).low) < 1e-7


def test_what_was_not_counted_has_none() -> None:
    assert reading("az", "first_score", line({"first_score": 0.5}))[3:] == (None, None, None)
    assert reading("es", "unbeatable_first", line({"unbeatable_first": 1.0}, unbeatable_first=1))[3:5] == (None, None)
    assert reading("other", "wins", line({"wins": None}))[1:] == ("", None, None, None, None)


def test_points_with_draws_are_between_those_of_whole_games() -> None:
    for points, games in ((0.0, 5), (3.0, 7), (7.0, 7)):
        ours, theirs = points_interval(points, games), wilson(int(points), games)
        assert max(abs(a - b) for a, b in zip(ours, theirs, strict=True)) < 1e-9
    assert points_interval(3.0, 7).low < points_interval(3.5, 7).low < points_interval(4.0, 7).low
    assert points_interval(0.0, 0) == (0.0, 0.0, 1.0)
