"""The book of solved openings: each entry is proved again, from the positions after its move."""

import json

import pytest

from noughts.positions import Position
from noughts.rules import parse_rules
from noughts.solvers.book import FILE, book_of, marks_of
from noughts.solvers.solution import Budget, Proof
from noughts.solvers.solve import Truth
from tests.positions.reached import at

QUICK_NODES = 300_000
"""The nodes that an entry's reply may cost in every test run; the others are proved by hand, with -m slow."""


def entries() -> list[tuple[str, str]]:
    """The game and the moves of each."""
    return [(text, moves) for text, written in json.loads(FILE.read_text("utf-8")).items() for moves in written]


def entry_of(position: Position) -> Proof:
    return book_of(position.rules)[marks_of(position.moves)]


def proved_again(position: Position, nodes: int) -> tuple[int, int]:
    """Bounds on the value of an entry, as its move shows it."""
    move = entry_of(position).move
    assert move is not None
    found = Truth(position.rules, 1 << 28).prove(position.play(move), Budget(nodes))
    return -found.high, -found.low


def test_the_book_has_entries() -> None:
    assert {entry_of(at(*entry)).value for entry in entries()} == {1}  # so a move that wins proves each
    assert book_of(parse_rules("tic-tac-toe")) == {}


@pytest.mark.heavy
@pytest.mark.parametrize(("text", "moves"), entries())
def test_no_quick_proof_contradicts_the_book(text: str, moves: str) -> None:
    low, high = proved_again(at(text, moves), QUICK_NODES)
    assert low <= entry_of(at(text, moves)).low <= high


@pytest.mark.slow
@pytest.mark.parametrize(("text", "moves"), entries())
def test_every_entry_is_proved_again(text: str, moves: str) -> None:
    low, _ = proved_again(at(text, moves), 1_000_000_000)
    assert low == entry_of(at(text, moves)).low


@pytest.mark.parametrize(
    ("moves", "move"),
    [("A2", "C4"), ("A6", "C4"), ("B1", "D3"), ("B7", "D5"), ("F1", "D3"), ("G2", "E4"), ("G6", "E4")],
)
def test_images_of_entries_are_found_and_their_moves_are_mapped(moves: str, move: str) -> None:
    position = at("bttt(D4)", moves)
    assert entry_of(position) == Proof(1, 1, position.rules.cell_of(move))


def test_positions_are_found_by_their_marks_alone() -> None:
    assert marks_of((0, 4, 8, 2)) == marks_of((8, 2, 0, 4)) == ((0, 8), (2, 4))
    assert marks_of((4, 0)) != marks_of((0, 4))
    assert marks_of(()) not in book_of(parse_rules("bttt(D4)"))


def test_truth_uses_the_book_only_if_it_is_given() -> None:
    rules = parse_rules("tic-tac-toe")
    lie = {marks_of((0,)): Proof(1, 1, 4)}
    position = Position.start(rules, (0,))
    assert Truth(rules, 1 << 20, lie).prove(position).value == 1
    assert Truth(rules, 1 << 20).prove(position).value == 0
    assert Truth(rules, 1 << 20, lie).prove(position.play(4)).value == 0
