"""A study as a page of the documentation: Markdown (MyST), with figures as SVG files and long tables as CSV files beside it."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

from noughts.document.document import Listing, cell_text
from noughts.document.result import StudyResult, Table
from noughts.reports.drawing import clean
from noughts.reports.figures import describe_figure, figure_svg
from noughts.reports.file_names import named_figures, page_name
from noughts.reports.presenting.studies import Part, provenance, study_sections
from noughts.reports.tables import is_left, listing_csv, named_tables, notes_of, table_csv, table_listing
from noughts.reports.wording import is_judged
from noughts.store.files import make_folder, write_atomically

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|$~&])")
_OPENING = re.compile(r"^(\d+)(?=[.)](?:\s|$))|^(?=[-+=:])")
"""The start of a line that Markdown would read as a list item, a heading or a fence."""


_MOST_ROWS, _MOST_NOTES = 12, 5
"""The most rows of a table without verdicts, and the most notes of any table, on the page; its CSV file has all."""
_MOST_LETTERS = 120
"""The most letters of a figure's description on the page; its file has the whole."""


def write_markdown(result: StudyResult, folder: Path) -> Path:
    """Write the page as `StudyResult.file_name` with the ending ``.md``, and its figures and long tables beside it.

    The page has the findings, the paper's numbers beside ours, figures, differences in protocol, and how to repeat it. Each file
    is written atomically, the page last.

    Returns:
        The page's path.

    Raises:
        StoreError: the folder or a file in it cannot be written.
    """
    make_folder(folder)
    for figure, name in named_figures(result):
        write_atomically(folder / f"{name}.svg", figure_svg(figure))
    tables: dict[str, str] = {}
    text = "\n\n".join(_blocks(result, tables)) + "\n"
    for name, table in tables.items():
        write_atomically(folder / name, table)
    page = folder / f"{page_name(result)}.md"
    write_atomically(page, text)
    return page


def _blocks(result: StudyResult, tables: dict[str, str]) -> Iterator[str]:
    """The parts of the page, to be separated by empty lines. Adds each long table to `tables`, by its file name."""
    names = {id(part): name for part, name in (*named_figures(result), *named_tables(result))}
    yield f"# {_plain(result.title)}"
    yield _plain(result.question)
    if result.paper:
        yield f"The paper: {_plain(result.paper)}"
    yield f"*{_plain(provenance(result))}*"
    if not result.complete:
        yield "**The study was not finished when this page was written.**"
    for title, parts in study_sections(result):
        yield f"## {_plain(title)}"
        for part in parts:
            yield from _part(part, result, names, tables)


def _part(part: Part, result: StudyResult, names: Mapping[int, str], tables: dict[str, str]) -> Iterator[str]:
    match part:
        case str():
            yield _fenced(part) if "\n" in part else _plain(part)
        case tuple():
            yield "\n".join(f"- {_plain(text)}" for text in part)
        case Table():
            few = len(notes_of(part)) <= _MOST_NOTES
            whole = len(part.rows) <= _MOST_ROWS or is_judged(part, complete=result.complete)
            shown = _table(table_listing(part, complete=result.complete, noted=few))
            yield from shown if whole else filter(None, [_plain(part.caption)])
            if not (whole and few):
                yield _in_file(f"{names[id(part)]}.csv", table_csv(part), tables)
        case Listing() if len(part.rows) > _MOST_ROWS:  # a page's only listing is of certificates
            yield _in_file(f"{page_name(result)}-certificates.csv", listing_csv(part), tables)
        case Listing():
            yield from _table(part)
        case _:
            yield f"### {_plain(part.title)}"
            if part.about:
                yield _plain(part.about)
            described = textwrap.shorten(describe_figure(part), _MOST_LETTERS, placeholder=" …")
            yield f"![{_plain(described)}]({names[id(part)]}.svg)"


def _in_file(name: str, text: str, tables: dict[str, str]) -> str:
    tables[name] = text
    return f"Complete table: [{name}]({name})."


def _table(shown: Listing) -> Iterator[str]:
    aligned = ["---" if is_left(shown, place) else "---:" for place in range(len(shown.columns))]
    rows = [list(map(_plain, map(cell_text, row))) for row in (shown.columns, *shown.rows)]
    if shown.rows:
        yield "\n".join(f"| {' | '.join(cells)} |" for cells in (rows[0], aligned, *rows[1:]))
    else:
        yield "No rows."
    yield from map(_plain, shown.notes)


def _plain(text: str) -> str:
    """A text as one line that Markdown shows literally."""
    line = _MARKUP.sub(r"\\\1", " ".join(clean(text).split()))
    return _OPENING.sub(lambda match: f"{match.group(1)}\\" if match.group(1) else "\\", line)


def _fenced(text: str) -> str:
    """A text as a literal block; the fence is longer than any within it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"{fence}text\n{clean(text).rstrip()}\n{fence}"
