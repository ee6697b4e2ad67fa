"""Positions drawn as boards: letters down the left, numbers along the top, X as strokes and O as rings.

::

       1  2  3
    A  X  .  #     # is a brick, hatched; the last move has a background of its own and a frame;
    B  .  X  O     a complete line is struck through; with several boards, those that contain a
    C  O  .  .     line are called closed; joined edges are dashed

Colour is never the only sign.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from noughts.positions import BRICK, EMPTY, SECOND_MARK, SYMBOLS, Outcome, Position
from noughts.positions.given import require_position
from noughts.reports.drawing import Circle, Drawing, Label, Line, Rect, Shape, drawing_svg
from noughts.reports.palette import colour, heat
from noughts.reports.strokes import Stroke, edge_strokes, line_strokes
from noughts.rules import Rules
from noughts.rules.squares import JOINED_EDGES
from noughts.rules.text import counted

CELL = 40.0
_EDGE = 26.0
"""Space for the letters and the numbers."""
_MARGIN = 8.0
_WIDEST = 640.0
"""Boards of one position are side by side up to this width, then below each other."""


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """Options of a drawn board, besides its marks.

    Attributes:
        numbers: Write each move's number beside its mark.
        last_move: Frame the last move.
        values: The values of some cells, by index. These cells are shaded and show their number.
        texts: Texts by cell, to write instead of a value, or in cells without one.
        best: Cells to draw a ring around.
        value_range: The values at the two ends of the shades.
        ordered: Whether the order of the moves is known. If not, drawings do not show it.
    """

    numbers: bool = False
    last_move: bool = True
    values: Mapping[int, float] | None = None
    texts: Mapping[int, str] | None = None
    best: frozenset[int] = frozenset()
    value_range: tuple[float, float] = (0.0, 100.0)
    ordered: bool = True


def board_svg(position: Position, options: BoardOptions | None = None, *, title: str = "", inline: bool = False) -> str:
    """A position as SVG.

    Args:
        position: The position, with all its boards.
        options: What to draw besides the marks.
        title: The title for screen readers, which is not drawn; by default the game and its moves.
        inline: For use within an HTML page: colours follow the page, light or dark.

    Raises:
        NoughtsError: `position` is no position.
    """
    return drawing_svg(board_drawing(position, options, title=title), inline=inline)


def board_drawing(position: Position, options: BoardOptions | None = None, *, title: str = "") -> Drawing:
    """A position as shapes; the arguments are those of `board_svg`."""
    options = options or BoardOptions()
    rules = require_position(position).rules
    named = rules.boards > 1
    wide, high = rules.cols * CELL + _EDGE, rules.rows * CELL + _EDGE * (1 + named)
    across = min(rules.boards, max(1, int(_WIDEST // (wide + 2 * _MARGIN))))
    down = -(-rules.boards // across)
    step_x, step_y = wide + 2 * _MARGIN, high + _MARGIN
    title = title or f"{rules} after {counted(position.ply, 'move')}"
    drawing = Drawing(across * step_x, down * step_y + _MARGIN, title, describe_position(position, options.ordered))
    for board in range(rules.boards):
        left, top = board % across * step_x + _MARGIN, board // across * step_y + _MARGIN
        if named:
            text = f"Board {board + 1}" + (", closed" if board in position.closed else "")
            drawing.shapes.append(Label(left + _EDGE, top + _EDGE / 2, text, 14, colour("ink"), bold=True, start=True))
        drawing.shapes.extend(_one_board(position, options, board, left + _EDGE, top + high - rules.rows * CELL))
    return drawing


def describe_position(position: Position, ordered: bool = True) -> str:
    """A position in words, for people who cannot see the drawing; without the order of moves unless `ordered`."""
    rules = position.rules
    words = [
        f"{rules.rows}x{rules.cols} board"
        if rules.boards == 1
        else f"{rules.boards} boards of {rules.rows}x{rules.cols}"
    ]
    if rules.wrap in JOINED_EDGES:
        words.append(JOINED_EDGES[rules.wrap])
    if rules.bricks:
        words.append(f"brick on {rules.brick_names().replace('+', ', ')}")
    told = enumerate(position.moves if ordered else sorted(position.moves), 1)
    moves = ", ".join(
        f"{f'{number} ' if ordered else ''}{SYMBOLS[position.cells[move]]} {rules.name_of(move)}"
        for number, move in told
    )
    words.append(f"{'moves' if ordered else 'marks'} {moves}" if moves else "no moves")
    words += [f"line {' '.join(map(rules.name_of, line))}" for line in position.winning_lines()]
    over = {
        Outcome.ONGOING: f"{'first' if position.to_move == 0 else 'second'} player to move",
        Outcome.FIRST: "the first player has won",
        Outcome.SECOND: "the second player has won",
        Outcome.DRAW: "a draw",
    }
    return "; ".join([*words, over[position.outcome]]) + "."


def _one_board(position: Position, options: BoardOptions, board: int, left: float, top: float) -> Iterator[Shape]:
    """One board with the corner of its first cell at (left, top): backgrounds, grid, marks, lines."""
    rules = position.rules
    cells = range(board * rules.board_size, (board + 1) * rules.board_size)
    corners = {cell: _corner(rules, cell, left, top) for cell in cells}
    last = position.moves[-1] if position.moves and options.last_move and options.ordered else None
    yield Rect(left, top, rules.cols * CELL, rules.rows * CELL, fill=colour("paper"))
    for cell, (x, y) in corners.items():
        if position.cells[cell] == BRICK:
            yield from _brick(x, y)
        elif options.values and cell in options.values:
            yield Rect(x, y, CELL, CELL, fill=heat(options.values[cell], options.value_range)[0])
        elif cell == last:
            yield Rect(x, y, CELL, CELL, fill=colour("last"))
    yield from _grid(rules, left, top)
    if last in corners:
        x, y = corners[last]
        yield Rect(x + 1.5, y + 1.5, CELL - 3, CELL - 3, stroke=colour("ink"), line=2)
    numbers = (
        {move: str(number) for number, move in enumerate(position.moves, 1)}
        if options.numbers and options.ordered
        else {}
    )
    for cell, (x, y) in corners.items():
        yield from _content(position, options, cell, x, y, numbers.get(cell, ""))
        if cell in options.best:
            yield Circle(x + CELL / 2, y + CELL / 2, CELL * 0.43, _ink(options, cell) or colour("ink"), 2)
    for line in position.winning_lines():
        if line[0] in corners:
            yield from _drawn(line_strokes(rules, line), left, top, colour("line"), 5, 0.75)
    yield from _drawn(edge_strokes(rules), left, top, colour("ink"), 3)


def _drawn(
    strokes: list[Stroke], left: float, top: float, stroke: str, width: float, opacity: float = 1.0
) -> Iterator[Shape]:
    """Strokes on the board whose corner is at (left, top)."""
    for x1, y1, x2, y2 in strokes:
        yield Line(left + x1 * CELL, top + y1 * CELL, left + x2 * CELL, top + y2 * CELL, stroke, width, opacity=opacity)


def _corner(rules: Rules, cell: int, left: float, top: float) -> tuple[float, float]:
    row, col = divmod(cell % rules.board_size, rules.cols)
    return left + col * CELL, top + row * CELL


def _grid(rules: Rules, left: float, top: float) -> Iterator[Shape]:
    right, bottom = left + rules.cols * CELL, top + rules.rows * CELL
    for row in range(rules.rows + 1):
        yield Line(left, top + row * CELL, right, top + row * CELL, colour("muted"), 1)
    for col in range(rules.cols + 1):
        yield Line(left + col * CELL, top, left + col * CELL, bottom, colour("muted"), 1)
    for row in range(rules.rows):
        yield Label(left - _EDGE / 2 - 1, top + (row + 0.5) * CELL, chr(ord("A") + row), 14, colour("muted"))
    for col in range(rules.cols):
        yield Label(left + (col + 0.5) * CELL, top - _EDGE / 2 + 2, str(col + 1), 14, colour("muted"))


def _brick(x: float, y: float) -> Iterator[Shape]:
    """A hatched cell. Its strokes are separate shapes, because SVG patterns of two drawings in a page could share a name."""
    yield Rect(x, y, CELL, CELL, fill=colour("brick"))
    gap = CELL / 5
    for number in range(1, 10):
        start, end = min(number * gap, CELL), max(number * gap - CELL, 0.0)
        yield Line(x + end, y + start, x + start, y + end, colour("hatch"), 1.6)


def _content(position: Position, options: BoardOptions, cell: int, x: float, y: float, number: str) -> Iterator[Shape]:
    """A cell's mark, and its value or else its move number: in the corner if a mark is there, else in the middle."""
    content = position.cells[cell]
    text, shade_ink = number, None
    if content != BRICK:
        values, shade_ink = options.values or {}, _ink(options, cell)
        text = (options.texts or {}).get(cell, f"{values[cell]:g}" if cell in values else number)
    shaded, ink = shade_ink is not None, shade_ink or colour("muted")
    marked = content not in (EMPTY, BRICK)
    if marked:
        corner = bool(text)
        middle, reach = (0.41, 0.23) if corner else (0.5, 0.28)
        centre_x, centre_y, arm = x + middle * CELL, y + middle * CELL, reach * CELL
        # On a shade of a heat map only the text colour is always visible; the shapes still distinguish the sides.
        stroke = ink if shaded else colour("second" if content == SECOND_MARK else "first")
        if content == SECOND_MARK:
            yield Circle(centre_x, centre_y, arm * 1.08, stroke, 4)
        else:
            yield Line(centre_x - arm, centre_y - arm, centre_x + arm, centre_y + arm, stroke, 4)
            yield Line(centre_x - arm, centre_y + arm, centre_x + arm, centre_y - arm, stroke, 4)
    if text and marked:
        yield Label(x + 0.81 * CELL, y + 0.81 * CELL, text, 11 if len(text) < 3 else 9, ink)
    elif text:
        yield Label(x + 0.5 * CELL, y + 0.5 * CELL, text, 15 if len(text) < 4 else 12, ink)


def _ink(options: BoardOptions, cell: int) -> str | None:
    """A colour that is readable on a cell's shade; None if the cell is not shaded."""
    if options.values is None or cell not in options.values:
        return None
    return heat(options.values[cell], options.value_range)[1]
