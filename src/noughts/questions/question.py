"""`Question`: what is asked, as a value. It has a key from its own content, and an answer of a known type.

    needs       other questions, which are answered first
    answer      the answer, given theirs; or a generator that asks still others, round by round
    counted     whether it only counts what it needs: then its answer is never kept, and grows with what is known

A new kind of question is one class that has `answer`.
"""

import functools
import hashlib
import inspect
import json
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from noughts.agents import Agent, AgentSpec, build_agent
from noughts.agents.asking import is_shared
from noughts.agents.registry import depends_on as agent_depends_on
from noughts.agents.registry import from_outside
from noughts.machine import Recorder
from noughts.machine.dependencies import Dependencies, of_class, together
from noughts.machine.plugins import at_place, place_of
from noughts.rules import AgentError, Value

AnswerT = TypeVar("AnswerT", bound=Value)

RULES = ("rules", "positions")
SOLVING = (*RULES, "search", "solvers")
PLAYING = (*RULES, "networks", "search", "solvers", "agents", "play")
EXAMINING = (*PLAYING, "examine")
TRAINING = (*EXAMINING, "training")
"""Packages on which the answers of most kinds depend."""

ANSWER_JOB = f"{__name__}:answer_job"
"""What workers are asked to do: the only job there is."""

Rounds = Generator[Sequence["Question[Any]"], Sequence[Any], AnswerT]
"""An answer on its way: it yields questions, and is sent their answers, in their order. These may be spread over processes."""


class Question(Value, Generic[AnswerT]):
    """What is asked. Questions of equal content are the same.

    Attributes:
        packages: Those of noughts on whose code an answer depends, besides the module of the question's own class.
        effort: Fields that limit what may be spent on the answer: they are no part of the key.
        counted: Whether its answer is only counted from those that it needs, as far as they are known, and never kept.
        reads_files: Whether it reads a file of this machine that no agent names, so that no other machine is asked.
        is_part: Whether it is only ever asked on the way to another, so that its text need not be kept with its answer.
    """

    packages: ClassVar[tuple[str, ...]] = EXAMINING
    effort: ClassVar[frozenset[str]] = frozenset()
    counted: ClassVar[bool] = False
    reads_files: ClassVar[bool] = False
    is_part: ClassVar[bool] = False

    def needs(self) -> "Sequence[Question[Any]]":
        """The questions that are answered before it. If one of them fails, so does this, unless it is counted."""
        return ()

    @abstractmethod
    def answer(self, needed: Sequence[Any], notes: Recorder) -> AnswerT | Rounds[AnswerT]:
        """Answer it, here and now.

        Args:
            needed: The answers of `needs`, in their order. For a counted question, None for each that is not known.
            notes: Gets notes of the progress, and how long the next piece may take.
        """

    @classmethod
    def answer_many(cls, questions: Sequence[Self], known: Mapping[str, Value], notes: Recorder) -> Sequence[AnswerT]:
        """Answer several of this kind in one go; the same answers. `known` is as of `answer_here`."""
        return [answer_here(question, notes, known) for question in questions]

    def batch(self, needed: Sequence[Any]) -> int:
        """How many of its kind a worker is given to answer together, by `answer_many`; `needed` as of `answer`."""
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
        """Whether nothing else of ours may run beside it: for timings, and for what uses all cores by itself."""
        return False

    @property
    def seconds_in_all(self) -> float | None:
        """How long its process may take for it altogether; None for no limit."""
        return None

    @property
    def trains(self) -> str:
        """The name of the run that it trains in the folder `makes`; empty if it trains none.

        It is answered before questions that train nothing, and those whose agents name the run are left out if it fails.
        """
        return ""

    def makes(self) -> Path | None:
        """The folder that it fills besides giving an answer; None if it fills none."""
        return None

    @property
    def title(self) -> str:
        """What its problems begin with; empty for nothing."""
        return ""

    def agents(self) -> Sequence[AgentSpec]:
        """The agents whose code, or weights, its answer depends on: those that its fields name."""
        return tuple(_agents_among(getattr(self, name) for name in type(self).model_fields))

    def depends_on(self, agent: Callable[[AgentSpec], Dependencies] = agent_depends_on) -> Dependencies:
        """All that its answer depends on besides the question: an answer with another basis is not its answer.

        Args:
            agent: What an agent depends on.
        """
        parts = [of_class(self.packages, type(self).__module__)]
        for spec in self.agents():
            try:
                parts.append(agent(spec))
            except AgentError:  # a run that is yet to be trained
                parts.append(Dependencies(((str(spec), "nothing yet"),)))
        return together(*parts)

    def accepts(self, answer: AnswerT) -> bool:
        """Whether an answer that was found with another effort will do; one that was found with this one does."""
        return True

    def checked(self, answer: AnswerT) -> AnswerT:
        """The answer of a worker as it may be kept.

        Raises:
            NoughtsError: it cannot be an answer to this question.
        """
        return answer

    def broken(self, note: str, reason: str) -> AnswerT | None:
        """Its answer if its process was stopped or died; None if that is no answer.

        Args:
            note: The last that it noted.
            reason: What happened.
        """
        return None

    @classmethod
    def kind(cls) -> str:
        """What its keys begin with: the class's name, which is unique."""
        return cls.__name__.lower()

    @functools.cached_property
    def key(self) -> str:
        """What names it, from its content."""
        content = self.model_dump_json(exclude=set(self.effort))
        return f"{self.kind()} {hashlib.blake2b(content.encode(), digest_size=16).hexdigest()}"

    @property
    def exact_key(self) -> tuple[object, ...]:
        """The key and the effort: equal for questions that are alike in everything."""
        return (self.key, *(getattr(self, name) for name in sorted(self.effort)))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """See pydantic; the copy has a key of its own, and whatever else is worked out from the fields."""
        copied = super().model_copy(update=update, deep=deep)
        for name in [name for name in copied.__dict__ if name not in type(self).model_fields]:
            del copied.__dict__[name]
        return copied


