"""The study `held-out-proofs`: which squares count as won and as unseen, and the conclusions."""

import pytest

from noughts.examine.walk_result import WalkResult
from noughts.questions.walked import EveryReply
from noughts.rules import parse_task
from noughts.studies.held_out_proofs import CONDITIONS, RAW, RAW_CANONICAL, SCALES, SEARCHED, HeldOutProofs
from noughts.studies.study import Conclusion, Settings
from noughts.training.alphazero.config import AlphaZeroConfig
from tests.studies.fabricated import Fabricated, differing, row, walked

EVERY = {rules.brick_names() for rules in parse_task(SCALES["paper"].asked).rules}


def concluded(won: dict[str, set[str]], scale: str = "paper", checked: bool = True) -> Conclusion:
    """The conclusions if agents of a condition, in all its seeds, win on these squares and lose a game on all others."""
    names = {run.training.name: run.kind for run in HeldOutProofs().at(Settings(scale=scale)).runs}

    def walk(unit: EveryReply) -> WalkResult:
        condition = names[unit.agent.target.partition("@")[0]]
        made = walked(None if unit.rules.brick_names() in won[condition] else (0, 1))
        return made if checked else made.model_copy(update={"certificate": ""})

    return HeldOutProofs().conclude(Settings(scale=scale), Fabricated({EveryReply: walk}))


def test_seeds_count_if_they_win_on_every_square(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SCALES["paper"], "seeds", 3)
    won = dict.fromkeys(CONDITIONS, EVERY) | {"neither": {"D4", "A1"}, "averaging": EVERY - {"D4"}}
    found = concluded(won)
    for labels, everywhere, of_each, trained_on in (
        (("both", "70", SEARCHED), 3, 49, 3),
        (("neither", "105", RAW), 0, 2, 3),
        (("averaging", "35", RAW), 0, 48, 0),
    ):
        line = row(found, *labels, table="every square")
        by_seed = ", ".join([str(of_each)] * 3)
        assert line.ours == f"{everywhere} of 3"
        assert line.note == f"squares won by seed: {by_seed}; the square of the training: {trained_on} of 3"
    unseen = row(found, "averaging", "35", RAW, table="Unseen")
    assert (unseen.ours, unseen.count) == ("48 of 48", 3)
    beside = row(found, "averaging", "35", RAW, table="Beside")
    assert beside.value == pytest.approx(100 * 47 / 48)  # all 48 unseen squares, where plain training wins one
    assert "in all seeds" in beside.ours


def test_unchecked_squares_do_not_count_as_won() -> None:
    squares = {rules.brick_names() for rules in parse_task(SCALES["quick"].asked).rules}
    for checked, won in ((True, "1 of 1"), (False, "0 of 1")):
        found = concluded(dict.fromkeys(CONDITIONS, squares), "quick", checked)
        assert row(found, "both", "2", RAW, table="every square").ours == won


def test_images_of_the_training_square_do_not_count_as_unseen() -> None:
    assert SCALES["quick"].trained_on == "mnk(4,4,3,bricks=B2)"
    found = concluded({condition: {"B2", "B3", "C2", "C3"} for condition in CONDITIONS}, "quick")
    assert all(line.y == (0.0,) * 3 for figure in found.figures for line in figure.series)  # type: ignore[union-attr]
    assert row(found, "both", "2", RAW, table="every square").note.startswith("squares won by seed: 4;")


def test_conditions_only_differ_as_declared() -> None:
    for scale in SCALES:
        study = HeldOutProofs().at(Settings(scale=scale))
        for run in study.runs:
            config = run.training.config
            assert isinstance(config, AlphaZeroConfig)
            assert config.schedule.until is None
            plain = next(one.training.config for one in study.runs if (one.kind, one.number) == ("neither", run.number))
            assert differing(config, plain) <= set(CONDITIONS[run.kind])


@pytest.mark.parametrize(("scale", "expected"), [("laptop", {RAW_CANONICAL: 10}), ("paper", {SEARCHED: 10, RAW: 49})])
def test_each_square_is_walked_unless_symmetric_ones_are_equivalent(scale: str, expected: dict[str, int]) -> None:
    study = HeldOutProofs().at(Settings(scale=scale))
    assert {how: len(study.walked(run, how, at).needs()) for run, how, at in study.asked} == expected
