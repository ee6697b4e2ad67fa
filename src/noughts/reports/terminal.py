"""Tables and heatmaps in a terminal: a study's tables as rich tables that fit 80 columns, while it runs and at its end."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, Self

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table as Grid
from rich.text import Text

from noughts.document.document import Block, Document, Listing, cell_text
from noughts.document.result import BoardFigure, Table
from noughts.positions import Position
from noughts.reports.drawing import clean
from noughts.reports.palette import DARK_TEXT_UNTIL, HEAT_STEPS, ROLES
from noughts.reports.wording import (
    Judgement,
    is_judged,
    judgement,
    ours_text,
    spread_caption,
    spread_name,
    spread_text,
)

_STYLES = {
    "agrees": "green",
    "differs": "yellow",
    "refuted": "bold red",
    "undecided": "cyan",
    "none": "dim",
    "waiting": "dim",
}
_GAP = 2
"""Blanks between two columns."""

_MANY_COLUMNS = 6
"""With more, a table has one blank between two columns."""

_BY_WORDS = 4
"""The last stage of `_Fitted`."""

_SHORT = 15
"""Cells of a number or a verdict that is broken at the last stage alone."""

_PIECE = re.compile(r"(?:[^\s,:/+|-]|\s=\s)*(?:(?!\s=\s)[\s,:/+|-])+|(?:[^\s,:/+|-]|\s=\s)+")
"""What of a name stays together: up to a joint, and with it. A blank is none beside an equals sign, as in ``c = 1.4``."""

_PART = re.compile(r"[^._=@(]*[._=@(]+|[^._=@(]+")
"""What of such a piece stays together where there is no room for the whole of it."""

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _under_title(table: Table, *, complete: bool) -> Group:
    """Labels, paper, ours, interval, verdict, but for columns that would be empty in every row; notes as footnotes.

    Title and footnotes are no part of the grid, or a narrow one would break them into narrow lines.
    """
    notes = list(dict.fromkeys(row.note for row in table.rows if row.note))
    caption = _caption(table, notes)
    below = [caption] if caption.plain else []
    return Group(_text(table.title, style="bold"), _Fitted(table, notes, complete=complete), *below, "")


class _Fitted:
    """A table that is laid out for the width there is.

    Labels give way first, and are broken where names have joints. Where that is not enough, long verdicts and numbers of ours
    are broken between words; then all labels of a row stand in one column; and at last all else is broken, too.
    """

    def __init__(self, table: Table, notes: list[str], *, complete: bool) -> None:
        self.labels = [_text(name) for name in table.label_columns]
        self.rows, self.numbers = _cells(table, notes, complete=complete)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The grid."""
        count = len(self.labels)
        rows = [(row[:count], row[count:]) for row in self.rows]
        names, room = self.labels, options.max_width
        for stage in range(_BY_WORDS + 1):
            widths = [column.width(self.rows, stage) for column in self.numbers]
            if stage == 2 and count > 1:
                names = [_joined(self.labels)]
                rows = [([_joined(labels)], numbers) for labels, numbers in rows]
            left = room - sum(widths) - _GAP * (len(names) + len(widths) - 1)
            columns = [[name, *(labels[place] for labels, _ in rows)] for place, name in enumerate(names)]
            given = _shared_out(columns, left)
            if sum(given) <= left:
                break
        grid = Grid(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold underline")
        for name, width in zip(names, given, strict=True):
            grid.add_column(Breakable(name), width=width)
        for column, width in zip(self.numbers, widths, strict=True):
            grid.add_column(column.name, justify=column.justify, width=width)
        for labels, numbers in rows:
            grid.add_row(*map(Breakable, labels), *numbers)
        yield grid


class _Column(NamedTuple):
    """A column of numbers or verdicts.

    Attributes:
        place: Of its cells in a row.
        most: Its width is no more than this.
        breaks_at: The stage of `_Fitted` from which on its texts are broken.
    """

    place: int
    name: Text
    justify: Literal["left", "right"]
    most: int
    breaks_at: int

    def width(self, rows: Sequence[Sequence[Text]], stage: int) -> int:
        """For its texts or, from `breaks_at` on, for half of each; at last for the longest word."""
        texts = [self.name.plain, *(row[self.place].plain for row in rows)]
        whole = max(map(cell_len, texts))
        if stage < self.breaks_at:
            return min(whole, self.most)
        words = max((cell_len(word) for text in texts for word in text.split()), default=1)
        short = max((width for text in texts if (width := cell_len(text)) <= _SHORT), default=1)
        return min(words if stage == _BY_WORDS else max(words, short), whole, self.most)


def _cells(table: Table, notes: list[str], *, complete: bool) -> tuple[list[list[Text]], list[_Column]]:
    """All cells, labels first, and the columns of what follows; `notes` are numbered from 1."""
    papers = any(row.paper for row in table.rows)
    intervals = any(spread_text(table, row) for row in table.rows)
    judged = is_judged(table, complete=complete)
    heads: list[tuple[str, Literal["left", "right"], int, int]] = []
    if papers:
        heads.append((table.claimed, "right", 18, 3))
    heads.append((table.measured, "right", 32, 1))
    if intervals:
        heads.append((spread_name(table).removesuffix(" interval"), "right", 40, 3))
    if judged:
        heads.append(("verdict", "left", 40, 1))
    rows = []
    for row in table.rows:
        mark = str(notes.index(row.note) + 1).translate(_SUPERSCRIPTS) if row.note else ""
        cells = [_text(label) for label in row.labels]
        if papers:
            cells.append(_text(row.paper or "–"))
        cells.append(_text(ours_text(table, row) or "–", "" if judged else mark))
        if intervals:
            cells.append(_text(spread_text(table, row, "–")))
        if judged:
            cells.append(_verdict(judgement(row, complete=complete), mark))
        rows.append(cells)
    first = len(table.label_columns)
    columns = [_Column(first + place, _text(head[0]), *head[1:]) for place, head in enumerate(heads)]
    return rows, columns


def _joined(labels: Iterable[Text]) -> Text:
    return Text(", ").join(label for label in labels if label.plain)


def _shared_out(columns: Sequence[Sequence[Text]], room: int) -> list[int]:
    """Widths of columns of labels: what they need, the widest made narrower as long as there is no room for all.

    None is narrower than its longest piece, or than 18 if that is longer; so they may be wider than the room together.
    """
    widths = [max((cell_len(text.plain) for text in column), default=1) or 1 for column in columns]
    least = [min(max(_longest_piece(text.plain) for text in column), 18) for column in columns]
    while sum(widths) > room:
        widest = max(range(len(widths)), key=lambda place: (widths[place] > least[place], widths[place]))
        if widths[widest] <= least[widest]:
            break
        widths[widest] -= 1
    return widths


class Breakable:
    """A name that is broken at its joints if there is no room for it: after a comma, a colon, a slash, a plus, a bar or a hyphen.

    What is too long even so is broken after a dot, an underscore, an equals sign, an at sign or a bracket.
    """

    def __init__(self, text: Text) -> None:
        self.text = text

    @classmethod
    def of(cls, name: str) -> Self:
        """Of a name as it stands."""
        return cls(_text(name))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From its longest piece to the whole."""
        whole = cell_len(self.text.plain)
        return Measurement(min(_longest_piece(self.text.plain), whole), whole).with_maximum(options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Its lines."""
        lines = [""]
        for piece in self._pieces(options.max_width):
            if lines[-1] and cell_len(lines[-1]) + cell_len(piece.rstrip()) > options.max_width:
                lines.append("")
            lines[-1] += piece
        yield Text("\n".join(line.rstrip() for line in lines), style=self.text.style, overflow="fold")

    def _pieces(self, room: int) -> Iterator[str]:
        for piece in _PIECE.findall(self.text.plain):
            yield from [piece] if cell_len(piece.rstrip()) <= room else _PART.findall(piece)


def _longest_piece(text: str) -> int:
    return max((cell_len(piece.rstrip()) for piece in _PIECE.findall(text)), default=1)


def _verdict(found: Judgement, mark: str) -> Text:
    return Text.assemble((str(found), _STYLES[found.key]), f" {mark}" if mark else "")


def _caption(table: Table, notes: list[str]) -> Text:
    """The unit, the study's caption and the footnotes, a line each."""
    about = spread_caption(table)
    lines = [f"95%: interval of {table.unit}" if table.spread == "interval" else about] if about else []
    lines += [table.caption] if table.caption else []
    lines += [f"{str(number).translate(_SUPERSCRIPTS)} {note}" for number, note in enumerate(notes, 1)]
    return _text("\n".join(lines), style="dim")


def _text(*parts: str, style: str = "") -> Text:
    """Text as it stands: square brackets are no markup, and control characters do nothing to the terminal."""
    return Text(clean("".join(parts)), style=style)


def document_tables(document: Document) -> Group:
    """A document for a terminal; curves and matrices, which cannot be drawn there, are left out."""
    return Group(*(_text(part) if isinstance(part, str) else part for part in document_parts(document)))


def document_parts(document: Document) -> Iterator[RenderableType]:
    """The same piece by piece; a text is itself, with its lines."""
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
        yield _under_title(block, complete=complete)


def _grid(shown: Listing) -> Iterator[RenderableType]:
    """A table under its title; labels are broken at the joints of names, whole ones and numbers nowhere."""
    if shown.title:
        yield _text(shown.title, style="bold")
    gap = _GAP if len(shown.columns) <= _MANY_COLUMNS else 1
    grid = Grid(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="underline")
    grid.show_header = any(shown.columns)
    for place, name in enumerate(shown.columns):
        is_label = place < shown.labels
        grid.add_column(
            _text(name), justify="left" if is_label else "right", no_wrap=name in shown.whole, overflow="fold"
        )
    for number, row in enumerate(shown.rows):
        if number == len(shown.rows) - shown.totals > 0:
            grid.add_section()
        texts = [_text(cell_text(cell)) for cell in row]
        breakable = [place < shown.labels and name not in shown.whole for place, name in enumerate(shown.columns)]
        grid.add_row(*(Breakable(text) if b else text for text, b in zip(texts, breakable, strict=True)))
    yield grid
    for note in shown.notes:
        yield _text(note)


def heatmap(figure: BoardFigure) -> Group:
    """The board of a figure in a terminal: its values' texts, shaded."""
    rules = figure.game
    low, high = figure.value_range
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
                share = 0.0 if high == low else (found.value - low) / (high - low)
                cells.append(_text(f"{found.text:^{width}}", style=_shade(share)))
        grid.add_row(rules.name_of(row * rules.cols)[0], *cells)
    return Group(_text(figure.title, style="bold"), grid, _text(figure.value_label, style="dim"))


def _shade(share: float) -> str:
    """Colours of a square at a share, 0 to 1, of the range."""
    step = round(min(1.0, max(0.0, share)) * (HEAT_STEPS - 1))
    paper, ink = ROLES[f"heat-{step}"][0], "#010101" if step <= DARK_TEXT_UNTIL else "#fefefe"
    return f"{ink} on {paper}"
