"""`carry_out`: any list of questions is answered, by any number of workers, after any interruption; nothing twice.

Trainings are answered first, so that there are agents to be examined. Of trainings, and of all others, first comes what can be
done side by side, then what must be alone. What is kept already is left out: a session that was interrupted,
even by kill -9, goes on where it stopped, and what somebody else has asked before is not asked again. Left out, too, is what
asks an agent of a training that has failed.

A walk of every reply may take long. When there are few questions, their steps are spread over the workers, and kept
one by one; when there are many, each is answered by one worker.

The code of agents from outside the project runs in workers, never here, unless there are none; and a worker that has run
some answers no question that does not ask the same ones. What it says is looked at here before it is kept: `Unit.checked`.
"""

import itertools
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import lru_cache
from typing import Any

from noughts.agents.registry import from_outside
from noughts.agents.spec import AgentSpec
from noughts.machine import Failed, Job, JobResult, Running
from noughts.machine.dependencies import COMPUTED_WITH, Dependencies, together
from noughts.machine.executor import Executor, LocalWorkers, Workers, as_executor
from noughts.questions.answers import Answers
from noughts.questions.progress import Progress
from noughts.questions.question import ANSWER_JOB, Question, Unit, write_questions
from noughts.rules import AgentError, ComputeError, NoughtsError, Value
from noughts.rules.errors import one_line
from noughts.store.run_folder import run_held

_ACKNOWLEDGE_SECONDS = 0.02
_NOTE_SECONDS = 1.0
_HERE_SECONDS = 2.0  # for so long steps are answered here: to start workers takes about as long

Units = Sequence[Unit[Any]]


def carry_out(
    questions: Iterable[Question[Any]],
    answers: Answers,
    workers: Workers = None,
    clock: Callable[[], float] = time.monotonic,
    spread: bool = False,
    check: Callable[[], None] = lambda: None,
) -> Generator[Progress, None, None]:
    """Answer all questions that are not answered yet; yields when more was kept, and when jobs note something.

    The answers are the same for any number of workers, and for any interruptions; closing the iterator stops the
    workers and keeps what was done.

    Args:
        questions: What is asked, in any order; what two of them have in common is answered once.
        answers: Gets each answer as it comes, or with the next one if it comes within 20 ms of the batch before. What
            fails is known to have failed for this run alone.
        workers: Who answers. Processes; None for one for each core, 0 for none but this one (then time limits do not
            hold); or an executor, such as a cluster.
        clock: Seconds; says when a batch is due.
        spread: Whether questions that have steps are spread over the workers, instead of answered by one worker each.
        check: Called some times a second while workers are waited for. An error that it raises ends everything, as
            closing the iterator does, for which another thread would have to wait until the next answer.

    Raises:
        ComputeError: a time limit was asked for without workers, when nobody could enforce it; or not as many questions
            were answered as were asked.
    """
    executor = as_executor(workers)
    units = list({unit.exact_key: unit for question in questions for unit in question.units()}.values())
    if executor.in_process and any(_limit(unit) is not None for unit in units):
        raise ComputeError("a time limit for moves needs workers: use --workers 1 or more, or leave the limit out")
    stages = list(filter(None, _parted(units, lambda unit: bool(unit.trains))))
    with ExitStack() as held:
        for number, asked in enumerate(stages, 1):
            answers.look_up(asked)
            answers.leave_out(asked)
            pending = [unit for unit in asked if not answers.knows(unit)]
            progress = Progress(len(asked) - len(pending), len(asked), 0, stage=number, stages=len(stages))
            yield progress
            for turn in _turns(pending):
                left = [unit for unit in turn if not answers.knows(unit)]
                if len(left) < len(turn):
                    progress = replace(progress, done=progress.done + len(turn) - len(left))
                    yield progress
                if left:
                    held.enter_context(executor.opened())  # which may be done again
                stepwise, others = _parted(left, lambda unit: spread and unit.has_steps)
                alone, beside = _parted(others, lambda unit: unit.alone)
                for work in (
                    _answer(beside, answers, executor, clock, check),
                    _answer(alone, answers, executor.alone(), clock, check),
                    _spread(stepwise, answers, executor, clock, check),
                ):
                    with closing(work) as steps:  # now, not when it is collected as garbage
                        for answered, note in steps:
                            progress = replace(
                                progress,
                                done=progress.done + len(answered),
                                new=progress.new + len(answered),
                                note="; ".join(filter(None, [executor.said, note])),
                            )
                            yield progress
                if missing := [unit.key for unit in turn if not answers.knows(unit)]:
                    raise ComputeError(
                        f"{len(missing)} of {len(turn)} questions were not answered, {missing[0]} among them"
                    )


