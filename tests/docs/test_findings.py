"""The page of findings names every study, links to every page that was written, and says how long each took, as the page does."""

import re
from pathlib import Path

import pytest

from noughts.studies.registry import STUDIES
from tests.docs.pages import DOCS

TEXT = (DOCS / "findings.md").read_text()
PAGES = sorted((DOCS / "findings" / "studies").glob("*.md"))
_MEASURED = re.compile(r"^\*Measured \S+ \S+ UTC in (?P<time>.+?), scale (?P<scale>\w+), ", re.M)


def row(study: str) -> str:
    """The row of a study in the table."""
    (found,) = (line for line in TEXT.splitlines() if line.startswith(f"| `{study}` |"))
    return found


def test_every_study_has_a_row() -> None:
    assert all(row(study) for study in STUDIES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_linked_to_with_the_time_that_it_says(page: Path) -> None:
    found = _MEASURED.search(page.read_text())
    assert found
    study = page.stem.removesuffix(f"-{found['scale']}")
    assert f"[`{found['scale']}`](findings/studies/{page.name}): {found['time']}" in row(study)
