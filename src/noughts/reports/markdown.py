"""A study as a page of the documentation: Markdown (MyST) with its figures as SVG files beside it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from noughts.document.citations import bibtex
from noughts.document.result import Figure, StudyResult, Table
from noughts.machine.environment import Environment
from noughts.reports import wording
from noughts.reports.drawing import clean
from noughts.reports.figures import describe_figure, figure_svg
from noughts.reports.page import named_figures, page_name
from noughts.store.files import make_folder, write_atomically

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|$~&])")
_OPENING = re.compile(r"^(\d+)(?=[.)](?:\s|$))|^(?=[-+=:])")
"""What makes a line an item of a list, a heading or a fence where it stands first."""


def study_markdown(result: StudyResult) -> str:
    """The page: findings, the paper's numbers beside ours, figures, what differs, and how to repeat it.

    Figures are referred to by the names that `write_markdown` gives their files.
    """
    return "\n\n".join(_blocks(result)) + "\n"


def write_markdown(result: StudyResult, folder: Path) -> Path:
    """Write the page, called `StudyResult.file_name` with the ending ``.md``, and its figures beside it.

    Each file appears whole or not at all, the page last.

    Returns:
        The page's path.

    Raises:
        StoreError: the folder or a file in it cannot be written.
    """
    make_folder(folder)
    for figure, name in named_figures(result):
        write_atomically(folder / f"{name}.svg", figure_svg(figure))
    page = folder / f"{page_name(result)}.md"
    write_atomically(page, study_markdown(result))
    return page


def _blocks(result: StudyResult) -> Iterator[str]:
    """The parts of the page, between which a line is empty."""
    names = {id(figure): name for figure, name in named_figures(result)}
    yield f"# {_plain(result.title)}"
    yield _plain(result.question)
    yield _provenance(result)
    if not result.complete:
        yield "**The study was not finished when this page was written.**"
    yield "## What we found"
    yield _items(result.findings) or "Nothing yet."
    tally = ", ".join(f"{judgement.symbol} {words}" for judgement, words in wording.tally(result))
    if tally:
        yield f"Rows of the tables below: {tally}."
    if how := wording.how_judged(result):
        yield _plain(" ".join(how))
    yield "## The paper and ours" if result.paper else "## In numbers"
    if result.paper:
        yield f"The paper: {_plain(result.paper)}"
    for table in result.tables:
        yield from _table(table, complete=result.complete)
        for figure in result.figures_beside(table):
            yield from _figure(figure, names[id(figure)], "####")
    others = result.figures_beside(None)
    if others:
        yield "## Figures"
    for figure in others:
        yield from _figure(figure, names[id(figure)], "###")
    if result.paper or result.deviations:
        yield "## What differs from the paper"
        yield _items(result.deviations) or "Nothing that we know of."
    if result.problems:
        yield "## What went wrong"
        yield _items(result.problems)
    if result.proofs:
        yield "## Proofs"
        yield wording.HOW_PROVED
        yield "\n".join(
            ["| agent | side | game | claim | positions | SHA-256 |", "|---|---|---|---|---:|---|"]
            + [
                f"| {_plain(proof.agent)} | {proof.side} | {_plain(proof.rules)} | {proof.claim} | {proof.positions:,} | `{_code(proof.sha256)}` |"
                for proof in result.proofs
            ]
        )
    yield "## How to repeat it"
    yield _fenced(result.repeat)
    yield f"With {_versions(result.environment)}."
    for name, digest in result.frozen.items():
        yield f"Settings frozen before: {_plain(name)}, SHA-256 `{_code(digest)}`."
    if result.outside:
        yield (
            "From outside: "
            + ", ".join(f"{_plain(name)}, version `{_code(code)}`" for name, code in result.outside.items())
            + "."
        )
    if result.citations:
        yield "## How to cite it"
        yield _fenced(bibtex(result.citations).rstrip(), "bibtex")


def _provenance(result: StudyResult) -> str:
    """When, where and with what it was measured."""
    environment = result.environment
    commit = f", commit `{_code(environment.commit)}`" if environment.commit else ""
    guests = f" Guests: {_plain(', '.join(result.agents))}." if result.agents else ""
    guests += "".join(f" {_plain(name)} is {_plain(agent)}." for name, agent in result.names.items())
    return (
        f"*Measured {_plain(wording.when_text(result.started))} in {wording.duration_text(result.seconds)}{wording.taken_over_text(result.taken_over)}, "
        f"scale {_plain(result.scale)}{'' if result.seed is None else f', seed {result.seed}'}, on {environment.cores} cores of "
        f"{_plain(environment.machine)}{commit}.*{guests}"
    )


def _versions(environment: Environment) -> str:
    ordered = sorted(environment.versions.items(), key=lambda item: (item[0] != "noughts", item[0]))
    return ", ".join(f"{_plain(name)} {_plain(version)}" for name, version in ordered)


def _figure(figure: Figure, name: str, heading: str) -> Iterator[str]:
    yield f"{heading} {_plain(figure.title)}"
    if figure.about:
        yield _plain(figure.about)
    yield f"![{_plain(describe_figure(figure))}]({name}.svg)"


def _table(table: Table, *, complete: bool) -> Iterator[str]:
    """A table under its title; a column that would be empty in every row is left out, notes stand below."""
    yield f"### {_plain(table.title)}"
    if table.caption:
        yield _plain(table.caption)
    if not table.rows:
        yield "No rows."
        return
    notes = list(dict.fromkeys(row.note for row in table.rows if row.note))
    judged = wording.is_judged(table, complete=complete)
    header, rows = wording.table_cells(table, complete=complete, verdict=str if judged else lambda _: "")
    labels = len(table.label_columns)
    last = "verdict" if judged else table.measured
    marked = header.index(last, labels) if last in header[labels:] else 0  # where the mark of a note stands
    aligned = ["---" if place < labels or name == "verdict" else "---:" for place, name in enumerate(header)]
    lines = [list(map(_plain, header)), aligned]
    for row, cells in zip(table.rows, rows, strict=True):
        shown = list(map(_plain, cells))
        shown[marked] += f" ({notes.index(row.note) + 1})" if row.note else ""
        lines.append(shown)
    yield "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    if caption := wording.spread_caption(table):
        yield _plain(caption)
    if caption := wording.difference_caption(table):
        yield _plain(caption)
    if notes:
        yield "\n".join(f"{number}. {_plain(note)}" for number, note in enumerate(notes, 1))


def _items(texts: Sequence[str]) -> str:
    return "\n".join(f"- {_plain(text)}" for text in texts)


def _plain(text: str) -> str:
    """Text that stands as it is: one line, nothing in it is markup."""
    line = _MARKUP.sub(r"\\\1", " ".join(clean(text).split()))
    return _OPENING.sub(lambda match: f"{match.group(1)}\\" if match.group(1) else "\\", line)


def _code(text: str) -> str:
    return clean(text).replace("`", "'").replace("\n", " ")


def _fenced(text: str, kind: str = "sh") -> str:
    """A command, or what else stands as it is, as a block; the fence is longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"{fence}{kind}\n{clean(text)}\n{fence}"
