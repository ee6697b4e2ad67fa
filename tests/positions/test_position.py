import dataclasses
import random
from typing import Any

import pytest
from hypothesis import given

from noughts.positions import FIRST_MARK, SECOND_MARK, Outcome, Position, Side
from noughts.rules import IllegalMoveError, Rules, parse_rules
from tests.positions.reached import at, played_out
from tests.positions.strategies import games


@given(games())
def test_a_game_from_start_to_end_and_back(game: tuple[Rules, tuple[int, ...]]) -> None:
    rules, moves = game
    position = Position.start(rules)
    for ply, move in enumerate(moves):
        assert position.ply == ply
        assert position.legal_moves == tuple(cell for cell in range(rules.size) if position.is_legal(cell))
        after = position.play(move)
        assert (after.undo(), after.undo().moves) == (position, position.moves)
        position = after
    assert position == Position.start(rules, moves)


@given(games())
def test_the_line_on_the_board_is_the_one_that_closed_it(game: tuple[Rules, tuple[int, ...]]) -> None:
    rules, moves = game
    for ply in range(len(moves) + 1):
        position = Position.start(rules, moves[:ply])
        lines = position.winning_lines()
        assert {line[0] // rules.board_size for line in lines} == position.closed
        for line in lines:
            assert len(line) == rules.k
            assert len({position.cells[cell] for cell in line}) == 1
            assert position.cells[line[0]] in (FIRST_MARK, SECOND_MARK)


def test_positions_reached_in_another_order_are_equal() -> None:
    one, two = at("tic-tac-toe", "A1 B2 C3"), at("tic-tac-toe", "C3 B2 A1")
    assert one == two
    assert hash(one) == hash(two)
    assert one.moves != two.moves
    assert one != at("tic-tac-toe", "A1 C3 B2")
    assert one != at("misere-tic-tac-toe", "A1 B2 C3")


def test_two_lines_at_once_are_both_shown() -> None:
    position = at("tic-tac-toe", "A2 B2 A3 B3 B1 C2 C1 C3 A1")
    assert position.outcome is Outcome.FIRST
    assert set(position.winning_lines()) == {(0, 1, 2), (0, 3, 6)}


@pytest.mark.parametrize(
    ("text", "moves", "cell", "message"),
    [
        ("tic-tac-toe", "A1 B2", 4, "move B2 is taken by O in {}"),
        ("bttt(D4)", "", 24, "move D4 is on a brick in {}"),
        ("tic-tac-toe", "", 9, "move 9 is off the board in {}: cells are 0 to 8"),
        ("tic-tac-toe", "", -1, "move -1 is off the board in {}: cells are 0 to 8"),
        ("tic-tac-toe", "A1 B1 A2 B2 A3", 8, "the game is over (first) in {}: no move can be made"),
        ("notakto(2,boards=2)", "1.A1 1.B2", 1, "move 1.A2 is on a closed board in {}"),
    ],
)
def test_an_illegal_move_is_named_with_the_position(text: str, moves: str, cell: int, message: str) -> None:
    position = at(text, moves)
    assert not position.is_legal(cell)
    with pytest.raises(IllegalMoveError) as caught:
        position.play(cell)
    assert str(caught.value) == message.format(f"{text} after {moves or 'no moves'}")


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("A1", "cells are 0 to 8, and position.rules.cell_of('A1') gives that of a square"),
        (1.0, "cells are 0 to 8"),
        (None, "cells are 0 to 8"),
    ],
)
def test_a_move_that_is_no_number_is_rejected_in_one_line(move: Any, message: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        at("tic-tac-toe", "B2").play(move)
    assert str(caught.value) == f"move {move!r} is no number in tic-tac-toe after B2: {message}"


def test_start_names_the_first_illegal_move() -> None:
    with pytest.raises(IllegalMoveError, match="move A1 is taken by X in tic-tac-toe after A1 A2"):
        Position.start(parse_rules("tic-tac-toe"), (0, 1, 0, 4))


def test_undo_at_the_start_is_rejected() -> None:
    with pytest.raises(IllegalMoveError, match="there is no move to take back"):
        at("tic-tac-toe").undo()


def test_values_are_from_one_sides_point_of_view() -> None:
    first, second, draw = Outcome.FIRST, Outcome.SECOND, Outcome.DRAW
    assert [outcome.value(Side.FIRST) for outcome in (first, second, draw)] == [1, -1, 0]
    assert [outcome.value(Side.SECOND) for outcome in (first, second, draw)] == [-1, 1, 0]
    with pytest.raises(ValueError, match="the game is not over"):
        Outcome.ONGOING.value(Side.FIRST)
    assert (Side.FIRST.other, Side.SECOND.other) == (Side.SECOND, Side.FIRST)


def test_sides_and_outcomes_are_written_as_words() -> None:
    position = at("tic-tac-toe")
    assert f"{position.to_move} {position.outcome}" == "first ongoing"
    assert f"{Outcome.DRAW:>6}|" == "  draw|"
    assert [str(side) for side in Side] == ["first", "second"]


def test_boards_as_text() -> None:
    assert str(at("mnk(2,3,2,bricks=B3)", "A1 A2")).splitlines() == [
        "    1  2  3",
        " A  X  O  .",
        " B  .  .  #",
    ]
    assert str(at("notakto(2,boards=2)", "2.A1 2.B2")).splitlines() == [
        "board 1",
        "    1  2",
        " A  .  .",
        " B  .  .",
        "board 2 (closed)",
        "    1  2",
        " A  X  .",
        " B  .  X",
    ]
    header, row = str(at("mnk(1,12,3)", "A10")).splitlines()
    assert header == "    1  2  3  4  5  6  7  8  9 10 11 12"
    assert row.index("X") == header.index("10") + 1


@pytest.mark.parametrize("game", ["tic-tac-toe", "bttt(D4)", "misere-tic-tac-toe", "notakto(3,boards=2)", "mnk(3,5,3)"])
def test_completing_cells_make_a_line_for_either_side(game: str) -> None:
    rng, rules = random.Random(game), parse_rules(game)
    for _ in range(6):
        *positions, over = played_out(rules, rng)
        for position in positions:
            mover, lines = position.to_move, len(position.winning_lines())
            for cell in position.legal_moves:
                makes_one = len(position.play(cell).winning_lines()) > lines
                assert (cell in position.completing_cells(mover)) == makes_one
                if rules.marks == "own":
                    # The same marks with an opponent's move between, so the other side is to move.
                    swapped = bytes({1: 2, 2: 1}.get(mark, mark) for mark in position.cells)
                    seen = dataclasses.replace(position, cells=swapped)
                    assert (cell in position.completing_cells(mover.other)) == (cell in seen.completing_cells(mover))
        assert over.completing_cells(Side.FIRST) == ()


@pytest.mark.parametrize(
    "game",
    [pytest.param("bttt(D4)", marks=pytest.mark.heavy), "mnk(5,5,3,bricks=B2)", "mnk(4,5,4,wrap=rows)", "notakto(3)"],
)
def test_forking_cells_threaten_two_lines_at_once(game: str) -> None:
    rng, rules = random.Random(game), parse_rules(game)
    found = 0
    for _ in range(5):
        *positions, over = played_out(rules, rng)
        for position in positions:
            mover = position.to_move
            forks = position.forking_cells(mover)
            found += len(forks)
            for cell in position.legal_moves:
                assert (cell in forks) == (len(threatened_through(position, cell)) > 1 and rules.marks == "own")
        assert over.forking_cells(Side.FIRST) == ()
    assert (found > 0) == (rules.marks == "own")


def threatened_through(position: Position, cell: int) -> set[int]:
    """Where the side to move could complete a line through a cell if it moved there and then moved again."""
    after = position.play(cell)
    if after.is_over:
        return set()
    again = dataclasses.replace(after, moves=(*after.moves, -1))
    return {
        other
        for other in again.legal_moves
        if any(cell in line and other in line for line in again.play(other).winning_lines())
    }


@pytest.mark.parametrize(
    ("wrap", "words"), [("rows", "top and bottom"), ("columns", "left and right"), ("both", "opposite")]
)
def test_a_printed_board_names_its_joined_edges(wrap: str, words: str) -> None:
    assert str(at(f"mnk(3,4,3,wrap={wrap})")).splitlines()[-1] == f"   {words} edges joined"
    assert "joined" not in str(at("mnk(3,4,3)"))
