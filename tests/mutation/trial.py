"""Tries one mutant after another and saves each verdict, so that an interrupted run resumes; and scores the tests by a sample of
mutants."""

import json
import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from noughts.statistics import wilson
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.overlay import COMPILING, Overlay

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

KILLED, TIMEOUT, SURVIVED, EQUIVALENT = "killed", "timeout", "survived", "equivalent"

LIMIT = 3600.0  # seconds that the tests of a package may take when nothing is compiled yet


class FailingError(Exception):
    """A test fails without any mistake."""


@dataclass(frozen=True)
class Verdict:
    """The result of a mutant."""

    package: str
    path: str
    line: int
    kind: str
    before: str
    after: str
    verdict: str  # `KILLED`, `TIMEOUT` (which counts as killed), `SURVIVED`, or `EQUIVALENT`
    seconds: float
    by: str  # the test that failed, if one did


def equivalents() -> dict[tuple[str, str, str], str]:
    """The reason for each mutant that no test can distinguish from the code, by its path and its lines before and after."""
    entries = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text()).get("mutant", [])
    return {(entry["path"], entry["line"], entry["instead"]): entry["reason"] for entry in entries}


def key(mutant: Mutant, source: str) -> tuple[str, str, str]:
    """The key of a mutant in `equivalents`."""
    return (mutant.path, *mutant.lines(source))


def draw(root: Path, package: str, count: int, seed: int) -> list[Mutant]:
    """Mutants of a package: lines drawn at random among those that have any, each line once, and one mutant of each line.

    The same seed gives the same mutants; a larger count only adds some.
    """
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for file in sorted((root / "src" / "noughts" / package).rglob("*.py")):
        path = str(file.relative_to(root))
        for mutant in mutants_of(file.read_text(), path):
            by_line.setdefault((path, mutant.line), []).append(mutant)
    rng = random.Random(f"{seed} {package}")
    lines = list(by_line)
    rng.shuffle(lines)
    return [rng.choice(by_line[line]) for line in lines[:count]]


class Trials:
    """Tries mutants of a package in a copy of the tree with all tests of the package until one fails, and saves verdicts in a
    file, one JSON object per line. With `again`, mutants that survived before are tried again.
    """

    def __init__(self, package: str, overlay: Overlay, file: Path, again: bool = False) -> None:
        """Run the tests without any mistake, first to compile, then for their time. FailingError if one fails."""
        self.package, self.overlay, self.file, self.again = package, overlay, file, again
        self.known = dict(_read(file))
        self.equivalent = equivalents()
        for _ in range(2):
            ran = overlay.pytest(self._tests(""), LIMIT)
            if ran.code != 0:
                raise FailingError(f"the tests of {package} fail before any mistake was made:\n{ran.output}")
        self.seconds = ran.seconds

    def _tests(self, path: str) -> list[str]:
        """The files of the package's tests, those of a file first."""
        tree, own = self.overlay.tree, f"test_{Path(path).name}"
        places = [tree / name for name in TESTS[self.package]]
        files = [file for one in places for file in (sorted(one.rglob("test_*.py")) if one.is_dir() else [one])]
        return [str(file.relative_to(tree)) for file in sorted(files, key=lambda file: file.name != own)]

    def verdict(self, mutant: Mutant) -> Verdict:
        """The verdict on a mutant, saved at once."""
        name = key(mutant, (self.overlay.tree / mutant.path).read_text())
        if name in self.equivalent:
            return self._verdict(mutant, EQUIVALENT, by=self.equivalent[name])
        known = self.known.get((*name, mutant.line))
        if known is not None and not (self.again and known.verdict == SURVIVED):
            return known
        found = self._try(mutant)
        with self.file.open("a") as file:
            file.write(json.dumps(asdict(found)) + "\n")
        return found

    def _verdict(self, mutant: Mutant, word: str, seconds: float = 0.0, by: str = "") -> Verdict:
        before, after = mutant.lines((self.overlay.tree / mutant.path).read_text())
        return Verdict(self.package, mutant.path, mutant.line, mutant.kind, before, after, word, round(seconds, 1), by)

    def _try(self, mutant: Mutant) -> Verdict:
        with self.overlay.with_mistake(mutant) as compiles:
            ran = self.overlay.pytest(self._tests(mutant.path), 3 * self.seconds + (COMPILING if compiles else 0.0))
        if ran.code is None:
            return self._verdict(mutant, TIMEOUT, ran.seconds)
        return self._verdict(mutant, KILLED if ran.code else SURVIVED, ran.seconds, _failed(ran.output))


def _failed(output: str) -> str:
    """The test that failed; empty if none did."""
    lines = (line.split(" - ")[0] for line in output.splitlines())
    return next((line.partition(" ")[2] for line in lines if line.startswith(("FAILED ", "ERROR "))), "")


def _read(file: Path) -> Iterator[tuple[tuple[str, str, str, int], Verdict]]:
    """The verdicts in a file; a truncated last line is left out."""
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            verdict = Verdict(**json.loads(line))
        except (json.JSONDecodeError, TypeError):  # cut off, or written by an earlier version
            continue
        yield (verdict.path, verdict.before, verdict.after, verdict.line), verdict


def score_of(verdicts: Sequence[Verdict]) -> str:
    """A table in Markdown: how many mutants of each package and of all were noticed, without equivalent ones."""
    rows = ["| package | noticed | of | score | 95% interval |", "|---|---|---|---|---|"]
    for package in [*dict.fromkeys(f"`{verdict.package}`" for verdict in verdicts), "all"]:
        count = Counter(v.verdict for v in verdicts if package in (f"`{v.package}`", "all"))
        noticed = count[KILLED] + count[TIMEOUT]
        found = wilson(noticed, noticed + count[SURVIVED])
        score, low, high = (f"{part:.0%}" for part in found)
        rows.append(f"| {package} | {noticed} | {noticed + count[SURVIVED]} | {score} | {low} to {high} |")
    return "\n".join(rows)


def survivors(verdicts: Sequence[Verdict]) -> str:
    return "".join(
        f"{verdict.path}:{verdict.line} ({verdict.kind})\n"
        f"  - {_indented(verdict.before)}\n  + {_indented(verdict.after)}\n"
        for verdict in verdicts
        if verdict.verdict == SURVIVED
    )


def _indented(lines: str) -> str:
    return lines.replace("\n", "\n    ")
