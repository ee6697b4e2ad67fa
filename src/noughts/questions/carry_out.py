"""`carry_out`: answer a list of questions with any number of workers, and resume after any interruption; nothing runs twice.

Trainings come first, because other questions examine the agents that they train. Within the trainings, and within the rest,
questions that can run in parallel come before those that must run alone. Saved answers are reused. So a session that was
interrupted, even by kill -9, resumes where it stopped, and an answer that another command saved is not computed again.
If a training fails, the questions about its agents are skipped.

A walk of every reply may take long. When there are few questions, the parts of each round are spread over the workers, and
saved one by one; when there are many, one worker answers each question.

The code of third-party agents runs in workers, never in this process, unless there are no workers. A worker that has run
such agents then answers only questions about the same ones. `Question.checked` validates answers here before they are saved.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import Any

from noughts.machine.executor import Executor, LocalWorkers, Workers, as_executor
from noughts.machine.jobs import Recorder
from noughts.questions.answers import Answers
from noughts.questions.question import AnswerT, Question, Rounds, forget_agents, kept_questions
from noughts.questions.work import Questions, Steps, answer_all, limit_of, outsiders_of
from noughts.rules import ComputeError, Value
from noughts.rules.errors import one_line

_HERE_SECONDS = 2.0  # rounds are answered here for this time, because starting workers takes about as long


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress in the present stage. Stages count separately, because questions of one may take 1,000 times as long.

    Attributes:
        done, total: The number of answered questions of the stage, and of all its questions.
        new: The number that this session answered.
        note: The last note of the job that has run longest; empty if there is none.
        stage, stages: The number of the stage, from 1, and the number of stages.
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
    spread: bool = False,
) -> Generator[Progress, None, None]:
    """Answer all questions that are not answered yet; yield the progress when answers are saved or jobs make notes.

    The answers do not depend on the number of workers or on interruptions. Closing the iterator stops the workers and
    saves finished answers.

    Args:
        questions: The questions, in any order; a part that several of them need is answered once.
        answers: Receives each answer at once, or with the next one if it comes within 20 ms of the last batch. Failures
            are recorded for this run only.
        workers: The number of processes: None for one for each core, 0 for this process alone (which cannot enforce time
            limits); or an executor, such as a cluster.
        spread: Whether to spread the rounds of questions that have rounds over the workers, instead of giving each question
            to one worker. They are always spread if workers do not share our files.

    Raises:
        ComputeError: there is a time limit but there are no workers to enforce it; or some questions remained unanswered.
    """
    forget_agents()
    executor = as_executor(workers)
    kept = kept_questions(questions)
    require_limits(kept, executor)
    spreads = spread or not executor.shares_files  # the process that runs a walk saves its certificate
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
                    held.enter_context(executor.opened())  # may be entered more than once
                in_rounds, others = _parted(left, lambda asked: spreads and asked.has_rounds())
                alone, beside = _parted(others, lambda asked: asked.alone)
                for work in (
                    answer_all(beside, answers, executor),
                    answer_all(alone, answers, executor.alone()),
                    _in_rounds(in_rounds, answers, executor),
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


def require_limits(questions: Iterable[Question[Any]], executor: Executor) -> None:
    """ComputeError if there is a time limit, but there are no workers to enforce it."""
    if executor.in_process and any(limit_of(asked) is not None for asked in questions):
        raise ComputeError("a time limit for moves needs workers: use --workers 1 or more, or leave the limit out")


def _turns(pending: Questions) -> Iterable[Questions]:
    """Put questions that differ only in effort into separate turns, because the answer to the first may serve the others."""
    turns, times = defaultdict[int, list[Question[Any]]](list), Counter[str]()
    for asked in pending:
        turns[times[asked.key]].append(asked)
        times[asked.key] += 1
    return turns.values()


def _parted(questions: Questions, is_so: Callable[[Question[Any]], bool]) -> tuple[Questions, Questions]:
    """The questions that satisfy a condition, and the others."""
    return [asked for asked in questions if is_so(asked)], [asked for asked in questions if not is_so(asked)]


def _in_rounds(pending: Questions, answers: Answers, executor: Executor) -> Steps:
    """Answer questions that have rounds, all at once: each round is spread over the workers and saved."""
    if not pending:
        return
    begun, notes = time.monotonic(), Recorder()
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
            except Exception as error:  # treated as a worker's
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
            with closing(_here_then_spread(list(left.values()), answers, executor, begun)) as work:
                answered = 0
                for some, note in work:
                    answered += len(some)
                    yield (), ", ".join(filter(None, [notes.text, f"part {answered} of {len(left)}", note]))
                    if answers.problems.keys() & left.keys():
                        break  # the other parts of the failed question are not needed
        found = {key: [answers[part] for part in some] for key, some in wanted.items()}
        for part in parts.values():
            answers.forget(part)


def _rounds(asked: Question[AnswerT], notes: Recorder) -> Rounds[AnswerT]:
    """The rounds of a question, of which the first is what it needs. The answer is validated as if from a worker."""
    rounds = asked.answer((yield asked.needs()), notes)
    assert isinstance(rounds, Generator)
    return asked.checked((yield from rounds))


def _failed(wanted: Mapping[str, Questions], answers: Answers) -> dict[str, str]:
    """The failure of each question of which a part failed, by key."""
    return {key: failed[0] for key, parts in wanted.items() if (failed := answers.problems_of(parts))}


def _here_then_spread(parts: Questions, answers: Answers, executor: Executor, begun: float) -> Steps:
    """Answer parts in this process for the first seconds of a session, then in workers. Third-party agents always run in
    workers, because their code may end its process; so do agents with a time limit, which only workers can enforce."""
    mine = [part for part in parts if not executor.in_process and limit_of(part) is None and not outsiders_of(part)]
    if mine and time.monotonic() - begun < _HERE_SECONDS:
        with closing(answer_all(mine, answers, LocalWorkers(0))) as steps:
            for step in steps:
                yield step
                if time.monotonic() - begun > _HERE_SECONDS:
                    break
    yield from answer_all([part for part in parts if not answers.knows(part)], answers, executor)
