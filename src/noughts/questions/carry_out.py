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

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

from noughts.machine.executor import Executor, LocalWorkers, Workers, as_executor
from noughts.machine.jobs import Recorder
from noughts.questions.answers import Answers
from noughts.questions.progress import Progress
from noughts.questions.question import Question, Unit
from noughts.questions.work import Steps, Units, answer_units, limit_of, outsiders_of
from noughts.rules import ComputeError, Value
from noughts.rules.errors import one_line

_HERE_SECONDS = 2.0  # for so long steps are answered here: to start workers takes about as long


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
    if executor.in_process and any(limit_of(unit) is not None for unit in units):
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
                    answer_units(beside, answers, executor, clock, check),
                    answer_units(alone, answers, executor.alone(), clock, check),
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


def _spread(
    pending: Units, answers: Answers, executor: Executor, clock: Callable[[], float], check: Callable[[], None]
) -> Steps:
    """Answer units by their steps, those of all together in rounds, each spread over the workers and kept."""
    if not pending:
        return
    begun = clock()
    said = Recorder()
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
    mine = [part for part in parts if not executor.in_process and limit_of(part) is None and not outsiders_of(part)]
    if mine and clock() - begun < _HERE_SECONDS:
        with closing(answer_units(mine, answers, LocalWorkers(0), clock, check)) as steps:
            for step in steps:
                yield step
                if clock() - begun > _HERE_SECONDS:
                    break
    yield from answer_units([part for part in parts if not answers.knows(part)], answers, executor, clock, check)
