"""The study of evolution: each condition changes what its name states, and conclusions follow from curves and proofs."""

from noughts.document.result import BoardFigure
from noughts.examine.walk_result import WalkResult
from noughts.play.playthrough import SIDES
from noughts.play.score import Score
from noughts.questions.played import Played
from noughts.questions.trained import Point, Trained, Training
from noughts.questions.walked import EveryReply
from noughts.studies.betazero_evolution import (
    BETTER,
    CONDITIONS,
    DIFFERENCES,
    NEGATIVES,
    OURS,
    PROGRAM,
    REDRAWN,
    SCALES,
    TEXT,
    BetazeroEvolution,
    RunOutcome,
    best,
    round_robin,
    runs,
)
from noughts.studies.study import Settings
from noughts.studies.trainings import unbeatable
from noughts.training.evolution.config import EvolutionConfig
from tests.studies.fabricated import Fabricated, differing, trained, walked

LAPTOP, PAPER = Settings(scale="laptop"), Settings(scale="paper")


def curve(*lost: float) -> Trained:
    """A run with these numbers of lost rounds at generations 50, 100, ..."""
    return trained(
        Point(iteration=50 * number, positions=1000 * number, seconds=1.0, values={"lost_rounds": value})
        for number, value in enumerate(lost, 1)
    )


def answers(settings: Settings, curves: dict[str, Trained], beaten: dict[str, tuple[int, ...]]) -> Fabricated:
    """Every run with the curve of its condition; those of the conditions in `beaten` lose that game as O."""
    kinds = {run.training.name: run.kind.name for run in runs(settings)}

    def walk(unit: EveryReply) -> WalkResult:
        return walked(beaten.get(kinds[unit.agent.target.partition("@")[0]]) if unit.side == "second" else None)

    return Fabricated({Training: lambda unit: curves.get(kinds[unit.name], curve(50.0, 50.0)), EveryReply: walk})


def outcome(*lost: float) -> RunOutcome:
    return RunOutcome(runs(LAPTOP)[0], curve(*lost), {})


def test_when_zero_losses_are_reached_and_kept() -> None:
    kept, never = outcome(3.0, 0.0, 0.0, 0.0), outcome(3.0, 1.0)
    assert (kept.reached, kept.kept) == (100, True)
    assert (never.reached, never.kept) == (None, False)
    assert not outcome(0.0, 5.0, 0.0).kept  # only two of three
    assert not outcome(*[0.0] * 20, 5.0).kept  # not at the end
    assert outcome(*[0.0] * 20, 5.0, 0.0).kept  # reverts to zero
    assert RunOutcome(runs(LAPTOP)[0], None, {}).reached is None


def test_both_sides_make_a_proof() -> None:
    given_up = walked().model_copy(update={"whole": False})
    assert unbeatable({"first": walked()}) is None
    assert unbeatable({"first": walked()}, "first") is True
    assert unbeatable({side: walked() for side in SIDES}) is True
    assert unbeatable({"first": walked(), "second": given_up}) is None
    assert unbeatable({"second": walked((0, 1))}) is False


def test_each_condition_only_changes_its_declared_fields() -> None:
    configs = {run.kind.name: run.training.config for run in runs(PAPER) if run.number == 0}
    assert configs.keys() == {condition.name for condition in CONDITIONS}
    for conditions, base in ((DIFFERENCES, TEXT), (BETTER, REDRAWN), (NEGATIVES, PROGRAM)):
        for condition in conditions:
            changed = differing(configs[condition.name], configs[base]) - {"schedule"}
            assert changed <= set(condition.changes)
            assert changed or condition.name == TEXT


def test_each_better_condition_changes_one_more_thing() -> None:
    before = {"seeds": "redrawn"}
    for condition in BETTER:
        assert len(set(condition.changes.items()) - set(before.items())) == 1
        assert before.items() <= condition.changes.items()
        before = condition.changes


def test_larger_populations_have_as_many_games() -> None:
    games = set()
    for run in runs(PAPER):
        assert isinstance(run.training.config, EvolutionConfig)
        if run.kind not in NEGATIVES:
            games.add(run.training.iterations * (run.training.config.population or 23))
    assert games == {23 * SCALES["paper"].main[1]}
    large = next(run for run in runs(PAPER) if run.kind.share < 1)
    soon = trained([Point(iteration=5, positions=1, seconds=1.0, values={"lost_rounds": 0.0})])
    assert RunOutcome(large, soon, {}).reached == 50


