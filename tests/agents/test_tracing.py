"""Agents whose search can be watched: those that say so, and what they show is what they play by."""

from pathlib import Path

import pytest

from noughts.agents import AGENTS, analyse, build_agent, choose
from noughts.agents.asking import trace as watch
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules
from tests.agents.model_runs import GAME, make_model_run

START = Position.start(parse_rules("bttt(D4)"))


def test_kinds_say_whether_they_can_be_watched() -> None:
    assert [kind.name for kind in AGENTS.values() if kind.traces] == ["mcts", "az", "mz"]
    with pytest.raises(AgentError, match="grows no tree"):
        watch(build_agent("mc:sims=1"), START, 1, Rng())


def test_the_whole_trace_is_the_search_behind_the_move() -> None:
    agent = build_agent("mcts:sims=40,c=0.5,pick=value")
    position = START.play(16).play(17)
    thought = analyse(agent, position, Rng(5))
    trace = watch(agent, position, 40, Rng(5))
    assert {node.moves[0]: node.visits for node in trace.tried} == {
        move.move: move.visits for move in thought.moves if move.visits
    }
    assert trace.move == thought.move == choose(agent, position, Rng(5))
    with pytest.raises(AgentError, match="cannot be watched so"):
        watch(agent, position, 41, Rng(5))


@pytest.mark.slow
def test_seen_from_one_side_it_is_told_as_of_the_position_itself() -> None:
    agent = build_agent("az:example,sims=4,view=canonical")
    for first in (0, 6, 42, 48):  # images of one another
        position = START.play(first)
        trace = watch(agent, position, 4, Rng())
        assert [node.moves[0] for node in trace.tried] == list(position.legal_moves)
        assert all(position.is_legal(node.moves[0]) for node in trace.nodes[1:])
        assert sum(node.visits for node in trace.tried) == 4


def test_what_a_model_imagines_is_watched_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    make_model_run("one")
    agent = build_agent("mz:one,sims=6")
    position = Position.start(parse_rules(GAME))
    trace = watch(agent, position, 6, Rng())
    assert {node.moves[0]: node.visits for node in trace.tried} == {
        move.move: move.visits for move in analyse(agent, position, Rng()).moves
    }
