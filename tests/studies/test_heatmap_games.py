"""A heat map of squares knows a lost game for each square that has one: those who look at it can open the game."""

from typing import Any

from noughts.document.result import BoardFigure
from noughts.questions.played import Playthrough
from noughts.questions.question import Question
from noughts.questions.walked import EveryReply
from noughts.rules import Value, parse_rules
from noughts.studies.generalisation import VARIANTS, Generalisation, GeneralisingWork
from noughts.studies.is_minimax_perfect import FIRST_TIE, IsMinimaxPerfect
from noughts.studies.study import Conclusion, Settings
from tests.studies.fabricated import Fabricated, record, walked


def games(conclusion: Conclusion, figure: str) -> dict[int, str]:
    """The game of each square that is shown."""
    board = next(found for found in conclusion.figures if found.name == figure)
    assert isinstance(board, BoardFigure)
    return {value.cell: value.game for value in board.values}


def test_where_minimax_loses() -> None:
    walks = {parse_rules("bttt(A1)"): walked((24, 8, 25)), parse_rules("bttt(D4)"): walked(None)}

    def made(unit: Question[Any]) -> Value | None:
        return walks.get(unit.rules) if isinstance(unit, EveryReply) and unit.agent == FIRST_TIE else None

    conclusion = IsMinimaxPerfect().conclude(Settings(scale="laptop"), Fabricated(made))
    assert games(conclusion, "squares-0") == {0: "bttt(A1) D4 B2 D5", 24: ""}


def test_the_first_game_that_a_contender_lost() -> None:
    plan = GeneralisingWork(Settings())
    line = plan.contenders[0]
    squares = plan.on_squares(line, 32, "random").needs()
    lost, won = ([unit for unit in squares if unit.rules == parse_rules(f"bttt({s})")] for s in ("A1", "A2"))
    variant = [unit for unit in plan.on_variants(line, 32).needs() if unit.rules == VARIANTS["D4"]]
    records = {
        lost[0].key: record(lost[0], "second", (24, 8)),
        lost[1].key: record(lost[1], "second", (25, 9)),
        won[0].key: record(won[0], "first", (1,)),
        **{unit.key: record(unit, "first", (1,)) for unit in variant[:-1]},
        variant[-1].key: record(variant[-1], "second", (25, 9)),  # none of those that count for Table 7
    }

    def made(unit: Question[Any]) -> Value | None:
        return records.get(unit.key) if isinstance(unit, Playthrough) else None

    found = games(Generalisation().conclude(Settings(), Fabricated(made)), "squares-line-on-d4-32")
    assert found == {0: "bttt(A1) D4 B2", 1: "", 24: "bttt(D4) D5 B3"}
