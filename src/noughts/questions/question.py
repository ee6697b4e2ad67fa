"""`Question`: what is asked, as a value. It has a key from its own content, and an answer of a known type.

    Question            has units, and reads an answer from what is known
      Unit              is answered whole, in one process, and its answer is kept under its key
      Group             is about many units, and gathers their answers; it is never kept itself

A new kind of question is one class: a `Unit` that says how it is answered, or a `Group` that says which units it needs.
"""

import functools
import hashlib
import json
from abc import abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from noughts.agents import Agent, AgentSpec, build_agent
from noughts.agents.asking import is_shared
from noughts.agents.registry import depends_on as agent_depends_on
from noughts.agents.registry import from_outside
from noughts.machine import Recorder
from noughts.machine.dependencies import Dependencies, of_class, together
from noughts.machine.plugins import at_place, place_of
from noughts.rules import AgentError, Value

if TYPE_CHECKING:
    from noughts.questions.answers import Answers

AnswerT = TypeVar("AnswerT", bound=Value)

RULES = ("rules", "positions")
SOLVING = (*RULES, "search", "solvers")
PLAYING = (*RULES, "networks", "search", "solvers", "agents", "play")
EXAMINING = (*PLAYING, "examine")
TRAINING = (*EXAMINING, "training")
"""Packages on which the answers of most kinds depend."""

ANSWER_JOB = f"{__name__}:answer_job"
"""What workers are asked to do: the only job there is."""

Steps = Generator[Sequence["Unit[Any]"], Sequence[Any], AnswerT]
"""An answer on its way: it yields units that it must know the answers of, and is sent these, in their order."""


class Question(Value, Generic[AnswerT]):
    """What is asked. Equal content is the same question, whoever asks it.

    Attributes:
        packages: Those of noughts on whose code an answer depends, besides the module of the question's own class.
        effort: Fields that say how much may be spent, and not what is asked: they are no part of the key.
    """

    packages: ClassVar[tuple[str, ...]] = EXAMINING
    effort: ClassVar[frozenset[str]] = frozenset()

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

    @abstractmethod
    def units(self) -> Sequence["Unit[Any]"]:
        """All that must be answered for it."""

    @abstractmethod
    def read(self, answers: "Answers") -> AnswerT | None:
        """Its answer, as far as it is known: None if nothing can be said yet."""


