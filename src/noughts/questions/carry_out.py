"""`carry_out`: any list of questions is answered, by any number of workers, after any interruption; nothing twice.

Trainings are answered first, so that there are agents to be examined. Of trainings, and of all others, first comes what can be
done side by side, then what must be alone. What is kept already is left out: a session that was interrupted,
even by kill -9, goes on where it stopped, and a question that was answered for others is not asked again. Questions about the agents of a
training that has failed are left out, too.

A walk of every reply may take long. When there are few questions, what they ask in each round is spread over the workers, and
kept one by one; when there are many, each is answered by one worker.

The code of agents from outside the project runs in workers, never here, unless there are none; and a worker that has run
some answers no question that does not ask the same ones. Its answers are checked here before they are kept: `Question.checked`.
"""

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import Any

from noughts.machine.executor import LocalWorkers, Workers, as_executor
from noughts.machine.jobs import Recorder
from noughts.questions.answers import Answers
from noughts.questions.question import AnswerT, Question, Rounds, kept_questions
from noughts.questions.work import Means, Questions, Steps, answer_all, limit_of, outsiders_of
from noughts.rules import ComputeError, Value
from noughts.rules.errors import one_line

_HERE_SECONDS = 2.0  # for so long rounds are answered here: to start workers takes about as long


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a session is in its present stage: those of another may take a thousand times as long each.

    Attributes:
        done, total: So many questions of the stage are answered, of all.
        new: Those of this sitting.
        note: The last note of the job that has been at work longest; empty if there is none.
        stage, stages: Which of how many stages, from 1.
    """

    done: int
    total: int
    new: int
    note: str = ""
    stage: int = 1
    stages: int = 1


def carry_out(
    questions: Iterable[Question[Any]],
    answers: Answers,
    workers: Workers = None,
    clock: Callable[[], float] = time.monotonic,
    spread: bool = False,
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
        clock: Seconds, by which batches are due.
        spread: Whether the rounds of questions that have some are spread over the workers, instead of answered by one worker
            each; they always are where workers see none of our files.

    Raises:
        ComputeError: a time limit was asked for without workers, where it cannot be enforced; or not as many questions
            were answered as were asked.
    """
    executor = as_executor(workers)
    kept = kept_questions(questions)
    if executor.in_process and any(limit_of(asked) is not None for asked in kept):
        raise ComputeError("a time limit for moves needs workers: use --workers 1 or more, or leave the limit out")
    means = Means(answers, executor, clock)
    spreads = spread or not executor.shares_files  # a walk keeps its certificate where it is gone through
    stages = list(filter(None, _parted(kept, lambda asked: bool(asked.trains))))
    with ExitStack() as held:
        for number, stage in enumerate(stages, 1):
            answers.look_up(stage)
            answers.leave_out(stage)
            pending = [asked for asked in stage if not answers.knows(asked)]
            progress = Progress(len(stage) - len(pending), len(stage), 0, stage=number, stages=len(stages))
            yield progress
            for turn in _turns(pending):
                left = [asked for asked in turn if not answers.knows(asked)]
                if len(left) < len(turn):
                    progress = replace(progress, done=progress.done + len(turn) - len(left))
                    yield progress
                if left:
                    held.enter_context(executor.opened())  # which may be done again
                in_rounds, others = _parted(left, lambda asked: spreads and asked.has_rounds())
                alone, beside = _parted(others, lambda asked: asked.alone)
                for work in (
                    answer_all(beside, means),
                    answer_all(alone, means._replace(executor=executor.alone())),
                    _in_rounds(in_rounds, means),
                ):
                    with closing(work) as steps:  # now, not when it is collected as garbage
                        for answered, note in steps:
                            progress = replace(
                                progress,
                                done=progress.done + len(answered),
                                new=progress.new + len(answered),
                                note="; ".join(filter(None, [executor.state, note])),
                            )
                            yield progress
                if missing := [asked.key for asked in turn if not answers.knows(asked)]:
                    raise ComputeError(
                        f"{len(missing)} of {len(turn)} questions were not answered, {missing[0]} among them"
                    )


