"""`Truth` against brute force: the position, every move, its length, and the values that a budget leaves open."""

from collections.abc import Callable
from random import Random

import pytest

from noughts.machine.memory import GIB
from noughts.positions import Position, Rng, Side
from noughts.rules import NoughtsError, Rules, SolverError, parse_rules
from noughts.solvers import Budget, MoveSolution, Proof, Solution, Span
from noughts.solvers.fours import Fours
from noughts.solvers.proof_number import ProofNumber
from noughts.solvers.quotient import Quotient
from noughts.solvers.short_lines import ShortLines
from noughts.solvers.solution import Solver
from noughts.solvers.solve import Truth
from tests.positions.reached import at
from tests.rules.one_field import SMALL
from tests.rules.strategies import random_rules
from tests.solvers.brute_force import Known

MakesSolver = Callable[[Rules, int], Solver]
"""From a game and the memory of its tables to a solver."""


def small_games() -> list[Rules]:
    """Random games of at most nine cells, of all kinds."""
    random, shapes = Random(3), [(1, 4, 1), (2, 2, 1), (2, 3, 1), (3, 3, 1), (2, 4, 1), (1, 3, 3), (2, 2, 2)]
    return [random_rules(random, random.choice(shapes)) for _ in range(40)]


@pytest.mark.parametrize("rules", [*SMALL.values(), *small_games()], ids=str)
def test_random_positions_agree_with_brute_force_in_every_result(rules: Rules) -> None:
    known, truth = Known(rules), Truth(rules)
    for position in [Position.start(rules), *known.some(8, Rng(7))]:
        value, distance = known[position]
        solution = truth.solve(position, distances="all")
        assert solution.value == value
        if value:
            assert solution.span == Span(distance, distance)
        expected = {}
        for move in position.legal_moves:
            reply, lasts = known[position.play(move)]
            span = Span(lasts + 1, lasts + 1) if reply else None
            expected[move] = MoveSolution(move, -reply, -reply, span)
        assert [(m.move, m.value) for m in solution.moves] == [(m, s.value) for m, s in expected.items()]
        assert set(solution.optimal) == {move for move, found in expected.items() if found.value == value}
        assert {m.move: m.span for m in solution.moves} == {m: s.span for m, s in expected.items()}
        pick = min if value == 1 else max
        keeping = {m: s.span.low if s.span else 0 for m, s in expected.items() if s.value == value}
        best = {m for m, plies in keeping.items() if value == 0 or plies == pick(keeping.values())}
        assert set(solution.best) == best
        assert set(truth.solve(position, distances="best").best) == best
        proof = truth.prove(position)
        assert proof.value == value
        assert proof.move is None or expected[proof.move].value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("gomoku", "alpha-beta: it takes games of up to 64 cells, and this one has 225"),
        ("mnk(9,9,2,line=loses)", "alpha-beta: it takes games of up to 64 cells, and this one has 81"),
        ("notakto(7)", "retrograde: 48 cells are free, and its tables have at most 36"),
        ("notakto(5,boards=3)", "quotient: one board has 25 playable cells, and it takes at most 16"),
    ],
)
def test_an_uncovered_game_is_rejected_by_the_solver_that_comes_nearest(text: str, reason: str) -> None:
    rules = parse_rules(text)
    with pytest.raises(SolverError) as raised:
        Truth(rules).solve(Position.start(rules, (0,)))
    message = str(raised.value)
    assert (message, len(message) <= 120) == (f"no solver covers {text} after {rules.name_of(0)}. {reason}", True)


@pytest.mark.parametrize(
    ("solver", "text", "words"),
    [
        (Quotient, "notakto(3)", "several boards at once"),
        (Quotient, "mnk(3,6,3,marks=shared,line=loses,boards=2)", "18 playable cells, and it takes at most 16"),
        (Quotient, "mnk(2,2,3,marks=shared,boards=2,lineless=true)", "several boards at once"),
        (ProofNumber, "misere-tic-tac-toe", "lines that win"),
        (ProofNumber, "notakto(3)", "own marks"),
        (ProofNumber, "gomoku", "up to 64 cells, not 225"),
        (Fours, "misere-tic-tac-toe", "3 or more own marks in a row win"),
        (Fours, "notakto(3)", "3 or more own marks in a row win"),
        (Fours, "mnk(9,9,2)", "3 or more own marks in a row win"),
        (ShortLines, "mnk(9,9,2,line=loses)", "3 own marks in a row, or fewer"),
        (ShortLines, "mnk(9,9,3,marks=shared)", "3 own marks in a row, or fewer"),
        (ShortLines, "mnk(9,9,4)", "3 own marks in a row, or fewer"),
    ],
)
def test_a_solver_gives_the_reason_if_it_does_not_cover_a_game(solver: MakesSolver, text: str, words: str) -> None:
    start = at(text)
    refusal = solver(start.rules, GIB).refusal(start)
    assert refusal is not None
    assert words in refusal


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("mnk(1,3,1)", "A1"),
        ("mnk(1,1,1)", "A1"),
        ("notakto(1,boards=2)", "1.A1 2.A1"),
        ("notakto(3)", "A1 A2 A3"),
        ("notakto(4)", "A1 A2 A3 A4"),
        ("gomoku", "H8 A1 H9 A3 H10 A5 H7 A7 H6"),
    ],
)
def test_a_finished_game_takes_no_solver(text: str, moves: str) -> None:
    over = at(text, moves)
    value = over.outcome.value(over.to_move)
    assert Truth(over.rules).prove(over, Budget(nodes=0)) == Proof(value, value)


