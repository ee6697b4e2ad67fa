"""Running the cases: prepare each once, then run all in turn, round after round."""

import contextlib
import gc
import importlib.util
import re
import time
import warnings
from collections.abc import Callable, Iterator, Sequence

from benchmarks.case import Case, Group, Work
from benchmarks.cases import base
from benchmarks.results import Measured, Row, Spread, ratio_of_rounds

_WARM_UP_SECONDS = 0.2


def run(cases: Sequence[Case], rounds: int, seconds: float, tell: Callable[[str], None]) -> list[Row]:
    """Measure every case.

    Args:
        cases: The cases, in the order of the returned rows.
        rounds: The number of rounds. Each runs every case once, so that other load on the machine affects all alike.
        seconds: The time for a case in a round; a chunk in progress is finished.
        tell: Called with a line before each of ``len(cases) * (rounds + 1)`` steps.
    """
    ready: dict[Case, Work] = {}
    problems: dict[Case, tuple[str, str]] = {}
    measured: dict[Case, list[Measured]] = {case: [] for case in cases}
    for case in cases:
        tell(f"getting ready: {label(case.group, case.program)}")
        if missing(case.modules):
            problems[case] = "not installed", f"no module {' or '.join(missing(case.modules))}"
            continue
        with _catching(case, problems):
            work = case.prepare()
            measure(work.chunk, min(seconds, _WARM_UP_SECONDS))
            ready[case] = work
    gc.collect()
    gc.freeze()  # otherwise each collection scans all the libraries, at the cost of the case that runs then
    try:
        for number in range(rounds):
            for case in cases:
                tell(f"round {number + 1} of {rounds}: {label(case.group, case.program)}")
                if case in ready and case not in problems:
                    with _catching(case, problems):
                        measured[case].append(measure(ready[case].chunk, seconds))
    finally:
        gc.unfreeze()
    complete = {case: rows for case, rows in measured.items() if case not in problems}
    return [_row(case, cases, ready, problems, complete) for case in cases]


def measure(chunk: Callable[[], int], seconds: float) -> Measured:
    """Repeat a chunk, at least once, until the time is up."""
    units, cpu, begun = 0, time.process_time(), time.perf_counter()
    while True:
        units += chunk()
        wall = time.perf_counter() - begun
        if wall >= seconds:
            return Measured(units=units, wall_s=wall, cpu_s=time.process_time() - cpu)


def _row(
    case: Case,
    cases: Sequence[Case],
    ready: dict[Case, Work],
    problems: dict[Case, tuple[str, str]],
    complete: dict[Case, list[Measured]],
) -> Row:
    row = Row(
        group=case.group.name,
        program=case.program,
        call=case.call,
        is_peer=case.is_peer,
        note=ready[case].note if case in ready else "",
        paper_seconds=case.paper_seconds,
    )
    if case in problems:
        status, problem = problems[case]
        return row.model_copy(update={"status": status, "problem": problem})
    rounds = complete[case]
    row = row.model_copy(update={"rounds": tuple(rounds), "rate": Spread.of([measured.rate for measured in rounds])})
    if not case.is_peer:
        return row
    quickest = base(cases, case)
    if quickest in complete:
        ratio = ratio_of_rounds(quickest.program, complete[quickest], rounds)
        target = case.group.target if case.sets_target else None
        met = None if target is None else ratio.times.median >= target
        row = row.model_copy(update={"ratio": ratio, "met": met})
    for other in cases:
        if other.group == case.group and other.program == case.alike and other in complete:
            row = row.model_copy(update={"alike": ratio_of_rounds(other.program, complete[other], rounds)})
    return row


def label(group: Group, program: str) -> str:
    """A case's name, for progress messages."""
    return f"{group.name} / {program}"


def missing(modules: Sequence[str]) -> list[str]:
    """The modules that are not installed."""
    return [module for module in modules if importlib.util.find_spec(module) is None]


@contextlib.contextmanager
def _catching(case: Case, problems: dict[Case, tuple[str, str]]) -> Iterator[None]:
    """Record an exception of a case as one line, and continue; warnings of peers are suppressed."""
    with warnings.catch_warnings():
        if case.is_peer:
            warnings.simplefilter("ignore")
        try:
            yield
        except Exception as error:
            problems[case] = "failed", one_line(error)


def one_line(error: Exception) -> str:
    """An exception in one line, without paths of this machine."""
    lines = str(error).strip().splitlines() or [""]
    text = re.sub(r"\S*[/\\]\S*", "...", lines[0])
    return f"{type(error).__name__}: {text[:160]}"
