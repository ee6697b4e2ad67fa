"""The study `why-it-generalises`: a variant changes one thing, all play on the same classes, and all are compared after
each has learned its own squares."""

from types import SimpleNamespace

import pytest

from noughts.document.result import CurveFigure
from noughts.studies.checkpoints import PlannedCheckpoints, TrainedUntil
from noughts.studies.study import Settings
from noughts.studies.why_it_generalises import BASE, SETTINGS, WhyItGeneralises
from tests.studies.fabricated import Fabricated, differing, of_checkpoints

PAPER = WhyItGeneralises().at(Settings(scale="paper"))
UNSEEN = [rules.brick_names() for rules in PAPER.unseen]


def made(plan: PlannedCheckpoints, carried: dict[str, tuple[tuple[float, int], ...]]) -> Fabricated:
    """Answers about some variants.

    Args:
        plan: The planned questions.
        carried: By variant, for each seed: the share of the training after which it wins on its own squares, and then the
            number of unseen classes on which it wins. Other variants and seeds have no answers.
    """

    def wins(at: TrainedUntil, square: str) -> bool:
        share, classes = carried[at.learner][at.seed]
        learned = at.iteration >= share * plan.last_iteration(at.learner)
        return learned and (square not in UNSEEN or UNSEEN.index(square) < classes)

    return Fabricated(of_checkpoints(plan, wins, known=lambda name, seed: seed < len(carried.get(name, ()))))


def test_a_planned_study_plans_anew_for_other_settings() -> None:
    quick = WhyItGeneralises().at(Settings())
    assert quick.trainings != quick.at(Settings(scale="paper")).trainings == PAPER.trainings


def test_no_training_at_any_scale_sees_unseen_classes() -> None:
    assert UNSEEN == ["A1", "A2", "A3", "A4", "B2", "B3", "B4"]
    quick = WhyItGeneralises().at(Settings())
    assert [rules.brick_names() for rules in quick.unseen] == ["A1", "A3", "B2"]
    assert [rules.brick_names() for rules in PAPER.seen("trained on C3 D3 D4")] == ["C3", "C4", "D4"]
    assert [rules.brick_names() for rules in quick.seen(BASE)] == ["D4"]


@pytest.mark.parametrize("name", [name for name in SETTINGS.variants if name != BASE])
def test_a_variant_differs_in_one_thing(name: str) -> None:
    base, variant = (PAPER.trainings[one, 1].config for one in (SETTINGS.variants[name].beside, name))
    assert len(differing(variant, base)) == 1


def test_seeds_differ_and_are_the_same_for_all_variants() -> None:
    seeds = {pair: training.settings.seed for pair, training in PAPER.trainings.items()}
    assert len(set(seeds.values())) == PAPER.size.seeds == 10
    assert seeds[BASE, 2] == seeds["no reverse", 2]


@pytest.mark.slow
def test_the_convolution_has_about_as_many_parameters() -> None:
    import jax

    from noughts.networks.network import BoardShape, count_parameters
    from noughts.networks.spec import make_network, parse_network

    board = BoardShape.of(PAPER.seen(BASE))
    counts = {
        name: count_parameters(make_network(parse_network(PAPER.learners[name]["network"]), board, jax.random.key(0)))
        for name in (BASE, "convolution")
    }
    assert SETTINGS.variants["convolution"].about.endswith(
        f"{counts['convolution']:,} to {counts[BASE]:,}, running statistics counted"
    )


@pytest.mark.heavy
def test_variants_are_compared_once_each_has_learned_its_own_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    small = SimpleNamespace(**vars(SETTINGS.scales["paper"]) | {"games": 20, "every": 50, "seeds": 4})
    monkeypatch.setitem(SETTINGS.scales, "paper", small)
    plan, never = WhyItGeneralises().at(Settings(scale="paper")), 2.0
    answers = made(
        plan,
        {
            BASE: ((0.5, 7), (0.5, 7), (1.0, 7)),
            "no reverse": ((0.5, 7), (0.5, 7), (0.5, 7)),
            "graph": ((0.5, 2), (0.5, 3), (0.5, 2)),
            "convolution": ((never, 0), (never, 0), (never, 0)),
            "brick as feature": ((0.5, 2), (0.5, 7), (0.5, 6)),
            "convolution, no random openings": ((0.5, 1), (never, 0), (never, 0)),
        },
    )
    conclusion = WhyItGeneralises().conclude(Settings(scale="paper"), answers)
    equal, ends = ({row.labels[0]: row for row in table.rows} for table in conclusion.tables)
    assert (equal[BASE].ours, equal[BASE].count) == ("100 percent", 3 * 7 * 20)
    assert "won seen 100 percent; after 26,667 positions, 67 s on one core" in equal[BASE].note
    assert (equal["convolution"].ours, equal["convolution"].note) == ("", "0 of 3 seeds reach this")
    assert "1 of 3 seeds reach this" in equal["convolution, no random openings"].note
    assert equal["graph"].ours == "33 percent"
    assert "won seen 0 percent; after 40,000 positions" in ends["convolution"].note
    assert "3 of 4 seeds so far" in ends["convolution"].note
    assert (ends["1 block"].ours, ends["1 block"].note) == ("", "")
    beside, wins = conclusion.findings
    assert "; line: 100 percent" in wins.replace("training: ", "training; ")
    # Each seed won every game on seven classes: seven trials, which cannot exclude a rate of two in three.
    assert "no reverse beside line +0 points (-35 to +35)" in beside
    assert "graph beside line -67 points" in beside
    assert "brick as feature beside line " in beside
    assert "convolution" not in beside, "no seed of the one wins what it trains on, and a single seed of the other"
    drawn = {figure.name: figure for figure in conclusion.figures if isinstance(figure, CurveFigure)}
    assert {name: [series.name for series in figure.series] for name, figure in drawn.items()} == {
        "network": [BASE, "brick as feature", "no reverse", "convolution", "graph"],
        "openings": [BASE, "convolution", "convolution, no random openings"],
    }


def test_one_seed_gives_no_difference() -> None:
    plan = WhyItGeneralises().at(Settings())
    answers = made(plan, {BASE: ((0.0, 7),), "convolution": ((0.5, 0),)})
    conclusion = WhyItGeneralises().conclude(Settings(), answers)
    assert all("beside" not in finding for finding in conclusion.findings)