class Unit(Question[AnswerT], Generic[AnswerT]):
    """A question that one process answers, by `answer` or by `steps`.

    Attributes:
        is_part: Whether it is only ever asked as a step of another, so that its text need not be kept with its answer.
    """

    is_part: ClassVar[bool] = False

    @classmethod
    @functools.cache
    def answer_type(cls) -> type[AnswerT]:
        """The class of its answers."""
        for base in cls.__mro__:
            metadata = getattr(base, "__pydantic_generic_metadata__", {})
            if metadata.get("origin") is Unit:
                found: type[AnswerT] = metadata["args"][0]
                return found
        raise TypeError(f"{cls.__name__} must say the type of its answer: class {cls.__name__}(Unit[ItsAnswer])")

    @property
    def alone(self) -> bool:
        """Whether nothing else of ours may run beside it: for timings, and for what uses all cores by itself."""
        return False

    def needs(self) -> Sequence["Unit[Any]"]:
        """What must be known before `batch` can be said; the same for many of its kind."""
        return ()

    def batch(self, answers: "Answers") -> int:
        """How many of its kind a worker is given to answer together, by `answer_many`, as far as `needs` are known."""
        return 1

    @property
    def seconds_in_all(self) -> float | None:
        """How long its process may take for it altogether; None for no limit."""
        return None

    def checked(self, answer: AnswerT) -> AnswerT:
        """The answer of a worker as it may be kept.

        Raises:
            NoughtsError: it cannot be an answer to this question.
        """
        return answer

    @property
    def trains(self) -> str:
        """The name of the run that it trains in the folder `makes`; empty if it trains none.

        It is answered before questions that train nothing, and those whose agents name the run are left out if it fails.
        """
        return ""

    @property
    def title(self) -> str:
        """What its problems begin with; empty for nothing."""
        return ""

    def agents(self) -> Sequence[AgentSpec]:
        """The agents whose code, or weights, its answer depends on."""
        return ()

    def makes(self) -> Path | None:
        """The folder that it fills besides giving an answer; None if it fills none."""
        return None

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

    def answer(self, notes: Recorder) -> AnswerT:
        """Answer it, here and now.

        Args:
            notes: Told what it is at, and how long the next piece may take.
        """
        return walk_through(self.steps(notes), notes)

    def steps(self, notes: Recorder) -> Steps[AnswerT]:
        """The same as `answer`, by asking others, which may be spread over processes and are kept one by one."""
        raise NotImplementedError(f"{type(self).__name__} has neither answer() nor steps()")

    @property
    def has_steps(self) -> bool:
        """Whether it can be spread."""
        return type(self).steps is not Unit.steps

    @classmethod
    def answer_many(cls, questions: Sequence[Self], notes: Recorder) -> Sequence[AnswerT]:
        """Answer several of this kind in one go; the same answers."""
        return [question.answer(notes) for question in questions]

    def broken(self, note: str, reason: str) -> AnswerT | None:
        """The answer that says what became of it if its process was stopped or died; None if that is no answer.

        Args:
            note: The last that it noted.
            reason: What happened.
        """
        return None

    def failed(self, answer: AnswerT) -> str:
        """What went wrong, if the answer says so, in one line; empty if nothing did.

        Such an answer counts for the run in which it was found; the next run asks again.
        """
        return ""

    def units(self) -> Sequence["Unit[Any]"]:
        """Itself."""
        return (self,)

    def read(self, answers: "Answers") -> AnswerT | None:
        """What is known."""
        return answers.of_unit(self)


class Group(Question[AnswerT], Generic[AnswerT]):
    """A question about many units."""

    def read(self, answers: "Answers") -> AnswerT:
        """What is known so far; see `gather`."""
        return self.gather([answers[unit] for unit in self.units()])

    @abstractmethod
    def gather(self, answers: Sequence[Any]) -> AnswerT:
        """The answer as far as those of its units say, in their order; None for each that is not known yet."""


def walk_through(steps: Steps[AnswerT], notes: Recorder) -> AnswerT:
    """Answer all that steps ask for, here, one after another."""
    found: Sequence[Any] | None = None
    try:
        while True:
            asked = next(steps) if found is None else steps.send(found)
            found = [unit.answer(notes) for unit in asked]
    except StopIteration as end:
        answer: AnswerT = end.value
        return answer


def write_questions(questions: Sequence[Unit[Any]]) -> str:
    """Questions of one kind as text for a worker: a line that names the class, then one of JSON for each."""
    cls = type(questions[0])
    return "\n".join([place_of(cls), *(question.to_json() for question in questions)])


def read_questions(text: str) -> list[Unit[Any]]:
    """What `write_questions` wrote."""
    kind, *lines = text.split("\n")
    cls = at_place(kind)
    return [cls(**json.loads(line)) for line in lines]


def answer_job(argument: str, notes: Recorder) -> str:
    """Answer questions in a worker: what `write_questions` wrote comes in; a line of JSON for each goes out."""
    questions = read_questions(argument)
    return "\n".join(answer.to_json() for answer in type(questions[0]).answer_many(questions, notes))


def agent_of(spec: AgentSpec) -> Agent:
    """The agent that a spec names: made once for many questions if it is one of ours and shared, else anew."""
    return build_agent(spec) if from_outside(spec) or not is_shared(_built(spec)) else _built(spec)


@functools.lru_cache(maxsize=2)  # the two of a game; networks are large
def _built(spec: AgentSpec) -> Agent:
    return build_agent(spec)


def answer_here(question: Unit[AnswerT]) -> AnswerT:
    """Answer a question in this process, keeping nothing."""
    return question.answer(Recorder())
