"""Wins by fours: every proof agrees with exhaustive search on small boards, and every chain of a slow search is found."""

import pytest

from noughts.machine.memory import GIB
from noughts.positions import Position, Rng, Side
from noughts.rules import SolverError, parse_rules
from noughts.solvers.fours import Fours
from noughts.solvers.playthrough import best_line
from noughts.solvers.solution import Budget, Proof, Span
from noughts.solvers.solve import Truth
from tests.positions.reached import at
from tests.solvers.brute_force import every_position

GOMOKU = parse_rules("gomoku")
THREE = at("gomoku", "H8 A1 H9 A3 H10 A5")
"""The first player has three in a row and is to move."""

SMALL = (
    "tic-tac-toe",
    "mnk(3,4,3,full=second)",
    "mnk(3,4,3,wrap=columns)",
    pytest.param("mnk(4,4,3,bricks=B2)", marks=pytest.mark.heavy),
    "mnk(4,4,3,wrap=both)",
    "mnk(4,4,4)",
    pytest.param("mnk(4,5,4)", marks=pytest.mark.heavy),
)


def positions(text: str, games: int) -> list[Position]:
    """Positions of games in which both sides mark cells near the middle or the previous mark, and miss much."""
    found = []
    for seed in range(games):
        rng, position = Rng(seed), Position.start(parse_rules(text))
        while not position.is_over:
            found.append(position)
            last = position.moves[-1] if position.moves else position.rules.size // 2
            tries = [rng.choice(position.legal_moves) for _ in range(8)]
            stops = [*position.completing_cells(position.to_move), *position.completing_cells(position.to_move.other)]
            near = min(tries, key=lambda cell, last=last, cols=position.rules.cols: _distance(cell, last, cols))  # type: ignore[misc]
            position = position.play(stops[0] if stops and rng.random() < 0.8 else near)
    return found


def _distance(cell: int, other: int, cols: int) -> int:
    return max(abs(cell // cols - other // cols), abs(cell % cols - other % cols))


def chain_wins(position: Position, attacker: Side, fours: int) -> bool:
    """Whether the attacker wins by at most this number of fours, exactly as the module's docstring defines it."""
    if position.completing_cells(attacker):
        return True
    stops = position.completing_cells(attacker.other)
    for move in position.legal_moves if fours and len(stops) < 2 else ():
        if stops and move not in stops:
            continue
        after = position.play(move)
        threats = () if after.is_over else after.completing_cells(attacker)
        if len(threats) > 1 or (len(threats) == 1 and chain_wins(after.play(threats[0]), attacker, fours - 1)):
            return True
    return False


@pytest.mark.parametrize("text", SMALL)
def test_proved_values_equal_brute_force(text: str) -> None:
    """Values, and whether a side wins within a number of plies, from the last ten cells on."""
    solver = Fours(parse_rules(text), GIB)
    proved = 0
    for position in positions(text, 30):
        if len(position.legal_moves) > 10 or solver.refusal(position) is not None:
            continue
        truths = every_position(position.rules, position)
        value, distance = int(truths.value[0]), int(truths.distance[0])
        found = solver.prove(position, Budget())
        assert found.value == value != 0
        assert found.move in position.legal_moves
        proved += 1
        for side in Side:
            wins = (value == 1) == (side is position.to_move)
            for plies in range(distance + 3):
                assert solver.within(position, side, plies, Budget()) in (None, wins and distance <= plies)
    assert proved > 5


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("mnk(4,4,3)", 12),
        ("mnk(5,5,4,bricks=C3)", 12),
        ("mnk(6,6,4,wrap=rows)", 12),
        pytest.param("gomoku", 8, marks=pytest.mark.slow),
    ],
)
def test_every_chain_that_a_slow_search_finds_is_found(text: str, games: int) -> None:
    solver = Fours(parse_rules(text), GIB)
    met = {1: 0, 2: 0}
    for position in positions(text, games):
        win = solver.win(position)
        if position.completing_cells(position.to_move):
            assert win is not None
            assert win[0] == 1
            continue
        for fours in met:
            if chain_wins(position, position.to_move, fours):
                assert win is not None
                assert win[0] == 2 * fours + 1
                met[fours] += 1
                break
        else:
            assert win is None or win[0] > 5
    assert all(met.values())


def test_a_row_of_three_wins_and_one_of_four_cannot_be_stopped() -> None:
    solver = Fours(GOMOKU, GIB)
    assert solver.prove(THREE, Budget()) == Proof(1, 1, GOMOKU.cell_of("H7"))
    four = THREE.play(GOMOKU.cell_of("H7"))
    assert solver.prove(four, Budget()).value == -1
    assert [solver.within(THREE, Side.FIRST, plies, Budget()) for plies in range(5)] == 3 * [False] + 2 * [True]
    assert solver.within(THREE, Side.SECOND, 9, Budget()) is False
    assert Truth(GOMOKU).span(THREE, Side.FIRST) == Span(3, 3)
    assert solver.winning_move(THREE, 3, Budget()) == GOMOKU.cell_of("H7")  # fours decide nothing after most others


def test_a_line_is_played_to_its_end_and_the_loser_blocks_what_it_can() -> None:
    line = best_line(Truth(GOMOKU), THREE)
    assert " ".join(map(GOMOKU.name_of, line)) == "H7 H6 H11"


def test_a_row_is_completed_on_the_first_cell() -> None:
    four = Position.start(GOMOKU, (1, 31, 2, 33, 3, 35, 4, 5))
    assert four.completing_cells(Side.FIRST) == (0,)
    assert Fours(GOMOKU, GIB).prove(four, Budget()) == Proof(1, 1, 0)


def test_positions_without_threats_are_rejected() -> None:
    solver = Fours(GOMOKU, GIB)
    assert solver.refusal(at("gomoku", "H8 H9")) == "neither side wins by moves that leave a single reply"
    with pytest.raises(SolverError, match="fours do not decide gomoku: neither side"):
        solver.prove(at("gomoku", "H8 H9"), Budget())


def test_the_cache_is_limited_and_does_not_change_answers() -> None:
    small, large = Fours(GOMOKU, 20_000), Fours(GOMOKU, GIB)
    for position in positions("gomoku", 3):
        assert small.refusal(position) == large.refusal(position)
        assert small.kept <= 20


def test_repeated_work_costs_nothing() -> None:
    solver, first, second = Fours(GOMOKU, GIB), Budget(), Budget()
    solver.prove(THREE, first)
    solver.prove(THREE, second)
    assert first.spent > 0 == second.spent


def test_mistakes_of_a_game_of_gomoku_are_found_if_fours_decide() -> None:
    """White does not block a row of three. After that move the position is lost; before it, the value was unknown."""
    truth = Truth(GOMOKU)
    with pytest.raises(SolverError, match="no solver covers gomoku after 4 moves"):
        truth.solver(at("gomoku", "H8 A1 H9 A3"))
    solution = truth.solve(THREE, None, "best")
    assert solution.value == 1
    assert {GOMOKU.name_of(move) for move in solution.best} == {"H7", "H11"}
    assert solution.solver == "fours"
