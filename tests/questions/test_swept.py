"""A sweep consists of trainings, and games and positions of the trained agents, each carried out once."""

import json
from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.judged import Judged
from noughts.questions.played import GameScore, MatchResult, Played
from noughts.questions.question import Question, kept_questions
from noughts.questions.sweep_tests import MatchTest, Reading, ScoreTest
from noughts.questions.swept import Measurement, Swept, SweptResult
from noughts.questions.trained import Training
from noughts.rules import NoughtsError, parse_rules, parse_task
from noughts.statistics import Interval, mean_share, wilson
from noughts.store.results import Store

TESTS = (ScoreTest(name="truth"), MatchTest(name="random", opponent=parse_agent("random"), games=4))


pytestmark = pytest.mark.usefixtures("own_store")


def sweep(**changed: Any) -> Swept:
    fields: dict[str, Any] = {
        "tasks": ["mnk(2,3,2)"],
        "seeds": [0, 1],
        "points": [100, 400],
        "tests": TESTS,
        "method": "es",
        "config": {"rounds": 2, "population": 4},
    }
    return Swept.of([{"widths": "2"}, {"widths": "3", "sigma": 0.5}], **(fields | changed))


def test_it_trains_agents_and_gives_each_the_same_tests() -> None:
    asked = sweep()
    units = kept_questions([asked])
    trainings = [unit for unit in units if isinstance(unit, Training)]
    assert [training.label for training in trainings] == [
        "widths=2 on mnk(2,3,2), seed 0",
        "widths=2 on mnk(2,3,2), seed 1",
        "widths=3, sigma=0.5 on mnk(2,3,2), seed 0",
        "widths=3, sigma=0.5 on mnk(2,3,2), seed 1",
    ]
    assert {training.settings.schedule.positions for training in trainings} == {400}
    task = parse_task("mnk(2,3,2)")
    of_first = [trainings[0].agent(positions=point) for point in (100, 400)]
    assert str(of_first[0]) == f"es:{trainings[0].name}@100p"
    judged: list[Question[Any]] = [unit for agent in of_first for unit in Judged(task=task, named=(agent,)).needs()]
    played: list[Question[Any]] = [
        unit
        for agent in of_first
        for unit in Played(
            task=task, a=agent, b=parse_agent("random"), games=4, moves_first="turns", draws=("sweep",)
        ).needs()
    ]
    keys = {unit.key for unit in units}
    assert {unit.key for unit in (*judged, *played)} <= keys
    assert len(keys) == len(units) == 4 + 4 * 2 * (1 + 4)
    assert Swept.from_json(asked.to_json()) == asked


def test_tests_are_given_as_in_a_file_and_keep_their_keys() -> None:
    given = (ScoreTest(rules="tic-tac-toe", agent={"sims": 0, "fast": True}), MatchTest(opponent="minimax:depth=2"))
    task, options = parse_task("tic-tac-toe"), (("sims", "0"), ("fast", "true"))
    assert given == (
        ScoreTest(name="score", task=task, options=options),
        MatchTest(name="against minimax:depth=2", opponent=parse_agent("minimax:depth=2")),
    )
    written = '"options":[["sims","0"],["fast","true"]],"all_up_to":20000'
    assert given[0].to_json().startswith('{"kind":"score","name":"score","task":{')
    assert written in given[0].to_json()
    assert [type(one).from_json(one.to_json()) for one in given] == list(given)


def measured(condition: int, seed: int, value: float) -> Measurement:
    """An exact measurement."""
    return Measurement(condition, seed, "run", "truth", 100, 1, 100, 1.0, value, value, value, 50, "told", True)


def test_equal_exact_values_have_no_interval() -> None:
    (same,) = SweptResult(measured=tuple(measured(0, seed, 41.4) for seed in range(3))).summaries()
    assert same.mean == pytest.approx(41.4)
    assert (same.low, same.high) == (None, None)


def test_a_match_of_repeated_games_is_no_more_evidence() -> None:
    rules = parse_rules("tic-tac-toe")
    test, agent = MatchTest(opponent="random"), parse_agent("random")
    score = Score(wins=40, losses=40)

    def reading(*games: GameScore) -> Reading:
        total = sum((game.score for game in games), Score())
        found = test.read(MatchResult(a="a", b="b", a_first=total, by_game=games), agent)
        assert found is not None
        return found

    other = reading(GameScore(rules, score, 2))
    assert (other.value, other.tested) == (50.0, 80)
    assert (other.low, other.high) == pytest.approx([100 * end for end in wilson(1, 2)[1:]])
    assert reading(GameScore(rules, score, 80))[1:3] == pytest.approx([100 * end for end in wilson(40, 80)[1:]])
    assert test.read(MatchResult(a="a", b="b"), agent) is None


