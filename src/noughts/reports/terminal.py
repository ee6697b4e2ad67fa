"""Documents in a terminal: tables that fit its width, and heatmaps; also while a study runs."""

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table as Grid
from rich.text import Text

from noughts.document.document import Block, Document, Listing, cell_text
from noughts.document.result import BoardFigure, Table
from noughts.positions import Position
from noughts.reports.drawing import clean
from noughts.reports.palette import heat
from noughts.reports.tables import VERDICT, is_left, table_listing

_STYLES = {
    "agrees": "green",
    "differs": "yellow",
    "refuted": "bold red",
    "not distinguishable": "cyan",
    "no claim": "dim",
    "waiting": "dim",
}
_MANY_COLUMNS = 6
"""With more columns, a table has one blank between two columns instead of two."""

_LEAST = 18
"""A column of names is at least as wide as its longest piece, but need not be wider than this."""

_PIECE = re.compile(r"(?:[^\s,:/+|-]|\s=\s)*(?:(?!\s=\s)[\s,:/+|-])+|(?:[^\s,:/+|-]|\s=\s)+")
"""A piece of a name that is not broken: up to a joint, and with it. A blank beside an equals sign is no joint: ``c = 1.4``."""

_PART = re.compile(r"[^._=@(]*[._=@(]+|[^._=@(]+")
"""A part of such a piece that is not broken if the whole piece does not fit."""

_WORD = re.compile(r"\S+\s*")


def document_tables(document: Document) -> Group:
    """A document for a terminal, without curves, which cannot be drawn there."""
    return Group(*(_text(part) if isinstance(part, str) else part for part in document_parts(document)))


def document_parts(document: Document) -> Iterator[RenderableType]:
    """The same, part by part; a text stays a text with its lines."""
    before: Block = ""
    for block in document.blocks:
        if isinstance(block, Listing) and isinstance(before, Listing):
            yield ""
        yield from _shown(block, document.complete)
        before = block


def _shown(block: Block, complete: bool) -> Iterator[RenderableType]:
    if isinstance(block, str):
        yield block
    elif isinstance(block, BoardFigure):
        yield heatmap(block) if block.values else _text(f"{Position.start(block.game, block.moves)}")
    elif isinstance(block, Listing):
        yield from _grid(block)
    elif isinstance(block, Table):
        yield from _grid(table_listing(block, complete=complete, brief=True), style="dim")
        yield ""


def _grid(shown: Listing, style: str = "") -> Iterator[RenderableType]:
    """A table with its title above and its notes below, in a style. They are separate, because a narrow table would wrap them."""
    if shown.title:
        yield _text(shown.title, style="bold")
    yield _Fitted(shown)
    for note in shown.notes:
        yield _text(note, style=style)


class _Fitted:
    """A table that fits the width of the terminal: labels become narrower first, and break at their joints."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The grid."""
        shown = self.listing
        rows = [[clean(cell_text(cell)) for cell in row] for row in shown.rows]
        names = [clean(name) for name in shown.columns]
        gap = 2 if len(names) <= _MANY_COLUMNS else 1
        widths = _widths(shown, rows, options.max_width - gap * (len(names) - 1))
        grid = Grid(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="underline")
        grid.show_header = any(names)
        for place, (name, width) in enumerate(zip(names, widths, strict=True)):
            grid.add_column(
                Text(broken(name, width)),
                justify="left" if is_left(shown, place) else "right",
                width=width,
                overflow="fold",
            )
        for number, row in enumerate(rows):
            if number == len(rows) - shown.totals > 0:
                grid.add_section()
            cells = (
                Text(broken(text, width) if place < shown.labels else text, _style(shown.columns[place], text))
                for place, (text, width) in enumerate(zip(row, widths, strict=True))
            )
            grid.add_row(*cells)
        yield grid


def _style(column: str, text: str) -> str:
    return _STYLES.get(text.partition(" ")[2], "") if column == VERDICT else ""


def _widths(shown: Listing, rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of columns. If they do not fit, the widest labels become narrower, then all columns except `whole` ones."""
    columns = [[*name.split("\n"), *(row[place] for row in rows)] for place, name in enumerate(shown.columns)]
    widths = [max(map(cell_len, column)) or 1 for column in columns]
    labels = [place < shown.labels for place in range(len(columns))]
    least = [
        max(
            (cell_len(piece.rstrip()) for text in column for piece in (_PIECE if label else _WORD).findall(text)),
            default=1,
        )
        for column, label in zip(columns, labels, strict=True)
    ]
    for place, name in enumerate(shown.columns):
        least[place] = widths[place] if name in shown.whole else min(least[place], _LEAST)
    for may_give in (labels, [True] * len(columns)):
        while sum(widths) > room:
            giving = [place for place, may in enumerate(may_give) if may and widths[place] > least[place]]
            if not giving:
                break
            widths[max(giving, key=widths.__getitem__)] -= 1
    return widths


def broken(name: str, room: int) -> str:
    """A name in lines of at most `room`, broken at its joints: after a comma, a colon, a slash, a plus, a bar or a hyphen.

    Pieces that are still too long break after a dot, an underscore, an equals sign, an at sign or a bracket.
    """
    lines = []
    for given in name.split("\n"):
        lines.append("")
        for whole in _PIECE.findall(given):
            for piece in [whole] if cell_len(whole.rstrip()) <= room else _PART.findall(whole):
                if lines[-1] and cell_len(lines[-1]) + cell_len(piece.rstrip()) > room:
                    lines.append("")
                lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def _text(text: str, style: str = "") -> Text:
    """A literal text: square brackets are no markup, and control characters are removed."""
    return Text(clean(text), style=style)


def heatmap(figure: BoardFigure) -> Group:
    """The board of a figure in a terminal: the texts of its values, shaded."""
    rules = figure.game
    shown = {value.cell: value for value in figure.values}
    grid = Grid(box=None, pad_edge=False, padding=(0, 0), show_header=True, header_style="dim")
    grid.add_column("", style="dim")
    width = max((cell_len(value.text) for value in figure.values), default=1) + 2
    for col in range(rules.cols):
        grid.add_column(str(col + 1), justify="center", min_width=width)
    for row in range(rules.rows):
        cells = []
        for col in range(rules.cols):
            found = shown.get(row * rules.cols + col)
            if found is None:
                cells.append(_text("·", style="dim"))
            else:
                shade, ink = heat(found.value, figure.value_range)
                cells.append(_text(f"{found.text:^{width}}", style=f"{ink} on {shade}"))
        grid.add_row(rules.name_of(row * rules.cols)[0], *cells)
    return Group(_text(figure.title, style="bold"), grid, _text(figure.value_label, style="dim"))
