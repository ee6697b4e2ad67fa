"""The study of Notakto: what is asked of its agents, and what follows from the answers."""

import json

import pytest
from noughts.play.match import MatchPlan
from noughts.questions.session import Measurement
from noughts.studies.trained import Point, Trained

from noughts.agents import build_agent
from noughts.document.result import BoardFigure
from noughts.examine.judge import Tally
from noughts.positions import Side
from noughts.positions.position import Position
from noughts.rules import parse_rules, parse_task
from noughts.studies import examined
from noughts.studies.examined import Match, Walked
from noughts.studies.notakto.plan import SCALES, all_runs, small_boards_task
from noughts.studies.notakto.study import NotaktoStudy
from noughts.studies.study import Results, Settings


class Silent:
    def note(self, text: str, limit: float | None = None) -> None:
        pass


def results(proved_from: int) -> Results:
    """The quick study's walks: on 3x3 the agent is proved from this measurement on, on 4x4 it always loses."""
    measurements = {}
    for piece in NotaktoStudy().work(Settings()):
        assert isinstance(piece, Measurement) or piece.stage == examined.STAGE
        if piece.key.startswith("walk / 3x3"):
            number = int(piece.key.split("point ")[1].split()[0])
            lost = None if number >= proved_from else (4, 0, 1, 2)
            measurements[piece.key] = Walked(
                side="first", lost_game=lost, drawn_game=None, decisions=9, longest=5, plies=5
            ).to_json()
        elif piece.key.startswith("walk / 4x4"):
            measurements[piece.key] = Walked(
                side="second", lost_game=(0, 1, 2, 3), drawn_game=None, decisions=9, longest=4, plies=4
            ).to_json()
        elif piece.key.startswith("train / 3x3"):
            last = SCALES["quick"].iterations[3]
            points = tuple(
                Point(iteration=i, positions=1000 * i, seconds=2.0 * i, values={"policy_optimal": 0.5})
                for i in (last // 2, last)
            )
            measurements[piece.key] = Trained(
                iterations=last, positions=1000 * last, seconds=2.0 * last, cores=2, curve=points
            ).to_json()
        elif piece.key.startswith("judge / line"):
            tally = Tally(positions=10, choices=8, optimal=6, chance=2.0)
            measurements[piece.key] = json.dumps({"7": tally.model_dump(mode="json")})
    return Results(measurements=measurements)


def test_the_first_proof_is_what_counts() -> None:
    last = SCALES["quick"].iterations[3]
    for proved_from, iteration in ((1, last // 2), (2, last)):
        conclusion = NotaktoStudy().conclude(Settings(), results(proved_from))
        row = next(row for row in conclusion.tables[0].rows if row.labels[0] == "3x3, first")
        assert row.ours == f"{iteration} iterations, {1000 * iteration:,} positions"
        assert row.value == 2.0 * iteration
        assert f"proved at {3 - proved_from} of 2 measurements" in row.note
        assert "learned to 100 percent against every reply by 1 of 1 networks" in conclusion.findings[0]


def test_what_was_not_proved_decides_nothing_and_shows_how_it_loses() -> None:
    conclusion = NotaktoStudy().conclude(Settings(), results(1))
    row = next(row for row in conclusion.tables[0].rows if row.labels[0] == "4x4, second")
    assert (row.ours, row.value) == ("not proved", None)
    assert "no network was proved" in conclusion.findings[1]


def test_a_game_that_is_lost_at_the_end_is_shown() -> None:
    figures = NotaktoStudy().conclude(Settings(), results(3)).figures
    shown = [figure for figure in figures if isinstance(figure, BoardFigure)]
    assert {figure.rules: figure.moves for figure in shown} == {"notakto(3)": (4, 0, 1, 2), "notakto(4)": (0, 1, 2, 3)}


def test_larger_boards_have_a_table_by_ply() -> None:
    conclusion = NotaktoStudy().conclude(Settings(), results(1))
    table = next(table for table in conclusion.tables if "on 5x5" in table.title)
    assert [(row.labels[0], row.ours, row.value) for row in table.rows] == [("7", "6 of 8", 75.0)] * 2
    assert any("75.0 percent" in finding and "on 5x5" in finding for finding in conclusion.findings)


def test_the_small_board_in_the_corner_is_the_small_game() -> None:
    corner, whole = parse_task(small_boards_task()).rules
    if whole.bricks:
        corner, whole = whole, corner
    assert (whole, corner.rows, corner.k, len(corner.bricks)) == (parse_rules("notakto(4)"), 4, 3, 7)
    position = Position.start(corner).play(corner.cell_of("A1")).play(corner.cell_of("B2"))
    assert position.play(corner.cell_of("C3")).is_over


def test_a_walk_is_work_that_can_be_done_and_read() -> None:
    """Exact play wins 3x3 as first player, and loses it as second."""
    found = {}
    for side in Side:
        piece = examined.walk_work("exact", "perfect:ties=first", "notakto(3)", side)
        value = examined.walk_job(piece.argument, Silent())
        found[side] = examined.walked("exact", side, Results(measurements={piece.key: value}))
    first, second = found[Side.FIRST], found[Side.SECOND]
    assert first is not None
    assert second is not None
    assert (first.proved, first.wins, str(first)) == (True, True, "wins against every reply")
    assert second.lost_game is not None
    assert Position.start(parse_rules("notakto(3)"), second.lost_game).is_over


def test_exact_play_is_judged_to_be_exact() -> None:
    piece = examined.judge_work("exact", "perfect", "notakto(3)", 1000, (2, 4), 0)
    tallies = examined.judged("exact", Results(measurements={piece.key: examined.judge_job(piece.argument, Silent())}))
    assert set(tallies) == {2, 3, 4}
    assert all(tally.optimal == tally.choices and tally.complete for tally in tallies.values())
    assert sum(tally.choices for tally in tallies.values()) > 0


def test_points_of_a_match_count_for_the_agent_that_is_examined() -> None:
    from noughts.play.playthrough import play_game

    match = Match("m", MatchPlan(rules="notakto(3)", a="perfect:nodes=1000000,ties=random", b="random", games=6))
    match = match._replace(plan=match.plan.model_copy(update={"a": match.work()[0].plan.first, "colours": "swapped"}))
    games = match.work()
    assert [game.key for game in games[:2]] == ["m / 000000", "m / 000001"]
    records = {}
    for game in games:
        agents = (build_agent(game.plan.first), build_agent(game.plan.second))
        records[game.key] = play_game(game.plan, agents)
    as_first = [game.key for game in games if game.plan.first == match.plan.a]
    assert len(as_first) == 3
    assert all(records[key].ending == "first" for key in as_first)
    score = match.score(Results(games=records))
    assert score.games == 6
    assert score.wins >= 3
    swapped = match._replace(plan=match.plan.model_copy(update={"a": match.plan.b, "b": match.plan.a}))
    assert swapped.score(Results(games={})).games == 0
    named = match._replace(plan=match.plan.model_copy(update={"a": "perfect: ties=random, nodes=1000000"}))
    assert named.plan.a != match.plan.a
    assert named.score(Results(games=records)) == score


@pytest.mark.parametrize("scale", SCALES)
def test_every_measurement_on_the_way_is_one_that_the_training_makes(scale: str) -> None:
    for run in all_runs(Settings(scale=scale)):
        assert run.iterations[-1] == run.training.iterations, "the last measurement is at the end"
        assert len(run.iterations) == SCALES[scale].measured[run.board.size]
