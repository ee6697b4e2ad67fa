"""The pairing strategy: against every reply at 4x4, a million random games at 8x8 and 12x12, and the exact tables."""

import random

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from noughts.machine.memory import GIB
from noughts.positions import EMPTY, FIRST_MARK, Outcome, Position, Side
from noughts.rules import SolverError, line_table, parse_rules
from noughts.solvers.pairing import Pairing, pairings
from noughts.solvers.retrograde import Retrograde
from noughts.solvers.solution import Budget, Proof


@pytest.mark.parametrize("n", [4, 8, 12, 16])
def test_each_step_of_the_proof(n: int) -> None:
    rules = parse_rules(f"notakto({n})")
    lines = {frozenset(line) for line in line_table(rules).cells}
    assert len(pairings(rules)) > 1
    for partner in pairings(rules):
        assert all(partner[partner[cell]] == cell != partner[cell] for cell in range(n * n))
        for line in lines:
            image = frozenset(partner[cell] for cell in line)
            assert image in lines
            assert image != line
            assert all(partner[cell] not in line for cell in line)
    assert pairings(rules)[0][0] == (n - 2) * n + 1  # A1 with the second cell of the last row but one


def test_the_second_player_wins_against_every_reply_at_4x4() -> None:
    rules = parse_rules("notakto(4)")
    pairing = Pairing(rules, GIB)
    seen: set[Position] = set()
    todo = [Position.start(rules)]
    ended = 0
    while todo:
        position = todo.pop()
        if position in seen:
            continue
        seen.add(position)
        assert pairing.prove(position, Budget()).value == -1
        for move in position.legal_moves:
            after = position.play(move)
            if after.is_over:
                assert after.outcome is Outcome.SECOND
                ended += 1
                continue
            assert pairing.prove(after, Budget()) == Proof(1, 1, pairing.reply(after))
            reply = after.play(pairing.reply(after))
            assert not reply.is_over
            todo.append(reply)
    assert len(seen) > 50
    assert ended > 50


def test_every_claim_at_4x4_is_what_the_exact_table_says() -> None:
    rules = parse_rules("notakto(4)")
    pairing, exact = Pairing(rules, GIB), Retrograde(rules, GIB)
    exact.prove(Position.start(rules), Budget())
    lines = [sum(1 << cell for cell in line) for line in line_table(rules).cells]
    covered, rng = {1: 0, -1: 0}, random.Random(5)
    for marks in range(1 << 16):
        if any(marks & line == line for line in lines):
            continue
        cells = bytes(FIRST_MARK if marks >> cell & 1 else EMPTY for cell in range(16))
        moves = tuple(cell for cell in range(16) if marks >> cell & 1)
        position = Position(rules, moves, cells, frozenset(), Outcome.ONGOING)
        if pairing.refusal(position) is not None:
            continue
        proof = pairing.prove(position, Budget())
        assert proof.value == exact.prove(position, Budget()).value
        assert proof.move in position.legal_moves
        if proof.value == 1 and proof.move is not None:
            assert exact.prove(position.play(proof.move), Budget()).value == -1
        for side in Side:
            plies = rng.randrange(17)
            assert pairing.within(position, side, plies, Budget()) == exact.within(position, side, plies, Budget())
        covered[proof.low] += 1
    assert covered[1] > covered[-1] > 300


@njit(cache=False)
def _second_player_failures(n, partner, games, seed, plies):  # type: ignore[no-untyped-def]
    """Games in which the second player, replying by `partner`, cannot or completes a line first.

    The first player moves at random. Marks are counted row by row, column by column, and on both diagonals. `plies`,
    int64 [n * n + 1], counts the games by their length.
    """
    np.random.seed(seed)
    free = np.empty(n * n, np.int64)
    where = np.empty(n * n, np.int64)
    taken = np.zeros(n * n, np.bool_)
    counts = np.zeros(2 * n + 2, np.int64)
    failures = 0
    for _ in range(games):
        for cell in range(n * n):
            free[cell] = where[cell] = cell
            taken[cell] = False
        counts[:] = 0
        left, ply = n * n, 0
        while True:
            cell = partner[cell] if ply & 1 else free[np.random.randint(left)]
            if taken[cell]:
                failures += 1
                break
            taken[cell] = True
            left -= 1
            last = free[left]
            free[where[cell]] = last
            where[last] = where[cell]
            ply += 1
            row, col = cell // n, cell % n
            counts[row] += 1
            counts[n + col] += 1
            counts[2 * n] += row == col
            counts[2 * n + 1] += row + col == n - 1
            on_diagonal = (row == col and counts[2 * n] == n) or (row + col == n - 1 and counts[2 * n + 1] == n)
            if counts[row] == n or counts[n + col] == n or on_diagonal:
                failures += 1 - (ply & 1)  # an even number of marks: the second player made the last
                break
        plies[ply] += 1
    return failures


def _play(n: int, partner: tuple[int, ...], games: int) -> tuple[int, NDArray[np.int64]]:
    plies = np.zeros(n * n + 1, np.int64)
    return int(_second_player_failures(n, np.array(partner), games, 7, plies)), plies


@pytest.mark.parametrize("n", [8, 12])
def test_the_second_player_wins_a_million_random_games(n: int) -> None:
    for number, partner in enumerate(pairings(parse_rules(f"notakto({n})"))):
        failures, plies = _play(n, partner, 1_000_000 if number == 0 else 20_000)
        assert failures == 0
        assert plies[0::2].sum() == 0
        assert (plies > 0).sum() > n


def test_another_pairing_would_fail() -> None:
    half_turn = tuple(63 - cell for cell in range(64))
    failures, _ = _play(8, half_turn, 10_000)
    assert failures > 100


@pytest.mark.parametrize("n", [4, 8, 12])
def test_games_move_by_move(n: int) -> None:
    rules = parse_rules(f"notakto({n})")
    pairing, rng = Pairing(rules, GIB), random.Random(n)
    for _ in range(20):
        position = Position.start(rules)
        while not position.is_over:
            assert pairing.refusal(position) is None
            second = position.to_move is Side.SECOND
            position = position.play(pairing.reply(position) if second else rng.choice(position.legal_moves))
        assert position.outcome is Outcome.SECOND
        assert pairing.prove(position, Budget()).value == position.outcome.value(position.to_move)


def test_what_is_refused() -> None:
    for game in (
        "notakto(5)",
        "notakto(6)",
        "notakto(4,line=wins)",
        "notakto(4,boards=2)",
        "notakto(4,bricks=A1)",
        "mnk(4,4,3,marks=shared,line=loses)",
        "mnk(4,8,4,marks=shared,line=loses)",
        "mnk(4,4,4,line=loses)",
        "notakto(4,wrap=rows)",
    ):
        rules = parse_rules(game)
        assert Pairing(rules, GIB).refusal(Position.start(rules)) == "it solves notakto(n) with n divisible by 4"
    rules = parse_rules("notakto(8)")
    pairing, start = Pairing(rules, GIB), Position.start(rules)
    apart = start.play(0).play(1)
    refused = pairing.refusal(apart)
    assert refused == "the marks are neither in pairs nor one mark short of it"
    with pytest.raises(SolverError, match=r"notakto\(8\) after A1 A2: the marks are"):
        pairing.prove(apart, Budget())
    with pytest.raises(SolverError, match="no mark waits for its partner"):
        pairing.reply(start)
    assert pairing.within(start, Side.SECOND, 10, Budget()) is None
    assert pairing.within(start, Side.FIRST, 10, Budget()) is False