@pytest.mark.parametrize(
    ("kind", "fields", "says"),
    [
        (ScoreTest, {"sim": 0}, "unknown field 'sim'; choose from: agent, all_up_to, kind, memory, name, "),
        (ScoreTest, {"agent": 5}, "agent=5 is not allowed: options of the trained agent, such as "),
        (ScoreTest, {"rules": "chess"}, "rules: unknown rules preset 'chess'"),
        (MatchTest, {}, "opponent is missing: give an agent, such as minimax:depth=2"),
        (MatchTest, {"opponent": "nobody"}, "opponent: unknown agent 'nobody'"),
    ],
)
def test_an_impossible_test_is_rejected_with_its_class_and_field(kind: Any, fields: dict[str, Any], says: str) -> None:
    with pytest.raises(NoughtsError, match=f"^impossible {kind.__name__}: {says}"):
        kind(**fields)


def test_a_configuration_takes_the_keys_of_settings() -> None:
    def asked(config: dict[str, Any]) -> Swept:
        return Swept.of([{}], tasks=["mnk(2,3,2)"], seeds=[0], points=[100], tests=TESTS, config=config)

    inside = {"simulations": 4, "considered": 2}
    given = {"search": {"considered": 2}, "search.simulations": 4}
    apart = {f"search.{name}": value for name, value in inside.items()}
    assert asked(given) == asked({"search": inside}) == asked(apart)
    assert given == {"search": {"considered": 2}, "search.simulations": 4}
    with pytest.raises(NoughtsError, match=r"^search.simulations is given twice, by itself and as a part of another"):
        asked({"search": inside, "search.simulations": 5})


def test_results_are_saved_and_more_seeds_only_add_their_own() -> None:
    asked = sweep(seeds=[0])
    with Store.open() as store:
        with store.begin("sweep", "one", {}, 0) as run:
            answers = Answers(run)
            assert answers[asked].measured == ()
            list(carry_out([asked], answers, 0))
            found = answers[asked]
        assert answers.problems == {}
        assert len(found.measured) == 8
        first = found.measured[0]
        assert (first.test, first.condition, first.seed, first.point) == ("truth", 0, 0, 100)
        assert first.positions is not None
        assert first.positions >= 100
        assert first.counts == f"{round(first.value * first.tested / 100)} of {first.tested} optimal"
        match = next(one for one in found.measured if one.test == "random")
        assert match.tested == 4
        assert match.low < match.value < match.high
        assert (0 < match.distinct <= 4, first.distinct) == (True, 0)
        more = sweep(seeds=[0, 1])
        with store.begin("sweep", "two", {}, 0) as run:
            again = Answers(run)
            steps = list(carry_out([more], again, 0))
            assert next(step.done for step in steps if step.new == 0 and step.total == 4) == 2
            trained_first = next(step for step in steps if step.stage == 2)
            assert trained_first.done == trained_first.total // 2
        answer = again[more]
    summaries = answer.summaries()
    assert len(summaries) == 8
    one = summaries[0]
    same = [two for two in answer.measured if (two.condition, two.test, two.point) == (0, one.test, one.point)]
    expected = mean_share([Interval(two.value / 100, two.low / 100, two.high / 100) for two in same])
    assert (one.mean, one.low, one.high) == pytest.approx([100 * part for part in expected])
    assert [summary.values[0] for summary in summaries] == [summary.mean for summary in found.summaries()]
    assert found.summaries()[0].low is None


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"points": [400, 100]}, "numbers of positions in ascending order"),
        ({"points": [400, 400]}, "numbers of positions in ascending order"),
        ({"tests": ()}, "a sweep needs conditions, points and tests"),
        ({"tests": (TESTS[0], TESTS[0])}, "the tests are called truth, truth: give each its own name"),
        ({"config": {"seed": 3}}, "seed is not a setting of a sweep: seeds sets it for all conditions"),
        ({"config": {"schedule": {}}}, "schedule is not a setting of a sweep: positions sets it for all conditions"),
        ({"config": {"roundss": 3}}, r"widths=2 on mnk\(2,3,2\): .*unknown field 'roundss'"),
        ({"tasks": ["nothing"]}, "nothing"),
        ({"method": "td"}, "unknown method 'td'"),
    ],
)
def test_impossible_sweeps_are_rejected_in_one_line(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(NoughtsError, match=said):
        sweep(**changed)


def test_a_requested_sample_also_samples_small_games() -> None:
    agent, task = parse_agent("random"), parse_task("tic-tac-toe")
    every, sample, both = ScoreTest(), ScoreTest(per_ply=3), ScoreTest(per_ply=3, all_up_to=100)
    assert [test.question(agent, task).all_up_to for test in (every, sample, both)] == [20_000, 0, 100]
    assert ScoreTest(**json.loads(sample.to_json())) == sample
