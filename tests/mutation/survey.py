"""What the tests reach and how long they take: measured once, kept in a folder, and measured anew where files changed."""

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
        "tests/cli/test_store.py",
        "tests/cli/test_study_archive.py",
        "tests/questions/test_kept_answers.py",
        "tests/training/test_loop.py",
    ),
}
"""The packages whose tests are tested, and these tests: their own, and where others hold what they promise, those."""

PACKAGES_WITH_KERNELS = ("positions", "solvers", "examine")
"""Packages whose tests compile for minutes when they run first."""

LIMIT = 3600.0
"""Seconds that the tests of a package may take."""


class SurveyError(Exception):
    """No test passes before any mistake was made."""


@dataclass
class Survey:
    """What was measured.

    Attributes:
        files: For each file of tests the hash of its content when it was measured.
        source: The hash of all that is tested then.
        seconds: For each test how long it takes, with its parameters together.
        lines: For each file and line the tests that reach it.
    """

    files: dict[str, str]
    source: str
    seconds: dict[str, float]
    lines: dict[str, dict[str, list[str]]]

    def without(self, files: Iterable[str]) -> "Survey":
        """The same without what was measured of some files of tests."""
        gone = set(files)

        def stays(test: str) -> bool:
            return test.partition("::")[0] not in gone

        return Survey(
            {file: content for file, content in self.files.items() if file not in gone},
            self.source,
            {test: seconds for test, seconds in self.seconds.items() if stays(test)},
            {
                path: {line: list(filter(stays, tests)) for line, tests in lines.items()}
                for path, lines in self.lines.items()
            },
        )


def surveyed(overlay: Overlay, folder: Path, package: str, told: Callable[[str], None]) -> Survey:
    """The survey of a package's tests in a copy as it is now, without those that fail; SurveyError if none passes.

    Args:
        overlay: The copy.
        folder: Where the survey is kept.
        package: Whose tests.
        told: Told of tests that fail.
    """
    kept = folder / f"survey-{package}.json"
    source = _hash(sorted((overlay.tree / "src" / "noughts").rglob("*.py")), overlay.tree)
    survey = Survey(**json.loads(kept.read_text())) if kept.exists() else Survey({}, source, {}, {})
    if survey.source != source:
        survey = Survey({}, source, {}, {})
    files = {str(path.relative_to(overlay.tree)): _hash([path], overlay.tree) for path in _files(overlay.tree, package)}
    survey = survey.without(file for file, content in survey.files.items() if files.get(file) != content)
    new = [file for file in files if file not in survey.files]
    if new:
        if package in PACKAGES_WITH_KERNELS and not overlay.kernels_folder().exists():
            overlay.pytest(new, LIMIT, stop=False)  # compiles, so that tests are not measured with what they compile
        times, lines = folder / "times.json", folder / "lines.json"
        ran = overlay.pytest(new, LIMIT, stop=False, MUTATION_TIMES=str(times), MUTATION_LINES=str(lines))
        measured = json.loads(times.read_text()) if ran.code in (0, 1) else {}
        if not measured:
            raise SurveyError(
                f"no test passes, or not within {LIMIT:.0f} s, before any mistake was made:\n{ran.output}"
            )
        if ran.code == 1:
            told(f"left out, because they fail before any mistake was made:\n{ran.output}")
        survey.files |= {file: files[file] for file in new}
        survey.seconds |= measured
        for path, by_line in json.loads(lines.read_text()).items():
            held = survey.lines.setdefault(path, {})
            for line, tests in by_line.items():
                held[line] = sorted({*held.get(line, ()), *tests})
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
