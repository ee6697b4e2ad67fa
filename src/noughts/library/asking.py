"""`ask` answers questions and saves the answers in a run of the store. After an interrupt it continues that run."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, NamedTuple, Protocol, runtime_checkable

from noughts.agents import AgentSpec, parse_agent
from noughts.document.names import split_name
from noughts.machine.executor import Executor, executor_of
from noughts.questions.answers import Answers, versions_outside
from noughts.questions.carry_out import Progress, carry_out, require_limits
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
"""An agent that workers can create: its text, or the parsed text."""

Work = tuple[Kind, str, Mapping[str, Any], int, Mapping[str, str]]
"""What defines a run: the kind, name, identity, seed and third-party code of `Store.begin`."""

OnProgress = Callable[[Progress], None] | None
"""Called after each step. An error that it raises ends the work; finished answers stay saved."""


@runtime_checkable
class Follow(Protocol):
    """The `on_progress` of a command, which also receives the run and all answers so far, so that it can show them.

    Attributes:
        asked: The first question; `ask` sets it before the work begins.
    """

    asked: Any

    def __call__(self, step: Progress, /) -> None:
        """See `OnProgress`."""
        ...

    def kept(self, info: RunInfo, answers: Answers) -> None:
        """Handle answers that a finished run has already."""
        ...

    def watch(
        self,
        steps: Generator[Progress, None, None],
        run: Run,
        name: str,
        answers: Answers,
        so_far: Callable[[], Any],
    ) -> None:
        """Iterate over all steps.

        Args:
            steps: Iterating over them answers the questions.
            run: The run that saves the answers.
            name: The name of the work.
            answers: All answers so far.
            so_far: Returns the partial answer to show; None while there is nothing to show.
        """
        ...


class How(NamedTuple):
    """How to answer questions: the parameters that all functions share.

    Attributes:
        workers: Number of processes; None for one per core, 0 for this process alone.
        on: Where they run: ``local``, ``ray``, ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; None for NOUGHTS_ON, or else ``local``.
        on_progress: Called after each step.
        again: Whether to compute saved answers again, and replace them.
    """

    workers: int | None = None
    on: str | None = None
    on_progress: OnProgress = None
    again: bool = False

    @property
    def executor(self) -> Executor:
        """The executor of these settings; ComputeError if `on` or `workers` is not allowed."""
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
        """Iterate over all steps; see `Follow.watch`."""
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
    """Answer questions, and save the answers in a run of the store.

    If the same questions have a finished run, its answers are returned without a new run, provided that all are saved, none
    failed, and nothing that they depend on has changed. `how.again` prevents this.

    Args:
        questions: The questions. Only those without a saved answer are computed.
        kind, name: Kind and name of the run, for lists.
        how: The workers, and the receiver of the progress.
        seed: Seed of the questions.
        spread: Whether to spread each walk over the workers.
        so_far: Makes the partial answer to show from the answers; by default the answer to the first question.
        heard: Answers about the agents from before the run began.
    """
    executor, follow = how.executor, how.on_progress
    if isinstance(follow, Follow):
        follow.asked = questions[0]
    fields = [question.model_dump(mode="json") for question in questions]
    identity = {"question": fields[0]} if len(fields) == 1 else {"questions": fields}
    work: Work = (kind, name, identity, seed, versions_outside(questions))
    with Store.open() as place:
        if (finished := find_finished(place, work, questions, how)) is not None:
            return finished[1]
        with begun(place, work, questions, executor, how.again, heard) as (run, answers):
            shown = (lambda: answers[questions[0]]) if so_far is None else (lambda: so_far(answers))
            how.follow(carry_out(questions, answers, executor, spread=spread), run, name, answers, shown)
            found = [answers[question] for question in questions]
            texts = ["null" if answer is None else answer.to_json() for answer in found]
            run.finish(texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]")
    return answers


def find_finished(
    place: Store, work: Work, questions: Sequence[Question[Any]], how: How
) -> tuple[RunInfo, Answers] | None:
    """Return the latest finished run of some work, and its answers, which `how.on_progress` receives, too.

    None unless all of them are saved and none failed; and with `how.again`.
    """
    info = None if how.again else place.finished(*work)
    if info is None:
        return None
    answers, kept = Answers(place.kept_by(info.id)), kept_questions(questions)
    answers.look_up(kept)
    if answers.problems or not all(map(answers.knows, kept)):
        return None
    if isinstance(how.on_progress, Follow):
        how.on_progress.kept(info, answers)
    return info, answers


@contextmanager
def begun(
    place: Store,
    work: Work,
    questions: Sequence[Question[Any]],
    executor: Executor,
    again: bool,
    heard: Answers | None = None,
) -> Iterator[tuple[Run, Answers]]:
    """Begin or resume the run of some work; it saves the answers. If the executor cannot be used, no run is made."""
    require_limits(kept_questions(questions), executor)
    with executor.opened(), place.begin(*work) as run:
        run.own_only = again
        yield run, Answers(run, heard)


def games_name(games: Games) -> str:
    """Return the name of games for lists of runs: a text as you gave it, or else the text of the task."""
    return games if isinstance(games, str) else format_task(read_task(games))


def read_agent(agent: Agents) -> AgentSpec:
    """Parse an agent's text into its canonical form; a parsed text is returned as it is.

    Raises:
        AgentError: there is no such agent, or it has a short name, ``NAME=AGENT``, which only commands accept.
        NoughtsError: it is an object, which cannot be sent to other processes, because they create an agent from its text.
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
