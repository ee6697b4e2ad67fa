"""The shipped puzzles are parsed, balanced, and correct: a sample in every run, all of them by hand."""

from datetime import date, timedelta

import pytest

from noughts.positions import Rng
from noughts.puzzles.making import PuzzleMaker, missed_by_panel
from noughts.puzzles.shipped import GAMES, daily_puzzles, shipped_puzzles
from noughts.rules import Rules, parse_rules

ALL = [puzzle for puzzles in shipped_puzzles().values() for puzzle in puzzles]
_SAMPLED = 3  # of each game


def test_every_game_has_puzzles_and_all_are_different() -> None:
    assert all(shipped_puzzles()[parse_rules(text)] for text in GAMES)
    assert len({puzzle.id for puzzle in ALL}) == len(ALL)
    assert {puzzle.grade for puzzle in ALL} == {"easy", "medium", "hard"}


@pytest.mark.heavy
@pytest.mark.parametrize("rules", shipped_puzzles(), ids=str)
def test_a_sample_is_checked_again(rules: Rules) -> None:
    maker = PuzzleMaker(rules)
    for puzzle in Rng(0).sample(shipped_puzzles()[rules], _SAMPLED):
        assert maker.checker.check(puzzle) > 0
        assert puzzle.missed == missed_by_panel(puzzle.position, puzzle.solutions)


@pytest.mark.slow
@pytest.mark.parametrize("rules", shipped_puzzles(), ids=str)
def test_all_puzzles_are_checked_again(rules: Rules) -> None:
    maker = PuzzleMaker(rules)
    for puzzle in shipped_puzzles()[rules]:
        maker.checker.check(puzzle)


def test_the_days_puzzles_are_equal_for_all_and_change_daily() -> None:
    day = date(2026, 11, 22)
    assert daily_puzzles(day) == daily_puzzles(day)
    tomorrow = daily_puzzles(day + timedelta(1))
    assert {puzzle.id for puzzle in daily_puzzles(day)} != {puzzle.id for puzzle in tomorrow}
    for found in (daily_puzzles(day), tomorrow):
        assert len({puzzle.rules for puzzle in found}) == len(found) == 5
        assert [puzzle.grade for puzzle in found] == ["easy", "easy", "medium", "medium", "hard"]


def test_a_puzzles_numbers_are_within_bounds() -> None:
    for puzzle in ALL:
        assert 1 <= len(puzzle.solutions) <= 2
        assert puzzle.line[0] in puzzle.solutions
        assert 0 < puzzle.difficulty <= 1
