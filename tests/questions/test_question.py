"""Questions as values: their keys, their way to a worker and back, and the declarations of each kind."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from noughts.agents import AgentSpec, parse_agent
from noughts.machine import Recorder
from noughts.questions.best_replies import BestReplies, BestReply
from noughts.questions.checked import Checked
from noughts.questions.imagined import ImaginedBesideTruth, ImaginedJudged, ImaginedLine
from noughts.questions.judged import BesideTruth, Judged
from noughts.questions.network_cost import NetworkCost
from noughts.questions.network_values import NetworkValues
from noughts.questions.on_policy import OnPolicy
from noughts.questions.played import Played, Playthrough
from noughts.questions.question import Question, read_questions, write_questions
from noughts.questions.solved import ExactValue, Solved
from noughts.questions.solved_positions import SolvedPiece
from noughts.questions.sweep_tests import MatchTest, ScoreTest
from noughts.questions.swept import Swept
from noughts.questions.timed import Timed
from noughts.questions.trained import Training
from noughts.questions.traits import AgentTraits
from noughts.questions.walked import Decided, EveryReply, Walked
from noughts.rules import Rules, Task, Value, parse_rules, parse_task
from tests.questions.units import Said, Story, Word, all_kinds

RULES, TASK = parse_rules("mnk(3,4,3,bricks=B2)"), parse_task("mnk(3,4,3,bricks=A1|A4|B2)")
MINIMAX, RANDOM = parse_agent("minimax:depth=3,ties=first"), parse_agent("random")

UNITS: tuple[Question[Any], ...] = (
    Playthrough(rules=RULES, first=RANDOM, second=MINIMAX, seed=2**63, opening=(4, 0), move_seconds=0.5),
    Decided(agent=MINIMAX, rules=RULES, played="AAAB", ply=2, positions=1, instance=3),
    EveryReply(rules=RULES, agent=MINIMAX, side="second", hunt=10, most=500, until_lost=False),
    BestReply(rules=RULES, agent=MINIMAX, side="second", most=500),
    BesideTruth(rules=RULES, named=(RANDOM, MINIMAX), all_up_to=5, per_ply=3, plies=(1, 4), seed=-3, piece=(0, 9)),
    ExactValue(rules=RULES, played=(0, 5), every_move=True, certified=(RULES,), certificates="a folder", seconds=1.5),
    Timed(agent=MINIMAX, rules=RULES, moves=3, seed=1),
    Checked(path="a file"),
    NetworkCost(network="line", rules=RULES),
    NetworkValues(agent=MINIMAX, rules=RULES, positions=((), (4, 0))),
    OnPolicy(agent=MINIMAX, opponent=RANDOM, rules=RULES, games=3, plies=(1, 4), most=9, nodes=50, seed=2),
    ImaginedLine(agent=MINIMAX, rules=RULES, moves=(0, 5), line=(2,)),
    ImaginedBesideTruth(rules=RULES, agent=MINIMAX, all_up_to=5, per_ply=3, plies=(1, 4), seed=-3, piece=(0, 9)),
    AgentTraits(agent=MINIMAX, games=(RULES,)),
    SolvedPiece(rules=RULES, played=((0, 5), ()), distances=True, nodes=50, memory=2),
    Word(diary="a file", word="line\nbreak \u2028 and “quotes”"),
    Story(diary="a file", beginning=("once",), end=("ever", "after")),
)
SWEPT = Swept.of(
    [{"widths": "2"}, {"widths": "3"}],
    tasks=["tic-tac-toe"],
    seeds=[0, 1],
    points=[10, 20],
    tests=[ScoreTest(name="truth"), MatchTest(name="random", opponent=RANDOM)],
    method="es",
)
GROUPS: tuple[Question[Any], ...] = (
    Played(task=TASK, a=RANDOM, b=MINIMAX, games=3, moves_first="turns", draws=("a", "b"), move_seconds=2.5),
    Walked(task=TASK, agent=MINIMAX, side="first", hunt=3, images_once=True),
    BestReplies(task=TASK, agent=MINIMAX, side="first", images_once=True),
    Judged(task=TASK, named=(RANDOM,), plies=(0, 3), chunk=7, nodes=None),
    ImaginedJudged(task=TASK, agent=MINIMAX, plies=(0, 3), chunk=7, nodes=None),
    Solved(task=TASK, distances=True, nodes=1000),
    SWEPT,
)
CHANGED: dict[str, Any] = {
    "side": {"first": "second", "second": "first"},
    "moves_first": {"turns": "b"},
    "plies": {(1, 4): (2, 3), (0, 3): (2, 3)},
    "piece": {(0, 9): (1, 2)},
    "alike": {(): (RULES,)},
    "played": {(): (0,)},
    "certificates": {None: "a folder"},
}
"""By field, another value for each that `another` cannot change."""


def another(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int() | float() | None:
            return (value or 0) + 1
        case str():
            return f"{value}, and more"
        case (*others, _):
            return tuple(others)
        case AgentSpec():
            return parse_agent("mcts:sims=7")
        case Rules():
            return parse_rules("tic-tac-toe")
        case Task():
            return parse_task("notakto(3)")
    raise ValueError(f"{value!r}: give another value")


def test_every_kind_has_a_sample_and_a_unique_name() -> None:
    ours = {one for one in all_kinds() if one.__module__.startswith("noughts.questions.") and "[" not in one.__name__}
    assert {Question, Training} == ours - {type(sample) for sample in (*UNITS, *GROUPS)}
    names = [kind.kind() for kind in ours]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("question", [*UNITS, *GROUPS], ids=lambda question: type(question).__name__)
def test_equal_content_makes_equal_questions(question: Question[Any]) -> None:
    again = type(question).from_json(question.to_json())
    assert again == question
    assert question.key == again.key  # cached, without any effect on:
    assert (again, hash(again)) == (question, hash(question))
    assert type(question).from_json(again.to_json()) == question
    assert "key" not in question.to_json()
    assert question.key.startswith(f"{type(question).__name__.lower()} ")


@pytest.mark.parametrize("question", [*UNITS, *GROUPS], ids=lambda question: type(question).__name__)
def test_every_field_but_effort_makes_another_question(question: Question[Any]) -> None:
    for name in type(question).model_fields:
        value = getattr(question, name)
        other = CHANGED.get(name, {}).get(value) or another(value)
        changed = question.model_copy(update={name: other})
        assert (changed.key == question.key) == (name in question.effort), name
        assert changed != question
        assert changed.exact_key != question.exact_key


def test_questions_survive_the_way_to_a_worker() -> None:
    for question in UNITS:
        many = [question, question.model_copy(update={})]
        back, problems = read_questions(write_questions(many))
        assert (back, problems) == (many, {})
        assert [(type(one), one.key) for one in back] == [(type(question), question.key)] * 2


def test_keys_never_change() -> None:
    """These keys find the saved answers in users' stores."""
    game = Playthrough(rules=parse_rules("tic-tac-toe"), first=RANDOM, second=RANDOM, seed=7)
    assert game.key == "playthrough e7ef105aa32a8dcf289acdf910234393"


