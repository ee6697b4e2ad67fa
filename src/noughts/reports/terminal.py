"""Tables and heatmaps in a terminal: a study's tables as rich tables that fit 80 columns, while it runs and at its end."""

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from noughts.document.result import BoardFigure, StudyResult, Table
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
from noughts.rules import parse_rules

_STYLES = {
    "agrees": "green",
    "differs": "yellow",
    "refuted": "bold red",
    "undecided": "cyan",
    "none": "dim",
    "waiting": "dim",
}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def study_tables(result: StudyResult) -> list[Group]:
    """Each of the study's tables under its title: labels, paper, ours, interval, verdict; notes as footnotes.

    A column that would be empty in every row is left out.
    """
    return [_under_title(table, complete=result.complete) for table in result.tables]


def _under_title(table: Table, *, complete: bool) -> Group:
    """Title and footnotes are no part of the grid, or a narrow one would break them into narrow lines."""
    notes = list(dict.fromkeys(row.note for row in table.rows if row.note))
    caption = _caption(table, notes)
    below = [caption] if caption.plain else []
    return Group(_text(table.title, style="bold"), _grid(table, notes, complete=complete), *below, "")


def _grid(table: Table, notes: list[str], *, complete: bool) -> Grid:
    """The rows; `notes` are numbered from 1."""
    papers = any(row.paper for row in table.rows)
    intervals = any(spread_text(table, row) for row in table.rows)
    judged = is_judged(table, complete=complete)
    grid = Grid(
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
        header_style="bold underline",
    )
    for name in table.label_columns:
        grid.add_column(_text(name), overflow="fold", min_width=5)
    if papers:
        grid.add_column(
            _text(table.claimed),
            justify="right",
            min_width=_longest_word(row.paper for row in table.rows),
            max_width=18,
        )
    grid.add_column(
        _text(table.measured), justify="right", min_width=_longest_word(map(ours_text, table.rows)), max_width=32
    )
    if intervals:
        grid.add_column(spread_name(table).removesuffix(" interval"), justify="right", no_wrap=True, min_width=9)
    if judged:
        grid.add_column("verdict", no_wrap=True, min_width=12)
    for row in table.rows:
        mark = str(notes.index(row.note) + 1).translate(_SUPERSCRIPTS) if row.note else ""
        cells = [_text(label) for label in row.labels]
        if papers:
            cells.append(_text(row.paper or "–"))
        cells.append(_text(ours_text(row) or "–", "" if judged else mark))
        if intervals:
            cells.append(_text(spread_text(table, row, "–")))
        if judged:
            cells.append(_verdict(judgement(row, complete=complete), mark))
        grid.add_row(*cells)
    return grid


def _longest_word(texts: Iterable[str]) -> int:
    """How wide a column of numbers must be for none to be broken: labels, which may be long, give way first."""
    return min(max((cell_len(word) for text in texts for word in text.split()), default=5), 18)


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


def heatmap(figure: BoardFigure) -> Group:
    """The board of a figure in a terminal: its values' texts, shaded."""
    rules = parse_rules(figure.rules)
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
