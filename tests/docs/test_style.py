"""Pages are in plain English: few phrases that the style guide replaces, and words that join two thoughts."""

from pathlib import Path
from statistics import mean

import pytest

from tests.docs.pages import AT_THE_ROOT, ROOT, SITE
from tests.docs.style import Measure, measure

MOST = 10
"""Hits in 1,000 words of one page."""
MOST_ON_AVERAGE = 6
LEAST_CONNECTIVES = 2
"""In 1,000 words of prose, of pages that have some prose."""
SOME_PROSE = 150
"""Words of prose from which on a page is expected to give reasons."""

BUDGETS = {
    "ARCHITECTURE.md": 14.0,
}
"""Pages above the limit, with their hits in 1,000 words: a budget only falls."""

PAGES = {str(page.relative_to(ROOT)): page for page in (*AT_THE_ROOT, *SITE)}


def measured(page: Path) -> Measure:
    """The measure of a page."""
    return measure(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_few_hits(name: str) -> None:
    found = measured(PAGES[name])
    assert found.rate <= BUDGETS.get(name, MOST), "\n".join(f"{name}:{hit.line} {hit.text}" for hit in found.hits)


@pytest.mark.parametrize("name", BUDGETS)
def test_a_budget_is_no_larger_than_it_needs_to_be(name: str) -> None:
    assert MOST < BUDGETS[name] < measured(PAGES[name]).rate + 2


@pytest.mark.parametrize("name", [name for name in PAGES if name not in BUDGETS])
def test_a_page_gives_reasons(name: str) -> None:
    found = measured(PAGES[name])
    assert found.narrative < SOME_PROSE or found.connective_rate >= LEAST_CONNECTIVES


def test_pages_have_few_hits_on_average() -> None:
    assert mean(measured(page).rate for page in PAGES.values()) <= MOST_ON_AVERAGE


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
