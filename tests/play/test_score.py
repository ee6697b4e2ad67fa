"""Scores: counting from one player's point of view."""

from typing import Literal

from noughts.play.playthrough import random_opening
from noughts.play.score import Score
from noughts.positions import Position, Rng
from noughts.rules import parse_rules
from noughts.statistics import points_interval
from noughts.store.records import Ending, GameRecord


def record(ending: Ending, first: str = "random", culprit: Literal["", "first", "second"] = "") -> GameRecord:
    return GameRecord(rules="tic-tac-toe", first=first, second="mc", seed=0, moves=(), ending=ending, culprit=culprit)


def test_an_opening_never_ends_the_game() -> None:
    rules = parse_rules("mnk(2,3,2)")
    for seed in range(50):
        assert not Position.start(rules, random_opening(rules, 9, Rng(seed))).is_over


def test_endings_are_counted_from_a_players_point_of_view() -> None:
    some = [record(ending) for ending in ("first", "first", "second", "draw", "error")]
    assert Score.of(some, "first") == Score(wins=2, draws=1, losses=1, errors=1)
    assert Score.of(some, "second") == Score(wins=1, draws=1, losses=2, errors=1) == Score.of(some, "first").turned()
    turns = [record("first"), record("first", "mc"), record("second", "mc")]
    assert Score.of(turns, lambda one: "first" if one.first == "mc" else "second") == Score(wins=1, losses=2)


def test_a_game_is_lost_by_the_agent_whose_error_ended_it() -> None:
    records = [record("second"), record("error", culprit="first"), record("error", culprit="second"), record("error")]
    assert Score.of(records, "first") == Score(wins=1, losses=2, errors=3)
    assert Score.of(records, "second") == Score(wins=2, losses=1, errors=3) == Score.of(records, "first").turned()


def test_scores_add_up() -> None:
    total = Score(wins=3, draws=1, losses=2) + Score(wins=1, errors=1)
    assert (total.wins, total.draws, total.losses, total.errors, total.games) == (4, 1, 2, 1, 7)
    assert str(total) == "4 - 1 - 2"
    assert str(Score(wins=9, losses=91)) == "9 - 91"
    assert Score(wins=1, draws=2, losses=1).points == 0.5
    assert Score(errors=3).points == 0.0
    assert Score(wins=3, draws=4, losses=2).points_interval == points_interval(3, 4, 2)