def _agents_among(values: Iterable[Any]) -> Iterator[AgentSpec]:
    for value in values:
        if isinstance(value, AgentSpec):
            yield value
        elif isinstance(value, tuple) and value and isinstance(value[0], AgentSpec):
            yield from value


def kept_questions(questions: Iterable[Question[Any]]) -> list[Question[Any]]:
    """The questions whose answers are kept, each once: these, and in place of a counted one those that it needs."""
    found: dict[tuple[object, ...], Question[Any]] = {}
    for question in questions:
        for kept in kept_questions(question.needs()) if question.counted else (question,):
            found[kept.exact_key] = kept
    return list(found.values())


def answer_here(
    question: Question[AnswerT], notes: Recorder | None = None, known: Mapping[str, Value] | None = None
) -> AnswerT:
    """Answer a question in this process, with all that it needs and asks on the way, one after another; nothing is kept.

    Args:
        question: It may also be a counted one.
        notes: As of `Question.answer`.
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
    """Questions of one kind as text for a worker: a line that names the class, one of answers that they need, by key, and
    one of JSON for each."""
    cls, needed = type(questions[0]), {key: answer.to_json() for key, answer in (known or {}).items()}
    return "\n".join([place_of(cls), json.dumps(needed), *(question.to_json() for question in questions)])


def read_questions(text: str) -> tuple[list[Question[Any]], dict[str, Value]]:
    """What `write_questions` wrote."""
    kind, needed, *lines = text.split("\n")
    cls, known = at_place(kind), json.loads(needed)
    questions = [cls(**json.loads(line)) for line in lines]
    needs = {one.key: one for question in questions for one in question.needs()} if known else {}
    return questions, {key: one.answer_type().from_json(known[key]) for key, one in needs.items() if key in known}


def answer_job(argument: str, notes: Recorder) -> str:
    """Answer questions in a worker: what `write_questions` wrote comes in; a line of JSON for each goes out."""
    questions, known = read_questions(argument)
    return "\n".join(answer.to_json() for answer in type(questions[0]).answer_many(questions, known, notes))


def agent_of(spec: AgentSpec) -> Agent:
    """The agent that a spec names: made once for many questions if it is one of ours and shared, else anew."""
    return build_agent(spec) if from_outside(spec) or not is_shared(_built(spec)) else _built(spec)


@functools.lru_cache(maxsize=2)  # the two of a game; networks are large
def _built(spec: AgentSpec) -> Agent:
    return build_agent(spec)
