"""The agent with a learned model: it plays legal moves, imagines freely, and reports what it imagines."""

import pytest

from noughts.agents import analyse, build_agent, parse_agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.agents.model import ModelAgent
from noughts.positions import Position, Rng
from noughts.rules import AgentError, parse_rules
from tests.agents.runs import MODEL_GAME, make_model_run, make_run, weights

START = Position.start(parse_rules(MODEL_GAME))
pytestmark = pytest.mark.usefixtures("own_store")


def test_it_plays_legal_moves_and_its_text_has_the_iteration() -> None:
    make_model_run("one")
    assert str(parse_agent("mz:one,sims=6")) == "mz:one@3,sims=6"
    agent = build_agent("mz:one,sims=6")
    after = [START, START.play(0), START.play(0).play(3)]
    for position, moves in zip(after, possible_moves(agent, after), strict=True):
        assert len(moves) == 1
        assert position.is_legal(moves[0])
    thought = analyse(agent, START, Rng())
    assert sum(move.visits for move in thought.moves) == 6
    assert is_symmetric(build_agent("mz:one,sims=0,view=canonical"))
    with pytest.raises(AgentError, match="2x3"):
        possible_moves(agent, [Position.start(parse_rules("tic-tac-toe"))])


def test_its_searches_are_traced_node_by_node() -> None:
    make_model_run("one")
    agent = build_agent("mz:one,sims=6")
    assert isinstance(agent, ModelAgent)
    first, second = agent.imagined_searches([START, START.play(0)])
    for nodes in (first, second):
        paths = [node.moves for node in nodes]
        assert len(set(paths)) == len(paths) == 6
        assert all(path[:-1] in paths[:number] or len(path) == 1 for number, path in enumerate(paths))
        assert all(node.over is not None and node.first is not None and node.cells is not None for node in nodes)
        top = [node for node in nodes if len(node.moves) == 1]
        assert sum(node.visits for node in top) == 6
    assert not {node.moves[0] for node in second} & {0, 1}  # a mark and a brick: only the root is masked
    bare = build_agent("mz:one,sims=0")
    assert isinstance(bare, ModelAgent)
    assert bare.imagined_searches([START]) == [[]]


def test_an_imagined_line_may_be_illegal() -> None:
    make_model_run("one", decoder="none", ends="learned")
    agent = build_agent("mz:one,sims=2")
    assert isinstance(agent, ModelAgent)
    line = agent.imagined_line(START, (0, 0, 1))
    assert [one.moves for one in line] == [(), (0,), (0, 0), (0, 0, 1)]
    assert all(one.cells is None and one.first is None and one.over is not None for one in line)
    assert all(-1 <= one.value <= 1 for one in line)


def test_weights_of_another_kind_are_refused() -> None:
    make_run("plain", {3: weights(0)})
    with pytest.raises(AgentError, match="of method az: they play as az, not as mz"):
        build_agent("mz:plain")
    make_model_run("one")
    with pytest.raises(AgentError, match="of method mz: they play as mz, not as az"):
        build_agent("az:one")
