"""The book of solved openings: each entry is proved again, from the positions after its move."""

import pytest

from noughts.positions import Position
from noughts.rules import Rules, parse_rules
from noughts.rules.symmetry import symmetries
from noughts.solvers.book import book_with, entries_of, read_book
from noughts.solvers.solution import Budget, Proof
from noughts.solvers.solve import Truth

QUICK_NODES = 300_000
"""The nodes that an entry's reply may cost in every test run; the others are proved by hand, with -m slow."""


def entries() -> list[tuple[Rules, tuple[int, ...]]]:
    return [(rules, moves) for rules in map(parse_rules, read_book()) for moves in entries_of(rules)]


def proved_again(rules: Rules, moves: tuple[int, ...], nodes: int) -> tuple[int, int]:
    """Bounds on the value of an entry, as its move shows it if it names one."""
    move = entries_of(rules)[moves].move
    position = Position.start(rules, moves)
    truth, budget = Truth(rules, 1 << 28), Budget(nodes)
    if move is None:
        found = truth.prove(position, budget)
        return found.low, found.high
    found = truth.prove(position.play(move), budget)
    return -found.high, -found.low


def test_the_book_has_entries() -> None:
    assert entries()
    assert entries_of(parse_rules("tic-tac-toe")) == {}


def test_won_entries_name_their_move() -> None:
    for rules, moves in entries():
        entry = entries_of(rules)[moves]
        assert entry.low < 1 or (entry.move is not None and Position.start(rules, moves).is_legal(entry.move))


@pytest.mark.heavy
@pytest.mark.parametrize(("rules", "moves"), entries(), ids=str)
def test_no_quick_proof_contradicts_the_book(rules: Rules, moves: tuple[int, ...]) -> None:
    low, high = proved_again(rules, moves, QUICK_NODES)
    assert low <= entries_of(rules)[moves].low <= high


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "moves"), entries(), ids=str)
def test_every_entry_is_proved_again(rules: Rules, moves: tuple[int, ...]) -> None:
    """For a won entry, its move wins; for others, their value."""
    low, _ = proved_again(rules, moves, 1_000_000_000)
    assert low == entries_of(rules)[moves].low


def test_images_of_entries_are_found_and_their_moves_are_mapped() -> None:
    rules = parse_rules("tic-tac-toe")
    book = book_with(rules, {(0, 4): Proof(0, 0, 8), (1,): Proof(0, 0, 4)})
    for symmetry in symmetries(rules):
        position = Position.start(rules, (symmetry.image[0], symmetry.image[4]))
        found = book.look_up(position)
        assert found is not None
        assert found.value == 0
        assert position.is_legal(found.move if found.move is not None else -1)
        assert {symmetry.image[0], 8 - symmetry.image[0]} >= {found.move}
    assert book.look_up(Position.start(rules)) is None
    assert book.look_up(Position.start(rules, (4,))) is None


def test_truth_uses_the_book_only_if_it_is_given() -> None:
    rules = parse_rules("tic-tac-toe")
    lie = book_with(rules, {(0,): Proof(1, 1, 4)})
    position = Position.start(rules, (0,))
    assert Truth(rules, 1 << 20, lie).prove(position).value == 1
    assert Truth(rules, 1 << 20).prove(position).value == 0
    assert Truth(rules, 1 << 20, lie).prove(position.play(4)).value == 0
