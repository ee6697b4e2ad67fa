"""Evolution's study: each condition changes what its name says, and what is said follows from curves and proofs."""

import json

import pytest
from noughts.play.match import Score
from noughts.questions.session import Game
from noughts.studies.trained import Point, Trained

from noughts.document.result import BoardFigure
from noughts.positions import Side
from noughts.studies.betazero_evolution.outcome import Outcome
from noughts.studies.betazero_evolution.plan import (
    BETTER,
    CONDITIONS,
    DIFFERENCES,
    NEGATIVES,
    PROGRAM,
    REDRAWN,
    SCALES,
    TEXT,
    Run,
    round_robin,
    runs,
    runs_of,
)
from noughts.studies.betazero_evolution.study import BetazeroEvolution
from noughts.studies.betazero_evolution.tables import best
from noughts.studies.examined import Walked
from noughts.studies.study import Results, Settings

LAPTOP, PAPER = Settings(scale="laptop"), Settings(scale="paper")


def trained(*lost: float) -> Trained:
    """A run that lost so many rounds at generations 50, 100, ..."""
    curve = tuple(
        Point(iteration=50 * number, positions=1000 * number, seconds=1.0, values={"lost_rounds": value})
        for number, value in enumerate(lost, 1)
    )
    return Trained(iterations=50 * len(lost), positions=1000 * len(lost), seconds=1.0, cores=1, curve=curve)


def walk(side: Side, lost: tuple[int, ...] | None = None) -> Walked:
    return Walked(side=side.name.lower(), lost_game=lost, drawn_game=None, decisions=9, longest=9, plies=9)


def results(settings: Settings, curves: dict[str, Trained], beaten: dict[str, tuple[int, ...]]) -> Results:
    """Every run with the curve of its condition; those of the conditions in `beaten` lose that game as O."""
    found = {}
    for run in runs(settings):
        found[run.training.key] = curves.get(run.condition.name, trained(50.0, 50.0)).to_json()
        for side in Side:
            lost = beaten.get(run.condition.name) if side is Side.SECOND else None
            found[f"walk / {run.label} / {side.name.lower()}"] = walk(side, lost).to_json()
    return Results(measurements=found)


def outcome(lost: tuple[float, ...]) -> Outcome:
    return Outcome(runs(LAPTOP)[0], trained(*lost), {})


def test_reached_and_kept() -> None:
    assert outcome((3.0, 0.0, 0.0, 0.0)).reached == 100
    assert outcome((3.0, 0.0, 0.0, 0.0)).kept
    assert outcome((3.0, 1.0)).reached is None
    assert not outcome((3.0, 1.0)).kept
    assert not outcome((0.0, 5.0, 0.0)).kept  # two of three only
    assert not outcome((*[0.0] * 20, 5.0)).kept  # not in the end
    assert outcome((*[0.0] * 20, 5.0, 0.0)).kept  # reverts to zero
    assert Outcome(runs(LAPTOP)[0], None, {}).reached is None


def test_both_sides_make_a_proof() -> None:
    run = runs(LAPTOP)[0]
    assert Outcome(run, None, {Side.FIRST: walk(Side.FIRST)}).proved() is None
    assert Outcome(run, None, {Side.FIRST: walk(Side.FIRST)}).proved(Side.FIRST) is True
    assert Outcome(run, None, {side: walk(side) for side in Side}).proved() is True
    assert Outcome(run, None, {Side.SECOND: walk(Side.SECOND, (0, 1))}).proved() is False


def test_each_condition_differs_from_its_base_by_what_it_says() -> None:
    by_name = {name: runs_of(LAPTOP, name)[0].training.config.model_dump() for name in (c.name for c in CONDITIONS)}
    for conditions, base in ((DIFFERENCES, TEXT), (BETTER, REDRAWN), (NEGATIVES, PROGRAM)):
        for condition in conditions:
            fields = set(by_name[base]) - {"schedule"}
            changed = {field for field in fields if by_name[base][field] != by_name[condition.name][field]}
            assert changed <= set(condition.changes)
            assert changed or condition.name == TEXT


def test_each_better_condition_changes_one_thing_more() -> None:
    before = {"seeds": "redrawn"}
    for condition in BETTER:
        assert len(set(condition.changes.items()) - set(before.items())) == 1
        assert before.items() <= condition.changes.items()
        before = condition.changes


def test_larger_populations_have_as_many_games() -> None:
    games = {
        run.condition.name: run.training.iterations * (run.training.config.population or 23)
        for run in runs(PAPER)
        if run.condition not in NEGATIVES
    }
    assert set(games.values()) == {23 * SCALES["paper"].generations}
    large = next(run for run in runs(PAPER) if run.condition.share < 1)
    curve = (Point(iteration=5, positions=1, seconds=1.0, values={"lost_rounds": 0.0}),)
    found = Outcome(large, Trained(iterations=5, positions=1, seconds=1.0, cores=1, curve=curve), {})
    assert found.reached == 50


