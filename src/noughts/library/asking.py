"""How questions are asked on behalf of people: carried out, kept in a run of the store, and gone on with."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Any

from noughts.agents import AgentSpec, parse_agent
from noughts.document.names import split_name
from noughts.machine.executor import Executor, Workers, as_executor, executor_of
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.carry_out import carry_out
from noughts.questions.progress import Progress
from noughts.questions.question import Question, kept_questions
from noughts.rules import (
    AgentError,
    ComputeError,
    NoughtsError,
    Rules,
    StoreError,
    Task,
    parse_task,
    read_rules,
    task_of,
)
from noughts.rules.errors import shortened
from noughts.store.place import store_folder
from noughts.store.results import Run, RunInfo, Store
from noughts.store.run import Kind

MOST_WORKERS = 1024
"""As many may be asked for, here and by the option ``--workers``."""

Games = Task | Rules | str
"""A task, one game, or the text of either."""

Agents = AgentSpec | str
"""An agent that workers can make: its text, or that text as it was read."""

Follow = Callable[[Generator[Progress, None, None], Answers, Run], None]
"""Goes through all steps, and shows what it likes of them."""


def ask(
    questions: Sequence[Question[Any]],
    place: Store,
    kind: Kind,
    name: str,
    follow: Follow,
    seed: int = 0,
    workers: Workers = None,
    spread: bool = False,
    again: bool = False,
) -> Answers:
    """Ask, and keep what is found in a run of the store; gives all of it.

    Args:
        questions: What is asked; what is kept in the store is not asked again.
        place: Where the answers are kept, and a run that says when they were asked for.
        kind, name: What the run is called in lists.
        follow: Goes through the steps.
        seed: That of the questions.
        workers: Who answers; see `carry_out`.
        spread: Whether a walk is spread over the workers.
        again: Whether what is kept is asked again, and replaced.
    """
    identity = _identity(questions)
    executor = executor_from(workers)
    # A cluster that cannot be used leaves no run behind.
    with executor.opened(), place.begin(kind, name, identity, seed, versions_outside(questions)) as run:
        run.own_only = again
        answers = Answers(run)
        follow(carry_out(questions, answers, executor, spread=spread), answers, run)
        found = [answers[question] for question in questions]
        shown = ["null" if answer is None else answer.to_json() for answer in found]
        run.finish(shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]")
    return answers


def executor_at(workers: int | None, on: str | None) -> Executor:
    """Who is to answer what is kept in the usual store; see `require_workers` and `executor_of` for what is raised."""
    require_workers(workers)
    return executor_of(workers, on, store_folder())


def executor_from(workers: Workers) -> Executor:
    """Who is meant; see `require_workers` for what is raised."""
    if isinstance(workers, int | float | str):
        require_workers(workers)
    return as_executor(workers)


def require_workers(workers: object) -> None:
    """ComputeError unless so many workers may be asked for; None is one for each core."""
    if workers is not None and not (isinstance(workers, int) and 0 <= workers <= MOST_WORKERS):
        raise ComputeError(
            f"workers={shortened(repr(workers), 50)} is not allowed: give a whole number from 0, which is this process "
            f"alone, to {MOST_WORKERS}, or None for one for each core"
        )


def _identity(questions: Sequence[Question[Any]]) -> dict[str, Any]:
    """What makes two runs of the same questions the same work."""
    asked = [question.model_dump(mode="json") for question in questions]
    return {"question": asked[0]} if len(asked) == 1 else {"questions": asked}


def find_finished(
    questions: Sequence[Question[Any]], place: Store, kind: Kind, name: str, seed: int = 0
) -> tuple[RunInfo, Answers] | None:
    """The latest finished run of the same questions, and its answers; None unless all of these are kept, none of them
    failed, and nothing that they depend on has changed.

    Args:
        questions, place, kind, name, seed: As for `ask`.
    """
    info = place.finished(kind, name, _identity(questions), seed, versions_outside(questions))
    if info is None:
        return None
    answers = Answers(place.kept_by(info.id))
    kept = kept_questions(questions)
    try:
        answers.look_up(kept)
    except StoreError:  # something is damaged: whoever asks anew sets it aside
        return None
    return (info, answers) if not answers.problems and all(map(answers.knows, kept)) else None


def ask_quietly(
    questions: Sequence[Question[Any]],
    kind: Kind,
    name: str,
    seed: int = 0,
    workers: Workers = None,
    spread: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    again: bool = False,
) -> Answers:
    """The same in the usual store, with nothing shown. What is finished and kept is given as it is, without a new run.

    Args:
        again: Whether all is asked again, though it is kept.
        on_progress: Called after each step. An error that it raises ends the work; what was found is kept.
    """

    def follow(steps: Generator[Progress, None, None], answers: Answers, run: Run) -> None:
        go_through(steps, on_progress)

    executor = executor_from(workers)
    with Store.open() as place:
        kept = None if again else find_finished(questions, place, kind, name, seed)
        if kept is not None:
            return kept[1]
        return ask(questions, place, kind, name, follow, seed, executor, spread, again)


def go_through(steps: Generator[Progress, None, None], on_progress: Callable[[Progress], None] | None) -> None:
    """All steps, telling of each."""
    with closing(steps):  # so that Ctrl-C stops the workers at once
        for step in steps:
            if on_progress is not None:
                on_progress(step)


def read_games(games: Games) -> Task:
    """The task that is meant; RulesError if there is none."""
    if isinstance(games, Task):
        return games
    return parse_task(games) if isinstance(games, str) else task_of(read_rules(games))


def read_agent(agent: Agents) -> AgentSpec:
    """The agent that is meant, in its canonical form; AgentError if there is none, it is no text, or it has a short name.

    Whoever has made an agent cannot hand it to other processes: they make it of its text. A short name, ``NAME=AGENT``,
    is for what commands show; answers are values, which know agents by their texts alone.
    """
    if not isinstance(agent, str | AgentSpec):
        raise NoughtsError(
            f"an agent is given by its text here, such as 'minimax:depth=2' or 'python:file.py:Class', and not as a value of type {type(agent).__name__}"
        )
    text = str(agent)
    name, unnamed = split_name(text)
    if name:
        raise AgentError(
            f"agent {text!r} has a short name, which only commands take, for what they show: leave it out, {unnamed!r}"
        )
    return parse_agent(text)
