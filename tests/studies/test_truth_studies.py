"""The studies of truth: what their measurements find on small games, and what they conclude from answers."""

import json
from pathlib import Path

import pytest
from noughts.questions.session import Measurement
from noughts.questions.settle import Answer, Answers, MoveAnswer, Question, settle_job

from noughts.agents import build_agent, choose
from noughts.document.result import BoardFigure, CellValue, Row
from noughts.examine.judge import Tally
from noughts.positions import Outcome, Position, Rng, Side
from noughts.reports.figures import describe_figure, figure_png, figure_svg
from noughts.rules import AgentError, NoughtsError, parse_rules
from noughts.store.results import Store
from noughts.studies import is_minimax_perfect
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


def test_a_walk_finds_a_loss_that_can_be_played() -> None:
    asked = {"agent": "minimax:depth=1,ties=first", "rules": "mnk(3,4,3,bricks=B2,full=second)"}
    walked = is_minimax_perfect.Walked(**json.loads(is_minimax_perfect.walk_square(json.dumps(asked), Silent())))
    rules, agent = parse_rules(asked["rules"]), build_agent(asked["agent"])
    assert walked.lost_game is not None
    position = Position.start(rules)
    for move in walked.lost_game:
        if position.to_move is Side.FIRST:
            assert choose(agent, position, Rng()) == move
        position = position.play(move)
    assert position.outcome is Outcome.SECOND


def test_a_walk_to_the_end_is_a_proof() -> None:
    asked = {"agent": "perfect", "rules": "mnk(3,4,3)"}
    walked = is_minimax_perfect.Walked(**json.loads(is_minimax_perfect.walk_square(json.dumps(asked), Silent())))
    assert walked.lost_game is None
    assert walked.longest == 7
    assert walked.decisions > 10


@pytest.mark.parametrize("name", ["OwnChance", "Follows", "Counts", "Untrue", "AllMoves"])
def test_a_guest_that_plays_by_something_else_gets_no_verdict(name: str) -> None:
    asked = {"agent": f"python:tests.examine.deciders:{name}", "rules": "mnk(3,4,3,bricks=B2,full=second)"}
    with pytest.raises(AgentError):
        is_minimax_perfect.walk_square(json.dumps(asked), Silent())


@pytest.mark.parametrize(
    ("scale", "guests", "message"),
    [
        ("quick", ("mcts:sims=2",), "mcts:sims=2 cannot be proved: the agent is not deterministic"),
        ("quick", ("python:tests.examine.deciders:OwnChance",), "it must decide by"),
        ("quick", ("python:tests.examine.deciders:Leaves",), "its process ended"),
        ("quick", ("minimax:depth=2",), "agent 'minimax:depth=2' is in the line-up already"),
        ("laptop", ("minimax:depth=2,ties=first",), "agent 'minimax:depth=2,ties=first' is in the line-up already"),
        ("quick", ("perfect", "perfect"), "agent 'perfect' is in the line-up already"),
    ],
)
def test_a_guest_that_cannot_be_walked_is_refused_at_once(scale: str, guests: tuple[str, ...], message: str) -> None:
    with pytest.raises(AgentError) as raised:
        find_study("is-minimax-perfect").work(Settings(scale=scale, agents=guests))
    assert message in str(raised.value)


def test_one_lost_game_refutes_perfection() -> None:
    study, settings = find_study("is-minimax-perfect"), Settings(scale="laptop", agents=("perfect",))
    measurements = {}
    for piece in study.work(settings):
        assert isinstance(piece, Measurement)
        asked = json.loads(piece.argument)
        if piece.key.startswith("judge"):
            found = Tally(positions=10, choices=8, optimal=6, chance=2.0, won=8, won_lost=2).to_json()
        else:
            lost = (0, 7, 1, 8, 2, 9, 14, 10) if asked["rules"] in ("bttt(D4)", "bttt(C3)") else None
            found = json.dumps(is_minimax_perfect.Walked(lost, 100, 5, bool(lost), 11, 12)._asdict())
        measurements[piece.key] = found
    conclusion = study.conclude(settings, Results(measurements=measurements))
    first, *_ = conclusion.tables
    verdicts = {found.labels[0]: found.verdict for found in first.rows}
    assert verdicts["D4"] == verdicts["C3"] == "refuted"
    assert verdicts["A1"] == "agrees"
    assert next(found for found in first.rows if found.labels[0] == "D4").note.startswith("it loses A1 B1 A2")
    assert (
        "however its ties fall: as first player it wins against every reply on 44 of 49 squares"
        in conclusion.findings[0]
    )
    assert "ties=first: as first player it wins against every reply on 47 of 49 squares" in conclusion.findings[1]
    assert {figure.name for figure in conclusion.figures} >= {
        "every-tie",
        "squares-0",
        "squares-1",
        "lost-D4",
        "lost-C3",
    }
    guests = next(table for table in conclusion.tables if "perfect" in table.title)
    assert all(found.verdict == "no claim" for found in guests.rows)
    assert "it keeps the value in 75.0 percent of 1,120" in conclusion.findings[-1]


def test_a_study_of_games_takes_no_guests(tmp_path: Path) -> None:
    with pytest.raises(NoughtsError, match="exact-values is about games and takes no agents: leave 'random' out"):
        StudyRun(find_study("exact-values"), Settings(agents=("random",)), Store.open(str(tmp_path)), 0)
