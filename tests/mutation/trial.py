"""Tries one mutant after another and saves each verdict, so that an interrupted run resumes; and scores the tests by a sample of
mutants."""

import json
import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from noughts.statistics import wilson
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.overlay import COMPILING, Overlay
from tests.mutation.reach import Modules, Reach
from tests.mutation.survey import LIMIT, Survey

KILLED, TIMEOUT, SURVIVED, EQUIVALENT = "killed", "timeout", "survived", "equivalent"

START_SECONDS = 20.0
"""Seconds that a run of pytest may take besides its tests."""


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
    tests: int  # the number of selected tests
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


def chosen(tests: Sequence[str], seconds: Mapping[str, float], most: float) -> list[str]:
    """The fastest tests first, up to `most` seconds in total; at least one, if there are any."""
    found: list[str] = []
    total = 0.0
    for test in sorted(tests, key=lambda test: (seconds.get(test, 0.0), test)):
        total += seconds.get(test, 0.0)
        if found and total > most:
            break
        found.append(test)
    return found


class Trials:
    """Tries mutants of a package in a copy of the tree with a limit of seconds of tests each, and saves verdicts in a file, one JSON
    object per line. With `again`, mutants that survived before are tried again.
    """

    def __init__(
        self, package: str, overlay: Overlay, file: Path, survey: Survey, most: float, again: bool = False
    ) -> None:
        self.package, self.overlay, self.file, self.most, self.again = package, overlay, file, most, again
        self.modules = Modules(overlay.tree)
        self.seconds = survey.seconds
        self.reach = Reach(self.modules, survey.lines, survey.seconds)
        self.known = dict(_read(file))
        self.equivalent = equivalents()

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

    def false_alarms(self, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """The verdicts of tests that fail without any mistake in another order, so their kills may be false."""
        tests = {verdict.by for verdict in verdicts if verdict.verdict == KILLED and "::" in verdict.by}
        by_time = sorted(tests, key=lambda test: (self.seconds.get(test.partition("[")[0], 0.0), test))
        if not by_time:
            return []
        ran = self.overlay.pytest(by_time, LIMIT, stop=False)
        failed = set(_failed(ran.output)) if ran.code in (0, 1) else tests
        return [verdict for verdict in verdicts if verdict.by in failed]

    def _verdict(self, mutant: Mutant, word: str, tests: int = 0, seconds: float = 0.0, by: str = "") -> Verdict:
        before, after = mutant.lines((self.overlay.tree / mutant.path).read_text())
        return Verdict(
            self.package, mutant.path, mutant.line, mutant.kind, before, after, word, tests, round(seconds, 1), by
        )

    def _try(self, mutant: Mutant) -> Verdict:
        tests = chosen(sorted(self.reach.tests(mutant.path, mutant.line)), self.seconds, self.most)
        if not tests:
            return self._verdict(mutant, SURVIVED, by="no test reaches it")
        expected = sum(self.seconds.get(test, 0.0) for test in tests)
        with self.overlay.with_mistake(mutant, self.modules) as compiles:
            ran = self.overlay.pytest(tests, START_SECONDS + 3 * expected + (COMPILING if compiles else 0.0))
        if ran.code is None:
            return self._verdict(mutant, TIMEOUT, len(tests), ran.seconds)
        return self._verdict(
            mutant, SURVIVED if ran.code == 0 else KILLED, len(tests), ran.seconds, next(iter(_failed(ran.output)), "")
        )


def _failed(output: str) -> list[str]:
    lines = (line.split(" - ")[0] for line in output.splitlines())
    return [line.partition(" ")[2] for line in lines if line.startswith(("FAILED ", "ERROR "))]


def _read(file: Path) -> Iterator[tuple[tuple[str, str, str, int], Verdict]]:
    """The verdicts in a file; a truncated last line is left out."""
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            verdict = Verdict(**json.loads(line))
        except json.JSONDecodeError:
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
        f"{verdict.path}:{verdict.line} ({verdict.kind}; {verdict.by or f'{verdict.tests} tests'})\n"
        f"  - {_indented(verdict.before)}\n  + {_indented(verdict.after)}\n"
        for verdict in verdicts
        if verdict.verdict == SURVIVED
    )


def _indented(lines: str) -> str:
    return lines.replace("\n", "\n    ")
