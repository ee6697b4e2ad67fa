"""Scores: counting from one player's point of view, and how sure one can be of a share."""

import pytest

from noughts.play.playthrough import random_opening
from noughts.play.score import Score
from noughts.positions import Position, Rng
from noughts.rules import parse_rules
from noughts.statistics import mean_interval, same_rate, wilson
from noughts.store.records import Ending, GameRecord


def record(ending: Ending, first: str = "random") -> GameRecord:
    return GameRecord(rules="tic-tac-toe", first=first, second="mc", seed=0, moves=(), ending=ending)


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


def test_openings_never_end_the_game() -> None:
    rules = parse_rules("mnk(2,3,2)")
    for seed in range(50):
        assert not Position.start(rules, random_opening(rules, 9, Rng(seed))).is_over


def test_endings_are_counted_from_a_players_point_of_view() -> None:
    records = [record(ending) for ending in ("first", "first", "second", "draw", "error")]
    assert Score.of(records, "first") == Score(wins=2, draws=1, losses=1, errors=1)
    assert (
        Score.of(records, "second") == Score(wins=1, draws=1, losses=2, errors=1) == Score.of(records, "first").turned()
    )
    turns = [record("first"), record("first", "mc"), record("second", "mc")]
    assert Score.of(turns, lambda one: "first" if one.first == "mc" else "second") == Score(wins=1, losses=2)


def test_scores_add_up() -> None:
    total = Score(wins=3, draws=1, losses=2) + Score(wins=1, errors=1)
    assert (total.wins, total.draws, total.losses, total.errors, total.games) == (4, 1, 2, 1, 7)
    assert str(total) == "4 - 1 - 2"
    assert str(Score(wins=9, losses=91)) == "9 - 91"
    assert Score(wins=1, draws=2, losses=1).points == 0.5
    assert Score(errors=3).points == 0.0
