"""Is depth-2 Minimax perfect: which guests are allowed, and the conclusions from the answers."""

import pytest

from noughts.examine.best_replies import LosingChance
from noughts.positions import Outcome, Position
from noughts.questions.best_replies import BestReply
from noughts.questions.judged import BesideTruth
from noughts.questions.walked import EveryReply
from noughts.rules import AgentError, parse_rules
from noughts.studies.is_minimax_perfect import IsMinimaxPerfect
from noughts.studies.study import Settings
from tests.studies.fabricated import Fabricated, board, judged, row, walked

LOST = (0, 7, 1, 8, 2, 9, 14, 10)
"""On an empty 7x7: the second player fills B1 to B4."""


def test_a_guest_that_cannot_be_walked_is_refused_at_once() -> None:
    with pytest.raises(AgentError, match="mcts:sims=2 cannot be proved: the agent is not deterministic"):
        IsMinimaxPerfect().questions(Settings(agents=("mcts:sims=2",)))


def test_images_of_squares_are_merged_only_if_every_tie_is_walked() -> None:
    walks = [
        [unit for unit in question.needs() if isinstance(unit, EveryReply)]
        for question in IsMinimaxPerfect().questions(Settings(scale="laptop"))
    ]
    assert [len(units) for units in walks if units] == [10, 49]


def test_one_lost_game_refutes_perfection() -> None:
    study, settings = IsMinimaxPerfect(), Settings(scale="laptop", agents=("perfect",))
    beaten = {parse_rules(f"bttt({square})") for square in ("D4", "C3")}

    def chance(unit: BestReply) -> LosingChance:
        return LosingChance(low=0.5 * (unit.rules in beaten), high=0.75, decisions=100, ties=5, limit=100)

    answers = Fabricated(
        {
            BesideTruth: lambda unit: judged(unit, won=8, won_lost=2),
            BestReply: chance,
            EveryReply: lambda unit: walked(LOST if unit.rules in beaten else None),
        }
    )
    conclusion = study.conclude(settings, answers)
    first, *_ = conclusion.tables
    verdicts = {found.labels[0]: found.verdict for found in first.rows}
    assert verdicts["D4"] == verdicts["C3"] == "refuted"
    assert verdicts["A1"] == "agrees"
    assert row(conclusion, "D4").note.startswith("it loses A1 B1 A2")
    said = " ".join(conclusion.findings)
    assert "it wins against every reply on 44 of 49 squares; there is a game that it loses on 5." in said
    assert "it wins against every reply on 47 of 49 squares" in said
    assert "a reply alone: 2; a reply and a lucky tie-break: 3." in said
    names = {figure.name for figure in conclusion.figures}
    assert names >= {"every-tie", "squares-0", "squares-1", "lost-D4", "lost-C3"}
    games = [value.game for value in board(conclusion, "every-tie").values if value.game]
    assert len(games) == 5, "also those of images can be opened"
    for rules, *moves in map(str.split, games):
        lost = parse_rules(rules)
        assert Position.start(lost, tuple(map(lost.cell_of, moves))).outcome is Outcome.SECOND
    guests = next(table for table in conclusion.tables if "perfect" in table.title)
    assert all(found.verdict == "no claim" for found in guests.rows)
    assert "Optimal moves in random positions: 75.0 percent (72.4 to 77.4) of 1,120" in said
    chances = next(table for table in conclusion.tables if "best response" in table.title)
    between = row(conclusion, "C3", table=chances.title)
    assert (between.ours, between.value, between.low, between.high) == ("50.00 to 75.00", None, 50.0, 75.0)
    assert chances.spread == "bounds"
    assert "every game on 0 squares; on all, equally weighted, 5.1 to 75.0 percent." in said
    assert sorted({value.text for value in board(conclusion, "chances").values}) == ["≥0", "≥50"]


def test_a_stopped_walk_decides_nothing() -> None:
    given_up = walked().model_copy(update={"whole": False, "limit": 100})
    conclusion = IsMinimaxPerfect().conclude(Settings(), Fabricated({EveryReply: lambda unit: given_up}))
    assert {(row.ours, row.verdict) for row in conclusion.tables[0].rows} == {("not decided", "no claim")}
    assert not conclusion.findings
