"""The tables of a study: as listings for all renderers, and as CSV and LaTeX files for papers.

A listing is for people. The CSV has all fields of a row, and a paper includes the LaTeX by ``\\input``.
"""

import csv
import io
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from noughts.document.document import Listing, cell_text
from noughts.document.result import Row, StudyResult, Table
from noughts.reports import wording
from noughts.reports.drawing import clean
from noughts.reports.file_names import distinct, page_name, safe_name
from noughts.store.files import make_folder, write_atomically

VERDICT = "verdict"
"""The column of verdicts, whose cells come from `wording.verdict_text`."""

_SPREADS = {
    "interval": "95% interval: of {unit}",
    "range": "range: from least to greatest, of {unit}",
    "bounds": "exact, or two bounds: {unit}",
    "difference": "difference: {unit}, with its 95% interval in parentheses",
}
"""The meaning of `low` and `high` of a table's rows."""

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
} | {character: f"\\{character}" for character in "&%$#_{}"}
_MANY_COLUMNS = 7  # so many do not fit an article at its usual size
_MINUS = r"(?<![^\s(\[])-(?=\d)"
"""A minus sign: a hyphen before a digit, after a blank or a bracket, and not as in 70-30 or 2026-01-31."""

_SPECIAL = re.compile("|".join([_MINUS, *map(re.escape, _ESCAPES)]))
_LABEL = 32
"""The most characters of a table's title in its label, in whole words."""


def table_listing(table: Table, *, complete: bool, brief: bool = False, noted: bool = True) -> Listing:
    """A study's table for people, without columns that are empty in every row.

    Args:
        table: The table.
        complete: Whether its study is finished.
        brief: Leave out differences and counts, for which a terminal has no room.
        noted: Include the notes of its rows.
    """
    notes = notes_of(table) if noted else []
    judged = wording.is_judged(table, complete=complete)
    rows = tuple(
        (
            *row.labels,
            row.paper,
            wording.ours_text(table, row),
            wording.spread_text(table, row),
            *(() if brief else (wording.difference_text(table, row), wording.count_text(row))),
            wording.verdict_text(row, complete=complete) if judged else "",
            f"({notes.index(row.note) + 1})" if row.note in notes else "",
        )
        for row in table.rows
    )
    further = () if brief else ("difference", "count")
    columns = (
        *table.label_columns,
        table.claimed,
        table.measured,
        wording.spread_name(table),
        *further,
        VERDICT,
        "note",
    )
    below = (*_legend(table, brief), *(f"({number}) {note}" for number, note in enumerate(notes, 1)))
    return Listing(table.title, columns, rows, below, labels=len(table.label_columns)).without_empty()


def notes_of(table: Table) -> list[str]:
    """The notes of a table's rows, each once."""
    return list(dict.fromkeys(row.note for row in table.rows if row.note))


def _legend(table: Table, brief: bool) -> Iterable[str]:
    """The meaning of the columns of numbers, one on a line."""
    if table.caption:
        yield table.caption
    if table.spread == "difference" or any(row.low is not None for row in table.rows):
        yield _SPREADS[table.spread].format(unit=table.unit)
    compared = [row.comparison for row in table.rows if row.comparison is not None]
    if compared and not brief and table.spread != "difference":
        trials = [one.claimed_trials for one in compared if one.claimed_trials]
        if trials:
            yield f"{table.claimed}: of {' to '.join(dict.fromkeys((f'{min(trials):,}', f'{max(trials):,}')))} trials"
        yield f"difference: {table.measured} minus {table.claimed}, in points, with its 95% interval in parentheses"


def is_left(listing: Listing, place: int) -> bool:
    """Whether a column is aligned left: labels and verdicts are, numbers are not."""
    return place < listing.labels or listing.columns[place] == VERDICT


def write_csv_tables(result: StudyResult, folder: Path) -> list[Path]:
    """Write each table of a study into `folder`, and return their paths in order.

    Args:
        result: The result of the study.
        folder: It is created if it does not exist.

    Raises:
        StoreError: the folder or a file in it cannot be written.
    """
    return _write(result, folder, "csv", map(table_csv, result.tables))


