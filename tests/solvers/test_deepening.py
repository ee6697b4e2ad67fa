"""Exact values that improve step by step: true at every step, and complete at the end."""

import random
from itertools import count, pairwise

import pytest

from noughts.positions import Position
from noughts.rules import SolverError, format_rules, parse_rules
from noughts.solvers.deepening import solve_stepwise
from noughts.solvers.solve import Truth
from tests.positions.reached import wandered

GAMES = (
    "tic-tac-toe",
    "misere-tic-tac-toe",
    "mnk(4,4,3,full=second)",
    "mnk(3,4,3,line=loses,bricks=A2)",
    "notakto(3)",
    "notakto(3,boards=2)",
    "mnk(4,3,3,marks=shared)",
)


@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_true_no_bound_widens_and_the_last_is_whole(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.solvers.deepening.FIRST_NODES", 5)
    rng, rules = random.Random(game), parse_rules(game)
    for position in [Position.start(rules), *(wandered(rules, rng.randrange(1, 7), rng) for _ in range(3))]:
        whole = Truth(position.rules).solve(position, distances="all")
        known = {move.move: move for move in whole.moves}
        steps = list(solve_stepwise(Truth(position.rules), position))
        for step in steps:
            assert step.low <= whole.low == whole.high <= step.high, format_rules(position.rules)
            if step.span is not None and step.span.plies is not None:
                assert step.span in [move.span for move in step.moves if move.value == step.value]
            for move in step.moves:
                true = known[move.move]
                assert move.low <= true.low <= move.high
                if move.span is not None and true.span is not None and true.span.plies is not None:
                    assert move.span.low <= true.span.plies
                    assert move.span.high is None or true.span.plies <= move.span.high
        for one, other in pairwise(steps):
            for before, after in zip(one.moves, other.moves, strict=True):
                assert before.low <= after.low <= after.high <= before.high
        last = steps[-1]
        assert (last.low, last.high) == (whole.low, whole.high)
        assert {move.move: (move.low, move.high) for move in last.moves} == {
            move.move: (move.low, move.high) for move in whole.moves
        }
        if whole.span is not None and whole.span.plies is not None:
            assert last.span == whole.span
            assert {m.move: m.span for m in last.moves} == {m.move: m.span for m in whole.moves}


def test_it_stops_at_its_time_limit() -> None:
    position = Position.start(parse_rules("bttt(D4)"))
    asked = count(1)
    steps = list(solve_stepwise(Truth(position.rules), position, lambda: next(asked) > 20))
    assert steps
    assert steps[-1].value is None or any(move.value is None for move in steps[-1].moves)
    assert next(asked) <= 200


def test_the_only_step_for_a_game_that_is_over_is_its_outcome() -> None:
    over = Position.start(parse_rules("tic-tac-toe"), (0, 3, 1, 4, 2))
    (solution,) = solve_stepwise(Truth(over.rules), over)
    assert (solution.value, solution.moves) == (-1, ())


def test_a_game_that_no_solver_covers_is_an_error() -> None:
    position = Position.start(parse_rules("gomoku"))
    with pytest.raises(SolverError, match="no solver covers gomoku"):
        list(solve_stepwise(Truth(position.rules), position))
