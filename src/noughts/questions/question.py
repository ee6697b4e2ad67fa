"""`Question`: a job, as a value. Its key is a hash of its content, and its answer has a known type.

    needs       other questions, which are answered first
    answer      compute the answer from theirs; or a generator that asks more questions, round by round
    counted     whether it only sums up the answers that it needs; such an answer is never saved, and may be partial

A new kind of question is one class that has `answer`.
"""

import functools
import hashlib
import inspect
import json
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from noughts.agents import Agent, AgentSpec, build_agent
from noughts.agents.asking import is_shared
from noughts.agents.registry import depends_on as agent_depends_on
from noughts.agents.registry import from_outside
from noughts.machine import Recorder
from noughts.machine.dependencies import Dependencies, of_class, together
from noughts.machine.plugins import at_place, place_of
from noughts.rules import AgentError, Rules, Value

AnswerT = TypeVar("AnswerT", bound=Value)
ResultT = TypeVar("ResultT", bound=Value)

RULES = ("rules", "positions")
SOLVING = (*RULES, "search", "solvers")
PLAYING = (*RULES, "networks", "search", "solvers", "agents", "play")
EXAMINING = (*PLAYING, "examine")
TRAINING = (*EXAMINING, "training")
"""Packages on which the answers of most kinds depend."""

ANSWER_JOB = f"{__name__}:answer_job"
"""The place of `answer_job`, the only job that workers run."""

Rounds = Generator[Sequence["Question[Any]"], Sequence[Any], AnswerT]
"""A generator that computes an answer. It yields questions, which processes may share, and is sent their answers, in order."""


