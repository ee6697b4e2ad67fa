"""Running the cases: each made ready once, then all in turn, round after round."""

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
        cases: In the order of the rows that come back.
        rounds: In each, every case runs once, so that a moment in which the machine is busy hits them all alike.
        seconds: Time for a case in a round; the piece of work that passes it is still finished.
        tell: Given a line before each step, of which there are ``len(cases) * (rounds + 1)``.
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
    gc.freeze()  # otherwise every collection walks through all the libraries, at the cost of whoever runs then
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
    """Repeat a piece of work, at least once, until the time is up."""
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
    """A case's name, for whoever waits for it."""
    return f"{group.name} / {program}"


def missing(modules: Sequence[str]) -> list[str]:
    """Those of a peer's modules that are not installed."""
    return [module for module in modules if importlib.util.find_spec(module) is None]


@contextlib.contextmanager
def _catching(case: Case, problems: dict[Case, tuple[str, str]]) -> Iterator[None]:
    """Note what goes wrong in a case as one line, and go on; a peer's warnings are not ours to act on."""
    with warnings.catch_warnings():
        if case.is_peer:
            warnings.simplefilter("ignore")
        try:
            yield
        except Exception as error:
            problems[case] = "failed", one_line(error)


def one_line(error: Exception) -> str:
    """What went wrong, without the paths of this machine."""
    lines = str(error).strip().splitlines() or [""]
    text = re.sub(r"\S*[/\\]\S*", "...", lines[0])
    return f"{type(error).__name__}: {text[:160]}"
