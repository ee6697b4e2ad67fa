"""`Answers`: what is known, by question. ``answers[question]`` is the answer, or None while it is not known.

What is kept is not asked again: whoever asks, an answer is found by the question's own key, if nothing that it depends
on has changed since.
"""

import contextlib
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, overload

from noughts.agents.registry import computing, depends_on, from_outside
from noughts.agents.spec import AgentSpec
from noughts.machine.dependencies import Dependencies, together
from noughts.questions.question import Group, Question, Unit
from noughts.rules import AgentError, ComputeError, NoughtsError, Value
from noughts.store.records import GameRecord, Kept

AnswerT = TypeVar("AnswerT", bound=Value)
JobT = TypeVar("JobT")


class Keeper(Protocol):
    """Where answers are kept: a run of the results database, see `store.run.Run`."""

    @property
    def order(self) -> str | None:
        """Where others may ask the same at this time: what the order derives from in which this one asks; else None."""
        ...

    def answers(self, wanted: Mapping[str, str]) -> Mapping[str, Kept]:
        """What is kept under these keys with these bases, by key. Failures count only if they are of this run."""
        ...

    def games(self, wanted: Mapping[str, str]) -> Mapping[str, GameRecord]:
        """The games that are kept under these keys with these bases, by key. Likewise."""
        ...

    def keep(self, answers: Sequence[Kept], games: Mapping[tuple[str, str], GameRecord]) -> None:
        """Keep answers, and games by key and basis; once this returns, they survive anything."""
        ...


