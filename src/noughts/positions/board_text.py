"""Reads a position from its board alone, such as ``XO..X...O``: the marks determine the side to move."""

import re

from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, SYMBOLS, Position
from noughts.rules import Rules, RulesError, line_table

_CONTENTS = {".": EMPTY, "-": EMPTY, "_": EMPTY, "X": FIRST_MARK, "O": SECOND_MARK, "#": BRICK}
_BOARD = re.compile(r"[XxOo#._\-\s/|]*[XxOo#._\-][XxOo#._\-\s/|]*")


def is_board(text: str) -> bool:
    """Whether a text is a board, not moves: the names of squares contain digits, and boards do not."""
    return _BOARD.fullmatch(text) is not None


def moves_to(rules: Rules, text: str) -> tuple[int, ...]:
    """Return moves that lead to a board, in an order that the rules allow.

    Args:
        rules: The game.
        text: A character for each cell, row by row and board by board: ``X`` or ``O``, ``#`` for a brick, ``.`` for an
            empty cell; spaces, line breaks, ``/`` and ``|`` are ignored. Shared marks are all ``X``.

    Raises:
        RulesError: no game leads to this board.
    """
    cells = bytes(
        _CONTENTS[character.upper()] for character in text if not character.isspace() and character not in "/|"
    )
    if len(cells) != rules.size:
        raise RulesError(f"a board of {rules} has {rules.size} cells, and {len(cells)} were given")
    marks = SYMBOLS[FIRST_MARK] if rules.marks == "shared" else f"{SYMBOLS[FIRST_MARK]} and {SYMBOLS[SECOND_MARK]}"
    if rules.marks == "shared" and SECOND_MARK in cells:
        raise RulesError(f"in {rules} all marks are {marks}")
    if {cell for cell, content in enumerate(cells) if content == BRICK} != rules.brick_cells:
        raise RulesError(f"in {rules} the bricks, #, are {rules.brick_names() or 'none'}, and others were given")
    moves = _in_order(rules, cells)
    if Position.start(rules, moves).cells != cells:
        raise AssertionError("moves in order give their own board")
    return moves


def _in_order(rules: Rules, cells: bytes) -> tuple[int, ...]:
    """The marks as moves; those that complete a line come last, because the first line closes a board."""
    last = _closing(rules, cells)
    first, second = (
        [c for c, content in enumerate(cells) if content == mark and c not in last]
        for mark in (FIRST_MARK, SECOND_MARK)
    )
    if rules.marks == "shared":
        return (*first, *last)
    for cell in last:
        (first if cells[cell] == FIRST_MARK else second).append(cell)
    if not 0 <= len(first) - len(second) <= 1:
        raise RulesError(
            f"{len(first)} X and {len(second)} O cannot be on a board: X moves first, so it has as many, or one more"
        )
    if last and (len(first) > len(second)) != (cells[last[0]] == FIRST_MARK):
        raise RulesError("no game leads there: one side moved on after the other had completed a line")
    turns = [cell for pair in zip(first, second, strict=False) for cell in pair]
    return (*turns, *first[len(second) :])


def _closing(rules: Rules, cells: bytes) -> list[int]:
    """For each board with complete lines, a cell that all of them share; RulesError if no single move completed them."""
    common: dict[int, set[int]] = {}
    for line in line_table(rules).cells:
        if cells[line[0]] in (FIRST_MARK, SECOND_MARK) and len({cells[cell] for cell in line}) == 1:
            board = line[0] // rules.board_size
            common[board] = common.get(board, set(line)) & set(line)
    if not all(common.values()):
        raise RulesError(
            "no game leads there: its lines were not completed by one move, and the first one ends the game"
        )
    return [min(found) for found in common.values()]
