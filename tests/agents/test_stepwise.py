"""Traced searches: step by step they end where the plain search ends, and each tree is the search's own."""

from itertools import count
from unittest.mock import Mock

import pytest

from noughts.agents import AGENTS, analyse, analyse_stepwise, build_agent, choose
from noughts.agents.asking import trace as watch
from noughts.positions import Position, Rng
from noughts.rules import AgentError, format_rules, parse_rules
from tests.agents.runs import MODEL_GAME, make_model_run
from tests.search.cases import positions

START = Position.start(parse_rules("bttt(D4)"))
pytestmark = pytest.mark.usefixtures("own_store")
SEARCHES = (
    *("mcts:sims=300", "mcts:sims=300,pick=value", "minimax:depth=3", "minimax:depth=3,ties=first", "mc:sims=20"),
    *("omniscient:sims=2,inside=minimax:depth=1", "perfect:nodes=20000", "random"),
)


@pytest.mark.parametrize("agent", SEARCHES)
@pytest.mark.parametrize("position", positions(1, seed=3)[::3], ids=lambda p: format_rules(p.rules))
def test_the_last_step_is_the_analysis(agent: str, position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mcts", "montecarlo"):
        monkeypatch.setattr(f"noughts.search.{name}.SLICE_PLIES", 700)
    steps = list(analyse_stepwise(build_agent(agent), position, Rng(5)))
    whole = analyse(build_agent(agent), position, Rng(5))
    if agent.startswith("perfect"):  # earlier proofs are not repeated
        assert (steps[-1].move, steps[-1].value, steps[-1].kind) == (whole.move, whole.value, whole.kind)
    else:
        assert steps[-1] == whole
    for step in steps:
        assert position.is_legal(step.move)
        assert tuple(found.move for found in step.moves) == position.legal_moves


@pytest.mark.parametrize(
    "agent", ["mcts:sims=1000000", "minimax:depth=12", "perfect:nodes=100000000", "mc:sims=1000000"]
)
def test_searches_stop_soon_after_their_time_limit(agent: str) -> None:
    asked = count(1)
    steps = list(analyse_stepwise(build_agent(agent), START, Rng(1), lambda: next(asked) > 3))
    assert 1 <= len(steps) <= 5
    assert next(asked) <= 60


def test_kinds_declare_whether_they_can_be_traced_and_imagine() -> None:
    assert [kind.name for kind in AGENTS.values() if kind.traces] == ["mcts", "az", "mz"]
    assert [kind.name for kind in AGENTS.values() if kind.imagines] == ["mz"]
    with pytest.raises(AgentError, match="grows no tree"):
        watch(build_agent("mc:sims=1"), START, 1, Rng())


@pytest.mark.parametrize(
    ("text", "position", "sims"),
    [
        ("mcts:sims=40,c=0.5,pick=value", START.play(16).play(17), 40),
        ("mz:one,sims=6", Position.start(parse_rules(MODEL_GAME)), 6),
    ],
)
def test_the_last_trace_is_the_search_behind_the_move(text: str, position: Position, sims: int) -> None:
    if text.startswith("mz:"):
        make_model_run("one")
    agent = build_agent(text)
    thought = analyse(agent, position, Rng(5))
    trace = watch(agent, position, sims, Rng(5))
    visits = {move.move: move.visits for move in thought.moves if move.visits}
    assert {node.moves[0]: node.visits for node in trace.tried} == visits
    assert trace.move == thought.move == choose(agent, position, Rng(5))
    said = rf"^the search of {text.partition(',')[0]} cannot be watched so: \w+={sims + 1}: "
    with pytest.raises(AgentError, match=said):
        watch(agent, position, sims + 1, Rng(5))


def test_a_bug_in_a_trace_is_no_error_of_the_person_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.agents.searchers.trace_mcts", Mock(side_effect=ValueError("a bug")))
    with pytest.raises(ValueError, match=r"^a bug$"):
        watch(build_agent("mcts:sims=4"), START, 1, Rng(5))


@pytest.mark.slow
def test_in_the_canonical_view_traces_use_the_positions_own_squares() -> None:
    agent = build_agent("az:example,sims=4,view=canonical")
    for first in (0, 6, 42, 48):  # images of one another
        position = START.play(first)
        trace = watch(agent, position, 4, Rng())
        assert [node.moves[0] for node in trace.tried] == list(position.legal_moves)
        assert all(position.is_legal(node.moves[0]) for node in trace.nodes[1:])
        assert sum(node.visits for node in trace.tried) == 4
