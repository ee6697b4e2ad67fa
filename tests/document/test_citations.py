"""Citations of papers equal `CITATION.cff`, and BibTeX can parse them."""

import re
import tomllib
from pathlib import Path

from noughts.document import citations
from noughts.document.citations import OURS, Citation, bibtex

ROOT = Path(__file__).parents[2]
CFF = (ROOT / "CITATION.cff").read_text()
PAPERS = (citations.BRICK_PAPER, citations.BETAZERO_PAPER, citations.ZHAO_PAPER, citations.NOTAKTO_PAPER)


def fields(text: str, name: str) -> list[str]:
    """The values of a field of the file, in order."""
    return [found.strip('"') for found in re.findall(rf"^ *-? ?{name}: (.+)$", text, re.M)]


def test_our_own_entry_equals_the_file() -> None:
    own = CFF.partition("references:")[0]
    assert fields(own, "title") == [OURS.title]
    assert fields(own, "version") == [OURS.version]
    assert [f"{{{name}}}" for name in fields(own, "name")] == list(OURS.authors)
    assert re.findall(r"Copyright \(c\) (\d+)", (ROOT / "LICENSE").read_text()) == [str(OURS.year)]
    assert f"\n  year = {{{OURS.year}}},\n" in bibtex(())


def test_our_own_entry_has_an_address_as_soon_as_the_project_has_one() -> None:
    given = {*fields(CFF.partition("references:")[0], "url"), *fields(CFF, "repository-code")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    given |= set(project.get("urls", {}).values())
    assert (OURS.url in given) if given else not OURS.url


def test_saved_pages_cite_us_as_we_do() -> None:
    pages = list((ROOT / "docs" / "findings" / "studies").glob("*.md"))
    cited = [page.name for page in pages if "@misc{noughts," in page.read_text()]
    assert cited
    assert cited == [page.name for page in pages if bibtex(()).strip() in page.read_text()]


def test_the_four_papers_equal_the_file() -> None:
    listed = CFF.partition("references:")[2]
    assert fields(listed, "title") == [paper.title for paper in PAPERS]
    assert fields(listed, "year") == [str(paper.year) for paper in PAPERS]
    assert fields(listed, "url") == [paper.url for paper in PAPERS if paper.url]
    people = list(zip(fields(listed, "family-names"), fields(listed, "given-names"), strict=True))
    named = [author.split(", ") for paper in PAPERS for author in paper.authors if not author.startswith("{")]
    assert [list(person) for person in people] == named
    groups = [f"{{{name}}}" for name in fields(listed, "name")]
    assert groups == [author for paper in PAPERS for author in paper.authors if author.startswith("{")]


def test_entries_appear_once_with_ours_last_and_are_balanced() -> None:
    odd = Citation(key="odd", kind="article", title="50% & more_of {it}", authors=("A, B",), journal="J & K")
    text = bibtex((odd, *PAPERS, odd))
    assert re.findall(r"^@\w+\{(\w+),$", text, re.M) == ["odd", *(paper.key for paper in PAPERS), OURS.key]
    assert r"title = {{50\% \& more\_of \{it\}}}," in text
    bare = re.sub(r"\\.", "", text)
    assert bare.count("{") == bare.count("}")
