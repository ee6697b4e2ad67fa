"""Turn questions into jobs of an executor, and the results into saved answers."""

import itertools
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

from noughts.agents.asking import too_late
from noughts.agents.registry import from_outside
from noughts.machine import Failed, Job, JobResult, Running
from noughts.machine.dependencies import COMPUTED_WITH, Dependencies, together
from noughts.machine.executor import Executor, LocalWorkers
from noughts.questions.answers import Answers
from noughts.questions.question import ANSWER_JOB, Question, write_questions
from noughts.rules import AgentError, NoughtsError, Value
from noughts.rules.errors import one_line
from noughts.store.files import make_folder
from noughts.store.run_folder import run_locked

_ACKNOWLEDGE_SECONDS = 0.02
_NOTE_SECONDS = 1.0

Questions = Sequence[Question[Any]]

Steps = Generator[tuple[Questions, str], None, None]
"""Yields the questions that were answered since the last step, and a note on the progress."""


def answer_all(pending: Questions, answers: Answers, executor: Executor, last: bool = False) -> Steps:
    """Answer these questions after those that they need. Failed questions may be retried once, unless `last` is set."""
    if not executor.shares_files and (here := [asked for asked in pending if asked.reads_files]):
        yield from answer_all(here, answers, LocalWorkers(1))
        pending = [asked for asked in pending if not asked.reads_files]
    if not pending:
        return
    needed = {one.key: one for asked in pending for one in asked.needs() if not answers.knows(one)}
    answers.look_up(needed.values())
    unknown = [one for one in needed.values() if not answers.knows(one)]
    with closing(answer_all(unknown, answers, executor)) as steps:
        for _, note in steps:
            yield (), note
    groups = answers.in_turn(_groups(pending, answers, alone=last))
    groups.sort(key=lambda group: outsiders_of(group[1][0]))  # so that workers are reused: each runs one set of agents
    work = _Work(dict(groups), answers, executor, last)
    try:
        with closing(executor.run(work.due(), _NOTE_SECONDS)) as results:
            next_keep = time.monotonic()
            for result in results:
                if isinstance(result, Running):
                    if work.notes(result):
                        yield (), work.note
                    continue
                work.take(result)
                if work.found and time.monotonic() >= next_keep:
                    next_keep = time.monotonic() + _ACKNOWLEDGE_SECONDS
                    yield work.keep(), work.note
    finally:
        kept = work.end()  # also after an interruption
    if kept:
        yield kept, ""
    yield from answer_all(work.again, answers, executor, last=True)


class _Work:
    """Groups of questions that an executor answers, one job for each group.

    Attributes:
        found: Answers, or reasons of failure, that are not saved yet.
        again: Questions to retry.
        note: The note of the first running job that made one; empty if none did.
    """

    def __init__(self, groups: Mapping[str, Questions], answers: Answers, executor: Executor, last: bool) -> None:
        self._groups, self._answers, self._executor, self._last = groups, answers, executor, last
        self._by_others: list[Question[Any]] = []  # another process has answered them in the meantime
        self._locked: dict[str, ExitStack] = {}  # run folders that another machine fills, by job
        self._notes: dict[str, str] = {}
        self.found: list[tuple[Question[Any], Value | str]] = []
        self.again: list[Question[Any]] = []

    @property
    def note(self) -> str:
        return next(iter(self._notes.values()), "")

    def due(self) -> Iterator[Job]:
        """Yield the jobs, each made only when the executor takes it."""
        for key, group in self._groups.items():
            if self._answers.answered_since(group):
                self._by_others += group
                continue
            needed = {one.key: one for asked in group for one in asked.needs()}
            if failed := self._answers.problems_of(needed.values()):
                self.take(Failed(key, "raised", failed[0], ""))
                continue
            try:
                self._lock_runs(key, group)
            except NoughtsError as error:
                self.found += ((asked, str(error)) for asked in group)
                continue
            yield self._job(
                key, group, {key: answer for key, one in needed.items() if (answer := self._answers[one]) is not None}
            )

    def _lock_runs(self, key: str, group: Questions) -> None:
        """Lock runs that another machine trains against processes on this one; NoughtsError if a run is in use."""
        if self._executor.shares_files:
            return
        with ExitStack() as locked:
            for asked in group:
                if asked.trains and (folder := asked.makes()) is not None:
                    make_folder(folder)
                    locked.enter_context(run_locked(folder))
            self._locked[key] = locked.pop_all()

    def _job(self, key: str, group: Questions, known: Mapping[str, Value]) -> Job:
        parts = together(*dict.fromkeys(map(self._answers.dependencies, group)))
        first, asked, exact = group[0], write_questions(group, known), COMPUTED_WITH in parts.versions
        job = Job(key, ANSWER_JOB, asked, outsiders_of(first), first.seconds_in_all, exact=exact)
        if self._executor.shares_files:
            return job
        return replace(job, files=files_sent(parts, asked), folder=str(first.makes() or ""))

    def notes(self, running: Running) -> bool:
        """Record a job's note; False if it is not for people. The note of a game, a list, is for `Question.broken`."""
        if running.note.startswith("["):
            return False
        self._notes[running.key] = running.note
        return True

    def take(self, result: JobResult) -> None:
        self._notes.pop(result.key, None)
        if result.key in self._locked:
            self._locked.pop(result.key).close()
        group = self._groups[result.key]
        found = _read(group, result)
        if isinstance(found, Failed):
            if not self._last and _deserves_another(group, found):
                self.again += group
                return
            found = [_broken(asked, found) for asked in group]
        self.found += zip(group, found, strict=True)

    def keep(self) -> Questions:
        """Save what was found, and return the questions that were answered since the last call."""
        kept = [*(asked for asked, _ in self.found), *self._by_others]
        self._answers.keep(self.found)
        self.found.clear()
        self._by_others.clear()
        return kept

    def end(self) -> Questions:
        """Unlock the runs, and `keep`."""
        for locked in self._locked.values():
            locked.close()
        return self.keep()


