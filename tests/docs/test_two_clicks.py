"""A reader's questions are answered within two clicks from the first page, by links whose words say so."""

import re
from pathlib import Path

import pytest
import written

from tests.docs.pages import DOCS, ROOT

LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)[^)]*\)")
TOC = re.compile(r"^(?:([^\n<]+)<)?([\w./-]+)>?$")
"""A line of a table of contents: ``page``, or ``words <page>``."""
CLICKS = 2

QUESTIONS = {
    "how do I prove my agent": (r"prove|beaten", "guides/prove.md", "noughts prove AGENT"),
    "what does the generalisation study say": (
        r"generalis|found|findings",
        "findings.md",
        "### From one brick square to all",
    ),
    "how do I add a game": (r"\bgame\b", "written/contributing.md", "## Add a game"),
}
"""For each question: words that somebody who asks it would click, the page that answers it, and what stands there."""


def source(page: Path) -> Path:
    """Where a page of the site comes from: some are written from the files at the root."""
    for name, made in written.ROOT_PAGES.items():
        if page == DOCS / "written" / made:
            return ROOT / name
    return page


def links(page: Path) -> list[tuple[str, Path]]:
    """The links of a page, with the words to be clicked: those in its text, and those in its tables of contents."""
    text = source(page).read_text(encoding="utf-8")
    if source(page) != page:
        text = written.with_links_of_the_site(text)
    else:
        text = written.with_pages_for_files(text, page.parent.relative_to(DOCS))
    found = [(words, target) for words, target in LINK.findall(text) if "://" not in target]
    for contents in re.findall(r"```\{toctree\}\n(.*?)```", text, re.S):
        for line in contents.splitlines():
            if line.strip() and not line.startswith(":") and (entry := TOC.match(line.strip())):
                target = entry[2] if entry[2].endswith(".md") else f"{entry[2]}.md"
                found.append((entry[1] or title((page.parent / target).resolve()), target))
    pages = ((words, (page.parent / target).resolve()) for words, target in found)
    return [(words, target) for words, target in pages if target.suffix == ".md" and source(target).exists()]


def title(page: Path) -> str:
    """What a page calls itself."""
    first = source(page).read_text(encoding="utf-8") if source(page).exists() else ""
    return next((line.lstrip("# ") for line in first.splitlines() if line.startswith("# ")), page.stem)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_within_two_clicks(question: str) -> None:
    words, answering, answer = QUESTIONS[question]
    reached = [DOCS / "index.md"]
    for _ in range(CLICKS):
        clicked = [target for page in reached for text, target in links(page) if re.search(words, text, re.I)]
        if DOCS / answering in clicked:
            assert answer in source(DOCS / answering).read_text(encoding="utf-8")
            return
        reached = clicked
    pytest.fail(f"{question}: after {CLICKS} clicks on {words} one is on {sorted({page.name for page in reached})}")
