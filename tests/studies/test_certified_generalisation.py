"""The study `certified-generalisation`: a settings file, equal budgets, and choices on other classes."""

from collections import Counter
from collections.abc import Callable

import pytest

from noughts.agents import parse_agent
from noughts.document.result import CurveFigure
from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.questions.judged import BesideTruth
from noughts.questions.network_cost import Cost, NetworkCost
from noughts.questions.on_policy import OnPolicy
from noughts.questions.question import answer_here
from noughts.questions.walked import EveryReply
from noughts.rules import parse_rules
from noughts.studies.certified_generalisation import SETTINGS, CertifiedGeneralisation
from noughts.studies.checkpoints import TrainedUntil
from noughts.studies.games import CLASSES
from noughts.studies.study import SCALES, Settings
from tests.studies.fabricated import Fabricated, differing, judged, of_checkpoints, walked

QUICK = Settings()
SPEED = {"the paper's": 10.0}


def made(wins: Callable[[str, int, str], bool], proved: Callable[[str, int, str], bool]) -> Fabricated:
    """Answers to all questions: by network, iteration and square, whether games are won and the square is proved."""
    plan = CertifiedGeneralisation().at(QUICK)
    names = {plan.trainings[network, 0].name: network for network in plan.learners}

    def cost(unit: NetworkCost) -> Cost:
        return Cost(parameters=10, operations=1e6 if "paper" in unit.network or "75" in unit.network else 1e3)

    def walk(unit: EveryReply) -> WalkResult:
        run, _, iteration = str(unit.agent.target).partition("@")
        return walked(None if proved(names[run], int(iteration), unit.rules.brick_names()) else (1, 2, 3, 4))

    own = Tally(positions=8, choices=8, optimal=4, chance=2.0)
    return Fabricated(
        {
            NetworkCost: cost,
            EveryReply: walk,
            BesideTruth: lambda unit: judged(unit, choices=10),
            OnPolicy: lambda unit: own,
            **of_checkpoints(
                plan, lambda at, square: wins(at.learner, at.iteration, square), lambda network: SPEED.get(network, 1.0)
            ),
        }
    )


def test_checkpoints_are_chosen_and_tested_on_unseen_classes() -> None:
    chosen_and_tested = ["D4", *SETTINGS.validation, *SETTINGS.test]
    assert sorted(chosen_and_tested) == sorted(squares[0].brick_names() for squares in CLASSES)


def test_a_costly_network_has_fewer_trainings_than_the_others() -> None:
    plan = CertifiedGeneralisation().at(Settings(scale="laptop"))
    trainings = Counter(learner for learner, _ in plan.trainings)
    assert trainings == {**dict.fromkeys(plan.learners, 10), "the paper's": 3}
    assert [learner for learner, seed in [*plan.trainings][:6] if not seed] == list(plan.learners)


@pytest.mark.parametrize("scale", SCALES)
def test_trainings_differ_in_the_network_alone(scale: str) -> None:
    plan = CertifiedGeneralisation().at(Settings(scale=scale))
    first, *others = (plan.trainings[network, 0].config for network in plan.learners)
    for other in others:
        assert differing(other, first) <= {"network", "schedule"}


def test_equal_budgets_use_the_same_runs_and_select_on_other_classes() -> None:
    answers = made(
        wins=lambda network, iteration, square: square == "D4" or network == "line",
        proved=lambda network, iteration, square: network == "line" and (iteration == 4 or square == "D4"),
    )
    found = CertifiedGeneralisation().at(QUICK, answers)
    assert found.budget("positions") == 400  # the paper's network has one iteration
    assert found.budget("seconds") == 4  # the fully convolutional one has four
    assert found.within("line", "positions", 1600) == [TrainedUntil("line", 0, 4)]
    assert found.within("line", "positions", 400) == [TrainedUntil("line", 0, 1)]
    assert found.within("line", "seconds", 12) == [TrainedUntil("line", 0, 12)]
    assert found.within("the paper's", "seconds", 4) == []
    assert found.chosen("line") == [TrainedUntil("line", 0, 4)]  # C4, the validation class, is proved only there
    assert found.lasting("line") == (3, 5)
    assert found.lasting("graph") == (0, 0)
    assert found.mastered("graph") == [TrainedUntil("graph", 0, 1)]
    conclusion = CertifiedGeneralisation().conclude(QUICK, answers)
    tables = {table.title: {row.labels: row for row in table.rows} for table in conclusion.tables}
    rows = tables["After equal amounts of training"]
    assert rows["equal positions", "the paper's"].ours == "0 percent"
    assert rows["equal positions", "line"].ours == "100 percent"
    assert rows["equal seconds", "line"].ours == "100 percent"
    assert "proved: seen 1 of 1, unseen 2 of 2 classes" in rows["equal seconds", "line"].note
    assert rows["equal seconds", "the paper's"].ours == ""
    ends = "not equal: the end of each"
    assert "unseen 0 of 2 classes" in rows[ends, "line"].note
    assert "after 4,800 positions, 12 s on one core" in rows[ends, "line"].note
    assert (rows[ends, "graph"].ours, rows[ends, "graph"].distinct) == ("0 percent", 2)
    assert tables["Chosen on some classes, tested once on others"]["line",].ours == "1 of 1 classes"
    assert tables["How long certificates last"]["line",].ours == "3 of 5"
    assert tables["At equal seen score"]["graph",].ours == "0 percent"
    drawn = {figure.name for figure in conclusion.figures if isinstance(figure, CurveFigure)}
    assert drawn == {"unseen wins", "seen wins", "unseen proofs", "own positions", "random positions"}
    said = "the paper's 100 percent won seen, 0 percent unseen, a gap of +100 points"
    assert any(said in one for one in conclusion.findings)


def test_networks_that_fail_their_own_class_are_not_compared_on_others() -> None:
    answers = made(wins=lambda *_: False, proved=lambda *_: False)
    found = CertifiedGeneralisation().at(QUICK, answers)
    assert not any(found.mastered(network) for network in found.learners)
    conclusion = CertifiedGeneralisation().conclude(QUICK, answers)
    (equal,) = (table for table in conclusion.tables if table.title == "At equal seen score")
    assert {row.ours for row in equal.rows} == {""}
    assert [finding.partition(", so their")[0] for finding in conclusion.findings] == [
        "Did not learn their own class, after 400 positions",
        "Did not learn their own class, at the end of training",
    ]
    assert "line 0 percent won seen; graph" in conclusion.findings[0]


def test_on_policy_positions_come_from_the_agent_s_own_games() -> None:
    asked = OnPolicy(
        agent=parse_agent("minimax:depth=9,ties=first"),
        opponent=parse_agent("random"),
        rules=parse_rules("tic-tac-toe"),
        games=40,
        plies=(1, 3),
        most=100,
        nodes=100_000,
        seed=3,
    )
    found = answer_here(asked)
    assert found.positions == 8  # it always begins on the same square: one position after each reply
    assert found.optimal == found.choices > 0
    assert answer_here(asked.model_copy(update={"most": 5})).positions == 5
    assert answer_here(asked) == found


@pytest.mark.heavy
def test_the_cost_of_a_network_is_the_compilers_count() -> None:
    rules = parse_rules("tic-tac-toe")
    small, large = (answer_here(NetworkCost(network=f"mlp:widths={width}", rules=rules)) for width in (4, 8))
    assert small.parameters == (36 * 4 + 4) + (4 * 9 + 9) + (4 + 1)
    assert small.operations < large.operations < 3 * small.operations
    assert 2 * 36 * 4 < small.operations < 20 * 36 * 4