def test_a_position_of_another_game_is_refused() -> None:
    truth, other = Truth("tic-tac-toe"), at("bttt(D4)")
    assert truth.rules == parse_rules("tic-tac-toe")
    asks: list[Callable[[], object]] = [
        lambda: truth.solve(other),
        lambda: truth.prove(other),
        lambda: truth.within(other, Side.FIRST, 3, Budget()),
        lambda: truth.winning_move(other, None, Budget()),
        lambda: truth.span(other, Side.FIRST),
    ]
    for ask in asks:
        with pytest.raises(NoughtsError, match=r"the position is of bttt\(D4\), and this is about tic-tac-toe alone"):
            ask()
    assert truth.solve(at("mnk(3,3,3)")).value == 0  # the same game in other words


def test_a_finished_game_has_the_value_of_its_outcome() -> None:
    truth, over = Truth("tic-tac-toe"), at("tic-tac-toe", "A1 B1 A2 B2 A3")
    assert truth.solve(over) == Solution(-1, -1, Span(0, 0), (), "the rules", 0)
    assert truth.prove(over).value == -1
    assert truth.span(over, Side.FIRST) == Span(0, 0)
    assert truth.within(over, Side.FIRST, 0, Budget()) is True
    assert truth.within(over, Side.SECOND, 9, Budget()) is False


def test_an_exhausted_budget_leaves_values_open() -> None:
    budget = Budget(nodes=2_000)
    solution = Truth("bttt(C3)").solve(at("bttt(C3)"), budget, "all")
    assert (solution.low, solution.high, solution.value, solution.span) == (-1, 1, None, None)
    assert len(solution.moves) == 48
    assert all((move.low, move.high) == (-1, 1) for move in solution.moves)
    assert budget.spent == solution.nodes == 2_000


def test_the_loser_resists_as_long_as_the_budget_can_prove() -> None:
    """With too little budget to know each move's end, moves that are refuted at once are distinguished from those that last."""
    after = at("bttt(D4)", "D3 E5 C3")
    whole = Truth(after.rules).solve(after, distances="best")
    assert whole.value == -1
    assert whole.span is not None
    assert whole.span.plies is not None
    part = Truth(after.rules).solve(after, Budget(nodes=whole.nodes // 2), "best")
    spans = {move.move: move.span for move in whole.moves}
    for move in part.moves:
        span, exact = move.span, spans[move.move]
        assert span is not None
        assert exact is not None
        assert exact.plies is not None
        assert span.low <= exact.plies <= (span.high or 99)
    assert set(part.best) <= {move.move for move in part.moves if move.span and move.span.high is None} or part == whole


def test_moves_share_a_limited_budget() -> None:
    position, budget = at("bttt(D4)", "C4 A1 E5"), Budget(20_000)
    solution = Truth(position.rules).solve(position, budget)
    decided = [move.value is not None for move in solution.moves]
    assert not all(decided)
    assert any(decided[decided.index(False) :]), "a move after one that is hard is decided"
    assert solution.nodes == budget.spent <= 20_000
    whole = {move.move: move.value for move in Truth(position.rules).solve(position, Budget(400_000)).moves}
    for move in solution.moves:
        exact = whole[move.move]
        assert exact is None or move.low <= exact <= move.high


def test_a_part_of_a_budget_is_no_more_than_is_left() -> None:
    budget = Budget(100)
    assert budget.part(60).nodes == 60
    budget.spend(70)
    assert budget.part(60).nodes == 30
    assert Budget(100, lambda: True).part(10).exhausted
