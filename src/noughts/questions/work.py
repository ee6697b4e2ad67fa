"""How units become jobs of an executor, and results become answers that are kept."""

import itertools
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import lru_cache
from typing import Any

from noughts.agents.registry import from_outside
from noughts.agents.spec import AgentSpec
from noughts.machine import Failed, Job, JobResult, Running
from noughts.machine.dependencies import COMPUTED_WITH, Dependencies, together
from noughts.machine.executor import Executor
from noughts.questions.answers import Answers
from noughts.questions.question import ANSWER_JOB, Unit, write_questions
from noughts.rules import AgentError, NoughtsError, Value
from noughts.rules.errors import one_line
from noughts.store.run_folder import run_held

_ACKNOWLEDGE_SECONDS = 0.02
_NOTE_SECONDS = 1.0

Units = Sequence[Unit[Any]]

Steps = Generator[tuple[Units, str], None, None]
"""Which units were answered since the last time, and what is going on."""


def answer_units(
    pending: Units,
    answers: Answers,
    executor: Executor,
    clock: Callable[[], float],
    check: Callable[[], None],
    last: bool = False,
) -> Steps:
    """Answer these units; what fails may be asked once more, unless this is the last time."""
    if not pending:
        return
    needed = {unit.key: unit for asked in pending for unit in asked.needs() if not answers.knows(unit)}
    with closing(answer_units(list(needed.values()), answers, executor, clock, check)) as steps:
        for _, note in steps:
            yield (), note
    groups = answers.in_turn(_groups(pending, answers, alone=last))
    groups.sort(key=lambda group: outsiders_of(group[1][0]))  # so that workers need not change
    work = _Work(dict(groups), answers, executor, last)
    try:
        with closing(executor.run(work.due(), _NOTE_SECONDS, check)) as results:
            next_keep = clock()
            for result in results:
                if isinstance(result, Running):
                    if work.notes(result):
                        yield (), work.note
                    continue
                work.take(result)
                if work.found and clock() >= next_keep:
                    next_keep = clock() + _ACKNOWLEDGE_SECONDS
                    yield work.keep(), work.note
    finally:
        kept = work.end()  # also after an interruption
    if kept:
        yield kept, ""
    yield from answer_units(work.again, answers, executor, clock, check, last=True)


class _Work:
    """Groups of units that an executor answers, a job each.

    Attributes:
        found: Answers, or why there is none, that are not kept yet.
        again: Units that are to be asked once more.
        note: Of the running jobs the first that made one; empty if none did.
    """

    def __init__(self, groups: Mapping[str, Units], answers: Answers, executor: Executor, last: bool) -> None:
        self._groups, self._answers, self._executor, self._last = groups, answers, executor, last
        self._by_others: list[Unit[Any]] = []  # another process has answered them in the meantime
        self._locked: dict[str, ExitStack] = {}  # run folders that another machine fills, by job
        self._notes: dict[str, str] = {}
        self.found: list[tuple[Unit[Any], Value | str]] = []
        self.again: list[Unit[Any]] = []

    @property
    def note(self) -> str:
        return next(iter(self._notes.values()), "")

    def due(self) -> Iterator[Job]:
        """Each job, made when it is due."""
        for key, group in self._groups.items():
            if self._answers.answered_since(group):
                self._by_others += group
                continue
            try:
                self._lock_runs(key, group)
            except NoughtsError as error:
                self.found += ((unit, str(error)) for unit in group)
                continue
            yield self._job(key, group)

    def _lock_runs(self, key: str, group: Units) -> None:
        """Keep other processes here from runs that another machine trains; NoughtsError if one is at it already."""
        if self._executor.shares_files:
            return
        with ExitStack() as locked:
            for unit in group:
                if unit.trains and (folder := unit.makes()) is not None:
                    locked.enter_context(run_held(folder))
            self._locked[key] = locked.pop_all()

    def _job(self, key: str, group: Units) -> Job:
        needed = together(*dict.fromkeys(map(self._answers.dependencies, group)))
        first, asked, exact = group[0], write_questions(group), COMPUTED_WITH in needed.versions
        job = Job(key, ANSWER_JOB, asked, outsiders_of(first), first.seconds_in_all, exact=exact)
        if self._executor.shares_files:
            return job
        return replace(job, files=files_sent(needed, asked), folder=str(first.makes() or ""))

    def notes(self, running: Running) -> bool:
        """Whether what a job notes is for people: that of a game, a list, is for `Unit.broken`."""
        if running.note.startswith("["):
            return False
        self._notes[running.key] = running.note
        return True

    def take(self, result: JobResult) -> None:
        """Take what came of a job."""
        self._notes.pop(result.key, None)
        if result.key in self._locked:
            self._locked.pop(result.key).close()
        group = self._groups[result.key]
        found = _read(group, result)
        if isinstance(found, Failed):
            if not self._last and _deserves_another(group, found):
                self.again += group
                return
            found = [_broken(unit, found) for unit in group]
        self.found += zip(group, found, strict=True)

    def keep(self) -> Units:
        """Keep what was found; gives the units that are answered since the last time."""
        kept = [*(unit for unit, _ in self.found), *self._by_others]
        self._answers.keep(self.found)
        self.found.clear()
        self._by_others.clear()
        return kept

    def end(self) -> Units:
        """Let go of the runs, and `keep`."""
        for locked in self._locked.values():
            locked.close()
        return self.keep()


