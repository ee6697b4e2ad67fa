"""Alpha-beta: every value, distance and move against brute force; its bounds, its budget and its memory."""

import random
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from noughts.positions import Position, Rng, Side
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, SolverError, format_rules, line_table, parse_rules
from noughts.rules.squares import WRAPS, Wrap
from noughts.solvers import alphabeta_search
from noughts.solvers.alphabeta import AlphaBeta, alpha_beta_reference, positions_below
from noughts.solvers.alphabeta_search import LONGEST, Search
from noughts.solvers.bits import position_of
from noughts.solvers.solution import Budget, Proof
from tests.positions.reached import at, late, wandered
from tests.rules.strategies import random_rules
from tests.search.cases import GAMES
from tests.solvers.brute_force import Known, Truths, all_games, every_position

SMALL_GAMES = [rules for rules in map(parse_rules, GAMES) if rules.size <= (15 if rules.marks == "own" else 18)]

known_of = cache(Known)
"""The truth about a game, computed once for all tests."""


@kernel
def _compare(game, table, stack, first, second, score, counts):  # type: ignore[no-untyped-def]
    """Query each position for a win and a loss, and then for its score from below and from above.

    Returns the number of the first position with a wrong answer, or -1; adds the queries to `counts`.
    """
    for number in range(first.size):
        exact = np.int64(score[number])
        for question in range(4):
            alpha = np.int64(0) if question == 0 else np.int64(-1) if question == 1 else exact - 3 + question
            done = alphabeta_search.begin(game, table, stack, first[number], second[number], alpha, alpha + 1)
            if not done:
                alphabeta_search.go_on(game, table, stack, np.int64(1) << 40)
            counts[0] += 1
            low, high = stack.state[alphabeta_search.LOW], stack.state[alphabeta_search.HIGH]
            if exact < low or exact > high or (low <= alpha < high):
                return number
    return -1


def scores_of(truths: Truths) -> NDArray[np.int64]:
    """The scores of positions: LONGEST minus the ply of the end for a win."""
    ply = np.bitwise_count(truths.first | truths.second).astype(np.int64)
    scores: NDArray[np.int64] = truths.value.astype(np.int64) * (LONGEST - ply - truths.distance.astype(np.int64))
    return scores


def score_of(position: Position, known: Known) -> int:
    """The score of one position."""
    value, distance = known[position]
    return value * (LONGEST - position.ply - distance)


def compare(rules: Rules, truths: Truths, buckets: int) -> None:
    """Fail unless every answer about these positions is right with a table of this many buckets."""
    counts = np.zeros(1, np.int64)
    search = Search(rules, memory=1 << 20)
    stack, table = search.stack, np.zeros((buckets, *search.table.shape[1:]), search.table.dtype)
    wrong = _compare(search.game, table, stack, truths.first, truths.second, scores_of(truths), counts)
    assert wrong < 0, (rules, position_of(rules, int(truths.first[wrong]), int(truths.second[wrong])).moves)
    assert counts[0] == 4 * len(truths.value) > 0


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 1), (2, 2), (2, 3), (3, 2)])
def test_every_position_of_every_tiny_game(shape: tuple[int, int]) -> None:
    for rules in all_games(*shape):
        compare(rules, every_position(rules), buckets=64)


LARGE_GAMES = (((3, 3, 1), 40), ((3, 4, 1), 40), ((4, 3, 1), 20), ((2, 2, 3), 10), ((2, 3, 2), 10), ((3, 3, 2), 4))


@pytest.mark.parametrize(
    ("shape", "games", "buckets"),
    [
        *(pytest.param(*case, 1 << 12, marks=pytest.mark.heavy) for case in LARGE_GAMES),
        *((shape, 4, 1) for shape in ((2, 3, 1), (3, 3, 1), (2, 2, 2))),  # a table that forgets nearly everything
    ],
)
def test_every_position_of_random_games(shape: tuple[int, int, int], games: int, buckets: int) -> None:
    rng = random.Random(11)
    for _ in range(games):
        rules = random_rules(rng, shape)
        compare(rules, every_position(rules), buckets)


@pytest.mark.parametrize(
    ("shape", "most_empty", "count"),
    [
        *(pytest.param(*case, 400, marks=pytest.mark.heavy) for case in (((4, 4, 1), 8), ((5, 5, 1), 7))),
        *(pytest.param((rows, cols, 1), 9, 20_000, marks=pytest.mark.slow) for rows, cols in ((4, 4), (5, 5), (4, 5))),
    ],
)
def test_random_late_positions_of_larger_boards(shape: tuple[int, int, int], most_empty: int, count: int) -> None:
    rng, checked = random.Random(13), 0
    while checked < count:
        rules = random_rules(rng, shape)
        for start in [late(rules, most_empty, rng) for _ in range(40)]:
            if not start.is_over:
                compare(rules, every_position(rules, start), buckets=64)
                checked += 1


