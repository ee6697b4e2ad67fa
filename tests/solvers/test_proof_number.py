"""Proof-number search against brute force: every value, every distance, its budgets and its memory."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.positions import Position, Rng, Side
from noughts.rules import Rules, SolverError, parse_rules
from noughts.solvers import Budget, Proof
from noughts.solvers.bits import position_of
from noughts.solvers.proof_number import ProofNumber
from tests.positions.reached import at, late
from tests.solvers.brute_force import all_games, check, every_position

MEMORY = 1 << 26


def games(rows: int, cols: int) -> list[Rules]:
    """Every game with own marks and winning lines on such a board, with no brick and with every single one."""
    found = [game for game in all_games(rows, cols) if (game.marks, game.line, game.lineless) == ("own", "wins", False)]
    return sorted(found, key=lambda game: (game.k, game.full, game.bricks))


def check_some(rules: Rules, positions: int, rng: Rng, start: Position | None = None) -> int:
    """Compare a solver's answers for this number of positions (or all) with brute force; return their number."""
    truths = every_position(rules, start)
    solver = ProofNumber(rules, MEMORY)
    count = len(truths.value)
    numbers = range(count) if count <= positions else sorted({rng.below(count) for _ in range(positions)})
    for number in numbers:
        position = position_of(rules, int(truths.first[number]), int(truths.second[number]))
        value, distance = int(truths.value[number]), int(truths.distance[number])
        proof = check(solver, position, value, distance)
        if value == 1 or (value == 0 and position.ply > 0):
            assert proof.move is not None
        if value == 1:
            assert solver.winning_move(position, None, Budget()) is not None
            assert solver.winning_move(position, distance, Budget()) is not None
    return len(numbers)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2)])
def test_every_position_of_every_small_game_agrees_with_brute_force(rows: int, cols: int) -> None:
    for rules in games(rows, cols):
        check_some(rules, 1 << 30, Rng(0))


@pytest.mark.parametrize("positions", [40, pytest.param(2_000, marks=pytest.mark.slow)])
def test_positions_of_games_on_3x3_and_3x4_agree_with_brute_force(positions: int) -> None:
    every = [*games(3, 3), *games(3, 4)][:: 1 if positions > 40 else 4]
    rng = Rng(1)
    assert sum(check_some(rules, positions, rng) for rules in every) > 1_500


@given(
    text=st.sampled_from(
        ["bttt(D4)", "bttt(A1,full=draw)", "mnk(5,5,4)", "mnk(5,5,3,full=first)", "mnk(8,8,4)", "mnk(4,6,4)"]
    ),
    seed=st.integers(0, 1 << 32),
)
@settings(max_examples=40, deadline=None)
def test_endings_of_large_boards_agree_with_brute_force(text: str, seed: int) -> None:
    """Random play until nine cells are left, or the game ends."""
    rules, rng = parse_rules(text), Rng(seed)
    for _ in range(40):
        position = late(rules, 9, rng)
        if not position.is_over:
            check_some(rules, 30, rng, position)
            return


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("mnk(4,4,3)", 1),
        ("mnk(4,4,4)", 0),
        ("mnk(4,5,4)", 0),
        ("mnk(5,5,4)", 0),
        ("mnk(5,6,4)", 1),
        ("mnk(5,5,5)", 0),
        ("mnk(6,6,5)", 0),
        ("mnk(2,7,3)", 0),
        ("bttt(D4)", 1),
        ("bttt(A1)", 1),
    ],
)
def test_known_games(text: str, value: int) -> None:
    """Values from the literature (Uiterwijk and van den Herik, The advantage of the initiative, 2000)."""
    start = at(text)
    assert ProofNumber(start.rules, 1 << 28).prove(start, Budget()).value == value


def test_an_exhausted_budget_ends_the_search_and_gives_no_wrong_value() -> None:
    start, budget = at("bttt(C3)"), Budget(nodes=1_000)
    solver = ProofNumber(start.rules, MEMORY)
    assert solver.prove(start, budget) == Proof(-1, 1)
    assert budget.spent == 1_000
    assert solver.within(start, Side.FIRST, 11, Budget(nodes=10)) is None
    assert solver.prove(start, Budget(nodes=0)) == Proof(-1, 1)
    asked = itertools.count()
    stopped = Budget(expired=lambda: next(asked) >= 3)
    assert solver.prove(start, stopped) == Proof(-1, 1)
    assert 0 < stopped.spent <= 3 * 4_000


@pytest.mark.heavy
def test_results_of_a_stopped_search_are_reused() -> None:
    start, whole = at("bttt(C3)"), Budget()
    assert ProofNumber(start.rules, MEMORY).prove(start, whole).value == 1
    solver, spent = ProofNumber(start.rules, MEMORY), 0
    while solver.prove(start, part := Budget(nodes=20_000)).value is None:
        spent += part.spent
    assert spent + part.spent < 1.5 * whole.spent


@pytest.mark.heavy
def test_little_memory_is_slower_but_not_wrong() -> None:
    start = at("bttt(D4)")
    solver = ProofNumber(start.rules, 1 << 18)
    assert solver.prove(start, Budget()).value == 1
    assert solver.stored <= (1 << 18) // 32


def test_impossible_memory_is_rejected() -> None:
    start = at("tic-tac-toe")
    with pytest.raises(SolverError, match=r"proof-number search needs .* are allowed: allow more with --memory 1"):
        ProofNumber(start.rules, 1000).prove(start, Budget())
