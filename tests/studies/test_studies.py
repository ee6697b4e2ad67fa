"""Studies: their work is reproducible, their conclusions say what the results show."""

import json
from collections.abc import Iterable
from functools import lru_cache

import pytest
from noughts.play.match import Score
from noughts.questions.session import Game, Measurement, Work

from noughts.agents import as_agent
from noughts.document.result import Row, StudyResult
from noughts.play.playthrough import play_game
from noughts.positions import Position
from noughts.rules import NoughtsError, parse_rules
from noughts.store.records import GameRecord
from noughts.studies import bttt_tournament, mcts_perfect
from noughts.studies.registry import all_studies, find_study
from noughts.studies.study import SCALES, Conclusion, Results, Settings, check_scale, compare


class Scripted:
    """Plays the moves of a finished game."""

    def __init__(self, moves: Iterable[int]) -> None:
        self.moves = list(moves)

    def choose(self, position: Position, rng: object) -> int:
        return self.moves[position.ply]


FIRST_WINS = tuple(map(parse_rules("bttt(D4)").cell_of, ("A1", "B1", "A2", "B2", "A3", "B3", "A4")))
SECOND_WINS = tuple(map(parse_rules("bttt(D4)").cell_of, ("A1", "B1", "A2", "B2", "A3", "B3", "C1", "B4")))


def scripted(work: Work, moves: tuple[int, ...]) -> GameRecord:
    assert isinstance(work, Game)
    return play_game(work.plan, (as_agent(Scripted(moves)), as_agent(Scripted(moves))))


def row(conclusion: Conclusion, *labels: str) -> Row:
    return next(row for table in conclusion.tables for row in table.rows if row.labels == labels)


@lru_cache(maxsize=3)
def work_of(name: str, scale: str) -> tuple[Work, ...]:
    return tuple(find_study(name).work(Settings(scale=scale)))


@pytest.mark.parametrize("name", all_studies())
@pytest.mark.parametrize("scale", SCALES)
def test_every_study_has_every_scale_and_keys_that_differ(name: str, scale: str) -> None:
    study = find_study(name)
    check_scale(study, scale)
    settings = Settings(scale=scale)
    work = work_of(name, scale)
    assert len({piece.key for piece in work}) == len(work)
    if scale != "paper":
        assert [piece.job() for piece in work] == [piece.job() for piece in study.work(settings)]
    assert study.deviations
    assert study.question.endswith("?")


@pytest.mark.parametrize("name", all_studies())
def test_quick_is_the_smallest_scale_and_a_part_of_the_others(name: str) -> None:
    quick, *others = ({piece.key for piece in work_of(name, scale)} for scale in SCALES)
    assert all(quick <= other for other in others)


@pytest.mark.parametrize("name", all_studies())
def test_nothing_is_concluded_from_nothing(name: str) -> None:
    conclusion = find_study(name).conclude(Settings(), Results())
    assert conclusion.findings == ()
    assert all(row.verdict == "no claim" and row.ours == "" for table in conclusion.tables for row in table.rows)


@pytest.mark.parametrize("name", [name for name in all_studies() if find_study(name).takes_guests])
def test_a_guest_joins_the_line_up(name: str) -> None:
    study = find_study(name)
    guest = "python:tests.play.players:First"
    with_guest = study.work(Settings(agents=(guest,)))
    alone = study.work(Settings())
    assert {piece.key for piece in alone} < {piece.key for piece in with_guest}
    assert any(guest in piece.key for piece in with_guest)
    conclusion = study.conclude(Settings(agents=(guest,)), Results())
    assert any(guest in table.title or guest in row.labels for table in conclusion.tables for row in table.rows)


def test_unknown_studies_and_scales_are_answered_by_what_there_is() -> None:
    with pytest.raises(NoughtsError, match=r"no study 'bttt'.*bttt-tournament"):
        find_study("bttt")
    with pytest.raises(NoughtsError, match=r"no scale of mcts-perfect 'huge'.*laptop, paper, quick"):
        check_scale(find_study("mcts-perfect"), "huge")


def test_one_loss_refutes_what_is_claimed_of_every_game() -> None:
    assert compare(Score(wins=30), 100, 100, always=True) == "agrees"
    assert compare(Score(wins=29, losses=1), 100, 100, always=True) == "refuted"
    assert compare(Score(losses=30), 0, 100, always=True) == "agrees"
    assert compare(Score(wins=1, losses=29), 0, 100, always=True) == "refuted"
    assert compare(Score(wins=29, losses=1), 100, 100) == "agrees"
    assert compare(Score(wins=10, losses=20), 100, 100) == "differs"
    assert compare(Score(), 100, 100, always=True) == "no claim"