def test_the_kind_of_an_answer_is_read_from_the_class() -> None:
    assert Word.answer_type() is Said
    assert [question.answer_type().__name__ for question in UNITS[:3]] == ["GameRecord", "Choices", "WalkResult"]

    class Mute(Question):  # type: ignore[type-arg] # this is what is tested
        def answer(self, needed: Sequence[Any], notes: Recorder) -> Said:
            return Said(word="")

    with pytest.raises(TypeError, match="Mute must name the type of its answer"):
        Mute.answer_type()


def test_an_agent_is_found_at_any_depth_of_a_field() -> None:
    class Pair(Value):
        both: tuple[tuple[str, AgentSpec], ...]

    class Deep(Word):
        pair: Pair
        named: dict[str, AgentSpec]

    pair = Pair(both=(("first", RANDOM), ("second", MINIMAX)))
    assert Deep(diary="", word="", pair=pair, named={"third": RANDOM}).agents() == (RANDOM, MINIMAX, RANDOM)


SCRIPT = """
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.question import Question
from noughts.rules import Value

class Double(Value):
    number: int

class Doubled(Question[Double]):
    number: int

    def answer(self, needed, notes):
        return Double(number=2 * self.number)

if __name__ == "__main__":
    asked, answers = [Doubled(number=number) for number in range(5)], Answers()
    for step in carry_out(asked, answers, 2):
        pass
    print([answers[question].number for question in asked], answers.problems)
"""


def test_a_script_may_define_its_own_questions(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert ran.stdout == "[0, 2, 4, 6, 8] {}\n", ran.stderr