def test_runs_with_equal_numbers_have_equal_seeds() -> None:
    seeds = {(run.kind.name, run.number): run.training.settings.seed for run in runs(PAPER)}
    assert len(set(seeds.values())) == 20
    assert min(seeds.values()) >= 500  # settings were chosen on the lower ones
    assert seeds[TEXT, 2] == seeds["pure self-play", 2]


def test_every_pair_plays_from_both_sides() -> None:
    questions, matches = BetazeroEvolution().questions(Settings()), list(round_robin(Settings()))
    assert {(a.number, b.number) for a, b, _ in matches} == {(0, 1), (1, 0)}
    assert [question for question in questions if isinstance(question, Played)] == [played for *_, played in matches]


def test_the_page_has_the_expected_findings() -> None:
    curves = {PROGRAM: curve(9.0, 0.0, 0.0), REDRAWN: curve(0.0, 0.0), "previous best": curve(0.0, 30.0)}
    conclusion = BetazeroEvolution().conclude(PAPER, answers(PAPER, curves, {PROGRAM: (4, 0, 1, 2)}))
    differences, _, negatives, proofs, _ = conclusion.tables
    (selection,) = (table for table in conclusion.tables if "Selection" in table.title)
    assert selection.label_columns == ("Run",)
    rows = {row.labels[0]: row for table in (differences, negatives) for row in table.rows}
    assert (rows[TEXT].ours, rows[TEXT].verdict) == ("0 of 20 reach and keep 0", "differs")
    assert (rows[PROGRAM].ours, rows[PROGRAM].verdict) == ("20 of 20 reach and keep 0", "differs")
    assert any((row.comparison.p_value or 1) < 0.05 for row in differences.rows if row.comparison)
    assert "after 100 generations" in rows[PROGRAM].note
    assert "20 lose none at the end, the widest reading of keeping it" in rows[PROGRAM].note
    assert rows["previous best"].verdict == "refuted"
    assert rows["pure self-play"].verdict == "not distinguishable"  # 0 of 20 excludes only rates above 16 percent
    proved = {row.labels[0]: row for row in proofs.rows}
    assert (proved[PROGRAM].ours, proved[REDRAWN].ours) == ("0 of 20 unbeatable", "20 of 20 unbeatable")
    assert "of 20 that lose no round to minimax 20 can be beaten" in proved[PROGRAM].note
    findings = " ".join(conclusion.findings)
    assert "the text's settings (0 of 20)" in findings
    assert "the program 20 of 20, p = " in findings
    assert "seeds redrawn 20 of 20, p = " in findings
    assert "previous best: 0 of 20 reach and keep 0" in findings
    (board,) = [figure for figure in conclusion.figures if isinstance(figure, BoardFigure)]
    assert board.moves == (4, 0, 1, 2)
    assert PROGRAM in board.title


def test_a_scale_that_is_too_short_makes_no_claims() -> None:
    conclusion = BetazeroEvolution().conclude(Settings(), answers(Settings(), {}, {}))
    assert {row.verdict for table in conclusion.tables for row in table.rows} == {"no claim"}
    assert any("too short" in table.caption for table in conclusion.tables)


def test_a_scale_of_some_conditions_omits_the_others() -> None:
    conclusion = BetazeroEvolution().conclude(LAPTOP, answers(LAPTOP, {OURS: curve(0.0, 0.0)}, {TEXT: (4, 0, 1, 2)}))
    findings = " ".join(conclusion.findings)
    assert "are proved unbeatable" in findings
    assert OURS in findings
    assert REDRAWN + " (" not in findings
    assert not any("negative" in table.title for table in conclusion.tables)


def test_all_runs_that_share_the_best_average_are_selected() -> None:
    scores = {0: Score(wins=1, draws=0, losses=3), 1: Score(wins=0, draws=4, losses=0), 2: Score()}
    assert best(scores) == (1,)
    assert best(scores | {3: Score(wins=3, draws=0, losses=3)}) == (1, 3)
    assert best({}) == ()
