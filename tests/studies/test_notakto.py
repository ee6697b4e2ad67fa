"""The study of Notakto: its questions about agents, and the conclusions from the answers."""

import pytest

from noughts.document.result import BoardFigure
from noughts.examine.walk_result import WalkResult
from noughts.positions import Position
from noughts.questions.judged import BesideTruth
from noughts.questions.played import Playthrough
from noughts.questions.trained import Point, Training
from noughts.questions.walked import EveryReply
from noughts.rules import parse_rules
from noughts.studies.notakto import SCALES, NotaktoStudy, small_boards
from noughts.studies.study import Settings
from tests.studies.fabricated import Fabricated, judged, record, trained, walked


def fabricated(proved_from: int) -> Fabricated:
    """The quick study: on 3x3 the agent is proved from this measurement on and wins, on 4x4 it always loses."""
    small = next(run for run in NotaktoStudy().at(Settings()).runs if run.board.size == 3)
    proved = small.iterations[proved_from - 1 :]

    def walk(unit: EveryReply) -> WalkResult:
        if unit.rules != small.board.rules:
            return walked((0, 1, 2, 3), longest=4)
        return walked(None if int(unit.agent.target.partition("@")[2]) in proved else (4, 0, 1, 2), longest=5)

    last = small.training.iterations
    curve = trained(
        Point(iteration=i, positions=1000 * i, seconds=2.0 * i, values={"policy_optimal": 0.5})
        for i in (last // 2, last)
    )
    return Fabricated(
        {
            EveryReply: walk,
            Training: lambda unit: curve if unit == small.training else None,
            Playthrough: lambda unit: record(unit, "first"),
            BesideTruth: judged,
        }
    )


def test_the_first_proof_counts() -> None:
    last = SCALES["quick"].iterations[3]
    for proved_from, iteration in ((1, last // 2), (2, last)):
        conclusion = NotaktoStudy().conclude(Settings(), fabricated(proved_from))
        row = next(row for row in conclusion.tables[1].rows if row.labels[0] == "3x3, first")
        assert row.ours == f"{iteration} iterations, {1000 * iteration:,} positions"
        assert row.value == 2.0 * iteration
        assert f"proved at {3 - proved_from} of 2 measurements" in row.note
        said = conclusion.findings[0]
        assert said.startswith("Learned to 100 percent against every reply")
        assert "3x3, first, fully connected, 32: 1 of 1" in said


def test_proofs_and_whether_they_last_are_counted_over_seeds() -> None:
    """Each is proved at its second measurement; the line networks at no later one, the others at all."""
    settings = Settings("laptop")
    runs = {run.training.name: run for run in NotaktoStudy().at(settings).runs}

    def walk(unit: EveryReply) -> WalkResult:
        name, _, iteration = unit.agent.target.partition("@")
        run = runs[name]
        measured = run.iterations.index(int(iteration))
        return walked(None if measured == 1 or (measured > 1 and run.network != "line") else (4, 0, 1, 2), longest=5)

    conclusion = NotaktoStudy().conclude(settings, Fabricated({EveryReply: walk}))
    rows = {row.labels: row for row in conclusion.tables[0].rows}
    sims = str(SCALES["laptop"].sims)
    line, wide = rows["3x3, first", "line", sims], rows["4x4, second", "fully connected, wide", "0"]
    assert (line.ours, line.value, line.count) == ("3 of 3", 100.0, 3)
    assert line.note == "0 at the last measurement; of 12 measurements after a first proof 0"
    assert wide.note == "3 at the last measurement; of 12 measurements after a first proof 12"
    assert rows["4x4, second", "line", sims].count == 1


def test_unproved_boards_decide_nothing_and_larger_ones_have_a_table() -> None:
    conclusion = NotaktoStudy().conclude(Settings(), fabricated(1))
    row = next(row for row in conclusion.tables[1].rows if row.labels[0] == "4x4, second")
    assert (row.ours, row.value) == ("not proved", None)
    assert "4x4, second, fully connected, wide, 32: 0 of 1" in conclusion.findings[0]
    table = next(table for table in conclusion.tables if "on 5x5" in table.title)
    assert [(row.labels[0], row.ours, row.value) for row in table.rows] == [("0", "6 of 8", 75.0)] * 2
    assert any("75.0 percent" in finding and "on 5x5" in finding for finding in conclusion.findings)


def test_a_lost_game_of_the_last_checkpoint_is_shown() -> None:
    figures = NotaktoStudy().conclude(Settings(), fabricated(3)).figures
    shown = [figure for figure in figures if isinstance(figure, BoardFigure)]
    assert {figure.rules: figure.moves for figure in shown} == {"notakto(3)": (4, 0, 1, 2), "notakto(4)": (0, 1, 2, 3)}


def test_the_small_board_in_the_corner_is_the_small_game() -> None:
    corner, whole = small_boards().rules
    if whole.bricks:
        corner, whole = whole, corner
    assert (whole, corner.rows, corner.k, len(corner.bricks)) == (parse_rules("notakto(4)"), 4, 3, 7)
    position = Position.start(corner).play(corner.cell_of("A1")).play(corner.cell_of("B2"))
    assert position.play(corner.cell_of("C3")).is_over


def test_games_are_counted_for_the_examined_agent() -> None:
    """The first player won all games: on 3x3 that is the agent, on 4x4 its opponent."""
    tables = {table.title: table for table in NotaktoStudy().conclude(Settings(), fabricated(1)).tables}
    games = SCALES["quick"].games
    assert {row.ours for row in tables["3x3, first player, fully connected: games"].rows} == {f"{games} - 0"}
    assert {row.ours for row in tables["4x4, second player, fully connected, wide: games"].rows} == {f"0 - {games}"}
    study = NotaktoStudy().at(Settings())
    for run in study.runs:
        for match in study.matches(run).values():
            assert all((unit.first if run.board.side == "first" else unit.second) == match.a for unit in match.needs())


def test_if_a_walk_is_too_large_moves_are_compared_with_exact_tables() -> None:
    tables = {table.title: table for table in NotaktoStudy().conclude(Settings("laptop"), fabricated(1)).tables}
    (row,) = tables["5x5, first player, line: its moves"].rows
    assert (row.ours, row.labels) == ("6 of 8", ("0", str(SCALES["laptop"].sims)))


@pytest.mark.parametrize("scale", SCALES)
def test_every_intermediate_measurement_is_made_by_the_training(scale: str) -> None:
    for run in NotaktoStudy().at(Settings(scale=scale)).runs:
        assert run.iterations[-1] == run.training.iterations, "the last measurement is at the end"
        assert len(run.iterations) == SCALES[scale].measured[run.board.size]
