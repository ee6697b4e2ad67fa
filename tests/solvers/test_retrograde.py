"""Retrograde tables against brute force, and the values of Notakto."""

import random
from itertools import product

import numpy as np
import pytest

from noughts.machine.memory import GIB
from noughts.positions import Position, Rng, Side
from noughts.positions.laws import random_game
from noughts.rules import SolverError, format_rules, parse_rules
from noughts.solvers.retrograde import Retrograde
from noughts.solvers.retrograde_table import POSITIONS_A_NODE, Frame, RetrogradeTable, table_bytes
from noughts.solvers.solution import NOTHING, Budget, Solver
from tests.positions.reached import at
from tests.solvers.brute_force import Known, all_games, check, every_position


def check_with_move(solver: Solver, position: Position, known: Known) -> None:
    """Value, move and distance equal exhaustive search."""
    value, distance = known[position]
    proof = check(solver, position, value, distance)
    assert proof.move is not None
    assert -known[position.play(proof.move)][0] == value


@pytest.mark.parametrize(("rows", "cols"), [*product((1, 2, 3), (1, 2, 3, 4)), (4, 3)])
def test_every_position_of_small_games_equals_brute_force(rows: int, cols: int) -> None:
    games = [rules for rules in all_games(rows, cols) if rules.marks == "shared" and not rules.lineless]
    for rules in random.Random(rows * 10 + cols).sample(games, min(len(games), 24)):
        solver, known = Retrograde(rules, GIB), Known(rules)
        for position in [Position.start(rules), *known.some(100, Rng(1))]:
            check_with_move(solver, position, known)


@pytest.mark.parametrize(
    "game", ["notakto(3)", "mnk(3,4,3,marks=shared,bricks=A1)", "mnk(2,5,3,marks=shared,line=loses)"]
)
def test_tables_of_later_positions_agree(game: str) -> None:
    rules = parse_rules(game)
    rng, known = random.Random(3), Known(rules)
    jumping = Retrograde(rules, GIB)
    for _ in range(60):
        moves = random_game(rules, rng)
        position = Position.start(rules, moves[: rng.randrange(len(moves))])
        check_with_move(Retrograde(rules, GIB), position, known)
        check_with_move(jumping, position, known)  # its tables change from one base to another


def test_the_example_in_the_docstring_of_the_module_is_right() -> None:
    rules = parse_rules("mnk(1,3,2,marks=shared,line=loses)")
    table = RetrogradeTable(rules, Frame(0, (0, 1, 2), np.array([0b011])))
    assert table.fill(Budget())
    assert [int(table.won(empties)) for empties in range(7, -1, -1)] == [0, 1, 1, 1, 1, 0, 0, 1]
    assert table.lost == 3


@pytest.mark.parametrize(
    ("n", "value", "lost"), [(1, -1, 1), (2, 1, 4), (3, 1, 73), (4, -1, 11_310), (5, 1, 6_834_783)]
)
def test_the_values_of_notakto(n: int, value: int, lost: int) -> None:
    rules = parse_rules(f"notakto({n})")
    solver = Retrograde(rules, GIB)
    assert solver.prove(Position.start(rules), Budget()).value == value
    assert solver.table is not None
    assert solver.table.lost == lost
    assert n > 4 or np.count_nonzero(every_position(rules).value == -1) == lost


def test_a_budget_stops_the_table_and_the_next_call_resumes() -> None:
    start = at("notakto(5)")
    whole, sliced = Retrograde(start.rules, GIB), Retrograde(start.rules, GIB)
    budget = Budget()
    whole.prove(start, budget)
    assert budget.spent == (1 << 25) // POSITIONS_A_NODE
    spent, asked = 0, 0
    rng = random.Random(2)
    while True:
        some = Budget(rng.randrange(1, 700))
        proof = sliced.prove(start, some)
        spent, asked = spent + some.spent, asked + 1
        assert some.nodes is not None
        assert some.spent < some.nodes + 1
        if proof != NOTHING:
            break
        assert some.exhausted
    assert asked > 10
    assert spent == (1 << 25) // POSITIONS_A_NODE
    assert proof == whole.prove(start, Budget())
    assert whole.table is not None
    assert sliced.table is not None
    assert (sliced.table.words == whole.table.words).all()
    assert sliced.table.lost == whole.table.lost
    late = Position.start(start.rules, (0, 6, 7, 9, 20))
    assert sliced.within(late, Side.FIRST, 99, Budget(1)) is None
    assert sorted(bool(sliced.within(late, side, 99, Budget())) for side in Side) == [False, True]


