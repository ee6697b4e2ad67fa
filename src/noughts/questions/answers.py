"""`Answers`: the answers by question. ``answers[question]`` is the answer, or None while there is none.

Saved answers are reused: an answer is found by the key of its question, unless something that it depends on has changed.
"""

import contextlib
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar, overload

from noughts.agents.registry import computing, depends_on, from_outside
from noughts.agents.spec import AgentSpec
from noughts.machine import Recorder
from noughts.machine.dependencies import Dependencies, together
from noughts.questions.question import Question, kept_questions
from noughts.rules import AgentError, ComputeError, NoughtsError, Value
from noughts.store.records import GameRecord, Kept

if TYPE_CHECKING:
    from noughts.store.run import KeptByRun  # loads SQLAlchemy

AnswerT = TypeVar("AnswerT", bound=Value)
Counted_co = TypeVar("Counted_co", bound=Value, covariant=True)
JobT = TypeVar("JobT")


class _Counted(Protocol[Counted_co]):
    """A question with `counted` set, which always has an answer."""

    counted: ClassVar[Literal[True]]

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Counted_co: ...


class Answers:
    """The answers and failures of questions.

    Args:
        keeper: The run in which answers are saved; None to hold them in memory only.
        known: Answers to start from; they are not saved.
        trusted: Whether every answer is accepted, as for an archive, which lacks the files that some questions look for.

    Attributes:
        problems: The failures of questions, by key, one line each. The line of a failed training counts the skipped
            questions about its agents; these have no lines of their own.
    """

    def __init__(
        self, keeper: "KeptByRun | None" = None, known: "Answers | None" = None, *, trusted: bool = False
    ) -> None:
        self._keeper, self._trusted = keeper, trusted
        self._known: dict[str, Value] = {} if known is None else dict(known._known)
        self._bases: dict[str, str] = {}
        self._counted: dict[tuple[object, ...], Value] = {}  # by effort, too: it decides which answers are good enough
        self._agents: dict[AgentSpec, Dependencies] = {}
        self._untrained: dict[str, tuple[str, str]] = {}  # the run and the problem of each failed training
        self._left_out: dict[str, str] = {}  # the key of each skipped question, and of the training that failed
        self.problems: dict[str, str] = {}

    @overload
    def __getitem__(self, question: _Counted[Counted_co]) -> Counted_co: ...

    @overload
    def __getitem__(self, question: Question[AnswerT]) -> AnswerT | None: ...

    def __getitem__(self, question: Any) -> Any:
        """The answer, or None; for a counted question, an answer from those of its needs that are available."""
        if not question.counted:
            found = self._known.get(question.key)
            return found if found is not None and (self._trusted or question.accepts(found)) else None
        if question.exact_key in self._counted:
            return self._counted[question.exact_key]
        needs = question.needs()
        counted = question.answer([self[one] for one in needs], Recorder())
        if all(map(self.knows, needs)):
            self._counted[question.exact_key] = counted
        return counted

    @property
    def taken_over(self) -> int:
        """The number of answers that other runs had saved."""
        return 0 if self._keeper is None else len(self._keeper.taken_over)

    def problems_of(self, questions: Iterable[Question[Any]]) -> list[str]:
        """The failures among these questions."""
        return [self.problems[one.key] for one in questions if one.key in self.problems]

    def knows(self, question: Question[Any]) -> bool:
        """Whether a question is settled: it is answered, it failed, or it is skipped because its agent was not trained."""
        if question.counted:
            return all(map(self.knows, question.needs()))
        key = question.key
        return key in self.problems or key in self._left_out or self[question] is not None

    def look_up(self, questions: Iterable[Question[Any]]) -> None:
        """Load saved answers to these questions. An unreadable answer counts as missing.

        Raises:
            ComputeError: a dependency of theirs has changed since it was first read.
            AgentError: the dependencies of an agent cannot be determined.
        """
        if self._keeper is None:
            return
        asked = {one.key: one for one in kept_questions(questions) if not self.knows(one)}
        self._require_unchanged(asked.values())
        self._bases |= {key: self.dependencies(one).basis for key, one in asked.items()}
        games = {key: self._bases[key] for key, one in asked.items() if one.answer_type() is GameRecord}
        others = {key: self._bases[key] for key in asked if key not in games}
        for key, record in self._keeper.games(games).items():
            self._remember(asked[key], record)
        for key, kept in self._keeper.answers(others).items():
            with contextlib.suppress(NoughtsError):  # damaged: it is computed again and replaced
                self._remember(asked[key], asked[key].answer_type().from_json(kept.answer))

    def leave_out(self, questions: Iterable[Question[Any]]) -> None:
        """Skip questions about the agents of a failed training; its problem then counts them."""
        for question in questions if self._untrained else ():
            if not self.knows(question):
                texts = [str(spec) for spec in question.agents()]
                for key, (run, _) in self._untrained.items():
                    if any(run in text for text in texts):
                        self._left_out.setdefault(question.key, key)
        counts = Counter(self._left_out.values())
        for key, (_, problem) in self._untrained.items():
            asks = f"{counts[key]:,} questions about" if counts[key] > 1 else "a question about"
            self.problems[key] = f"{problem}, and {asks} its agents" if counts[key] else problem

    def in_turn(self, jobs: Iterable[JobT]) -> list[JobT]:
        """The jobs in the order to run them. Where others may run the same jobs at the same time, it is a random order of this
        run, so that each process finds most of the others' answers."""
        found = list(jobs)
        if self._keeper is not None and self._keeper.order is not None:
            random.Random(self._keeper.order).shuffle(found)
        return found

    def answered_since(self, questions: Sequence[Question[Any]]) -> bool:
        """Whether other processes have answered all of these since they were looked up."""
        if self._keeper is None or self._keeper.order is None:
            return False
        self.look_up(questions)
        return all(map(self.knows, questions))

    def keep(self, found: Sequence[tuple[Question[Any], Value | str]]) -> None:
        """Save answers. A text in place of an answer is a failure; it is held in memory only, so that a later run retries.

        Raises:
            ComputeError: a dependency of theirs has changed meanwhile; then nothing is saved.
        """
        if self._keeper is not None:
            self._require_unchanged(question for question, _ in found)
            self._write(self._keeper, [(one, answer) for one, answer in found if not isinstance(answer, str)])
        for question, answer in found:
            if isinstance(answer, str):
                problem = self._fail(question, answer)
                if question.trains:
                    self._untrained[question.key] = question.trains, problem
            else:
                self._remember(question, answer)

    def _write(self, keeper: "KeptByRun", found: Sequence[tuple[Question[Any], Value]]) -> None:
        answers, games = list[Kept](), dict[tuple[str, str], GameRecord]()
        for question, answer in found:
            basis = self._bases.get(question.key) or self.dependencies(question).basis
            if isinstance(answer, GameRecord):
                games[question.key, basis] = answer
            else:
                asked = "" if question.is_part else question.to_json()
                answers.append(Kept(question.key, basis, asked, answer.to_json(), failure_of(answer)))
        if found:
            keeper.keep(answers, games)

    def forget(self, question: Question[Any]) -> None:
        """Drop an answer from memory; a saved one stays in the store."""
        self._known.pop(question.key, None)
        self._bases.pop(question.key, None)

    def _remember(self, question: Question[Any], answer: Value) -> None:
        if question.key in self._known:
            self._counted.clear()  # these used the earlier answer
        self._known[question.key] = answer
        if failure := failure_of(answer):
            self._fail(question, failure)

    def _fail(self, question: Question[Any], reason: str) -> str:
        problem = self.problems[question.key] = ": ".join(filter(None, [question.title, reason]))
        return problem

    def dependencies(self, question: Question[Any]) -> Dependencies:
        """The dependencies of a question, with those of its agents as first read."""
        return question.depends_on(self._agent)

    def _agent(self, spec: AgentSpec) -> Dependencies:
        if spec not in self._agents:
            self._agents[spec] = depends_on(spec)
        return self._agents[spec]

    def _require_unchanged(self, questions: Iterable[Question[Any]]) -> None:
        for spec in dict.fromkeys(spec for question in questions for spec in question.agents()):
            try:
                changed = spec in self._agents and depends_on(spec).basis != self._agents[spec].basis
            except AgentError:  # something of it was removed
                changed = True
            if changed:
                raise ComputeError(
                    f"agent {str(spec)!r} has changed while it was at work, in its code or a file that it reads: "
                    "earlier answers are saved; repeat the command to use the new version"
                )


def failure_of(answer: Value) -> str:
    """What went wrong, in one line: the attribute `failure` of an answer; empty if it has none.

    A failed answer counts only for the run that found it; the next run tries again.
    """
    return str(getattr(answer, "failure", ""))


def versions_outside(questions: Iterable[Question[Any]]) -> dict[str, str]:
    """The versions of all third-party code of the questions, by name, and of the libraries that compute trained agents. The
    fingerprints of classes are computed again.

    Raises:
        AgentError: as for `depends_on`.
    """
    seen: dict[AgentSpec, Dependencies] = {}

    def agent(spec: AgentSpec) -> Dependencies:
        if spec not in seen:
            seen[spec] = depends_on(spec, anew=True) if from_outside(spec) else computing(spec)
        return seen[spec]

    return together(*dict.fromkeys(one.depends_on(agent) for one in kept_questions(questions))).outside
