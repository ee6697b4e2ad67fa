"""The study `one-network`: the mixture, which networks play which game, and the conclusions."""

import pytest

from noughts.questions.judged import BesideTruth
from noughts.rules import embed, parse_rules
from noughts.studies.one_network import ALONE, ITSELF, MIXTURE, SCALES, OneNetwork, mixture
from noughts.studies.study import Conclusion, Settings
from tests.studies.fabricated import Fabricated, beside_truth, row


def concluded(right: dict[str, int], scale: str = "quick") -> Conclusion:
    """The conclusions if networks find this number of ten optimal moves with a search and one less without, by training task."""
    study = OneNetwork().at(Settings(scale=scale))
    kinds = {str(run.training.agent(sims)): (run.kind, sims) for run in study.runs for sims in (0, 32)}

    def optimal(text: str) -> int:
        kind, sims = kinds[text]
        return right[kind.partition(",")[0]] - (sims == 0)

    answers = Fabricated({BesideTruth: lambda unit: beside_truth(unit, optimal)})
    return OneNetwork().conclude(Settings(scale=scale), answers)


@pytest.mark.parametrize("scale", SCALES)
def test_the_mixture_contains_no_game_examined_as_unseen(scale: str) -> None:
    size, study = SCALES[scale], OneNetwork().at(Settings(scale=scale))
    task = mixture(size.side, size.k)
    assert {(rules.rows, rules.cols) for rules in task.rules} == {(size.side, size.side)}
    assert max(rules.k for rules in task.rules) == size.k
    for rules in study.unseen:
        assert rules.k > size.k or rules.rows > size.side
    assert study.one in task.rules


def test_the_mixture_has_smaller_boards_bricks_misere_and_shared_marks() -> None:
    task = mixture(4, 3)
    for text in ("tic-tac-toe", "mnk(3,3,3,line=loses)", "mnk(4,4,3)", "mnk(4,4,3,bricks=B2)", "notakto(3)"):
        assert embed(parse_rules(text), 4, 4) in task.rules
    assert len(task.rules) == 2 + 2 + 3 + 1  # two boards where lines win or lose, three classes of bricks, Notakto
    assert set(task.weights) == {1.0}


def test_each_game_only_excludes_networks_trained_on_other_games() -> None:
    study = OneNetwork().at(Settings(scale="laptop"))
    nines = parse_rules("mnk(9,9,4)")
    own = {kind: [run.kind for run in runs] for kind, runs in study.trained_on(nines).items()}
    assert own == {MIXTURE: [MIXTURE] * 2, ALONE: [ALONE] * 2, ITSELF: [f"{ITSELF}, mnk(9,9,4)"]}
    assert ITSELF not in study.trained_on(study.one)
    assert study.judged(parse_rules("notakto(5)")).nodes is None
    assert study.judged(nines).nodes == SCALES["laptop"].nodes


def test_the_mixture_is_compared_with_one_game_and_the_game_itself() -> None:
    found = concluded({MIXTURE: 7, ALONE: 5, ITSELF: 9}, "laptop")
    searched = row(found, "mnk(9,9,4)", MIXTURE, "32", table="Optimal")
    assert searched.ours == "70.0 percent"
    assert "a random player 40 percent" in searched.note
    assert "2 seeds" in searched.note
    assert row(found, "mnk(9,9,4)", ITSELF, "0", table="Optimal").ours == "80.0 percent"
    beside = {kind: row(found, "mnk(9,9,4)", kind, "32", table="beside") for kind in (ALONE, ITSELF)}
    assert {kind: one.value for kind, one in beside.items()} == pytest.approx({ALONE: 20.0, ITSELF: -20.0})
    for one in beside.values():
        assert one.low is not None
        assert one.value is not None
        assert one.high is not None
        assert one.low < one.value < one.high
    assert any("mnk(9,9,4), the game itself" in finding for finding in found.findings)
