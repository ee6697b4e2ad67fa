"""The lines that tests reach and their durations: measured once, saved in a folder, and measured again when files change."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.overlay import Overlay

TESTS = {
    "rules": ("tests/rules",),
    "positions": ("tests/positions", "tests/bridges/test_openspiel.py"),
    "solvers": ("tests/solvers",),
    "examine": (
        "tests/examine",
        "tests/cli/test_prove.py",
        "tests/cli/test_score.py",
        "tests/questions/test_judged.py",
        "tests/questions/test_walked.py",
    ),
    "store": (
        "tests/store",
        "tests/cli/test_results.py",
        "tests/cli/test_study_archive.py",
        "tests/questions/test_answers.py",
        "tests/training/test_loop.py",
    ),
}
"""The tested packages, and their tests: their own, and those of other packages that test their promises."""

PACKAGES_WITH_KERNELS = ("positions", "solvers", "examine")
"""Packages whose first test run compiles for minutes."""

LIMIT = 3600.0
"""Seconds that the tests of a package may take."""


class SurveyError(Exception):
    """No test passes in the unchanged copy."""


@dataclass
class Survey:
    """The measurements."""

    measured: str  # the hash of all measured code and tests
    seconds: dict[str, float]  # for each test, with all its parameters
    lines: dict[str, dict[str, list[str]]]  # for each file and line the tests that reach it


def surveyed(overlay: Overlay, folder: Path, package: str, told: Callable[[str], None]) -> Survey:
    """The survey of a package's tests in the current copy, without failing ones, which go to `told`; it is saved in a folder.
    SurveyError if none passes.
    """
    kept = folder / f"measured-{package}.json"
    files = _files(overlay.tree, package)
    now = _hash([*sorted((overlay.tree / "src" / "noughts").rglob("*.py")), *files], overlay.tree)
    if kept.exists() and (survey := Survey(**json.loads(kept.read_text()))).measured == now:
        return survey
    names = [str(path.relative_to(overlay.tree)) for path in files]
    if package in PACKAGES_WITH_KERNELS and not overlay.kernels_folder().exists():
        overlay.pytest(names, LIMIT, stop=False)  # compiles first, so that compilation is not measured
    ran = overlay.pytest(names, LIMIT, stop=False, MUTATION_FOLDER=str(folder))
    measured = json.loads((folder / "times.json").read_text()) if ran.code in (0, 1) else {}
    if not measured:
        raise SurveyError(f"no test passes, or not within {LIMIT:.0f} s, before any mistake was made:\n{ran.output}")
    if ran.code == 1:
        told(f"left out, because they fail before any mistake was made:\n{ran.output}")
    survey = Survey(now, measured, json.loads((folder / "lines.json").read_text()))
    kept.write_text(json.dumps(survey.__dict__))
    return survey


def _files(tree: Path, package: str) -> list[Path]:
    found = (
        sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        for path in (tree / name for name in TESTS[package])
    )
    return [file for files in found for file in files]


def _hash(paths: Iterable[Path], tree: Path) -> str:
    found = hashlib.blake2b(digest_size=16)
    for path in paths:
        found.update(f"{path.relative_to(tree)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()
