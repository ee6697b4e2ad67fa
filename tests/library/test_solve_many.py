"""Many positions at once: results are true, equal for any number of workers, and open if undecided."""

from typing import Any

import pytest

import noughts
from noughts.questions.solved_positions import PIECE, REFUSED, pieces_of
from noughts.solvers import MoveSolution, Span
from tests.solvers.brute_force import Known


def test_every_moves_value_equals_brute_force() -> None:
    rules = noughts.parse_rules("misere-tic-tac-toe")
    known = Known(rules)
    positions = noughts.sample(rules, 60, seed=2)
    for position, found in zip(positions, noughts.solve_many(positions, 0, distances=True), strict=True):
        value, distance = known[position]
        assert (found.value, found.span) == (value, Span(distance, distance) if value else None)
        for move in found.moves:
            reply, lasts = known[position.play(move.move)]
            span = Span(lasts + 1, lasts + 1) if reply else None
            assert move == MoveSolution(move.move, -reply, -reply, span)


@pytest.mark.heavy
def test_the_answers_are_in_order_and_alike_for_any_number_of_workers() -> None:
    positions = [*noughts.sample("tic-tac-toe", 20, seed=1), *noughts.sample("bttt(D4)", 12, seed=1, plies=(9, 30))]
    positions = positions[::-1] + positions[:3]  # of two games, some twice, in any order
    here = noughts.solve_many(positions, 0, nodes=3000)
    assert [{move.move for move in found.moves} for found in here] == [set(at.legal_moves) for at in positions]
    assert noughts.solve_many(positions, 0, nodes=3000) == here  # as when saved
    assert noughts.solve_many(positions, 2, nodes=3000, again=True) == here


def test_positions_are_split_alike_in_any_order() -> None:
    played = [position.moves for position in noughts.sample("tic-tac-toe", 40, seed=1)]
    pieces = pieces_of(played)
    assert pieces == pieces_of(played[::-1] + played[:3])
    assert sorted(moves for piece in pieces for moves in piece) == sorted(played)
    assert max(map(len, pieces)) == PIECE


def test_an_exhausted_budget_gives_bounds() -> None:
    start = noughts.position("bttt(D4)")
    (found,) = noughts.solve_many([start], 0, nodes=2000)
    assert found.value is None or None in [move.value for move in found.moves]
    (exact,) = noughts.solve_many([noughts.position("bttt(D4)", "C4 A1 C3 A7")], 0)
    assert exact.value == 1
    (timed,) = noughts.solve_many([start], 0, nodes=None, seconds=0.05)
    assert any(move.low < move.high for move in timed.moves)


def test_finished_games_and_games_without_a_solver() -> None:
    over = noughts.position("tic-tac-toe", "A1 B1 A2 B2 A3")
    large = noughts.position("mnk(19,19,5)", "A1")
    won, unknown = noughts.solve_many([over, large], 0)
    assert (won.value, won.moves) == (-1, ())
    assert (unknown.low, unknown.high, unknown.solver, len(unknown.moves)) == (-1, 1, REFUSED, 360)
    with pytest.raises(noughts.NoughtsError, match=r"no solver covers mnk\(19,19,5\) after A1"):
        noughts.solve_many([large], 0)
    assert noughts.solve_many([], 0) == []
    with pytest.raises(noughts.NoughtsError, match="nodes=0 is not allowed: a whole number above 0"):
        noughts.solve_many([over], 0, nodes=0)


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        (noughts.position("tic-tac-toe"), r"give a list of positions, and not one alone: \[position\]"),
        ("tic-tac-toe", "give a list of positions, and not the text 'tic-tac-toe'"),
        (7, "and not a value of type int"),
        (
            [noughts.position("tic-tac-toe"), "tic-tac-toe"],
            r"number 1 of these is the text 'tic-tac-toe': noughts.position\('tic-tac-toe', 'A1 B2'\) makes one",
        ),
    ],
)
def test_arguments_that_are_no_positions_are_rejected(positions: Any, message: str) -> None:
    with pytest.raises(noughts.NoughtsError, match=message):
        noughts.solve_many(positions, workers=0)
    with pytest.raises(noughts.NoughtsError, match=message):
        noughts.dataset("tic-tac-toe", positions=positions, workers=0)