def _groups(pending: Questions, answers: Answers, alone: bool) -> Generator[tuple[str, Questions], None, None]:
    """Group the questions into jobs, each under the key of its first. Questions that gain from batching form as few groups as
    possible; the others are alone."""
    company: dict[tuple[type[Question[Any]], str, int], list[Question[Any]]] = {}
    for asked in pending:
        batch = 1 if alone else asked.batch([answers[one] for one in asked.needs()])
        if batch > 1:
            company.setdefault((type(asked), outsiders_of(asked), batch), []).append(asked)
        else:
            yield asked.key, (asked,)
    for (_, _, batch), some in company.items():
        groups = -(-len(some) // batch)
        cuts = [len(some) * number // groups for number in range(groups + 1)]
        for start, end in itertools.pairwise(cuts):
            yield some[start].key, some[start:end]


def _deserves_another(group: Questions, failed: Failed) -> bool:
    """Whether failed questions are retried.

    Questions of one batch are retried one by one, so that only those that cause the failure count as failed. A question
    whose process died may be innocent: machine code that libraries generate crashes once in many trainings, and a training
    resumes from its checkpoint. Third-party code is not retried, because it may end its process each time.
    """
    return len(group) > 1 or (failed.reason == "died" and not outsiders_of(group[0]))


def outsiders_of(asked: Question[Any]) -> str:
    """The third-party agents of a question, as text."""
    return " ".join(sorted({str(spec) for spec in asked.agents() if from_outside(spec)}))


def files_sent(needed: Dependencies, asked: str) -> tuple[str, ...]:
    """The files to send to a machine that does not share ours.

    Raises:
        AgentError: a question names a file by its full path, which does not exist on another machine.
    """
    files = tuple(map(str, needed.files))
    if named := next((file for file in files if file in asked), None):
        raise AgentError(
            f"{named} is named in full, where other machines cannot find it: name it from the working folder, such as "
            "agents/mine.py, or let all machines share files, --on PLACE,files=shared"
        )
    return files


def _read(group: Questions, result: JobResult) -> Sequence[Value | str] | Failed:
    """The answer to each question of a job, or its failure; an impossible answer is a failure, too."""
    if isinstance(result, Failed):
        return result
    try:
        texts = result.value.split("\n")
        return [one.checked(one.answer_type().from_json(text)) for one, text in zip(group, texts, strict=True)]
    except (NoughtsError, ValueError, TypeError, RecursionError) as error:
        return Failed(result.key, "raised", f"its process returned an impossible answer: {one_line(error)}", "")


def _broken(asked: Question[Any], failed: Failed) -> Value | str:
    """What is saved for a failed question: an answer that records the failure, or else the reason."""
    limit = limit_of(asked)
    reason = failed.message if failed.reason != "timeout" or limit is None else too_late(limit)
    found = asked.broken(failed.note, reason, died=failed.reason in ("died", "overdue"))
    return reason if found is None else asked.checked(found)


def limit_of(asked: Question[Any]) -> float | None:
    """The time limit for a move of its agents, in seconds; None for no limit."""
    limit: float | None = getattr(asked, "move_seconds", None)
    return limit