class Answers:
    """What is known, and what went wrong.

    Args:
        keeper: Where answers are kept; None to remember them only.

    Attributes:
        problems: What became of units that failed, by key, one line each. That of one of which agents should have come says how
            many others ask for these: they are not asked, and are no problems of their own.
    """

    def __init__(self, keeper: Keeper | None = None) -> None:
        self._keeper = keeper
        self._known: dict[str, Value] = {}
        self._bases: dict[str, str] = {}
        self._gathered: dict[tuple[object, ...], Value] = {}  # by effort, too: with another one other answers will do
        self._agents: dict[AgentSpec, Dependencies] = {}
        self._untrained: dict[str, tuple[str, str]] = {}  # the run and the problem of each training that failed
        self._left_out: dict[str, str] = {}  # what is not asked, each with the unit that failed
        self.problems: dict[str, str] = {}

    @overload
    def __getitem__(self, question: Group[AnswerT]) -> AnswerT: ...

    @overload
    def __getitem__(self, question: Question[AnswerT]) -> AnswerT | None: ...

    def __getitem__(self, question: Question[AnswerT]) -> AnswerT | None:
        """The answer as far as it is known; that of a group is about those of its units that are known."""
        if isinstance(question, Unit):
            return question.read(self)
        found: AnswerT | None = self._gathered.get(question.exact_key)  # type: ignore[assignment] # what `read` gave
        if found is None:
            found = question.read(self)
            if found is not None and all(map(self.knows, question.units())):
                self._gathered[question.exact_key] = found
        return found

    def of_unit(self, unit: Unit[AnswerT]) -> AnswerT | None:
        """The answer of a unit, if it is known and will do."""
        found: AnswerT | None = self._known.get(unit.key)  # type: ignore[assignment] # kept under the key of such a unit
        return found if found is not None and unit.accepts(found) else None

    def knows(self, unit: Unit[Any]) -> bool:
        """Whether nothing is left to be done for it: it is answered, it failed, or it asks an agent that there is not."""
        return unit.key in self.problems or unit.key in self._left_out or self.of_unit(unit) is not None

    def look_up(self, units: Iterable[Unit[Any]]) -> None:
        """Read what is kept of these. What cannot be read is not known.

        Raises:
            ComputeError: what they depend on has changed since it was first looked at.
            AgentError: what an agent depends on cannot be found out.
        """
        asked = {} if self._keeper is None else {unit.key: unit for unit in units if not self.knows(unit)}
        if self._keeper is None or not asked:
            return
        self._require_unchanged(asked.values())
        self._bases |= {key: self.dependencies(unit).basis for key, unit in asked.items()}
        games = {key: self._bases[key] for key, unit in asked.items() if unit.answer_type() is GameRecord}
        others = {key: self._bases[key] for key in asked if key not in games}
        for key, record in self._keeper.games(games).items() if games else ():
            self._remember(asked[key], record)
        for key, kept in self._keeper.answers(others).items() if others else ():
            with contextlib.suppress(NoughtsError):  # damaged: it is asked again, and what comes replaces it
                self._remember(asked[key], asked[key].answer_type().from_json(kept.answer))

    def leave_out(self, units: Iterable[Unit[Any]]) -> None:
        """Leave out those of these that ask an agent of a training that has failed, whose problem then says how many they are."""
        for unit in units if self._untrained else ():
            if not self.knows(unit):
                texts = [str(spec) for spec in unit.agents()]
                for key, (run, _) in self._untrained.items():
                    if any(run in text for text in texts):
                        self._left_out.setdefault(unit.key, key)
        counts = Counter(self._left_out.values())
        for key, (_, problem) in self._untrained.items():
            asks = f"{counts[key]:,} questions that ask" if counts[key] > 1 else "a question that asks"
            self.problems[key] = f"{problem}, and {asks} its agents" if counts[key] else problem

    def in_turn(self, jobs: Iterable[JobT]) -> list[JobT]:
        """Jobs in the order in which they are to be done: where others may ask the same at this time, in one of our own, so
        that each finds most of what the others have answered."""
        found = list(jobs)
        if self._keeper is not None and self._keeper.order is not None:
            random.Random(self._keeper.order).shuffle(found)
        return found

    def answered_since(self, units: Sequence[Unit[Any]]) -> bool:
        """Whether others, who may ask the same at this time, have answered all of these since they were looked up."""
        if self._keeper is None or self._keeper.order is None:
            return False
        self.look_up(units)
        return all(map(self.knows, units))

    def keep(self, found: Sequence[tuple[Unit[Any], Value | str]]) -> None:
        """Keep answers, or in their place why there is none: that is remembered, so that it may be tried again later.

        Raises:
            ComputeError: what they depend on has changed since they were asked: nothing is kept.
        """
        if self._keeper is not None:
            self._require_unchanged(unit for unit, _ in found)
        answers: list[Kept] = []
        games: dict[tuple[str, str], GameRecord] = {}
        for unit, answer in found:
            if isinstance(answer, str) or self._keeper is None:
                continue
            basis = self._bases.get(unit.key) or self.dependencies(unit).basis
            if isinstance(answer, GameRecord):
                games[unit.key, basis] = answer
            else:
                asked = "" if unit.is_part else unit.to_json()
                answers.append(Kept(unit.key, basis, asked, answer.to_json(), unit.failed(answer)))
        if self._keeper is not None and (answers or games):
            self._keeper.keep(answers, games)
        for unit, answer in found:
            if isinstance(answer, str):
                problem = self.problems[unit.key] = ": ".join(filter(None, [unit.title, answer]))
                if unit.trains:
                    self._untrained[unit.key] = unit.trains, problem
            else:
                self._remember(unit, answer)

    def forget(self, unit: Unit[Any]) -> None:
        """Remember an answer no longer; what is kept stays."""
        self._known.pop(unit.key, None)
        self._bases.pop(unit.key, None)

    def _remember(self, unit: Unit[Any], answer: Value) -> None:
        if unit.key in self._known:
            self._gathered.clear()  # what was gathered from the answer before
        self._known[unit.key] = answer
        if problem := unit.failed(answer):
            self.problems[unit.key] = problem

    def dependencies(self, unit: Unit[Any]) -> Dependencies:
        """What a unit depends on, its agents as they were when they were first looked at."""
        return unit.depends_on(self._agent)

    def _agent(self, spec: AgentSpec) -> Dependencies:
        if spec not in self._agents:
            self._agents[spec] = depends_on(spec)
        return self._agents[spec]

    def _require_unchanged(self, units: Iterable[Unit[Any]]) -> None:
        for spec in dict.fromkeys(spec for unit in units for spec in unit.agents()):
            try:
                changed = spec in self._agents and depends_on(spec).basis != self._agents[spec].basis
            except AgentError:  # what was there is there no more
                changed = True
            if changed:
                raise ComputeError(
                    f"agent {str(spec)!r} has changed while it was at work, in its code or a file that it reads: what was "
                    "found before is kept, and the same command begins anew with what is there now"
                )


def versions_outside(questions: Iterable[Question[Any]]) -> dict[str, str]:
    """The versions of all code from outside that is asked, by name, and of what trained agents are computed with; classes are
    asked anew for their fingerprints.

    Raises:
        AgentError: as of `depends_on`.
    """
    seen: dict[AgentSpec, Dependencies] = {}

    def agent(spec: AgentSpec) -> Dependencies:
        if spec not in seen:
            seen[spec] = depends_on(spec, anew=True) if _is_outside(spec) else computing(spec)
        return seen[spec]

    units = (unit for question in questions for unit in question.units())
    return together(*dict.fromkeys(unit.depends_on(agent) for unit in units)).outside


def _is_outside(spec: AgentSpec) -> bool:
    try:
        return from_outside(spec)
    except AgentError:  # making it reports what is wrong
        return False
