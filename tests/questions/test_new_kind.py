"""A new kind of question is one class: it is asked in workers, kept, found again, and asked anew when what it depends on
has changed."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from noughts.agents import AgentSpec, build_agent, choose, parse_agent
from noughts.machine import Recorder
from noughts.positions import Position, Rng
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.question import Question
from noughts.rules import Rules, Value, parse_rules
from noughts.store.results import Store

PLAYER = """
class Player:
    def choose(self, position, rng):
        return position.legal_moves[{place}]
"""


class Opening(Value):
    """A first move, and the process that found it."""

    move: int
    process: int


class FirstMove(Question[Opening]):
    """What an agent plays on the empty board."""

    rules: Rules
    agent: AgentSpec

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Opening:
        move = choose(build_agent(self.agent), Position.start(self.rules), Rng(0))
        return Opening(move=move, process=os.getpid())


@pytest.fixture
def player(tmp_path: Path) -> Path:
    """The file of an agent that takes the last free cell."""
    path = tmp_path / "player.py"
    path.write_text(PLAYER.format(place=-1))
    return path


def asked_of(player: Path, rules: str = "tic-tac-toe") -> FirstMove:
    return FirstMove(rules=parse_rules(rules), agent=parse_agent(f"python:{player}:Player"))


def ask(questions: Sequence[FirstMove], store: Store, workers: int = 1) -> tuple[list[Opening | None], int]:
    """The answers, and how many had to be found; each time in a run of its own, as another command would."""
    with store.begin("study", "demo", {}, 0) as run:
        answers = Answers(run)
        steps = list(carry_out(questions, answers, workers))
        found = [answers[question] for question in questions]
        assert not answers.problems
        run.finish("{}")
    return found, steps[-1].new


def test_it_is_asked_in_workers_kept_and_found_again(player: Path, tmp_path: Path) -> None:
    questions = [asked_of(player), asked_of(player, "notakto(4)")]
    with Store.open(str(tmp_path / "store")) as store:
        found, new = ask(questions, store)
        assert new == 2
        assert [answer and answer.move for answer in found] == [8, 15]
        assert all(answer is not None and answer.process != os.getpid() for answer in found)
        again, new = ask([asked_of(player, "notakto(4)"), asked_of(player)], store)
        assert (again, new) == (found[::-1], 0)


@pytest.mark.heavy
def test_an_answer_is_refused_when_the_agent_has_changed(player: Path, tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "store")) as store:
        ask([asked_of(player)], store)
        player.write_text(PLAYER.format(place=0))
        (changed,), new = ask([asked_of(player)], store)
        assert new == 1
        assert changed is not None
        assert changed.move == 0
        player.write_text(PLAYER.format(place=-1))
        (before,), new = ask([asked_of(player)], store)  # both are kept, each under what it depends on
        assert new == 0
        assert before is not None
        assert before.move == 8
