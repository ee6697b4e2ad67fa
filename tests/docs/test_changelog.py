"""The changelog starts with the current version, and is a list that one can scan."""

import re

import noughts
from tests.docs.pages import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
GROUPS = {"Added", "Changed", "Deprecated", "Removed", "Fixed"}
CHARACTERS = 200
VERSION = re.compile(r"\[(\d+)\.(\d+)\.(\d+)\]")


def test_the_latest_version_equals_the_built_one() -> None:
    unreleased, *versions = re.findall(r"^## (.+)$", TEXT, re.M)
    assert unreleased == "[Unreleased]"
    assert versions[0].split()[0] == f"[{noughts.__version__}]"
    numbers = [tuple(map(int, found.groups())) for version in versions if (found := VERSION.match(version))]
    assert len(numbers) == len(versions)
    assert numbers == sorted(numbers, reverse=True)


def test_it_is_a_list_by_kind_of_change() -> None:
    assert set(re.findall(r"^### (.+)$", TEXT, re.M)) <= GROUPS
    for part in TEXT.split("\n## ")[2:]:
        groups = re.findall(r"^### (.+)$", part, re.M)
        assert len(set(groups)) == len(groups)
        assert groups, "a version says what it changes"
    items = [line for line in TEXT.splitlines() if line.startswith(("- ", "* ", "  "))]
    assert items
    for item in items:
        assert item.startswith("- "), f"an entry is one line: {item}"
        assert len(item) <= CHARACTERS, item
