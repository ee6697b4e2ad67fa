"""Positions from their boards: every position of small games is found again, and unreachable boards are rejected."""

import itertools

import pytest

from noughts import position
from noughts.positions import SYMBOLS, Position
from noughts.positions.board_text import is_board, moves_to
from noughts.positions.graph import game_graph
from noughts.rules import RulesError, parse_rules
from tests.positions.reached import SMALL_GAMES


@pytest.mark.parametrize(
    "text", [*SMALL_GAMES, "mnk(2,4,2)", "mnk(2,3,2,marks=shared,boards=2,bricks=A1)", "mnk(2,4,3,wrap=both)"]
)
def test_a_board_is_accepted_if_and_only_if_a_game_reaches_it(text: str) -> None:
    rules = parse_rules(text)
    boards = {position.cells for position in game_graph(rules)[1]}
    contents = ["#" if cell in rules.brick_cells else ".XO" for cell in range(rules.size)]
    if rules.marks == "shared":
        contents = [some.replace("O", "") for some in contents]
    for symbols in itertools.product(*contents):
        cells = bytes(map(SYMBOLS.index, symbols))
        try:
            moves = moves_to(rules, "".join(symbols))
        except RulesError:
            assert cells not in boards
        else:
            assert cells in boards
            assert Position.start(rules, moves).cells == cells


def test_a_board_determines_the_side_to_move() -> None:
    at = position("tic-tac-toe", "XO. / .X. / ..O")
    assert (at.ply, at.cells) == (4, position("tic-tac-toe", "A1 A2 B2 C3").cells)
    assert position("tic-tac-toe", "xo-_x-__.") == position("tic-tac-toe", "A1 A2 B2")
    assert all(map(is_board, ("XO..X...O", ".........", "XO")))
    assert not any(map(is_board, ("O1 X2", "A1", "", " / ")))


@pytest.mark.parametrize(
    ("rules", "board", "words"),
    [
        ("tic-tac-toe", "XO..X..", "a board of tic-tac-toe has 9 cells, and 7 were given"),
        ("tic-tac-toe", "XX.......", "2 X and 0 O cannot be on a board: X moves first"),
        ("tic-tac-toe", "O........", "0 X and 1 O cannot be"),
        ("tic-tac-toe", "XXXOO.O..", "one side moved on after the other had completed a line"),
        ("tic-tac-toe", "XXXOOO...", "its lines were not completed by one move"),
        ("tic-tac-toe", "XO#......", "the bricks, #, are none, and others were given"),
        ("notakto(3)", "XO.......", "all marks are X"),
    ],
)
def test_unreachable_boards_are_rejected(rules: str, board: str, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        position(rules, board)
