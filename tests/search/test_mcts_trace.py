"""Traces of the search: the n-th iteration is the search's own, and the numbers add up."""

import math
from itertools import pairwise

import pytest

from noughts.positions import Outcome, Position, Rng
from noughts.rules import format_rules, parse_rules
from noughts.search.mcts import Node, iterate_reference
from noughts.search.mcts_trace import trace_mcts
from noughts.search.rollout import reference_rng
from noughts.search.trace import Trace
from tests.search.cases import positions


def counted(root: Node) -> dict[tuple[int, ...], tuple[int, float]]:
    """Visits and total of every node, by the moves to it."""
    found: dict[tuple[int, ...], tuple[int, float]] = {(): (root.visits, float(root.total))}
    for child in root.children:
        found |= {(child.move, *moves): numbers for moves, numbers in counted(child).items()}
    return found


def told(trace: Trace) -> dict[tuple[int, ...], tuple[int, float]]:
    """The same for a trace."""
    assert trace.nodes[0].moves == ()
    return {node.moves: (node.visits, node.total) for node in trace.nodes}


@pytest.mark.parametrize("position", positions(2, seed=7), ids=lambda p: f"{format_rules(p.rules)}@{p.ply}")
@pytest.mark.parametrize("c", [1.0, math.sqrt(2), 0.0])
def test_every_iteration_equals_the_readable_search(position: Position, c: float) -> None:
    root, rng = Node(-1, visits=1), reference_rng(Rng(9))
    for number in range(1, 61):
        path, expanded, end = iterate_reference(position, root, c, rng)
        if number % 7 and number > 3:
            continue
        trace = trace_mcts(position, number, c, Rng(9))
        assert told(trace) == counted(root)
        moves = tuple(node.move for node in path[1:])
        assert (*trace.select, *([] if trace.expand is None else [trace.expand])) == moves
        assert (trace.expand is not None) == expanded
        assert trace.outcome is end.outcome
        assert position.moves + moves + trace.rollout == end.moves
        assert [(seen.visits, seen.total) for seen in trace.path] == [(node.visits, node.total) for node in path]


def test_selected_nodes_have_the_largest_bound_and_results_are_backed_up() -> None:
    position = Position.start(parse_rules("mnk(3,4,3)"), (0, 5))
    for iterations in (40, 200, 401):
        before = {node.moves: node for node in trace_mcts(position, iterations - 1, 1.0, Rng(4)).nodes}
        trace = trace_mcts(position, iterations, 1.0, Rng(4))
        for depth in range(len(trace.select)):
            chosen = before[trace.select[: depth + 1]]
            siblings = [node for node in before.values() if node.moves[:-1] == chosen.moves[:-1] and node.moves]
            assert chosen.score == max(node.score for node in siblings if node.score is not None)
        results = []
        for seen, gained in zip(trace.path, trace.gained, strict=True):
            was = before.get(seen.moves)
            assert seen.visits - (was.visits if was else 0) == 1
            assert seen.total - (was.total if was else 0) == gained
            results.append(gained)
        assert results[0] == trace.outcome.value(position.to_move.other)
        assert all(later == -earlier for earlier, later in pairwise(results))


def test_the_most_visited_nodes() -> None:
    position = Position.start(parse_rules("tic-tac-toe"))
    trace = trace_mcts(position, 500, 1.0, Rng(3))
    found = trace.most_visited(30)
    assert len(found) == 30
    assert [node.visits for node in found] == sorted((node.visits for node in found), reverse=True)
    everything = trace.most_visited(10_000)
    assert len(everything) == 500  # one node for each iteration, because no game ends so early
    assert len({node.moves for node in everything}) == 500
    for node in everything:
        Position.start(position.rules, node.moves)
        assert node.mean == node.total / node.visits


def test_before_the_first_iteration_there_is_only_the_root() -> None:
    trace = trace_mcts(Position.start(parse_rules("tic-tac-toe")), 0, 1.0, Rng(3))
    assert (trace.simulations, trace.select, trace.expand, trace.path, trace.move) == (0, (), None, (), None)
    assert trace.outcome is Outcome.ONGOING
    assert len(trace.nodes) == 1
