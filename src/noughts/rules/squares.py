"""The squares of a board: their names for people, their indices for programs, and the lines they form.

Rows are letters from the top (A..), columns are numbers from the left (1..): D4 is the centre of 7x7.
A cell's index is ``row * cols + col``. With several boards the cells of board b (from 0) follow those of
board b - 1, and the name begins with the board, counted from 1: ``2.B2`` is the centre of the second 3x3 board.

Opposite edges of a board may be joined. On 3x4 cells with ``columns`` joined, column 1 follows column 4, so C3 C4 C1
and A4 B1 C2 are lines of three.
"""

import re
from collections.abc import Iterator, Set
from typing import Literal, get_args

from noughts.rules.errors import RulesError

MAX_SIDE = 19
_LETTERS = "ABCDEFGHIJKLMNOPQRS"
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Wrap = Literal["none", "rows", "columns", "both"]
"""Which of a board's edges are joined. ``rows``: row A follows the last row, so the top and the bottom edge are joined.
``columns``: column 1 follows the last column, so the left and the right edge are joined. ``both``: all four."""

WRAPS: tuple[Wrap, ...] = get_args(Wrap)
"""Every `Wrap`; arrays use its index in this order."""

JOINED_EDGES: dict[Wrap, str] = {
    "rows": "top and bottom edges joined",
    "columns": "left and right edges joined",
    "both": "opposite edges joined",
}
"""Descriptions of the joined edges; ``none`` has none."""

_NAME = re.compile(r"(?:([0-9]{1,3})\.)?([A-Sa-s])([0-9]{1,2})")


def square_name(cell: int, rows: int, cols: int, boards: int = 1) -> str:
    """Return the name of a cell index, e.g. ``D4``; with several boards the board comes first, e.g. ``2.D4``."""
    board, on_board = divmod(cell, rows * cols)
    row, col = divmod(on_board, cols)
    name = f"{_LETTERS[row]}{col + 1}"
    return f"{board + 1}.{name}" if boards > 1 else name


def square_index(name: str, rows: int, cols: int, boards: int = 1) -> int:
    """Return the cell index of a square's name.

    Raises:
        RulesError: the text is not a square's name, or the square is off the board.
    """
    last = square_name(rows * cols * boards - 1, rows, cols, boards)
    match = _NAME.fullmatch(name.strip())
    if match is None:
        raise RulesError(
            f"square {name!r} is not a name such as {last}: a row letter from A, then a column number from 1"
        )
    board_text, letter, number = match.groups()
    board = int(board_text) - 1 if board_text else 0
    row, col = _LETTERS.index(letter.upper()), int(number) - 1
    if not (0 <= board < boards and row < rows and 0 <= col < cols) or (board_text is None) != (boards == 1):
        first = square_name(0, rows, cols, boards)
        raise RulesError(f"square {name!r} is off the board: {rows}x{cols} has {first} to {last}")
    return board * rows * cols + row * cols + col


def lines_on_board(
    rows: int, cols: int, k: int, bricks: Set[int] = frozenset(), wrap: Wrap = "none"
) -> Iterator[tuple[int, ...]]:
    """Yield every line of k cells along a row, column or diagonal without a brick, as cell indices end to end.

    With joined edges, several `runs_on_board` may have the same cells: a whole row can start at any of them.
    They are one line, yielded as the first of these runs.
    """
    if wrap == "none":
        yield from runs_on_board(rows, cols, k, bricks)
        return
    seen: set[frozenset[int]] = set()
    for run in runs_on_board(rows, cols, k, bricks, wrap):
        cells = frozenset(run)
        if cells not in seen:
            seen.add(cells)
            yield run


def runs_on_board(
    rows: int, cols: int, k: int, bricks: Set[int] = frozenset(), wrap: Wrap = "none"
) -> Iterator[tuple[int, ...]]:
    """Yield every straight run of k cells without a brick or a repeated cell, as cell indices in order.

    From each cell there is at most one to the right, one down and two along diagonals; the opposite ways are left out.
    k is at most the longer side of the board, although joined diagonals may continue for longer.
    """
    over_rows, over_cols = joins_rows(wrap), joins_columns(wrap)
    if k > max(rows, cols):
        return
    # A line of one cell has no direction, so it must not be counted in all four.
    for row in range(rows):
        for col in range(cols):
            for down, right in _DIRECTIONS if k > 1 else _DIRECTIONS[:1]:
                end_row, end_col = row + down * (k - 1), col + right * (k - 1)
                if (over_rows or end_row < rows) and (over_cols or 0 <= end_col < cols):
                    run = tuple((row + down * i) % rows * cols + (col + right * i) % cols for i in range(k))
                    if bricks.isdisjoint(run) and (wrap == "none" or len(set(run)) == k):
                        yield run


def joins_rows(wrap: Wrap) -> bool:
    """Whether the top and the bottom edge are joined: row A follows the last row."""
    return wrap in ("rows", "both")


def joins_columns(wrap: Wrap) -> bool:
    """Whether the left and the right edge are joined: column 1 follows the last column."""
    return wrap in ("columns", "both")