def test_no_two_conditions_are_the_same() -> None:
    by_name = {name: runs_of(LAPTOP, name)[0].training.config.model_dump() for name in (c.name for c in CONDITIONS)}
    assert len({json.dumps(config, sort_keys=True) for config in by_name.values()}) == len(CONDITIONS)


def test_runs_of_equal_number_have_equal_seeds() -> None:
    seeds = {(run.condition.name, run.number): run.training.config.seed for run in runs(PAPER)}
    assert len(set(seeds.values())) == 10
    assert seeds[TEXT, 2] == seeds["pure self-play", 2]


def test_trainings_come_first_and_every_match_is_played_twice_over() -> None:
    work = BetazeroEvolution().work(Settings())
    assert [piece.stage for piece in work] == sorted(piece.stage for piece in work)
    matches = list(round_robin(Settings()))
    assert {(a.number, b.number) for a, b, _ in matches} == {(0, 1), (1, 0)}
    assert sum(isinstance(piece, Game) for piece in work) == sum(len(match.work()) for *_, match in matches)


def test_what_the_page_says() -> None:
    curves = {PROGRAM: trained(9.0, 0.0, 0.0), REDRAWN: trained(0.0, 0.0), "previous best": trained(0.0, 30.0)}
    conclusion = BetazeroEvolution().conclude(LAPTOP, results(LAPTOP, curves, {PROGRAM: (4, 0, 1, 2)}))
    differences, _, negatives, proofs, _ = conclusion.tables
    rows = {row.labels[0]: row for table in (differences, negatives) for row in table.rows}
    assert (rows[TEXT].ours, rows[TEXT].verdict) == ("0 of 10 reach and keep 0", "differs")
    assert (rows[PROGRAM].ours, rows[PROGRAM].verdict) == ("10 of 10 reach and keep 0", "differs")
    assert "after 100 generations" in rows[PROGRAM].note
    assert rows["previous best"].verdict == "refuted"
    assert rows["pure self-play"].verdict == "agrees"
    proved = {row.labels[0]: row for row in proofs.rows}
    assert (proved[PROGRAM].ours, proved[REDRAWN].ours) == ("0 of 10 unbeatable", "2 of 2 unbeatable")
    assert "of 10 that lose no round to minimax 10 can be beaten" in proved[PROGRAM].note
    findings = " ".join(conclusion.findings)
    assert "More runs than with the text's settings succeed with these: the program; seeds redrawn." in findings
    assert "previous best (0 of 5 keep it)" in findings
    (board,) = [figure for figure in conclusion.figures if isinstance(figure, BoardFigure)]
    assert board.moves == (4, 0, 1, 2)
    assert PROGRAM in board.title


def test_a_scale_that_is_too_short_judges_nothing() -> None:
    conclusion = BetazeroEvolution().conclude(Settings(), results(Settings(), {}, {}))
    assert {row.verdict for table in conclusion.tables for row in table.rows} == {"no claim"}
    assert any("too short" in finding for finding in conclusion.findings)


def test_nothing_is_found_before_there_are_results() -> None:
    for scale in ("quick", "laptop", "paper"):
        conclusion = BetazeroEvolution().conclude(Settings(scale=scale), Results())
        assert conclusion.findings == ()
        assert conclusion.figures == ()


def test_the_best_average_is_selected_and_with_it_all_that_are_equal() -> None:
    scores = {0: Score(wins=1, draws=0, losses=3), 1: Score(wins=0, draws=4, losses=0), 2: Score()}
    assert best(scores) == (1,)
    assert best(scores | {3: Score(wins=3, draws=0, losses=3)}) == (1, 3)
    assert best({}) == ()


def test_a_run_is_named_by_its_condition_and_number() -> None:
    run = next(run for run in runs(LAPTOP) if run.condition.name == REDRAWN and run.number == 1)
    assert isinstance(run, Run)
    assert run.training.agent().startswith("es:betazero-evolution-seeds-redrawn-run-2-")
    assert run.training.agent().endswith("@10000")


@pytest.mark.parametrize("scale", ["quick", "laptop", "paper"])
def test_weights_are_kept_at_the_last_generation(scale: str) -> None:
    for run in runs(Settings(scale=scale)):
        schedule = run.training.config.schedule
        assert schedule.measure_iterations is not None
        assert run.training.iterations % schedule.measure_iterations == 0
