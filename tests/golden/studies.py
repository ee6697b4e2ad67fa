"""Check that studies at scale quick reproduce the documented results: ``uv run python -m tests.golden.studies [NAME ...]``.

It runs each study with a page of that scale in ``docs/findings/studies``, or those named, in a new store, and compares
the numbers in the tables of both pages, row by row; words may differ. A study takes from seconds to half an hour.
"""

import re
import sys
import tempfile
from itertools import zip_longest
from pathlib import Path

from noughts.cli.main import main
from tests.golden.transcript import ROOT

PAGES = ROOT / "docs" / "findings" / "studies"
SUFFIX = "-quick.md"


def rows(page: str) -> list[tuple[str, ...]]:
    """The numbers in each table row of a page, as written."""
    return [
        tuple(re.findall(r"\d[\d,]*(?:\.\d+)?", line))
        for line in page.splitlines()
        if line.startswith("|") and not line.startswith("| --")
    ]


def differences(kept: str, now: str) -> list[str]:
    """A line for each row whose numbers differ between two pages."""
    return [
        f"row {number}: {' '.join(before or ('nothing',))} -> {' '.join(after or ('nothing',))}"
        for number, (before, after) in enumerate(zip_longest(rows(kept), rows(now)), start=1)
        if before != after
    ]


def check(study: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        store = ("--store", f"{folder}/store")
        if code := main(["study", "run", study, "--scale", "quick", *store]):
            return [f"the run ended with exit code {code}"]
        main(["study", "show", study, "--markdown", folder, *store])
        return differences(*((place / (study + SUFFIX)).read_text("utf-8") for place in (PAGES, Path(folder))))


if __name__ == "__main__":
    found = {
        study: check(study)
        for study in sys.argv[1:] or sorted(path.name.removesuffix(SUFFIX) for path in PAGES.glob(f"*{SUFFIX}"))
    }
    for name, lines in found.items():
        print(f"{name}: {'equal' if not lines else ''}", *lines, sep="\n  ")
    raise SystemExit(any(found.values()))
