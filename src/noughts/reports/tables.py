"""The tables of a study for papers: CSV with everything that a row says, and LaTeX that a paper can `\\input`."""

import csv
import io
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from noughts.document.result import Row, StudyResult, Table
from noughts.reports import wording
from noughts.reports.drawing import clean
from noughts.reports.page import distinct, page_name, safe_name
from noughts.store.files import make_folder, write_atomically

FIGURES_OF_A_ROW = (
    "claimed",
    "claimed_count",
    "measured",
    "value",
    "low",
    "high",
    "unit",
    "spread",
    "count",
    "distinct",
    "difference",
    "difference_low",
    "difference_high",
    "margin",
    "p_value",
    "verdict",
    "note",
)
"""Columns of the CSV after the table's own labels. `value`, `low` and `high` are in `unit`; `spread` says whether the last
two are a 95 percent interval of it, a range or bounds; `count` is how many games or trials were made, `claimed_count` on how
many the claim rests; the difference (measured less claimed), its interval and the margin are in points of a
hundred, as on the page; `p_value` is that of the row alone, before any adjustment."""

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
_MANY_COLUMNS = 7  # for so many an article has no room at its usual size
_MINUS = r"(?<![^\s(\[])-(?=\d)"
"""A hyphen before a digit that begins a number: after a blank or a bracket, and not as in 70-30 or 2026-01-31."""

_SPECIAL = re.compile("|".join([_MINUS, *map(re.escape, _ESCAPES)]))
_LABEL = 32
"""Characters of a table's title that its label has room for, in whole words."""

_MARKS = "abcdefghijklmnopqrstuvwxyz"


def write_csv_tables(result: StudyResult, folder: Path) -> list[Path]:
    """Write each table of a study into `folder`, in order; gives their paths.

    Args:
        result: The study's.
        folder: It is made if it is not there.

    Raises:
        StoreError: the folder or a file in it cannot be written.
    """
    return _write(result, folder, "csv", map(table_csv, result.tables))


def write_latex_tables(result: StudyResult, folder: Path) -> list[Path]:
    """The same as LaTeX, for the package booktabs; each is a float with a caption and a label.

    A label names study, scale and seed, so that tables of several runs can stand in one paper.
    """
    run = safe_name(f"{result.name}-{result.run_name}")
    titles = (textwrap.shorten(table.title, _LABEL, placeholder="") for table in result.tables)
    labels = distinct(f"{run}-{_slug(title)}" for title in titles)
    texts = (
        table_latex(table, complete=result.complete, label=label)
        for table, label in zip(result.tables, labels, strict=True)
    )
    return _write(result, folder, "tex", texts)


def table_csv(table: Table) -> str:
    """A table as CSV: its labels, then `FIGURES_OF_A_ROW`; numbers to 12 digits, nothing where none is."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*table.label_columns, *FIGURES_OF_A_ROW])
    for row in table.rows:
        found = _figures(table, row)
        cells = [*row.labels, *(found[name] for name in FIGURES_OF_A_ROW)]
        writer.writerow(["" if cell is None else _number(cell) for cell in cells])
    return text.getvalue()


def table_latex(table: Table, *, complete: bool = True, label: str = "") -> str:
    """A table as LaTeX; columns that would be empty are left out, notes stand below it, and many columns are set small.

    Args:
        table: Which.
        complete: Whether its study is finished.
        label: By which a paper refers to it; after its title unless given.
    """
    notes = list(dict.fromkeys(row.note for row in table.rows if row.note))
    header, found = wording.table_cells(table, complete=complete, verdict=_verdict)
    labels = len(table.label_columns)
    lines = [" & ".join(map(_latex, header)) + r" \\", r"\midrule"]
    for row, cells in zip(table.rows, found, strict=True):
        mark = rf"\textsuperscript{{{_mark(notes.index(row.note))}}}" if row.note else ""
        lines.append(" & ".join(map(_latex, cells)) + mark + r" \\")
    columns = "".join("l" if place < labels or name == "verdict" else "r" for place, name in enumerate(header))
    explained = (wording.spread_caption(table), wording.claimed_caption(table), wording.difference_caption(table))
    said = filter(None, [table.title + ".", table.caption, *explained])
    below = [rf"\textsuperscript{{{_mark(place)}}} {_latex(note)}\\" for place, note in enumerate(notes)]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_latex(' '.join(said))}}}",
            rf"\label{{tab:{label or _slug(table.title)}}}",
            *([r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"] if len(header) >= _MANY_COLUMNS else []),
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            *([r"\par\medskip\footnotesize\raggedright", *below] if below else []),
            r"\end{table}",
            "",
        ]
    )


def _write(result: StudyResult, folder: Path, suffix: str, texts: Iterable[str]) -> list[Path]:
    make_folder(folder)
    begin = page_name(result)
    written = []
    for number, (table, text) in enumerate(zip(result.tables, texts, strict=True), 1):
        path = folder / f"{begin}-table-{number}-{_slug(table.title)}.{suffix}"
        write_atomically(path, text)
        written.append(path)
    return written


def _number(cell: Any) -> Any:
    """A number without the last bits of its arithmetic: 51.25, and not 51.24999999999999; anything else as it is."""
    return f"{cell:.12g}" if isinstance(cell, float) else cell


def _figures(table: Table, row: Row) -> dict[str, Any]:
    compared = row.comparison
    return {
        "claimed": row.paper,
        "measured": row.ours,
        "unit": table.unit,
        "spread": table.spread if row.low is not None else None,
        "distinct": row.distinct or None,
        "claimed_count": (compared and compared.claimed_trials) or None,
        "difference": compared and 100 * compared.value,
        "difference_low": compared and 100 * compared.low,
        "difference_high": compared and 100 * compared.high,
        "margin": compared and 100 * compared.margin,
        "p_value": compared and compared.p_value,
    } | {name: getattr(row, name) for name in ("value", "low", "high", "count", "verdict", "note")}


def _verdict(found: wording.Judgement) -> str:
    return "" if found.key == "none" else found.word


def _latex(text: str) -> str:
    line = " ".join(clean(text).split())
    return _SPECIAL.sub(lambda match: _ESCAPES.get(match.group(), "$-$"), line)


def _mark(place: int) -> str:
    """The mark of a note: a to z, then aa, ab ..."""
    before, last = divmod(place, len(_MARKS))
    return (_mark(before - 1) if before else "") + _MARKS[last]


def _slug(title: str) -> str:
    return safe_name("-".join(re.findall(r"[a-z0-9]+", title.lower()))[:48].strip("-"))
