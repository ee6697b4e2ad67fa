"""Properties of all searches: interruptions change nothing, and finished games and empty budgets are rejected."""

from collections.abc import Callable

import pytest

from noughts.positions import Rng
from noughts.rules import IllegalMoveError
from noughts.search.best_moves import best_moves
from noughts.search.mcts import mcts
from noughts.search.mcts_trace import MAX_TRACED, trace_mcts
from noughts.search.minimax import minimax
from noughts.search.montecarlo import flat_monte_carlo
from noughts.search.patterns import no_patterns, table_2
from tests.positions.reached import at

START, OVER = at("mnk(1,1,1)"), at("mnk(1,1,1)", "A1")
NOTHING = no_patterns(START.rules)
TO_SEARCH = at("mnk(4,4,3)", "A1 B2")


@pytest.mark.parametrize(
    ("slices", "size", "search"),
    [
        ("mcts.SLICE_PLIES", 7 * 16, lambda: mcts(TO_SEARCH, 1000, 1.0, Rng(3))),
        ("minimax.SLICE_NODES", 11, lambda: minimax(TO_SEARCH, 5, table_2(TO_SEARCH.rules), "first")),
        ("montecarlo.SLICE_PLIES", 7 * 16, lambda: flat_monte_carlo(TO_SEARCH, 100, Rng(2))),
        ("best_moves.SLICE_NODES", 7, lambda: best_moves([at("mnk(4,4,3)"), TO_SEARCH], 4, table_2(TO_SEARCH.rules))),
    ],
)
def test_slicing_a_search_does_not_change_its_result(
    slices: str, size: int, search: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = search()
    monkeypatch.setattr(f"noughts.search.{slices}", size)
    assert search() == whole


@pytest.mark.parametrize(
    ("search", "error", "message"),
    [
        (lambda: mcts(OVER, 10, 1.0, Rng()), IllegalMoveError, "over"),
        (lambda: mcts(START, 0, 1.0, Rng()), ValueError, "simulations=0"),
        (lambda: trace_mcts(OVER, 1, 1.0, Rng()), IllegalMoveError, "the game is over"),
        (lambda: trace_mcts(START, 6, 1.0, Rng(), budget=5), ValueError, "0 to 5 can be traced"),
        (lambda: trace_mcts(START, -1, 1.0, Rng()), ValueError, f"0 to {MAX_TRACED} can be traced"),
        (lambda: flat_monte_carlo(OVER, 1, Rng()), IllegalMoveError, "over"),
        (lambda: flat_monte_carlo(START, 0, Rng()), ValueError, "simulations=0"),
        (lambda: minimax(OVER, 1, NOTHING, "first"), IllegalMoveError, "over"),
        (lambda: minimax(START, 0, NOTHING, "first"), ValueError, "depth=0"),
        (lambda: minimax(START, 1, NOTHING, "random"), ValueError, "generator"),
        (lambda: best_moves([OVER], 2, NOTHING), ValueError, "not over"),
        (lambda: best_moves([START], 0, NOTHING), ValueError, "depth=0"),
        (lambda: best_moves([START, at("notakto(3)")], 2, NOTHING), ValueError, "of one game that are not over"),
    ],
)
def test_impossible_searches_are_rejected(search: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        search()
