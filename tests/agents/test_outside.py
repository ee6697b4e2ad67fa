"""A third-party agent shares no object with anything else."""

import os
import subprocess
import sys
from typing import Any

import pytest

from noughts.agents import Agent, Decision, analyse, as_agent, build_agent, choose
from noughts.agents.asking import analyse_stepwise, answers, is_shared, is_symmetric, possible_moves
from noughts.agents.outside import Outsider
from noughts.positions import Position, Rng
from noughts.rules import AgentError, IllegalMoveError, Rules, parse_rules
from tests.agents.deciders import Spoils

RULES = parse_rules("tic-tac-toe")


def _positions() -> list[Position]:
    return [Position.start(RULES, moves) for moves in ((), (4,), (4, 0), (4, 0, 8))]


def _moves(agent: Agent, positions: list[Position], rngs: list[Rng]) -> list[int]:
    return [found.move for found in answers(agent, positions, rngs) if isinstance(found, Decision)]


def test_agents_from_outside_receive_copies() -> None:
    agent, random = Outsider(as_agent(Spoils())), build_agent("random")
    assert (is_shared(agent), is_symmetric(agent)) == (True, True)
    positions, rngs, alike = _positions(), [Rng(n) for n in range(4)], [Rng(n) for n in range(4)]
    for _ in range(3):
        assert _moves(agent, positions, rngs) == _moves(random, positions, alike)
        assert [rng.getstate() for rng in rngs] == [rng.getstate() for rng in alike]
    assert len(possible_moves(agent, positions, twice=True)[0]) == 9
    assert analyse(agent, positions[1], rngs[0]).move in positions[1].legal_moves
    (found,) = analyse_stepwise(agent, positions[2], rngs[0])
    assert found.move in positions[2].legal_moves
    assert [(p.moves, p.cells, p.closed, p.outcome, p.rules) for p in positions] == [
        (p.moves, p.cells, p.closed, p.outcome, p.rules) for p in _positions()
    ]
    assert (RULES.k, RULES.rows) == (3, 3)


def test_every_agent_from_outside_is_wrapped() -> None:
    for text in ("python:tests.agents.players:First", "python:tests.agents.together:Together"):
        assert isinstance(build_agent(text), Outsider)


class Refuses(Spoils):
    """Refuses every game, at length."""

    def refusal(self, rules: Rules) -> str:
        return "too\nlarge " * 99


def test_a_long_refusal_is_shortened() -> None:
    assert Outsider(Refuses()).refusal(RULES) == "too large " * 11 + "too la ..."


FORKS = """
import os
from noughts.agents import as_agent, analyse, choose
from noughts.agents.asking import analyse_stepwise
from noughts.agents.outside import Outsider
from noughts.machine.plugins import PluginKind
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules
from noughts.search.evaluators import OutsideEvaluator

class Forks:
    def choose(self, position, rng):
        say("asked")
        if os.fork() and position.moves:
            raise ValueError("as parent")
        return position.legal_moves[0]

    def refusal(self, rules):
        os.fork()

def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

start = Position.start(parse_rules("tic-tac-toe"))
agent = Outsider(as_agent(Forks()))
say("move", choose(agent, start, Rng(0)))
say("moves", len(agent.decide([start] * 3, [Rng(0)] * 3)))
try:
    choose(agent, start.play(4), Rng(0))
except Exception as error:
    say(type(error).__name__)
say("refusal", agent.refusal(start.rules))
values = OutsideEvaluator("x", lambda position: say("valued") or os.fork() * 0)
say("values", [values(start) for _ in range(3)])
with PluginKind("agent", "noughts.agents", AgentError).guarded("x"):
    os.fork()
say("end")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_a_child_process_that_the_agent_forks_cannot_continue_our_code() -> None:
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.splitlines() == [
        *("asked", "move 0", "asked", "asked", "asked", "moves 3", "asked", "ValueError", "refusal None"),
        *("valued", "valued", "valued", "values [0, 0, 0]", "end"),
    ]


class Answers:
    """Returns its argument."""

    def __init__(self, given: Any, spoil: Any = None) -> None:
        self.given, self.spoil = given, spoil

    def choose(self, position: Position, rng: Rng) -> Any:
        if self.spoil:
            self.spoil(rng)
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given


class Four(int):
    def __index__(self) -> int:
        return 10**9

    def __le__(self, other: object) -> bool:
        return False


def test_moves_become_plain_integers_and_huge_ones_are_rejected() -> None:
    move = choose(Outsider(as_agent(Answers(Four(4)))), Position.start(RULES), Rng())
    assert (move, type(move)) == (4, int)
    with pytest.raises((IllegalMoveError, ValueError)):
        choose(Outsider(as_agent(Answers(10**5000))), Position.start(RULES), Rng())


@pytest.mark.parametrize(
    ("agent", "error"),
    [
        (Answers(SystemExit(3)), "it raised SystemExit: 3"),
        (Answers(GeneratorExit()), "it raised GeneratorExit"),
        (Answers(0, lambda rng: setattr(rng, "_state", "x")), "it spoiled the generator"),
        (Answers(0, lambda rng: rng.__dict__.clear()), "it spoiled the generator"),
    ],
)
def test_misbehaviour_becomes_an_error_of_the_agent(agent: Any, error: str) -> None:
    rng = Rng(5)
    with pytest.raises(AgentError, match=error):
        choose(Outsider(as_agent(agent)), Position.start(RULES), rng)
    assert rng.getstate() == Rng(5).getstate()


class Endless:
    def decide(self, positions: Any, rngs: Any, want: Any = None) -> Any:
        while True:
            yield Decision(0)


def test_endless_answers_are_cut_off() -> None:
    agent: Agent = Outsider(as_agent(Endless()))
    with pytest.raises(AgentError, match="it returned 2 moves for 1 position"):
        choose(agent, Position.start(RULES), Rng())
