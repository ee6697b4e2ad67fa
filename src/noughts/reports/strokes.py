"""Strokes through complete lines and along a board's joined edges, in cells from the board's corner.

A line across a joined edge is drawn in pieces, each up to the edge. For example C3 C4 C1 on 3x4 cells, columns joined:

       1  2  3  4
    C  ──       ─────
"""

from itertools import pairwise

from noughts.rules import Rules
from noughts.rules.squares import joins_columns, joins_rows

_BEYOND = 0.35  # beyond the middle of the last cell
_DASH = 0.25  # half the length of a dash


Stroke = tuple[float, float, float, float]
"""From one point to another, x1, y1, x2 and y2: columns to the right and rows down from the corner of the board."""


def line_strokes(rules: Rules, line: tuple[int, ...]) -> list[Stroke]:
    """The strokes through a complete line, whose cells are in order: one for each connected piece on the board."""
    places = [divmod(cell % rules.board_size, rules.cols) for cell in line]
    found, piece = [], places[:1]
    for before, after in pairwise(places):
        # A line runs to the right, down, or down diagonally either way.
        if not (0 <= after[0] - before[0] <= 1 and abs(after[1] - before[1]) <= 1):
            found.append(piece)
            piece = []
        piece.append(after)
    found.append(piece)
    down, right = _step(rules, places)
    return [
        _stroke(piece, down, right, _BEYOND if number == 0 else 0.5, _BEYOND if number == len(found) - 1 else 0.5)
        for number, piece in enumerate(found)
    ]


def edge_strokes(rules: Rules) -> list[Stroke]:
    """Dashes on the joined edges of a board, one at each cell. (Outside, they would hide the names of rows and columns.)"""
    found: list[Stroke] = []
    for col in range(rules.cols if joins_rows(rules.wrap) else 0):
        for y in (0.0, float(rules.rows)):
            found.append((col + 0.5 - _DASH, y, col + 0.5 + _DASH, y))
    for row in range(rules.rows if joins_columns(rules.wrap) else 0):
        for x in (0.0, float(rules.cols)):
            found.append((x, row + 0.5 - _DASH, x, row + 0.5 + _DASH))
    return found


def _step(rules: Rules, places: list[tuple[int, int]]) -> tuple[int, int]:
    """The step between cells of a line: rows down, columns to the right. A line of one cell steps to the right."""
    if len(places) == 1:
        return 0, 1
    (row, col), (next_row, next_col) = places[:2]
    down = 0 if row == next_row else 1
    right = next_col - col
    if abs(right) > 1:
        right = -1 if right > 0 else 1
    return down, right


def _stroke(piece: list[tuple[int, int]], down: int, right: int, before: float, after: float) -> Stroke:
    """The stroke through the middles of a piece's cells, extended by `before` and `after`."""
    (first_row, first_col), (last_row, last_col) = piece[0], piece[-1]
    return (
        first_col + 0.5 - right * before,
        first_row + 0.5 - down * before,
        last_col + 0.5 + right * after,
        last_row + 0.5 + down * after,
    )
