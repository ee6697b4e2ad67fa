"""The study of exact values: conclusions from answers, compared with published values."""

from noughts.questions.solved import ExactValue, GameValue, SolvedMove
from noughts.rules import parse_rules
from noughts.rules.symmetry import least_image
from noughts.studies.registry import find_study
from noughts.studies.study import Settings
from tests.studies.fabricated import Fabricated, board, row


def value(low: int, high: int, plies: int | None = None, moves: tuple[SolvedMove, ...] = ()) -> GameValue:
    return GameValue(
        low=low, high=high, plies=plies, moves=moves, solver="alpha-beta", nodes=7, seconds=0.5, effort=(None, None, 1)
    )


def test_values_are_compared_with_published_ones() -> None:
    moves = (
        SolvedMove(move=0, low=1, high=1, plies=9),
        SolvedMove(move=1, low=-1, high=-1),
        SolvedMove(move=5, low=-1, high=1),
    )
    known = {
        "mnk(3,4,3)": value(1, 1, 7, moves),
        "mnk(4,4,4)": value(1, 1, 9),
        "mnk(6,6,5)": value(-1, 0),
        "notakto(2)": value(1, 1, 2),
        "bttt(C3)": value(1, 1, 11),
        "bttt(C4)": value(1, 1, 9),
    }
    by_rules = {least_image(parse_rules(game)): answer for game, answer in known.items()}
    answers = Fabricated({ExactValue: lambda unit: by_rules.get(unit.rules)})
    conclusion = find_study("exact-values").conclude(Settings(), answers)
    agreed = row(conclusion, "mnk(3,4,3)")
    assert (agreed.paper, agreed.ours, agreed.value, agreed.verdict) == ("first wins", "first wins in 7", 7.0, "agrees")
    assert "1 of 3 first moves are optimal, 1 not decided" in agreed.note
    assert row(conclusion, "mnk(4,4,4)").verdict == "refuted"
    undecided = row(conclusion, "mnk(6,6,5)")
    assert (undecided.ours, undecided.verdict) == ("not decided", "no claim")
    assert row(conclusion, "notakto(2)").verdict == "no claim"
    assert row(conclusion, "bttt(C3)").labels == ("bttt(C3)", "C3 C5 E3 E5")
    squares = board(conclusion, "brick-squares").values
    assert sorted(shown.text for shown in squares) == ["11"] * 4 + ["9"] * 4
    openings = board(conclusion, "openings-mnk-3-4-3").values
    assert {shown.cell: shown.text for shown in openings} == {0: "W9", 1: "L", 5: "?"}
    assert any("the first player wins 8 of 8, within 11 plies" in finding for finding in conclusion.findings)
    assert any("refuted 1 of 2" in finding for finding in conclusion.findings)


def test_only_games_that_need_a_large_table_are_solved_alone() -> None:
    asked = find_study("exact-values").questions(Settings(scale="paper"))
    units = [unit for question in asked for unit in question.needs() if isinstance(unit, ExactValue)]
    alone = {unit.rules for unit in units if unit.alone}
    assert alone == {parse_rules("notakto(6)")}
