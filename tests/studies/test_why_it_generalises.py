"""The ablations: each changes one thing, all are measured on the same squares, and ranges decide what is said."""

import pytest

from noughts.document.result import CurveFigure
from noughts.questions.answers import Answers
from noughts.questions.trained import Point, Trained, Training
from noughts.rules import parse_task
from noughts.studies.study import Settings
from noughts.studies.why_it_generalises import BASE, VARIANTS, WhyItGeneralises, held_out, reached, training_of
from tests.studies.fabricated import Fabricated

LAPTOP, PAPER = Settings(scale="laptop"), Settings(scale="paper")


def trained(*scores: float, seen: tuple[float, ...] = ()) -> Trained:
    curve = tuple(
        Point(
            iteration=4 * number,
            positions=24_576 * number,
            seconds=10.0 * number,
            values={"held_out_first_score": score, "first_score": seen[number - 1] if seen else 1.0},
        )
        for number, score in enumerate(scores, 1)
    )
    return Trained(iterations=16, positions=98_304, seconds=60.0, cores=4, curve=curve)


def known(found: dict[Training, Trained]) -> Answers:
    by_key = {training.key: answer for training, answer in found.items()}
    return Fabricated(lambda unit: by_key.get(unit.key))


def test_held_out_squares_were_seen_by_nobody() -> None:
    squares = {rules.brick_names() for rules in parse_task(held_out()).rules}
    assert len(squares) == 40
    assert squares.isdisjoint({"D4", "D3", "D5", "C4", "E4", "C3", "C5", "E3", "E5"})


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != BASE])
def test_a_variant_differs_in_one_thing(name: str) -> None:
    base, variant = (training_of(LAPTOP, chosen, 1).config.model_dump() for chosen in (VARIANTS[name].beside, name))
    assert len([field for field in base if base[field] != variant[field]]) == 1


def test_seeds_differ_and_are_the_same_for_all_variants() -> None:
    seeds = {
        (name, number): training_of(LAPTOP, name, number).settings.seed for name in VARIANTS for number in range(3)
    }
    assert len(set(seeds.values())) == 3
    assert seeds[BASE, 2] == seeds["no reverse", 2]


@pytest.mark.slow
def test_the_convolution_has_as_many_parameters() -> None:
    import jax

    from noughts.networks.network import BoardShape, count_parameters
    from noughts.networks.spec import make_network, parse_network

    board = BoardShape.of(parse_task("bttt(D4)").rules)
    counts = {
        name: count_parameters(
            make_network(parse_network(VARIANTS[name].changes.get("network", BASE)), board, jax.random.key(0))
        )
        for name in (BASE, "convolution")
    }
    assert VARIANTS["convolution"].about.endswith(
        f"{counts['convolution']:,} to {counts[BASE]:,}, running statistics counted"
    )


def test_seeds_become_a_mean_and_a_range() -> None:
    points = reached([trained(0.2, 0.9), trained(0.4, 1.0), trained(0.6)])
    assert points[4].mean == pytest.approx(0.4)
    assert (points[4].low, points[4].high, points[4].seeds) == (0.2, 0.6, 3)
    assert (points[8].seeds, points[8].positions) == (2, 49_152)


def test_variants_are_compared_where_each_has_learned_its_own_squares() -> None:
    unseen = {
        BASE: ((0.95, 1.0), (0.97, 1.0), (1.0, 1.0)),
        "no reverse": ((0.96, 1.0), (0.97, 1.0), (1.0, 1.0)),
        "graph": ((0.3, 1.0), (0.35, 1.0), (0.4, 1.0)),
        "convolution": ((0.0, 0.0), (0.0, 0.0), (0.0, 0.5)),
        "brick as feature": ((0.5, 1.0), (1.0, 1.0), (0.9, 1.0)),
        "convolution, no random openings": ((0.1, 1.0), (0.1, 0.9), (0.1, 0.0)),
    }
    answers = known(
        {
            training_of(PAPER, name, number): trained(0.0, ends[number][0], seen=(0.5, ends[number][1]))
            for name, ends in unseen.items()
            for number in range(3)
        }
    )
    conclusion = WhyItGeneralises().conclude(PAPER, answers)
    equal = {row.labels[0]: row for row in conclusion.tables[0].rows}
    assert (equal[BASE].ours, equal[BASE].count) == ("97.3 percent", 3)
    assert "3 of 3 seeds get there, after 49,152 positions on average; seen less unseen 2.7 points" in equal[BASE].note
    assert (equal["convolution"].ours, equal["convolution"].note) == ("", "no seed got there")
    assert "1 of 3 seeds get there" in equal["convolution, no random openings"].note
    rows = {row.labels[0]: row for row in conclusion.tables[1].rows}
    assert rows["graph"].ours == "35.0 percent (30.0 to 40.0)"
    assert "never 95 percent held out" in rows["graph"].note
    assert rows["1 block"].ours == ""
    findings = {finding.partition(":")[0]: finding for finding in conclusion.findings}
    assert "and 100 percent (100 to 100 over 3 seeds) on those that it trains on" in findings[BASE]
    assert "at equal seen score as far as the line network, within 10 points" in findings["no reverse"]
    assert "at equal seen score less far than the line network (-62 points" in findings["graph"]
    assert "no seed wins 95 percent of the squares it trains on, so that nothing is said" in findings["convolution"]
    assert "not distinguishable from the line network" in findings["brick as feature"]
    assert "that takes two seeds of each" in findings["convolution, no random openings"]
    drawn = {figure.name: figure for figure in conclusion.figures if isinstance(figure, CurveFigure)}
    assert {name: [series.name for series in figure.series] for name, figure in drawn.items()} == {
        "network": [BASE, "brick as feature", "no reverse", "convolution", "graph"],
        "openings": [BASE, "convolution", "convolution, no random openings"],
    }


def test_one_seed_says_nothing_of_a_difference() -> None:
    answers = known(
        {training_of(Settings(), name, 0): trained(0.0, end) for name, end in ((BASE, 1.0), ("convolution", 0.0))}
    )
    conclusion = WhyItGeneralises().conclude(Settings(), answers)
    assert any("that takes two seeds of each" in finding for finding in conclusion.findings)