@pytest.mark.slow
@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("brick", [None, *range(12)])
def test_every_position_of_every_game_of_3x4(brick: int | None, wrap: Wrap) -> None:
    bricks = () if brick is None else (brick,)
    games = [rules for rules in all_games(3, 4, wrap) if rules.bricks == bricks]
    assert len(games) == 5 * 12
    for rules in games:
        compare(rules, every_position(rules), buckets=1 << 15)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["mnk(4,4,4)", "mnk(4,4,3,line=loses,full=second)", "mnk(4,4,4,bricks=B2,full=first)"])
def test_every_position_of_games_of_4x4(game: str) -> None:
    rules = parse_rules(game)
    compare(rules, every_position(rules), buckets=1 << 19)


@pytest.mark.parametrize("rules", SMALL_GAMES, ids=format_rules)
def test_moves_attain_the_returned_score(rules: Rules) -> None:
    known, solver = known_of(rules), AlphaBeta(rules)
    for position in known.some(250, Rng(15)):
        score = score_of(position, known)
        proof = solver.prove(position, Budget())
        assert proof.value == (score > 0) - (score < 0)
        for alpha, beta in ((score - 1, score), (-1, 1), (-LONGEST, LONGEST), (score, score + 1)):
            low, high, move = solver.bounds(position, alpha, beta, Budget())
            assert low <= score <= high
            assert -score_of(position.play(move), known) >= low
        assert proof.move is not None
        assert -score_of(position.play(proof.move), known) >= (score > 0 or -LONGEST * (score < 0))


@pytest.mark.parametrize("game", ["mnk(3,4,3,bricks=B2)", "mnk(3,4,3,bricks=B2,full=first)"])
def test_a_possibly_better_move_does_not_replace_a_proved_one(game: str) -> None:
    rules = parse_rules(game)
    known = Known(rules)
    for position in known.some(500, Rng(19)):
        score, solver = score_of(position, known), AlphaBeta(rules)
        # First the score is proved from below, with a move; then better scores are refuted, the highest first.
        for alpha in (score - 1, *range(LONGEST - 1, max(0, score), -1)):
            low, high, move = solver.bounds(position, alpha, alpha + 1, Budget())
            assert low <= score <= high
            assert -score_of(position.play(move), known) >= low


@pytest.mark.parametrize("rules", SMALL_GAMES, ids=format_rules)
def test_within_agrees_with_every_distance(rules: Rules) -> None:
    known, solver = known_of(rules), AlphaBeta(rules)
    for position in known.some(60, Rng(16)):
        value, distance = known[position]
        for side, plies in product(Side, range(-1, rules.size + 3)):
            wins = value == (1 if side is position.to_move else -1)
            expected = wins and distance <= plies
            assert solver.within(position, side, plies, Budget()) is expected


SCORES = st.integers(-LONGEST, LONGEST)


@settings(max_examples=150)
@given(st.randoms(use_true_random=False), SCORES, SCORES)
def test_the_kernel_equals_the_readable_search_and_its_bounds_hold(rng: random.Random, one: int, other: int) -> None:
    shape = rng.choice([(2, 2, 1), (2, 3, 1), (3, 3, 1), (1, 5, 1), (2, 2, 2), (3, 4, 1)])
    position = wandered(random_rules(rng, shape), rng.randint(0, 11), rng)
    assume(len(position.legal_moves) <= 6)
    alpha, beta = min(one, other), max(one, other) + 1
    low, high, move = AlphaBeta(position.rules).bounds(position, alpha, beta, Budget())
    score = alpha_beta_reference(position, -LONGEST, LONGEST)
    assert low <= score <= high
    assert low >= beta or high <= alpha or low == high
    assert -alpha_beta_reference(position.play(move), -LONGEST, LONGEST) >= low
    found, read = low if low >= beta else high, alpha_beta_reference(position, alpha, beta)
    assert max(alpha, min(beta, found)) == max(alpha, min(beta, read)) == max(alpha, min(beta, score))


@pytest.mark.parametrize(
    ("game", "value", "plies"),
    [
        ("notakto(3,boards=2)", -1, 11),
        ("mnk(4,4,3)", 1, 5),
        ("mnk(4,4,4)", 0, None),  # both published
        ("mnk(4,4,4,line=loses)", 0, None),
        ("notakto(4)", -1, 13),
        ("mnk(4,5,4)", 0, None),  # published
        ("mnk(4,4,5,lineless=true,full=second)", -1, 16),
    ],
)
def test_known_games_from_the_start(game: str, value: int, plies: int | None) -> None:
    position = Position.start(parse_rules(game))
    solver, budget = AlphaBeta(position.rules), Budget()
    assert solver.prove(position, budget).value == value
    assert budget.spent < 300_000
    if plies is not None:
        winner = position.to_move if value == 1 else position.to_move.other
        assert solver.within(position, winner, plies, budget)
        assert not solver.within(position, winner, plies - 1, budget)
        assert solver.within(position, winner.other, 64, budget) is False


