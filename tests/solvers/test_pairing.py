"""The pairing strategy: each step of its proof, every reply at 4x4 against the exact table, and games on larger boards."""

import random

import pytest

from noughts.machine.memory import GIB
from noughts.positions import EMPTY, FIRST_MARK, Outcome, Position, Side
from noughts.rules import SolverError, line_table, parse_rules
from noughts.solvers.pairing import Pairing, pairings
from noughts.solvers.retrograde import Retrograde
from noughts.solvers.solution import Budget


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


def test_every_claim_at_4x4_equals_the_exact_table() -> None:
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


@pytest.mark.parametrize("n", [4, 8, 12])
def test_games_move_by_move(n: int) -> None:
    rules = parse_rules(f"notakto({n})")
    pairing, rng = Pairing(rules, GIB), random.Random(n)
    for _ in range(20):
        position = Position.start(rules)
        while not position.is_over:
            assert pairing.refusal(position) is None
            if position.to_move is Side.SECOND:
                move = pairing.prove(position, Budget()).move
                assert move is not None
            else:
                move = rng.choice(position.legal_moves)
            position = position.play(move)
        assert position.outcome is Outcome.SECOND


def test_games_without_a_pairing_are_rejected() -> None:
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
    assert pairing.prove(start, Budget()).value == -1
    assert pairing.within(start, Side.SECOND, 10, Budget()) is None
    assert pairing.within(start, Side.FIRST, 10, Budget()) is False