def test_the_time_limit_is_respected() -> None:
    start, answers = at("notakto(5)"), iter((False, True, True))
    solver = Retrograde(start.rules, GIB)
    assert solver.prove(start, Budget(expired=lambda: True)) == NOTHING
    assert solver.prove(start, Budget(expired=lambda: next(answers))).value == 1  # one slice suffices
    assert solver.within(start, Side.FIRST, 9, Budget(expired=lambda: True)) is None


def test_later_positions_are_looked_up_and_new_tables_cover_old_ones() -> None:
    start, free = at("notakto(4)"), Budget()
    solver = Retrograde(start.rules, GIB)
    solver.prove(start.play(0), free)
    first = solver.table
    solver.prove(start.play(0).play(5), free)
    assert solver.table is first
    solver.prove(start.play(3), free)
    assert solver.table is not first
    both = solver.table
    solver.prove(start.play(0), free)
    assert solver.table is both


def test_uncovered_games_are_rejected() -> None:
    cases = {
        "tic-tac-toe": "shared marks",
        "notakto(3,boards=2)": "one board",
        "mnk(2,2,3,marks=shared,lineless=true)": "lines",
        "notakto(7)": "49 cells are free",
        "notakto(6)": r"2\^36 positions needs 8.0 GiB, and 1.0 GiB are allowed: allow more with --memory 8",
    }
    for game, reason in cases.items():
        rules = parse_rules(game)
        solver, start = Retrograde(rules, GIB), Position.start(rules)
        refused = solver.refusal(start)
        assert refused is not None
        with pytest.raises(SolverError, match=reason) as error:
            solver.prove(start, Budget())
        assert refused in str(error.value)
        assert format_rules(rules) in str(error.value)
    rules = parse_rules("notakto(6)")
    assert Retrograde(rules, 8 * GIB).refusal(Position.start(rules)) is None
    later = Position.start(rules, (0, 8, 16))
    assert Retrograde(rules, GIB).refusal(later) is None  # 2^33 positions fit into 1 GiB


def test_missing_memory_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.machine.memory.available_bytes", lambda: 3 * GIB)
    rules = parse_rules("notakto(6)")
    solver = Retrograde(rules, 16 * GIB)
    with pytest.raises(SolverError, match=r"notakto\(6\) with its 2\^36 positions needs 8.0 GiB, and only 3.0 GiB are"):
        solver.prove(Position.start(rules), Budget())
    start = Position.start(rules, tuple(range(5)) + tuple(range(6, 11)) + (12,))
    assert solver.prove(start, Budget()).value is not None
    small = Retrograde(rules, 5 << 20)  # enough for the bits, but not for the lengths
    assert small.prove(start, Budget()).value is not None
    wins = start.to_move if small.prove(start, Budget()).value == 1 else start.to_move.other
    assert small.within(start, wins, 50, Budget()) is None
    assert small.within(start, wins.other, 50, Budget()) is False


def test_lengths_are_kept_if_they_fit_beside_the_table() -> None:
    rules = parse_rules("notakto(4)")
    position = Position.start(rules, (0, 5, 7))
    free = len(position.legal_moves)
    for memory, kept in ((table_bytes(free) + (1 << free), True), (table_bytes(free) + (1 << free) - 1, False)):
        solver = Retrograde(rules, memory)
        assert solver.within(position, position.to_move, 16, Budget()) is not None
        solver.prove(position, Budget())
        later, budget = position.play(position.legal_moves[0]), Budget()
        found = solver.within(later, later.to_move, 16, budget)
        assert (budget.spent == 0) == kept
        assert found == Retrograde(rules, GIB).within(later, later.to_move, 16, Budget()) or not kept
