"""Watching the search: the n-th iteration is that of the search itself, and the numbers add up."""

import math

import pytest

from noughts.positions import Outcome, Position, Rng
from noughts.rules import IllegalMoveError, format_rules, parse_rules
from noughts.search.mcts import Node, iterate_reference, mcts
from noughts.search.mcts_trace import MAX_TRACED, most_visited, trace_mcts
from noughts.search.rollout import reference_rng
from tests.search.cases import positions


def same(one: Node, other: Node) -> bool:
    """Whether two trees are equal, node for node."""
    return (one.move, one.visits, one.total, len(one.children)) == (
        other.move,
        other.visits,
        other.total,
        len(other.children),
    ) and all(map(same, one.children, other.children))


@pytest.mark.parametrize("position", positions(2, seed=7), ids=lambda p: f"{format_rules(p.rules)}@{p.ply}")
@pytest.mark.parametrize("c", [1.0, math.sqrt(2), 0.0])
def test_every_iteration_is_that_of_the_readable_search(position: Position, c: float) -> None:
    root, rng = Node(-1, visits=1), reference_rng(Rng(9))
    for number in range(1, 61):
        done = iterate_reference(position, root, c, rng)
        if number % 7 and number > 3:
            continue
        trace = trace_mcts(position, number, c, Rng(9))
        assert same(trace.root, root)
        moves = tuple(node.move for node in done.path[1:])
        assert (*trace.select, *([] if trace.expand is None else [trace.expand])) == moves
        assert (trace.expand is not None) == done.expanded
        assert trace.outcome is done.end.outcome
        assert position.moves + moves + trace.simulate == done.end.moves
        assert [(seen.visits, seen.total) for seen in trace.path] == [(node.visits, node.total) for node in done.path]


def test_the_tree_is_that_of_the_kernel() -> None:
    position = Position.start(parse_rules("bttt(D4)"))
    trace = trace_mcts(position, 5000, 1.0, Rng(2))
    found = mcts(position, 5000, 1.0, Rng(2))
    visits = {child.move: child.visits for child in trace.root.children}
    assert visits == {move.move: move.visits for move in found.moves if move.visits}


def test_what_was_selected_had_the_largest_bound_and_the_result_went_up_the_path() -> None:
    position = Position.start(parse_rules("mnk(3,4,3)"), (0, 5))
    for iterations in (40, 200, 401):
        before = trace_mcts(position, iterations - 1, 1.0, Rng(4)).root
        trace = trace_mcts(position, iterations, 1.0, Rng(4))
        node = before
        for move, seen in zip(trace.select, trace.path[1:], strict=False):
            chosen = next(child for child in node.children if child.move == move)
            assert node.bound(chosen, 1.0) == max(node.bound(child, 1.0) for child in node.children)
            assert seen.visits == chosen.visits + 1
            assert abs(seen.total - chosen.total) <= 1
            node = chosen
        moved = position.to_move if len(trace.path) % 2 == 0 else position.to_move.other
        change = trace.path[-1].total - (node.total if trace.expand is None else 0)
        assert change == trace.outcome.value(moved)


def test_the_most_visited_nodes() -> None:
    position = Position.start(parse_rules("tic-tac-toe"))
    trace = trace_mcts(position, 500, 1.0, Rng(3))
    found = most_visited(trace.root, 1.0, 30)
    assert len(found) == 30
    assert [node.visits for node in found] == sorted((node.visits for node in found), reverse=True)
    everything = most_visited(trace.root, 1.0, 10_000)
    assert len(everything) == 500  # one node for each iteration: no game is over so soon
    assert len({node.moves for node in everything}) == 500
    for node in everything:
        Position.start(position.rules, node.moves)
        assert node.mean == node.total / node.visits


def test_before_the_first_iteration_there_is_only_the_root() -> None:
    trace = trace_mcts(Position.start(parse_rules("tic-tac-toe")), 0, 1.0, Rng(3))
    assert (trace.iterations, trace.select, trace.expand, trace.path) == (0, (), None, ())
    assert trace.outcome is Outcome.ONGOING
    assert trace.root.children == []


def test_what_cannot_be_watched() -> None:
    over = Position.start(parse_rules("tic-tac-toe"), (0, 3, 1, 4, 2))
    with pytest.raises(IllegalMoveError, match="the game is over"):
        trace_mcts(over, 1, 1.0, Rng(0))
    with pytest.raises(ValueError, match=f"0 to {MAX_TRACED} can be traced"):
        trace_mcts(Position.start(over.rules), -1, 1.0, Rng(0))