def test_tournament_reads_off_wins_refutations_repeats_and_full_boards() -> None:
    study, settings = find_study("bttt-tournament"), Settings()
    work = [piece for piece in study.work(settings) if isinstance(piece, Game)]
    wins = [w for w in work if w.key.startswith("bttt(D4) / minimax:depth=2 / mcts:sims=1000 /")]
    losses = [w for w in work if w.key.startswith("bttt(D4) / mcts:sims=1000 / random /")]
    records = [scripted(w, FIRST_WINS) for w in wins] + [scripted(losses[0], SECOND_WINS)]
    conclusion = study.conclude(settings, Results({record.key: record for record in records}))
    won = row(conclusion, "Minimax", "MCTS 1000", "D4")
    assert (won.ours, won.value, won.verdict) == (f"{len(wins)} - 0", 100.0, "agrees")
    assert "only 1 different game" in won.note
    lost = row(conclusion, "MCTS 1000", "Random", "D4")
    assert (lost.ours, lost.verdict) == ("0 - 1", "refuted")
    assert any("0 of 31 games ended on a full board" in finding for finding in conclusion.findings)
    untouched = row(conclusion, "MCTS 1000", "MCTS 1000", "E5")
    assert (untouched.paper, untouched.ours, untouched.verdict) == ("70 - 30", "", "no claim")


def test_a_full_board_is_told_from_a_line_on_the_last_cell() -> None:
    record = GameRecord(key="k", rules="mnk(2,2,2)", first="a", second="b", seed=0, moves=(1, 2), ending="draw")
    full = record.model_copy(update={"rules": "mnk(1,4,3,full=second)", "moves": (0, 1, 2, 3), "ending": "second"})
    line = record.model_copy(update={"rules": "mnk(1,3,2)", "moves": (0, 2, 1), "ending": "first"})
    assert bttt_tournament._is_full_board(full)
    assert not bttt_tournament._is_full_board(line)


def test_timings_time_a_search_and_not_a_memory() -> None:
    class Silent:
        def note(self, text: str, limit: float | None = None) -> None:
            pass

    asked = {"agent": "minimax:depth=2", "rules": "bttt(D4)", "moves": 5, "seed": 1, "move_seconds": None}
    seconds = json.loads(bttt_tournament.time_opening_moves(json.dumps(asked), Silent()))
    assert len(seconds) == 5
    assert min(seconds) > 20e-6  # a remembered answer takes a few microseconds


def test_a_walk_that_loses_refutes_and_one_that_does_not_agrees() -> None:
    study, settings = find_study("mcts-perfect"), Settings()
    measurements = {}
    for piece in study.work(settings):
        if isinstance(piece, Measurement) and "sims=750," in piece.key:
            bad = "pick=value" in piece.key and piece.key.endswith("000003")
            side = {"won": 5, "drawn": 4, "lost": int(bad), "lost_game": [0, 4, 1, 2, 3, 6] if bad else None}
            measurements[piece.key] = json.dumps({"first": side, "second": side})
    conclusion = study.conclude(settings, Results({}, measurements))
    by_title = {table.title: {r.labels[0]: r for r in table.rows} for table in conclusion.tables}
    refuted = by_title["MCTS, best value, c = sqrt(2)"]["750"]
    instances = mcts_perfect.SCALES["quick"].instances
    assert (refuted.ours, refuted.verdict) == (f"{instances - 1} of {instances}", "refuted")
    assert by_title["MCTS, most visits, c = sqrt(2)"]["750"].verdict == "agrees"
    assert [figure.name for figure in conclusion.figures] == ["unbeaten", "losses", "lost-game"]


def test_a_walked_instance_is_the_same_wherever_it_is_walked() -> None:
    class Silent:
        def note(self, text: str, limit: float | None = None) -> None:
            pass

    piece = next(w for w in find_study("mcts-perfect").work(Settings()) if isinstance(w, Measurement))
    first = json.loads(mcts_perfect.walk_instance(piece.argument, Silent()))
    assert first == json.loads(mcts_perfect.walk_instance(piece.argument, Silent()))
    assert first["first"]["lost"] + first["second"]["lost"] > 0  # ten iterations are not enough


def test_a_result_survives_json() -> None:
    study = find_study("mcts-perfect")
    conclusion = study.conclude(Settings(), Results())
    from noughts.machine.environment import current_environment

    result = StudyResult(
        name=study.name,
        title=study.title,
        question=study.question,
        paper=study.paper,
        scale="quick",
        seed=0,
        complete=False,
        tables=conclusion.tables,
        figures=conclusion.figures,
        findings=conclusion.findings,
        deviations=study.deviations,
        repeat="noughts study run mcts-perfect",
        environment=current_environment(),
        started="2026-01-01T00:00:00+00:00",
        seconds=1.5,
    )
    assert StudyResult.from_json(result.to_json()) == result
