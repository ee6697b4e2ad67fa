"""The study `until-proved`: which proofs count as lasting, and the conclusions from fully known trainings."""

from unittest.mock import Mock, call

import pytest

from noughts.examine.walk_result import WalkResult
from noughts.questions.question import answer_here
from noughts.questions.trained import Point, Trained, Training
from noughts.questions.walked import EveryReply
from noughts.studies.games import TIC_TAC_TOE
from noughts.studies.study import Conclusion, Settings
from noughts.studies.until_proved import (
    CONDITIONS,
    SCALES,
    LostAgain,
    LostGames,
    UntilProvedStudy,
    first_proved_check,
    lasting_proof,
    lost_again,
)
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.proving import ProofAttempt
from noughts.training.trainer import LostGame
from tests.studies.fabricated import Fabricated, differing, trained, walked


def checked(checks: str, **more: float) -> Trained:
    """A training with a check after every 100 positions: + if no reply beats it, - if one does."""
    return trained(
        Point(iteration=n, positions=100 * n, seconds=2.0 * n, values={"proved": float(check == "+"), **more})
        for n, check in enumerate(checks, start=1)
    )


@pytest.mark.parametrize(
    ("checks", "first", "lasting", "lost"),
    [
        ("----", None, None, []),
        ("-+++", 200, 200, []),
        ("+--+++", 100, 400, [2]),  # one proof alone has not lasted through 50 positions without a check
        ("--+-++++-+", 300, 500, [4, 9]),
        ("-----++", 600, None, []),  # the training ends too early to know
    ],
)
def test_a_proof_lasts_if_it_holds_through_half_as_much_more_training(
    checks: str, first: int | None, lasting: int | None, lost: list[int]
) -> None:
    found = checked(checks)
    assert getattr(first_proved_check(found), "positions", None) == first
    assert getattr(lasting_proof(found), "positions", None) == lasting
    assert [point.iteration for point in lost_again(found)] == lost


def concluded(checks: dict[str, str]) -> Conclusion:
    """The conclusions if all trainings of a condition have these checks."""
    names = {run.training.name: run.kind[1] for run in UntilProvedStudy().at(Settings()).runs}

    def training(unit: Training) -> Trained:
        condition = names[unit.name]
        return checked(checks[condition], **{"supplied": 8.0} if "refutations" in condition else {})

    def games(unit: LostAgain) -> LostGames:
        return LostGames(games=((9, (0, 1, 4, 2, 8)),) if "-" in checks[names[unit.training.name]] else ())

    return UntilProvedStudy().conclude(Settings(), Fabricated({Training: training, LostAgain: games}))


def test_conditions_are_compared() -> None:
    checks = dict.fromkeys(CONDITIONS, "-" * 10) | {"plain": "--+-++++++", "refutations": "-+++++++++"}
    proved, lost, beside = concluded(checks).tables
    rows = {row.labels: row for row in proved.rows}
    plain, refuted = (rows["tic-tac-toe, both sides", condition] for condition in ("plain", "refutations"))
    assert (plain.value, plain.count) == (100.0, 2)
    assert "first after 300 positions (300 to 300)" in plain.note
    assert "lasting from 500 positions" in plain.note
    assert "supplied 8 positions" in refuted.note
    assert rows["tic-tac-toe, both sides", "random moves"].value == 0.0
    again = {row.labels: row for row in lost.rows}["tic-tac-toe, both sides", "plain"]
    assert again.ours == "2 of 12"  # of two seeds; no check follows the last one's proof
    assert "by A1 A2 B2 A3 C3" in again.note
    differences = {row.labels: row for row in beside.rows}
    equal = differences["tic-tac-toe, both sides", "refutations"]
    assert equal.value == pytest.approx(20.0)
    assert (equal.ours, equal.low, equal.high) == ("+20.0 points, in all seeds", None, None)  # all seeds are equal
    assert ("notakto(3), first", "refutations") not in differences  # one seed


def test_conditions_only_differ_as_declared_and_checks_end_no_training() -> None:
    for scale in SCALES:
        study = UntilProvedStudy().at(Settings(scale=scale))
        for run in study.runs:
            config = run.training.config
            assert isinstance(config, AlphaZeroConfig)
            proof, iterations = config.schedule.proof, config.schedule.iterations
            assert proof is not None
            assert iterations is not None
            assert proof.stable > iterations / run.kind[0].every
            plain = next(one for one in study.runs if one[:2] == ((run.kind[0], "plain"), run.number))
            assert differing(config, plain.training.config) <= set(study.conditions[run.kind[1]])


def test_last_weights_count_as_proved_on_the_sides_that_must_not_lose() -> None:
    def walk(unit: EveryReply) -> WalkResult:
        return walked(tuple(range(9)) if unit.side == "second" and "canonical" not in str(unit.agent) else None)

    table = UntilProvedStudy().conclude(Settings(scale="ablation"), Fabricated({EveryReply: walk})).tables[-1]
    rates = {row.labels[:3:2]: (row.value, row.count) for row in table.rows}
    assert rates["tic-tac-toe, both sides", "plain"] == (0.0, 5)
    assert rates["tic-tac-toe, both sides", "canonical"] == rates["notakto(3), first", "plain"] == (100.0, 5)


def test_lost_games_are_found_by_checking_the_weights_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run = UntilProvedStudy().at(Settings()).runs[0]
    prover = Mock()
    prover.return_value.check.return_value = ProofAttempt({}, (LostGame(TIC_TAC_TOE, (0, 4, 1, 2, 3)),))
    monkeypatch.setattr("noughts.training.proving.RunProver", prover)
    monkeypatch.setattr("noughts.store.run_folder.RunFolder.open", lambda path: path)
    known = {run.training.key: checked("+-+--+")}
    assert answer_here(LostAgain(training=run.training), known=known).games == (
        (2, (0, 4, 1, 2, 3)),
        (4, (0, 4, 1, 2, 3)),
    )
    _, until = prover.call_args.args
    assert str(until) == "proved:sims=32,as=both,stable=1000"
    assert prover.return_value.check.mock_calls == [call(2), call(4)]