def _turns(pending: Units) -> Iterable[Units]:
    """Units one after another of which only the effort differs: the answer of the first may do for the others."""
    turns: list[dict[str, Unit[Any]]] = [{}]
    for unit in pending:
        if all(unit.key in turn for turn in turns):
            turns.append({})
        next(turn for turn in turns if unit.key not in turn)[unit.key] = unit
    return [list(turn.values()) for turn in turns]


def _parted(units: Units, is_so: Callable[[Unit[Any]], bool]) -> tuple[Units, Units]:
    """Those of which something is so, and the others."""
    return [unit for unit in units if is_so(unit)], [unit for unit in units if not is_so(unit)]


Steps = Generator[tuple[Units, str], None, None]
"""Which units were answered since the last time, and what is going on."""


def _answer(
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
    first = {unit.key: unit for asked in pending for unit in asked.needs() if not answers.knows(unit)}
    with closing(_answer(list(first.values()), answers, executor, clock, check)) as steps:
        for _, note in steps:
            yield (), note
    groups = _jobs(pending, answers, alone=last)
    jobs = dict(
        sorted(answers.in_turn(groups), key=lambda job: _outsiders(job[1][0]))
    )  # so that workers need not change
    batch: list[tuple[Unit[Any], Value | str]] = []
    notes: dict[str, str] = {}  # of running jobs; the one that was the first to make a note is shown
    again: list[Unit[Any]] = []

    elsewhere: list[Unit[Any]] = []
    holds: dict[str, ExitStack] = {}  # of jobs that another machine does: what keeps others here from them

    def keep() -> Units:
        kept = [*(unit for unit, _ in batch), *elsewhere]
        answers.keep(batch)
        batch.clear()
        elsewhere.clear()
        return kept

    def due() -> Iterator[Job]:
        """Each job, made when it is due."""
        for key, group in jobs.items():
            if answers.answered_since(group):
                elsewhere.extend(group)
                continue
            if not executor.shares_files:
                holds[key] = hold = ExitStack()
                try:
                    for unit in group:
                        if unit.trains and (folder := unit.makes()) is not None:
                            hold.enter_context(run_held(folder))
                except NoughtsError as error:
                    holds.pop(key).close()
                    batch.extend((unit, str(error)) for unit in group)
                    continue
            needed = together(*dict.fromkeys(map(answers.dependencies, group)))
            asked, exact = write_questions(group), COMPUTED_WITH in needed.versions
            job = Job(key, ANSWER_JOB, asked, _outsiders(group[0]), group[0].seconds_in_all, exact=exact)
            if executor.shares_files:
                yield job
            else:
                yield replace(job, files=files_sent(needed, asked), folder=str(group[0].makes() or ""))

    try:
        with closing(executor.run(due(), _NOTE_SECONDS, check)) as results:
            next_keep = clock()
            for result in results:
                group = jobs[result.key]
                if isinstance(result, Running):
                    if not result.note.startswith("["):  # that of a game, for `broken`
                        notes[result.key] = result.note
                        yield (), next(iter(notes.values()))
                    continue
                notes.pop(result.key, None)
                if result.key in holds:
                    holds.pop(result.key).close()
                found = _read(group, result)
                if isinstance(found, Failed):
                    if not last and _deserves_another(group, found):
                        again += group
                        continue
                    found = [_broken(unit, found) for unit in group]
                batch += zip(group, found, strict=True)
                if clock() >= next_keep:
                    next_keep = clock() + _ACKNOWLEDGE_SECONDS
                    yield keep(), next(iter(notes.values()), "")
    finally:
        for hold in holds.values():
            hold.close()
        kept = keep()  # also when somebody has had enough
    if kept:
        yield kept, ""
    yield from _answer(again, answers, executor, clock, check, last=True)


def _jobs(pending: Units, answers: Answers, alone: bool) -> Generator[tuple[str, Units], None, None]:
    """The units in groups that a worker answers in one go, each under the key of its first: as few as may be of those
    that gain by company, and the others one by one."""
    company: dict[tuple[type[Unit[Any]], str, int], list[Unit[Any]]] = {}
    for unit in pending:
        batch = 1 if alone else unit.batch(answers)
        if batch > 1:
            company.setdefault((type(unit), _outsiders(unit), batch), []).append(unit)
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
    return len(group) > 1 or (failed.reason == "died" and not _outsiders(group[0]))


def _outsiders(unit: Unit[Any]) -> str:
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
    limit = _limit(unit)
    timed_out = failed.reason == "timeout" and limit is not None
    reason = f"the move took longer than {limit:g} s" if timed_out else failed.message
    found = unit.broken(failed.note, reason)
    return reason if found is None else unit.checked(found)


def _spread(
    pending: Units, answers: Answers, executor: Executor, clock: Callable[[], float], check: Callable[[], None]
) -> Steps:
    """Answer units by their steps, those of all together in rounds, each spread over the workers and kept."""
    if not pending:
        return
    begun = clock()
    said = _Said()
    active = {unit.key: (unit, unit.steps(said)) for unit in pending}
    found: dict[str, Sequence[Any] | None] = dict.fromkeys(active)
    while active:
        asked: dict[str, Units] = {}
        ended: list[tuple[Unit[Any], Value | str]] = []
        for key, (unit, steps) in active.items():
            try:
                asked[key] = steps.send(found.pop(key))  # type: ignore[arg-type] # None begins them
            except StopIteration as end:
                ended.append((unit, end.value))
            except Exception as error:  # as a worker says it
                ended.append((unit, one_line(error)))
        answers.keep(ended)
        for unit, _ in ended:
            del active[unit.key]
        yield [unit for unit, _ in ended], said.text
        parts = {part.key: part for some in asked.values() for part in some}
        answers.look_up(parts.values())
        while True:
            for key, problem in _failed(asked, answers).items():
                unit, steps = active.pop(key)
                steps.close()
                del asked[key]
                answers.keep([(unit, problem)])
                yield (unit,), said.text
            left = {part.key: part for some in asked.values() for part in some if not answers.knows(part)}
            if not left:
                break
            with closing(_here_then_spread(list(left.values()), answers, executor, clock, check, begun)) as work:
                answered = 0
                for some, note in work:
                    answered += len(some)
                    yield (), ", ".join(filter(None, [said.text, f"part {answered} of {len(left)}", note]))
                    if answers.problems.keys() & left.keys():
                        break  # the other parts of the unit that has failed need not be answered
        found = {key: [answers[part] for part in some] for key, some in asked.items()}
        for part in parts.values():
            answers.forget(part)


def _failed(asked: Mapping[str, Units], answers: Answers) -> dict[str, str]:
    """The units of which a part has failed, by key, and how."""
    problems = answers.problems
    parts = {key: [problems[part.key] for part in some if part.key in problems] for key, some in asked.items()}
    return {key: some[0] for key, some in parts.items() if some}


def _here_then_spread(
    parts: Units,
    answers: Answers,
    executor: Executor,
    clock: Callable[[], float],
    check: Callable[[], None],
    begun: float,
) -> Steps:
    """Answer parts in this process for the first seconds of a session, unless their agents are from outside the project,
    whose code may end the process that it runs in, or have a limit, which nobody could keep here."""
    mine = [part for part in parts if not executor.in_process and _limit(part) is None and not _outsiders(part)]
    if mine and clock() - begun < _HERE_SECONDS:
        with closing(_answer(mine, answers, LocalWorkers(0), clock, check)) as steps:
            for step in steps:
                yield step
                if clock() - begun > _HERE_SECONDS:
                    break
    yield from _answer([part for part in parts if not answers.knows(part)], answers, executor, clock, check)


def _limit(unit: Unit[Any]) -> float | None:
    """Seconds that a move of its agents may take, if they are limited."""
    limit: float | None = getattr(unit, "move_seconds", None)
    return limit


class _Said:
    """What steps say that they are at."""

    def __init__(self) -> None:
        self.text = ""

    def note(self, text: str, limit: float | None = None) -> None:
        self.text = text
