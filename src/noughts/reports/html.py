"""A document as a piece of a page, such as a notebook's output. All that stands in it is text, never markup."""

import html
from collections.abc import Iterator

from noughts.document.document import Block, Document, Drawn, Listing, cell_text
from noughts.reports.figures import figure_svg


def document_html(document: Document) -> str:
    """Tables, paragraphs and drawings, in order; then the first ten problems."""
    problems = document.problems[:10]
    return "".join(part for block in (*document.blocks, *problems) for part in _parts(block))


def _parts(block: Block) -> Iterator[str]:
    if isinstance(block, str):
        tag = "pre" if "\n" in block else "p"
        yield f"<{tag}>{html.escape(block)}</{tag}>"
    elif isinstance(block, Listing):
        yield from _grid(block)
    elif isinstance(block, Drawn):
        drawn = figure_svg(block)
        yield drawn[drawn.index("<svg") :]  # within a page nothing stands before it


def _grid(grid: Listing) -> Iterator[str]:
    yield f"<table><caption>{html.escape(grid.title)}</caption><thead><tr>"
    yield from (f"<th>{html.escape(' '.join(name.split()))}</th>" for name in grid.columns)
    yield "</tr></thead><tbody>"
    for row in grid.rows:
        yield f"<tr>{''.join(f'<td>{html.escape(cell_text(cell))}</td>' for cell in row)}</tr>"
    yield "</tbody></table>"
    yield from (f"<p>{html.escape(note)}</p>" for note in grid.notes)