def test_an_exhausted_budget_gives_bounds_and_the_next_search_resumes() -> None:
    position, at_once = at("mnk(4,4,4,line=loses)"), Budget()
    AlphaBeta(position.rules).prove(position, at_once)
    proofs: list[Proof] = []
    solver, spent = AlphaBeta(position.rules), 0
    while not proofs or proofs[-1].value is None:
        budget = Budget(nodes=5000)
        proofs.append(solver.prove(position, budget))
        assert budget.spent <= 5000
        assert budget.exhausted or proofs[-1].value is not None
        assert proofs[-1].low <= 0 <= proofs[-1].high
        spent += budget.spent
        assert len(proofs) < 100
    assert proofs[0] == Proof(-1, 1, proofs[0].move)
    assert len(proofs) > 5
    assert spent < 2 * at_once.spent


def test_partial_proofs_within_a_budget_are_returned() -> None:
    position = Position.start(parse_rules("mnk(4,4,4)"))
    seen = set()
    for nodes in range(0, 12_000, 500):
        proof = AlphaBeta(position.rules).prove(position, Budget(nodes=nodes))
        seen.add((proof.low, proof.high))
    assert seen == {(-1, 1), (-1, 0), (0, 0)}  # nothing; no win; a draw


def test_a_time_limit_ends_the_search_and_the_rest_is_unknown() -> None:
    position = Position.start(parse_rules("mnk(4,4,4)"))
    solver, asked = AlphaBeta(position.rules), iter([False, False, True])
    budget = Budget(expired=lambda: next(asked, True))
    proof = solver.prove(position, budget)
    assert (proof.low, proof.high) == (-1, 1)
    assert 0 < budget.spent < 5000
    assert solver.within(position, Side.FIRST, 9, Budget(expired=lambda: True)) is None
    assert solver.within(position, Side.FIRST, 6, Budget(expired=lambda: True)) is False  # four marks take seven plies


def test_an_immediate_win_needs_no_budget() -> None:
    wins = at("tic-tac-toe", "A1 B1 A2 B2")
    assert AlphaBeta(wins.rules).prove(wins, Budget(nodes=0)) == Proof(1, 1, wins.rules.cell_of("A3"))


def test_slices_do_not_change_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start(parse_rules("mnk(3,4,3,line=loses)"))
    found = []
    for size in (100_000, 7, 1):
        monkeypatch.setattr(alphabeta_search, "SLICE_NODES", size)
        budget = Budget()
        found.append((AlphaBeta(position.rules).prove(position, budget), budget.spent))
    assert len(set(found)) == 1


def test_little_memory_is_enough_and_none_is_refused() -> None:
    position = Position.start(parse_rules("mnk(4,4,4)"))
    tight, roomy = Budget(), Budget()
    small = AlphaBeta(position.rules, memory=100_000)
    assert small.prove(position, tight).value == AlphaBeta(position.rules).prove(position, roomy).value == 0
    assert tight.spent > roomy.spent
    with pytest.raises(SolverError, match=r"alpha-beta table needs 96\.0 KiB, and 1000 B are allowed"):
        AlphaBeta(position.rules, memory=1000).prove(position, Budget())


def test_positions_out_of_reach_are_refused_with_the_reason() -> None:
    start = Position.start(parse_rules("mnk(6,6,4)"))
    solver = AlphaBeta(start.rules)
    assert solver.refusal(start) == "it takes up to 25 empty cells, and 36 leave up to 2.4e+16 positions"
    with pytest.raises(SolverError, match="alpha-beta cannot solve this position: it takes up to 25 empty cells"):
        solver.prove(start, Budget())
    later = Position.start(start.rules, (0, 1, 6, 7, 12, 13, 2, 3, 14, 9, 20))
    assert solver.refusal(later) is None
    shared = at("notakto(6)")
    refused = AlphaBeta(shared.rules).refusal(shared)
    assert refused == "it takes up to 25 empty cells, and 36 leave up to 6.9e+10 positions"
    wide = at("gomoku")
    assert AlphaBeta(wide.rules).refusal(wide) == "it takes games of up to 64 cells, and this one has 225"


@pytest.mark.parametrize(
    ("game", "tight"), [("tic-tac-toe", False), ("notakto(3)", False), ("mnk(2,3,5,lineless=true)", True)]
)
def test_the_estimate_is_never_too_low(game: str, tight: bool) -> None:
    rules = parse_rules(game)
    unfinished, estimate = len(every_position(rules).value), positions_below(Position.start(rules))
    full_boards = 20  # of six cells, three for each side
    assert estimate == unfinished + full_boards if tight else estimate > unfinished


def test_a_game_without_lines_needs_no_search() -> None:
    rules = parse_rules("mnk(5,5,6,lineless=true,full=first)")
    assert not line_table(rules).cells
    budget = Budget(nodes=0)
    assert AlphaBeta(rules).prove(Position.start(rules), budget).value == 1
    assert budget.spent == 0
