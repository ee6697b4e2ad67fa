"""`ask`: answers questions, saves the answers in a run of the store, and continues that run after an interrupt."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Any, NamedTuple, Protocol, runtime_checkable

from noughts.agents import AgentSpec, parse_agent
from noughts.document.names import split_name
from noughts.machine.executor import Executor, executor_of
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.carry_out import Progress, carry_out
from noughts.questions.question import Question, kept_questions
from noughts.rules import AgentError, ComputeError, NoughtsError, Rules, Task, format_task, read_task
from noughts.rules.errors import shortened
from noughts.store.place import store_folder
from noughts.store.results import Run, RunInfo, Store
from noughts.store.run import Kind

MOST_WORKERS = 1024
"""The largest number of workers that functions and ``--workers`` allow."""

Games = Task | Rules | str
"""A task, one game, or the text of either."""

Agents = AgentSpec | str
"""An agent that workers can make: its text, or the value that was read from it."""

OnProgress = Callable[[Progress], None] | None
"""Called after each step. An error that it raises ends the work; finished answers are kept."""


@runtime_checkable
class Follow(Protocol):
    """What a command passes as `on_progress`: it also gets the run and all answers so far, to show them.

    Attributes:
        asked: The first question, set before anything is answered.
    """

    asked: Any

    def __call__(self, step: Progress, /) -> None:
        """See `OnProgress`."""
        ...

    def kept(self, info: RunInfo, answers: Answers) -> None:
        """Note that a finished run has all answers already."""
        ...

    def watch(
        self,
        steps: Generator[Progress, None, None],
        run: Run,
        name: str,
        answers: Answers,
        so_far: Callable[[], Any],
    ) -> None:
        """Go through all steps.

        Args:
            steps: Going through them answers the questions.
            run: Where the answers are kept.
            name: Of what is asked.
            answers: All that is known.
            so_far: Returns the answer to present, as far as it is known; None while there is nothing to show.
        """
        ...


class How(NamedTuple):
    """How something is asked; the parameters that all functions share.

    Attributes:
        workers: Processes; None for one for each core, 0 for this one alone.
        on: Where: ``local``, ``ray``, ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; None for NOUGHTS_ON, or else ``local``.
        on_progress: Called after each step.
        again: Whether saved answers are ignored and replaced.
    """

    workers: int | None = None
    on: str | None = None
    on_progress: OnProgress = None
    again: bool = False

    @property
    def executor(self) -> Executor:
        """Who answers; ComputeError if there is no such place, or so many workers are not allowed."""
        workers: object = self.workers  # programs may pass anything
        if workers is not None and not (isinstance(workers, int) and 0 <= workers <= MOST_WORKERS):
            raise ComputeError(
                f"workers={shortened(repr(workers), 50)} is not allowed: give a whole number from 0, which is this "
                f"process alone, to {MOST_WORKERS}, or None for one for each core"
            )
        return executor_of(self.workers, self.on, store_folder())

    def follow(
        self, steps: Generator[Progress, None, None], run: Run, name: str, answers: Answers, so_far: Callable[[], Any]
    ) -> None:
        """Go through all steps; see `Follow.watch`."""
        with closing(steps):  # so that Ctrl-C stops the workers at once
            if isinstance(self.on_progress, Follow):
                self.on_progress.watch(steps, run, name, answers, so_far)
                return
            for step in steps:
                if self.on_progress is not None:
                    self.on_progress(step)


def ask(
    questions: Sequence[Question[Any]],
    kind: Kind,
    name: str,
    how: How,
    *,
    seed: int = 0,
    spread: bool = False,
    so_far: Callable[[Answers], Any] | None = None,
    heard: Answers | None = None,
) -> Answers:
    """All answers, kept in a run of the store.

    Unless `how.again`, those of the latest finished run of the same questions are returned without a new one, if all are
    kept, none failed, and nothing that they depend on has changed.

    Args:
        questions: Only those whose answers are not kept are worked out.
        kind, name: Of the run, for lists.
        how: Who answers, and who sees the progress.
        seed: Of the questions.
        spread: Whether each walk is spread over the workers.
        so_far: What is presented of the answers meanwhile; the answer to the first question unless given.
        heard: Answers about the agents that were found before the run began.
    """
    executor, follow = how.executor, how.on_progress
    if isinstance(follow, Follow):
        follow.asked = questions[0]
    fields = [question.model_dump(mode="json") for question in questions]
    identity = {"question": fields[0]} if len(fields) == 1 else {"questions": fields}
    with Store.open() as place:
        outside = versions_outside(questions)
        finished = None if how.again else place.finished(kind, name, identity, seed, outside)
        if finished is not None:
            answers, kept = Answers(place.kept_by(finished.id)), kept_questions(questions)
            answers.look_up(kept)
            if not answers.problems and all(map(answers.knows, kept)):
                if isinstance(follow, Follow):
                    follow.kept(finished, answers)
                return answers
        # A cluster that cannot be used leaves no run behind.
        with executor.opened(), place.begin(kind, name, identity, seed, outside) as run:
            run.own_only = how.again
            answers = Answers(run, heard)
            shown = (lambda: answers[questions[0]]) if so_far is None else (lambda: so_far(answers))
            how.follow(carry_out(questions, answers, executor, spread=spread), run, name, answers, shown)
            found = [answers[question] for question in questions]
            texts = ["null" if answer is None else answer.to_json() for answer in found]
            run.finish(texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]")
    return answers


def games_name(games: Games) -> str:
    """Return the name of some games in lists of runs: the text, as it was given."""
    return games if isinstance(games, str) else format_task(read_task(games))


def read_agent(agent: Agents) -> AgentSpec:
    """Read an agent from its text, in its canonical form; one that was read before is returned.

    Raises:
        AgentError: there is none, or it has a short name, ``NAME=AGENT``, which only commands take, for what they show.
        NoughtsError: it is a value, which cannot be sent to other processes: they make an agent from its text.
    """
    if isinstance(agent, AgentSpec):
        return agent
    if not isinstance(agent, str):
        raise NoughtsError(
            f"an agent is given by its text here, such as 'minimax:depth=2' or 'python:file.py:Class', and not as a value of type {type(agent).__name__}"
        )
    name, unnamed = split_name(agent)
    if name:
        raise AgentError(f"agent {agent!r} has a short name, which only commands accept: leave it out, {unnamed!r}")
    return parse_agent(agent)
