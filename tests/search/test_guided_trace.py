"""Traces of a search guided by a network: every simulation is the search's own, and the numbers add up."""

import pytest

from noughts.positions import Outcome, Position
from noughts.rules import IllegalMoveError, parse_rules
from noughts.search.guided_trace import trace_guided
from noughts.search.trace import Trace
from tests.search.test_guided import GAME, Node, searcher

SIMULATIONS = 48
POSITION = Position.start(GAME).play(0).play(8)


def visits_at_the_root(trace: Trace) -> dict[int, int]:
    return {node.moves[0]: node.visits for node in trace.tried}


@pytest.mark.parametrize("method", ["gumbel", pytest.param("puct", marks=pytest.mark.slow)])
def test_the_last_simulation_leaves_the_tree_of_the_search(method: str) -> None:
    search = searcher(method)
    trace = trace_guided(search, POSITION, SIMULATIONS)
    (found,) = search.search([POSITION])
    assert visits_at_the_root(trace) == {move.move: move.visits for move in found.moves}
    assert trace.move == found.move
    for node, move in zip(trace.tried, found.moves, strict=True):
        assert node.mean == pytest.approx(move.value if move.visits else 0, abs=1e-5)
        assert node.prior == pytest.approx(move.prior, abs=1e-6)


def test_each_simulation_equals_the_readable_puct() -> None:
    root = Node(POSITION)
    for number in range(1, 25):
        root.simulate(1.5, 50.0)
        assert visits_at_the_root(trace_guided(searcher("puct"), POSITION, number)) == root.visits


@pytest.mark.parametrize("method", ["gumbel", "puct"])
def test_a_trace_names_exactly_what_a_simulation_changed(method: str) -> None:
    search = searcher(method)
    before = {node.moves: node for node in trace_guided(search, POSITION, 0).nodes}
    for number in range(1, SIMULATIONS + 1):
        trace = trace_guided(search, POSITION, number)
        now = {node.moves: node for node in trace.nodes}
        walked = {node.moves for node in trace.path}
        moves = (*trace.select, *([] if trace.expand is None else [trace.expand]))
        assert walked == {moves[:depth] for depth in range(len(moves) + 1)}
        for seen, node in now.items():
            assert node.visits - (before[seen].visits if seen in before else 0) == (seen in walked)
        assert (moves not in before) == (trace.expand is not None)
        leaf = now[moves]
        assert leaf.worth is not None
        if trace.expand is not None:
            assert leaf.total == pytest.approx(leaf.worth, abs=1e-5)
        for depth, gained in enumerate(reversed(trace.gained)):
            assert gained == pytest.approx(leaf.worth * (-1) ** depth, abs=1e-3)
        if method == "puct" and len(trace.select) > 1:
            siblings = [node for node in before.values() if node.moves[:-1] == trace.select[:1] and node.moves[1:]]
            chosen = before.get(moves[:2])
            if chosen is not None and chosen.score is not None:
                assert chosen.score == max(node.score for node in siblings if node.score is not None)
        before = now


def test_a_finished_game_in_the_tree_is_revisited_and_not_expanded() -> None:
    won_next = Position.start(parse_rules("mnk(3,3,3)"), (0, 3, 1, 4))
    traces = [trace_guided(searcher("puct"), won_next, number) for number in range(1, SIMULATIONS + 1)]
    again = [trace for trace in traces if trace.select == (2,) and trace.expand is None]
    assert again
    assert all(trace.path[-1].worth == 1 and trace.outcome is Outcome.ONGOING for trace in again)


def test_before_the_first_simulation_there_is_only_the_prior() -> None:
    trace = trace_guided(searcher("gumbel"), POSITION, 0)
    assert (trace.select, trace.expand, trace.path, trace.move, len(trace.nodes)) == ((), None, (), None, 1)
    assert sum(node.prior or 0 for node in trace.tried) == pytest.approx(1, abs=1e-5)
    assert trace.nodes[0].worth == pytest.approx(-Node(POSITION).value, abs=1e-5)


def test_impossible_traces_are_rejected() -> None:
    with pytest.raises(ValueError, match="the search makes 0 to 48"):
        trace_guided(searcher("gumbel"), POSITION, 49)
    with pytest.raises(ValueError, match="plays alone"):
        trace_guided(searcher("gumbel", simulations=0), POSITION, 0)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        trace_guided(searcher("gumbel"), Position.start(parse_rules("mnk(3,3,3)"), (0, 3, 1, 4, 2)), 1)