class Question(Value, Generic[AnswerT]):
    """A job whose answer can be saved. Questions of equal content are the same.

    Attributes:
        packages: The packages of noughts on whose code an answer depends, besides the module of the question's class.
        effort: The fields that are no part of the key, for example the budget that may be spent on the answer.
        counted: Whether its answer only sums up the answers that it needs, as far as they are available, and is never saved.
        reads_files: Whether it reads a file of this machine that no agent names. Then only this machine answers it.
        is_part: Whether it is only ever a step of another question. Then its text need not be saved with its answer.
    """

    packages: ClassVar[tuple[str, ...]] = EXAMINING
    effort: ClassVar[frozenset[str]] = frozenset()
    counted: ClassVar[bool] = False
    reads_files: ClassVar[bool] = False
    is_part: ClassVar[bool] = False

    def needs(self) -> "Sequence[Question[Any]]":
        """The questions that are answered before this one. If one of them fails, this one fails too, unless it is counted."""
        return ()

    @abstractmethod
    def answer(self, needed: Sequence[Any], notes: Recorder) -> AnswerT | Rounds[AnswerT]:
        """Compute the answer in this process.

        Args:
            needed: The answers of `needs`, in order. For a counted question, None for each that is missing.
            notes: Receives notes on the progress, and how long the next piece may take.
        """

    @classmethod
    def answer_many(cls, questions: Sequence[Self], known: Mapping[str, Value], notes: Recorder) -> Sequence[AnswerT]:
        """Answer several questions of this kind as a batch, with the same answers. `known` is as for `answer_here`."""
        return [answer_here(question, notes, known) for question in questions]

    def batch(self, needed: Sequence[Any]) -> int:
        """How many of its kind a worker receives as one batch for `answer_many`; `needed` is as for `answer`."""
        return 1

    @classmethod
    @functools.cache
    def answer_type(cls) -> type[AnswerT]:
        """The class of its answers."""
        for base in cls.__mro__:
            metadata = getattr(base, "__pydantic_generic_metadata__", {})
            if metadata.get("origin") is Question:
                found: type[AnswerT] = metadata["args"][0]
                return found
        raise TypeError(f"{cls.__name__} must name the type of its answer: class {cls.__name__}(Question[ItsAnswer])")

    @classmethod
    @functools.cache
    def has_rounds(cls) -> bool:
        """Whether its `answer` is a generator."""
        return inspect.isgeneratorfunction(cls.answer)

    @property
    def alone(self) -> bool:
        """Whether no other job may run beside it: for timings, and for jobs that use all cores by themselves."""
        return False

    @property
    def seconds_in_all(self) -> float | None:
        """The total time that its process may take for it; None for no limit."""
        return None

    @property
    def trains(self) -> str:
        """The name of the run that it trains in the folder `makes`; empty if it trains none.

        It is answered before questions that train nothing. If it fails, questions whose agents name the run are skipped.
        """
        return ""

    def makes(self) -> Path | None:
        """The folder that it fills besides giving an answer; None if it fills none."""
        return None

    @property
    def title(self) -> str:
        """The prefix of its error messages; may be empty."""
        return ""

    def agents(self) -> Sequence[AgentSpec]:
        """The agents on whose code or weights its answer depends: those that its fields name, at any depth."""
        return tuple(_agents_in(self))

    def depends_on(self, agent: Callable[[AgentSpec], Dependencies] = agent_depends_on) -> Dependencies:
        """Everything that its answer depends on besides the question. An answer with another basis is not its answer.

        Args:
            agent: Returns the dependencies of an agent.
        """
        parts = [of_class(self.packages, type(self).__module__)]
        for spec in self.agents():
            try:
                parts.append(agent(spec))
            except AgentError:  # a run that is yet to be trained
                parts.append(Dependencies(((str(spec), "nothing yet"),)))
        return together(*parts)

    def accepts(self, answer: AnswerT) -> bool:
        """Whether an answer that was found with another effort is good enough; one of the same effort always is."""
        return True

    def checked(self, answer: AnswerT) -> AnswerT:
        """Validate a worker's answer before it is saved.

        Raises:
            NoughtsError: it cannot be an answer to this question.
        """
        return answer

    def broken(self, note: str, reason: str, died: bool) -> AnswerT | None:
        """The answer if its process was stopped or died; None if the question then has no answer.

        Args:
            note: The last note of the process.
            reason: What happened.
            died: Whether the process died or took too long as a whole, which code that ran before the note may have caused.
        """
        return None

    @classmethod
    def kind(cls) -> str:
        """The prefix of its keys: the class's name, which is unique."""
        return cls.__name__.lower()

    @functools.cached_property
    def key(self) -> str:
        """The kind and a hash of the content without the effort."""
        content = self.model_dump_json(exclude=set(self.effort))
        return f"{self.kind()} {hashlib.blake2b(content.encode(), digest_size=16).hexdigest()}"

    @property
    def exact_key(self) -> tuple[object, ...]:
        """The key and the effort: equal only for questions whose fields are all equal."""
        return (self.key, *(getattr(self, name) for name in sorted(self.effort)))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As in pydantic, but cached properties such as the key are not copied, because they depend on the fields."""
        copied = super().model_copy(update=update, deep=deep)
        for name in [name for name in copied.__dict__ if name not in type(self).model_fields]:
            del copied.__dict__[name]
        return copied


class OfGame(NamedTuple, Generic[ResultT]):
    """A game of a task, and its result, which may come from a symmetric game."""

    rules: Rules
    result: ResultT


class Numbers(Value):
    """The answer to a question for several numbers, in the order that the question defines."""

    values: tuple[float, ...]


def _agents_in(value: Any) -> Iterator[AgentSpec]:
    """A value itself if it is an agent, and otherwise the agents in its fields or items."""
    parts: Iterable[Any] = ()
    match value:
        case AgentSpec():
            yield value
        case Value():
            parts = (getattr(value, name) for name in type(value).model_fields)
        case tuple() | list():
            parts = value
        case dict():
            parts = value.values()
    for part in parts:
        yield from _agents_in(part)


def kept_questions(questions: Iterable[Question[Any]]) -> list[Question[Any]]:
    """The questions whose answers are saved, each once. A counted question is replaced by those that it needs."""
    found: dict[tuple[object, ...], Question[Any]] = {}
    for question in questions:
        for kept in kept_questions(question.needs()) if question.counted else (question,):
            found[kept.exact_key] = kept
    return list(found.values())


def answer_here(
    question: Question[AnswerT], notes: Recorder | None = None, known: Mapping[str, Value] | None = None
) -> AnswerT:
    """Answer a question and all that it needs in this process, one after another; nothing is saved.

    Args:
        question: May also be a counted one.
        notes: As for `Question.answer`.
        known: Answers of questions that it needs, by key.
    """
    notes = notes or Recorder()
    needed = [(known or {}).get(one.key) or answer_here(one, notes) for one in question.needs()]
    found = question.answer(needed, notes)
    if not isinstance(found, Generator):
        return found
    try:
        asked = next(found)
        while True:
            asked = found.send([answer_here(one, notes) for one in asked])
    except StopIteration as end:
        answer: AnswerT = end.value
        return answer


def write_questions(questions: Sequence[Question[Any]], known: Mapping[str, Value] | None = None) -> str:
    """Write questions of one kind as text for a worker: a line with the class, one with the answers that they need, by key,
    and a line of JSON for each."""
    cls, needed = type(questions[0]), {key: answer.to_json() for key, answer in (known or {}).items()}
    return "\n".join([place_of(cls), json.dumps(needed), *(question.to_json() for question in questions)])


def read_questions(text: str) -> tuple[list[Question[Any]], dict[str, Value]]:
    """Read the text of `write_questions`: the questions, and the answers that they need, by key."""
    kind, needed, *lines = text.split("\n")
    cls, known = at_place(kind), json.loads(needed)
    questions = [cls(**json.loads(line)) for line in lines]
    needs = {one.key: one for question in questions for one in question.needs()} if known else {}
    return questions, {key: one.answer_type().from_json(known[key]) for key, one in needs.items() if key in known}


def answer_job(argument: str, notes: Recorder) -> str:
    """Answer questions in a worker: read the text of `write_questions`, and return a line of JSON for each answer."""
    questions, known = read_questions(argument)
    return "\n".join(answer.to_json() for answer in type(questions[0]).answer_many(questions, known, notes))


def agent_of(spec: AgentSpec) -> Agent:
    """The agent that a spec names. A built-in agent that can be shared is made once for many questions; others each time."""
    return build_agent(spec) if from_outside(spec) or not is_shared(_built(spec)) else _built(spec)


def forget_agents() -> None:
    """Make agents anew from now on: the code of a third-party network may have changed, and is checked only then."""
    _built.cache_clear()


@functools.lru_cache(maxsize=2)  # the two agents of a game; networks are large
def _built(spec: AgentSpec) -> Agent:
    return build_agent(spec)