def _groups(pending: Units, answers: Answers, alone: bool) -> Generator[tuple[str, Units], None, None]:
    """The units in groups that a worker answers in one go, each under the key of its first: as few as may be of those
    that gain by company, and the others one by one."""
    company: dict[tuple[type[Unit[Any]], str, int], list[Unit[Any]]] = {}
    for unit in pending:
        batch = 1 if alone else unit.batch(answers)
        if batch > 1:
            company.setdefault((type(unit), outsiders_of(unit), batch), []).append(unit)
        else:
            yield unit.key, (unit,)
    for (_, _, batch), units in company.items():
        groups = -(-len(units) // batch)
        cuts = [len(units) * number // groups for number in range(groups + 1)]
        for start, end in itertools.pairwise(cuts):
            yield units[start].key, units[start:end]


def _deserves_another(group: Units, failed: Failed) -> bool:
    """Whether units are asked once more.

    Those that were answered together are asked one by one, so that only what fails is broken off. One whose process
    ended need not have ended it: the machine code that libraries make crashes once in many trainings, and a training
    goes on from its checkpoint. But code from outside may end its process each time.
    """
    return len(group) > 1 or (failed.reason == "died" and not outsiders_of(group[0]))


def outsiders_of(unit: Unit[Any]) -> str:
    """The agents from outside the project that a unit asks."""
    return " ".join(sorted({str(spec) for spec in unit.agents() if _from_outside(spec)}))


@lru_cache(maxsize=1024)
def _from_outside(spec: AgentSpec) -> bool:
    try:
        return from_outside(spec)
    except AgentError:  # who answers will say what is wrong with it
        return False


def files_sent(needed: Dependencies, asked: str) -> tuple[str, ...]:
    """The files that go along to a machine that does not share ours.

    Raises:
        AgentError: a question names one in full, and by that name no other machine could find it.
    """
    files = tuple(map(str, needed.files))
    if named := next((file for file in files if file in asked), None):
        raise AgentError(
            f"{named} is named in full, where other machines cannot find it: name it from the working folder, such as "
            "agents/mine.py, or let all machines share files, --on PLACE,files=shared"
        )
    return files


def _read(group: Units, result: JobResult) -> Sequence[Value | str] | Failed:
    """The answer of each unit of a job, or that it failed: so it has, too, if it says what cannot be."""
    if isinstance(result, Failed):
        return result
    try:
        texts = result.value.split("\n")
        return [unit.checked(unit.answer_type().from_json(text)) for unit, text in zip(group, texts, strict=True)]
    except (NoughtsError, ValueError, TypeError, RecursionError) as error:
        return Failed(result.key, "raised", f"what its process answered cannot be: {one_line(error)}", "")


def _broken(unit: Unit[Any], failed: Failed) -> Value | str:
    """What is kept of a unit that failed."""
    limit = limit_of(unit)
    timed_out = failed.reason == "timeout" and limit is not None
    reason = f"the move took longer than {limit:g} s" if timed_out else failed.message
    found = unit.broken(failed.note, reason)
    return reason if found is None else unit.checked(found)


def limit_of(unit: Unit[Any]) -> float | None:
    """Seconds that a move of its agents may take, if they are limited."""
    limit: float | None = getattr(unit, "move_seconds", None)
    return limit