def write_latex_tables(result: StudyResult, folder: Path) -> list[Path]:
    """Write the same as LaTeX, for the package booktabs. Each table is a float with a caption and a label.

    A label contains study, scale and seed, so that one paper can include tables of several runs.
    """
    run = safe_name(f"{result.name}-{result.run_name}")
    titles = (textwrap.shorten(table.title, _LABEL, placeholder="") for table in result.tables)
    labels = distinct(f"{run}-{_slug(title)}" for title in titles)
    texts = (
        listing_latex(table_listing(table, complete=result.complete), label)
        for table, label in zip(result.tables, labels, strict=True)
    )
    return _write(result, folder, "tex", texts)


def table_csv(table: Table) -> str:
    """A table as CSV: the labels of each row, then its fields. Numbers have 12 digits; missing ones are empty.

    `value`, `low` and `high` are in `unit`; `spread` is the kind of the last two: a 95 percent interval of `value`, a range or
    bounds. `count` is the number of games or trials, `claimed_count` that of the claim. The difference (measured minus claimed),
    its interval and the margin are in percentage points, as on the page. `p_value` is that of the row alone, before any
    adjustment.
    """
    columns = (*table.label_columns, *_figures(table, Row(labels=())))
    rows = ((*row.labels, *_figures(table, row).values()) for row in table.rows)
    return _csv((columns, *([f"{cell:.12g}" if isinstance(cell, float) else cell for cell in row] for row in rows)))


def listing_csv(listing: Listing) -> str:
    """A listing as CSV, without its notes."""
    return _csv((listing.columns, *listing.rows))


def _csv(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def named_tables(result: StudyResult) -> Iterator[tuple[Table, str]]:
    """Each table of a study with a unique file name, without an ending."""
    for number, table in enumerate(result.tables, 1):
        yield table, f"{page_name(result)}-table-{number}-{_slug(table.title)}"


def listing_latex(listing: Listing, label: str) -> str:
    """A table as LaTeX, with its notes below; many columns are set small. A paper refers to it by `label`."""
    columns = "".join("l" if is_left(listing, place) else "r" for place in range(len(listing.columns)))
    rows = [[cell_text(cell) for cell in row] for row in (listing.columns, *listing.rows)]
    for row in rows[1:]:
        for place, name in enumerate(listing.columns):
            if name == VERDICT:
                row[place] = row[place].partition(" ")[2]  # LaTeX's fonts lack the signs of verdicts
    head, *lines = (" & ".join(map(_latex, row)) + r" \\" for row in rows)
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_latex(listing.title)}.}}",
            rf"\label{{tab:{label}}}",
            *([r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"] if len(columns) >= _MANY_COLUMNS else []),
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            head,
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            *(
                [r"\par\medskip\footnotesize\raggedright", *(_latex(note) + r"\\" for note in listing.notes)]
                if listing.notes
                else []
            ),
            r"\end{table}",
            "",
        ]
    )


def _write(result: StudyResult, folder: Path, suffix: str, texts: Iterable[str]) -> list[Path]:
    make_folder(folder)
    written = []
    for (_, name), text in zip(named_tables(result), texts, strict=True):
        path = folder / f"{name}.{suffix}"
        write_atomically(path, text)
        written.append(path)
    return written


def _figures(table: Table, row: Row) -> dict[str, Any]:
    """The fields of a row in the CSV, by column."""
    compared = row.comparison
    return {
        "claimed": row.paper,
        "claimed_count": (compared and compared.claimed_trials) or None,
        "measured": row.ours,
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "unit": table.unit,
        "spread": table.spread if row.low is not None else None,
        "count": row.count,
        "distinct": row.distinct or None,
        "difference": compared and 100 * compared.value,
        "difference_low": compared and 100 * compared.low,
        "difference_high": compared and 100 * compared.high,
        "margin": compared and 100 * compared.margin,
        "p_value": compared and compared.p_value,
        "verdict": row.verdict,
        "note": row.note,
    }


def _latex(text: str) -> str:
    line = " ".join(clean(text).split())
    return _SPECIAL.sub(lambda match: _ESCAPES.get(match.group(), "$-$"), line)


def _slug(title: str) -> str:
    return safe_name("-".join(re.findall(r"[a-z0-9]+", title.lower()))[:48].strip("-"))
