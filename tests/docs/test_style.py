"""Pages are in plain English: few phrases that the style guide replaces, and words that join two thoughts."""

from functools import cache
from statistics import mean

import pytest
import written

from tests.docs.pages import AT_THE_ROOT, ROOT, SITE
from tests.docs.style import Measure, measure

MOST = 5
"""Hits in 1,000 words of one page."""
MOST_ON_AVERAGE = 0.3
"""Of all pages: it only falls."""
LEAST_CONNECTIVES = 2
"""In 1,000 words of prose, of pages that have some prose."""
SOME_PROSE = 150
"""Words of prose from which on a page is expected to give reasons."""

PAGES = {str(page.relative_to(ROOT)): page for page in (*AT_THE_ROOT, *SITE)}
FORMATS = "the page of formats"
"""It is made of the docstrings of the modules that read and write files."""


@cache
def measured(name: str) -> Measure:
    """The measure of a page."""
    return measure(written.formats() if name == FORMATS else PAGES[name].read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [*PAGES, FORMATS])
def test_a_page_has_few_hits_and_gives_reasons(name: str) -> None:
    found = measured(name)
    assert found.rate <= MOST, "\n".join(f"{name}:{hit.line} {hit.text}" for hit in found.hits)
    assert found.narrative < SOME_PROSE or found.connective_rate >= LEAST_CONNECTIVES


def test_pages_have_few_hits_on_average() -> None:
    assert mean(measured(name).rate for name in PAGES) <= MOST_ON_AVERAGE


@pytest.mark.parametrize(
    "text",
    [
        "Ctrl-C ends it, and the same command goes on.",
        "It is told the legal moves.",
        "What cannot be is refused.",
        "Whoever opens it first has the other seat.",
        "It won 1, 2, 3, 4 and 5 games.",
        f"It {'very ' * 30}often wins.",
    ],
)
def test_stilted_prose_is_found(text: str) -> None:
    assert measure(text).hits


@pytest.mark.parametrize(
    "text",
    [
        "```sh\nwhat goes on\n```",
        "A file is:\n\n    what goes on\n    whoever stands\n",
        "| whoever | nobody |",
        "# What goes on",
        "Run `goes on`.",
        "It wins, because it blocks.",
    ],
)
def test_code_tables_and_headings_are_not_read(text: str) -> None:
    assert not measure(text).hits


def test_connectives_are_counted() -> None:
    assert measure("It wins, because it blocks. So it is proved, for example here.").connectives == 3