def _turns(pending: Questions) -> Iterable[Questions]:
    """Questions one after another of which only the effort differs: the answer of the first may do for the others."""
    turns: list[dict[str, Question[Any]]] = [{}]
    for asked in pending:
        if all(asked.key in turn for turn in turns):
            turns.append({})
        next(turn for turn in turns if asked.key not in turn)[asked.key] = asked
    return [list(turn.values()) for turn in turns]


def _parted(questions: Questions, is_so: Callable[[Question[Any]], bool]) -> tuple[Questions, Questions]:
    """Those of which something is so, and the others."""
    return [asked for asked in questions if is_so(asked)], [asked for asked in questions if not is_so(asked)]


def _in_rounds(pending: Questions, means: Means) -> Steps:
    """Answer questions that have rounds, all of them together, with each round spread over the workers and kept."""
    if not pending:
        return
    answers, begun, notes = means.answers, means.clock(), Recorder()
    active = {asked.key: (asked, _rounds(asked, notes)) for asked in pending}
    found: dict[str, Sequence[Any] | None] = dict.fromkeys(active)
    while active:
        wanted: dict[str, Questions] = {}
        ended: list[tuple[Question[Any], Value | str]] = []
        for key, (asked, rounds) in active.items():
            try:
                wanted[key] = rounds.send(found.pop(key))  # type: ignore[arg-type] # None begins them
            except StopIteration as end:
                ended.append((asked, end.value))
            except Exception as error:  # as from a worker
                ended.append((asked, one_line(error)))
        answers.keep(ended)
        for asked, _ in ended:
            del active[asked.key]
        yield [asked for asked, _ in ended], notes.text
        parts = {part.key: part for some in wanted.values() for part in some}
        answers.look_up(parts.values())
        while True:
            for key, problem in _failed(wanted, answers).items():
                asked, rounds = active.pop(key)
                rounds.close()
                del wanted[key]
                answers.keep([(asked, problem)])
                yield (asked,), notes.text
            left = {part.key: part for some in wanted.values() for part in some if not answers.knows(part)}
            if not left:
                break
            with closing(_here_then_spread(list(left.values()), means, begun)) as work:
                answered = 0
                for some, note in work:
                    answered += len(some)
                    yield (), ", ".join(filter(None, [notes.text, f"part {answered} of {len(left)}", note]))
                    if answers.problems.keys() & left.keys():
                        break  # the other parts of the question that has failed need not be answered
        found = {key: [answers[part] for part in some] for key, some in wanted.items()}
        for part in parts.values():
            answers.forget(part)


def _rounds(asked: Question[AnswerT], notes: Recorder) -> Rounds[AnswerT]:
    """What it needs is the first round; its answer is looked at as one that a worker gave."""
    rounds = asked.answer((yield asked.needs()), notes)
    assert isinstance(rounds, Generator)
    return asked.checked((yield from rounds))


def _failed(wanted: Mapping[str, Questions], answers: Answers) -> dict[str, str]:
    """The questions of which a part has failed, by key, and how."""
    return {key: failed[0] for key, parts in wanted.items() if (failed := answers.problems_of(parts))}


def _here_then_spread(parts: Questions, means: Means, begun: float) -> Steps:
    """Answer parts in this process for the first seconds of a session, unless their agents are from outside the project,
    whose code may end the process that it runs in, or have a limit, which cannot be enforced here."""
    executor, clock = means.executor, means.clock
    mine = [part for part in parts if not executor.in_process and limit_of(part) is None and not outsiders_of(part)]
    if mine and clock() - begun < _HERE_SECONDS:
        with closing(answer_all(mine, means._replace(executor=LocalWorkers(0)))) as steps:
            for step in steps:
                yield step
                if clock() - begun > _HERE_SECONDS:
                    break
    yield from answer_all([part for part in parts if not means.answers.knows(part)], means)
