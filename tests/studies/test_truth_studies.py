"""The studies of truth: what their measurements find on small games, and what they conclude from answers."""

from pathlib import Path

import pytest
from noughts.questions.session import Measurement
from noughts.questions.settle import Answer, Answers, MoveAnswer, Question, settle_job

from noughts.document.result import BoardFigure, CellValue, Row
from noughts.reports.figures import describe_figure, figure_png, figure_svg
from noughts.rules import NoughtsError, parse_rules
from noughts.store.results import Store
from noughts.studies.registry import find_study
from noughts.studies.run import StudyRun
from noughts.studies.study import Conclusion, Results, Settings


class Silent:
    def note(self, text: str, limit: float | None = None) -> None:
        pass


def row(conclusion: Conclusion, label: str) -> Row:
    return next(row for table in conclusion.tables for row in table.rows if row.labels[0] == label)


def answered(changes: dict[str, Answer]) -> dict[str, str]:
    """Measurements of the quick study in which these games are answered so."""
    measurements = {}
    for piece in find_study("exact-values").work(Settings()):
        assert isinstance(piece, Measurement)
        question = Question.from_json(piece.argument)
        if question.games[0] in changes:
            answer = changes[question.games[0]]
            answers = tuple(answer.model_copy(update={"game": game}) for game in question.games)
            measurements[piece.key] = Answers(answers=answers).to_json()
    return measurements


def answer(low: int, high: int, plies: int | None = None, moves: tuple[MoveAnswer, ...] = ()) -> Answer:
    return Answer(game="", low=low, high=high, plies=plies, moves=moves, solver="alpha-beta", nodes=7, seconds=0.5)


def test_values_are_set_beside_the_published_ones() -> None:
    moves = (
        MoveAnswer(move=0, low=1, high=1, plies=9),
        MoveAnswer(move=1, low=-1, high=-1),
        MoveAnswer(move=5, low=-1, high=1),
    )
    measurements = answered(
        {
            "mnk(3,4,3)": answer(1, 1, 7, moves),
            "mnk(4,4,4)": answer(1, 1, 9),
            "mnk(6,6,5)": answer(-1, 0),
            "notakto(2)": answer(1, 1, 2),
            "bttt(C3)": answer(1, 1, 11),
            "bttt(C4)": answer(1, 1, 9),
        }
    )
    conclusion = find_study("exact-values").conclude(Settings(), Results(measurements=measurements))
    agreed = row(conclusion, "mnk(3,4,3)")
    assert (agreed.paper, agreed.ours, agreed.value, agreed.verdict) == ("first wins", "first wins in 7", 7.0, "agrees")
    assert "1 of 3 first moves keep the value, 1 not decided" in agreed.note
    assert row(conclusion, "mnk(4,4,4)").verdict == "refuted"
    undecided = row(conclusion, "mnk(6,6,5)")
    assert (undecided.ours, undecided.verdict) == ("not decided", "no claim")
    assert row(conclusion, "notakto(2)").verdict == "no claim"
    assert row(conclusion, "bttt(C3)").labels == ("bttt(C3)", "C3 C5 E3 E5")
    figures = {figure.name: figure for figure in conclusion.figures}
    squares = figures["brick-squares"]
    assert isinstance(squares, BoardFigure)
    assert sorted(value.text for value in squares.values) == ["11"] * 4 + ["9"] * 4
    openings = figures["openings-mnk-3-4-3"]
    assert isinstance(openings, BoardFigure)
    assert {value.cell: value.text for value in openings.values} == {0: "W9", 1: "L", 5: "?"}
    assert any("8 of 8 brick squares decided, within 11 plies" in finding for finding in conclusion.findings)
    assert any("1 is refuted: mnk(4,4,4)" in finding for finding in conclusion.findings)


def test_a_board_of_values_is_drawn_and_described() -> None:
    figure = BoardFigure(
        name="board",
        title="Values",
        rules="mnk(2,3,2)",
        values=tuple(CellValue(cell=cell, value=10.0 * cell, text=f"W{cell}") for cell in range(3)),
        value_label="who wins",
    )
    assert describe_figure(figure).endswith("who wins: A1 W0; A2 W1; A3 W2.")
    svg = figure_svg(figure)
    assert all(f">W{cell}<" in svg for cell in range(3))
    assert figure_png(figure).startswith(b"\x89PNG")


def test_a_question_is_answered_for_all_images() -> None:
    question = Question(games=("mnk(3,4,3,bricks=A1)", "mnk(4,3,3,bricks=D3)"), every_move=True, distances=True)
    one, other = Answers.from_json(settle_job(question.to_json(), Silent())).answers
    assert (one.game, other.game) == question.games
    assert (one.value, one.plies) == (other.value, other.plies) == (1, 7)
    rules, image = parse_rules(one.game), parse_rules(other.game)
    soonest = {rules.name_of(move.move) for move in one.moves if move.plies == 7 and move.low == 1}
    turned = {image.name_of(move.move) for move in other.moves if move.plies == 7 and move.low == 1}
    assert len(soonest) == len(turned) > 0
    again = Answers.from_json(
        settle_job(Question(games=other.game and (other.game,), every_move=True, distances=True).to_json(), Silent())
    )
    assert again.answers[0].moves == other.moves


def test_a_study_of_games_takes_no_guests(tmp_path: Path) -> None:
    with pytest.raises(NoughtsError, match="exact-values is about games and takes no agents: leave 'random' out"):
        StudyRun(find_study("exact-values"), Settings(agents=("random",)), Store.open(str(tmp_path)), 0)
