"""Pages are in plain English: few phrases that the style guide replaces, and enough connectives."""

import re
from functools import cache
from statistics import mean

import pytest
import written

from tests.docs.pages import AT_THE_ROOT, ROOT, SITE
from tests.docs.style import Measure, measure

MOST = 5
"""Hits per 1,000 words of one page."""
MOST_ON_AVERAGE = 0.3
"""Of all pages: it only falls."""
LEAST_CONNECTIVES = 2
"""Per 1,000 words of prose, for pages with enough prose."""
SOME_PROSE = 150
"""Words of prose from which on a page needs connectives."""

PAGES = {str(page.relative_to(ROOT)): page for page in (*AT_THE_ROOT, *SITE)}
GENERATED = {
    "formats": written.formats,
    "the command line": written.command_line,
    "agents": written.agents,
    "networks": written.networks,
    "training keys": written.training_keys,
}
"""Pages made of docstrings, and of the texts of commands and options."""

_BETWEEN_TAGS, _IN_QUOTES = r">([^<>{}`]+)<", r'"([A-Z][^"\n]*[.!?])"'
MOST_IN_THE_APP = 2
"""Hits per 1,000 words of the texts of the web app; it only falls."""


def app_texts() -> list[str]:
    """The texts of the web app and its class with more than three words."""
    scripts = (ROOT / "src/noughts").glob("*/static/**/*.js")
    code = "\n".join(path.read_text(encoding="utf-8") for path in scripts if "vendored" not in path.parts)
    found = re.findall(_BETWEEN_TAGS, code) + re.findall(_IN_QUOTES, code)
    return [text for text in (" ".join(text.split()) for text in found) if len(text.split()) > 3]


@cache
def measured(name: str) -> Measure:
    return measure(GENERATED[name]() if name in GENERATED else PAGES[name].read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [*PAGES, *GENERATED])
def test_a_page_has_few_hits_and_gives_reasons(name: str) -> None:
    found = measured(name)
    assert found.rate <= MOST, "\n".join(f"{name}:{hit.line} {hit.text}" for hit in found.hits)
    assert found.narrative < SOME_PROSE or found.connective_rate >= LEAST_CONNECTIVES


def test_pages_have_few_hits_on_average() -> None:
    assert mean(measured(name).rate for name in PAGES) <= MOST_ON_AVERAGE


def test_the_web_app_is_in_plain_english() -> None:
    texts = app_texts()
    found = measure("\n\n".join(texts))
    assert len(texts) > 80
    assert found.rate <= MOST_IN_THE_APP, "\n".join(hit.text for hit in found.hits)


def test_stilted_prose_is_found_but_not_in_code() -> None:
    found = measure("It wins, because it blocks. So whoever opens it goes on.\n\n```sh\nwhat goes on\n```\n\n`goes on`")
    assert [hit.text.split(":")[0] for hit in found.hits] == ["'goes on'", "'whoever'"]
    assert found.connectives == 2
