"""Scores and intervals: counting from a player's point of view, and how sure one can be."""

import pytest

from noughts.play.score import Score
from noughts.play.statistics import interval_of_sums, mean_interval, same_rate, wilson
from noughts.store.records import Ending, GameRecord


def ended(*endings: Ending) -> list[GameRecord]:
    return [
        GameRecord(rules="tic-tac-toe", first="a", second="b", seed=seed, moves=(), ending=ending)
        for seed, ending in enumerate(endings)
    ]


def test_wilson_is_the_published_interval() -> None:
    # Newcombe (1998), Statistics in Medicine 17, Table I, method 3 (score interval without continuity correction).
    share, low, high = wilson(81, 263)
    assert (round(share, 4), round(low, 4), round(high, 4)) == (0.308, 0.2553, 0.3662)
    assert wilson(0, 0) == (0.0, 0.0, 1.0)
    assert wilson(100, 100).high == pytest.approx(1.0)
    assert 0.96 < wilson(100, 100).low < 0.97


def test_same_rate_and_mean_interval() -> None:
    assert same_rate(70, 100, 15, 20) > 0.5
    assert same_rate(100, 100, 40, 100) < 1e-10
    mean, low, high = mean_interval([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert (round(low, 3), round(high, 3)) == (-0.484, 4.484)
    assert mean_interval([4.0]) == (4.0, 4.0, 4.0)
    assert interval_of_sums(3, 6.0, 14.0) == pytest.approx((mean, low, high))


def test_games_are_counted_from_a_players_point_of_view() -> None:
    records = ended("first", "first", "second", "draw", "error")
    first, second = Score.of(records, "first"), Score.of(records, "second")
    assert (first.wins, first.draws, first.losses, first.errors) == (2, 1, 1, 1)
    assert second == first.turned()
    assert first == second.turned()
    assert Score.of(records, lambda record: "second" if record.seed == 1 else "first") == Score(
        wins=1, draws=1, losses=2, errors=1
    )
    assert Score.of([], "first") == Score()


def test_scores_add_up() -> None:
    total = Score(wins=3, draws=1, losses=2) + Score(wins=1, errors=1)
    assert (total.wins, total.draws, total.losses, total.errors, total.games) == (4, 1, 2, 1, 7)
    assert total.points == 4.5 / 7
    assert Score(errors=3).points == 0.0
    assert total.win_interval == wilson(4, 7)
    assert (total.draw_interval, total.loss_interval) == (wilson(1, 7), wilson(2, 7))
    assert str(total) == "4 - 1 - 2"
    assert str(Score(wins=9, losses=91)) == "9 - 91"
