"""Solvers' shortcuts save search: no case takes more nodes than when it was measured.

A lost or misplaced cut leaves every value right, so only the work shows it. Nodes depend on nothing but the code, so they
are compared exactly; a change that needs fewer may lower the number.
"""

import pytest

from noughts.solvers import Span
from noughts.solvers.deepening import solve_stepwise
from noughts.solvers.solve import Distances, Truth
from tests.positions.reached import at


@pytest.mark.parametrize(
    ("text", "moves", "distances", "value", "plies", "solver", "nodes"),
    [
        ("tic-tac-toe", "", "all", 0, None, "proof-number search", 87),
        ("mnk(4,4,3)", "", "all", 1, 5, "proof-number search", 467),
        ("mnk(4,4,4)", "B2", "none", 0, None, "proof-number search", 45),
        ("mnk(3,4,3,full=second)", "", "all", 1, 7, "proof-number search", 556),
        ("mnk(4,4,4,full=first,bricks=A1)", "B2 C3", "all", 1, 13, "proof-number search", 42),
        ("bttt(D4)", "C4 A1", "best", 1, 7, "proof-number search", 2_932),  # 38 of 46 moves stay open
        ("bttt(D4)", "C4 A1 E5", "best", -1, 10, "proof-number search", 42_456),
        ("bttt(D4)", "D3 E5 C3", "best", -1, 10, "proof-number search", 1_474),
        ("misere-tic-tac-toe", "", "all", 0, None, "alpha-beta", 269),
        ("mnk(4,4,3,line=loses)", "", "none", -1, None, "alpha-beta", 8_245),
        ("mnk(4,3,3,line=loses,full=second)", "", "all", -1, 11, "alpha-beta", 4_414),
        ("mnk(3,4,4,line=loses,bricks=B2)", "", "all", 0, None, "alpha-beta", 691),
        ("notakto(3)", "", "all", 1, 6, "retrograde", 9),
        ("mnk(5,4,3,marks=shared,line=wins)", "", "none", -1, None, "retrograde", 256),
        ("notakto(4)", "", "none", -1, None, "pairing", 0),
        ("notakto(4)", "B2", "all", 1, 12, "pairing", 1_292),
        ("notakto(3,boards=3)", "", "none", 1, None, "quotient", 0),
        ("notakto(3,boards=2)", "", "all", -1, 11, "quotient", 169),
        ("mnk(2,3,2,marks=shared,line=wins,boards=2)", "", "all", -1, 4, "quotient", 8),
    ],
)
def test_no_case_needs_more_nodes_than_measured_before(
    text: str, moves: str, distances: Distances, value: int, plies: int | None, solver: str, nodes: int
) -> None:
    found = Truth(text).solve(at(text, moves), distances=distances)
    assert (found.value, found.solver) == (value, solver)
    assert found.span == (None if plies is None else Span(plies, plies))
    assert found.nodes <= nodes


@pytest.mark.parametrize(
    ("text", "moves", "value", "plies", "solver", "nodes"),
    [
        ("bttt(D4)", "C4 A1 E5", -1, 10, "proof-number search", 53_536),
        ("mnk(4,4,3,line=loses)", "", -1, None, "alpha-beta", 9_225),
    ],
)
def test_a_small_table_drops_the_least_needed_entries(
    text: str, moves: str, value: int, plies: int | None, solver: str, nodes: int
) -> None:
    found = Truth(text, memory=1 << 17).solve(at(text, moves), distances="none" if plies is None else "best")
    assert (found.value, found.solver) == (value, solver)
    assert found.span == (None if plies is None else Span(plies, plies))
    assert found.nodes <= nodes


@pytest.mark.parametrize(
    ("text", "moves", "value", "plies", "steps", "nodes"),
    [
        ("tic-tac-toe", "", 0, None, 10, 87),
        ("mnk(4,4,3,full=second)", "B2", -1, 4, 16, 46),
        ("bttt(D4)", "D3 E5 C3 D5", 1, 3, 89, 439),
        ("misere-tic-tac-toe", "B2", 0, None, 8, 89),
        ("notakto(3,boards=2)", "1.A1", 1, 10, 35, 155),
        ("notakto(3)", "B2 A1", 1, 4, 15, 3),
    ],
)
def test_solving_step_by_step_needs_no_more_nodes(
    text: str, moves: str, value: int, plies: int | None, steps: int, nodes: int
) -> None:
    found = list(solve_stepwise(Truth(text), at(text, moves)))
    assert found[-1].value == value
    assert found[-1].span == (None if plies is None else Span(plies, plies))
    assert len(found) >= steps  # a step after every query with a result
    assert found[-1].nodes <= nodes
