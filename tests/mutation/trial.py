"""One mutant after another: drawn, tried, and its verdict kept, so that a run that was interrupted goes on."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutation.equivalent import equivalents, key
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.overlay import COMPILING, Overlay
from tests.mutation.reach import Modules, Reach
from tests.mutation.survey import LIMIT, Survey

KILLED, TIMEOUT, SURVIVED, EQUIVALENT = "killed", "timeout", "survived", "equivalent"

START_SECONDS = 20.0
"""What a run of pytest may take besides its tests."""


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant.

    Attributes:
        package, path, line, kind: Where and what it is.
        before, after: The lines it touches.
        verdict: `KILLED`, `TIMEOUT` (which counts as killed), `SURVIVED`, or `EQUIVALENT`.
        tests: How many tests were chosen.
        seconds: What it took.
        by: The test that failed, if one did.
    """

    package: str
    path: str
    line: int
    kind: str
    before: str
    after: str
    verdict: str
    tests: int
    seconds: float
    by: str


def draw(root: Path, package: str, count: int, seed: int) -> list[Mutant]:
    """Mutants of a package: lines drawn at random among those that have any, each line once, and one mutant of each line.

    The same seed gives the same mutants; a greater count only adds some.
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
    """The quickest tests first, as many as take no more than `most` seconds together; at least one, if there are any."""
    found: list[str] = []
    total = 0.0
    for test in sorted(tests, key=lambda test: (seconds.get(test, 0.0), test)):
        total += seconds.get(test, 0.0)
        if found and total > most:
            break
        found.append(test)
    return found


class Trials:
    """Tries mutants of a package and keeps their verdicts.

    Args:
        package: Whose mutants they are.
        overlay: Where they are tried.
        file: Where verdicts are kept, a line of JSON each.
        survey: What the package's tests reach, and how long each takes.
        most: Seconds of tests for one mutant.
        again: Whether those that survived before are tried once more.
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
        """What becomes of a mutant; it is kept as soon as it is known."""
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
        """The verdicts of tests that fail, in another order, without any mistake: nobody knows what these noticed."""
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
    """The tests that failed, by pytest's summary."""
    lines = (line.split(" - ")[0] for line in output.splitlines())
    return [line.partition(" ")[2] for line in lines if line.startswith(("FAILED ", "ERROR "))]


def _read(file: Path) -> Iterator[tuple[tuple[str, str, str, int], Verdict]]:
    """The verdicts in a file; a last line that was cut is left out."""
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            verdict = Verdict(**json.loads(line))
        except json.JSONDecodeError:
            continue
        yield (verdict.path, verdict.before, verdict.after, verdict.line), verdict
