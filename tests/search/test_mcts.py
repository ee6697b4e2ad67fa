"""UCT: the kernel equals the readable search, and both follow the paper."""

import math
from itertools import pairwise

import pytest

from noughts.positions import Position, Rng
from noughts.rules import format_rules, parse_rules
from noughts.search.mcts import (
    Node,
    SlicedSearch,
    Tree,
    best_child,
    clearly_best_child,
    mcts,
    mcts_reference,
    mcts_stepwise,
)
from noughts.search.rollout import kernel_rng
from tests.positions.reached import at
from tests.search.cases import positions

SQRT_2 = math.sqrt(2)


@pytest.mark.parametrize("position", positions(2), ids=lambda p: f"{format_rules(p.rules)}@{p.ply}")
@pytest.mark.parametrize(("c", "pick"), [(1.0, "visits"), (SQRT_2, "value"), (0.0, "visits")])
def test_kernel_equals_reference_node_for_node(position: Position, c: float, pick: str) -> None:
    for simulations in (1, 2, 60, 300):
        fast = mcts(position, simulations, c, Rng(simulations), pick)  # type: ignore[arg-type]
        slow = mcts_reference(position, simulations, c, Rng(simulations), pick)  # type: ignore[arg-type]
        assert fast == slow


@pytest.mark.heavy
@pytest.mark.parametrize(("game", "simulations"), [("tic-tac-toe", 1000), ("notakto(19,boards=100)", 60)])
def test_a_slice_is_short_on_any_board(game: str, simulations: int) -> None:
    position = Position.start(parse_rules(game))
    done = [found.nodes for found in mcts_stepwise(position, simulations, 1.0, Rng(1))]
    assert done[-1] == simulations
    assert max(after - before for before, after in pairwise([0, *done])) * position.rules.size <= 2_000_000


def test_among_equally_visited_moves_the_oldest_is_played() -> None:
    position = Position.start(parse_rules("bttt(D4)"))
    for simulations in (2, 5, 20, 48):  # at most one visit each, so all are equal
        for search in (mcts, mcts_reference):
            first = search(position, 1, 1.0, Rng(6)).move
            found = search(position, simulations, 1.0, Rng(6))
            assert found.move == first
            assert found.principal_variation[0] == first
    # The line continues below the root: it is not cut where two moves are equal.
    tied = 0
    for seed in range(40):
        found = mcts(position, 60, 1.0, Rng(seed))
        most = max(move.visits for move in found.moves)
        if sum(move.visits == most for move in found.moves) > 1:
            tied += 1
            assert len(found.principal_variation) > 1
    assert tied


def test_visits_add_up_to_the_budget_and_the_most_visited_is_chosen() -> None:
    found = mcts(Position.start(parse_rules("bttt(E5)")), 2000, 1.0, Rng(1))
    visits = {move.move: move.visits for move in found.moves}
    assert sum(visits.values()) == 2000
    assert visits[found.move] == max(visits.values())
    assert found.principal_variation[0] == found.move


def test_an_immediate_win_is_taken_and_a_loss_is_blocked() -> None:
    to_win, to_parry = at("tic-tac-toe", "A1 B1 A2 B2"), at("tic-tac-toe", "A1 B2 C3 B1")
    assert to_win.rules.name_of(mcts(to_win, 500, 1.0, Rng(1)).move) == "A3"
    assert to_parry.rules.name_of(mcts(to_parry, 2000, 1.0, Rng(1)).move) == "B3"


def test_upper_bound_is_equation_4() -> None:
    parent = Node(-1, visits=31)
    often, seldom = Node(0, visits=20), Node(1, visits=10)
    often.total, seldom.total = 10, 1
    parent.children = [often, seldom]
    bounds = [10 / 20 + math.sqrt(math.log(30) / 20), 1 / 10 + math.sqrt(math.log(30) / 10)]
    assert bounds[0] > bounds[1]
    assert parent.best_child(1.0) is often
    assert parent.best_child(10.0) is seldom


def siblings(*results: tuple[int, int]) -> Tree:
    """A tree of a root and its children, oldest first, with these visits and totals."""
    tree = SlicedSearch(Position.start(parse_rules("tic-tac-toe")), len(results), 1.0, kernel_rng(Rng(1))).tree
    for node, (visits, total) in enumerate(results, start=1):
        tree.visits[node], tree.total[node] = visits, total
        tree.mean[node], tree.inverse_root[node] = total / visits, 1 / math.sqrt(visits)
        tree.sibling[node] = node - 1 if node > 1 else -1
    tree.child[0] = len(results)
    return tree


def test_the_quick_choice_of_a_child_is_exact_or_left_open() -> None:
    rng, left_open = Rng(1), 0
    for _ in range(2000):
        results = [(visits := 1 + rng.below(40), rng.below(2 * visits + 1) - visits) for _ in range(2 + rng.below(4))]
        tree, log_visits = siblings(*results), math.log(sum(visits for visits, _ in results) + 1)
        (seldom, won), (often, lost) = sorted(results[:2])
        # The constant with which the bounds of two children are equal, or nearly so.
        gain = math.sqrt(log_visits) * (1 / math.sqrt(seldom) - 1 / math.sqrt(often))
        tie = (lost / often - won / seldom) / gain if gain else 1.0
        for c in (tie, math.nextafter(tie, 9), tie + 1e-10, tie * 1.01, tie + 1e6, tie - 1e6, 1e15 * tie, math.inf):
            quick = clearly_best_child(tree, 0, log_visits, c)
            assert quick in (-1, best_child(tree, 0, log_visits, c)), (results, c)
            left_open += quick == -1
    assert left_open


@pytest.mark.parametrize(
    ("results", "c", "found"),
    [
        ([(4, 2), (1, 0)], 1.0, 2),
        ([(4, 2), (1, 0)], 0.0, 1),
        ([(4, 2), (1, 0)], 1.0 / math.sqrt(math.log(5)), -1),  # 2/4 + 1/2 = 0 + 1
        ([(4, 2), (1, 0)], (1.0 + 1e-10) / math.sqrt(math.log(5)), -1),
        ([(4, 2), (2, 1)], 0.0, -1),  # equal means, but not equal visits
        ([(4, 2), (1, 0), (4, 2)], 0.1, 3),  # equal in all: the newest
        ([(4, 2), (1, 0)], 1e6, -1),
        ([(4, 2), (1, 0)], -1e6, -1),
    ],
)
def test_a_close_choice_of_a_child_is_left_open(results: list[tuple[int, int]], c: float, found: int) -> None:
    assert clearly_best_child(siblings(*results), 0, math.log(5), c) == found
