"""`Swept`: trainings under several conditions, each with several seeds, all measured after the same numbers of positions
on one fixed test set.

It needs ordinary questions: a `Training` for each condition and seed, and a `Judged` or a `Played` for each agent that
results. So saved trainings and measurements are reused.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import model_validator

from noughts.agents import AgentSpec
from noughts.machine import Recorder
from noughts.questions.conditions import Setting, nested, write_setting
from noughts.questions.judged import Judged
from noughts.questions.played import Played
from noughts.questions.question import TRAINING, Question
from noughts.questions.sweep_tests import MatchTest, Reading, ScoreTest, Test
from noughts.questions.trained import Trained, Training
from noughts.rules import NoughtsError, Value, parse_task
from noughts.statistics import Interval, mean_share
from noughts.training.registry import find_method
from noughts.training.settings import make_config, merge

_CHECKPOINT_SECONDS = 30.0
_KEPT = {"task": "tasks", "seed": "seeds", "schedule": "positions"}
"""The settings that a condition may not contain, and the option of the sweep that sets each instead."""


class SweptCondition(Value):
    """Settings and a task, trained once for each seed.

    Attributes:
        settings: The keys and values, formatted for people.
        task: The training task, as text.
        trainings: One training for each seed.
    """

    settings: tuple[tuple[str, str], ...]
    task: str
    trainings: tuple[Training, ...]

    @property
    def label(self) -> str:
        """The settings in words."""
        return ", ".join(f"{key}={value}" for key, value in self.settings) or "as configured"


class Measurement(NamedTuple):
    """The result of one test of one agent.

    Attributes:
        condition: The index of the condition.
        seed, run: The seed of the training, and the name of its run.
        test: The name of the test.
        point: The number of positions after which to measure.
        iteration, positions, seconds: The training so far when these weights were saved; None if not available yet.
        value, low, high, tested, counts, exact, distinct: As in `Reading`.
    """

    condition: int
    seed: int
    run: str
    test: str
    point: int
    iteration: int | None
    positions: int | None
    seconds: float | None
    value: float
    low: float
    high: float
    tested: int
    counts: str
    exact: bool = False
    distinct: int = 0

    @property
    def interval(self) -> Interval:
        """The value with its confidence interval, from 0 to 1."""
        return Interval(self.value / 100, self.low / 100, self.high / 100)


class Summary(NamedTuple):
    """The results of one test of a condition at one point, over its seeds.

    Attributes:
        mean, low, high: The mean over trainings, in percent, with the 95 percent confidence interval of `mean_share`; no
            interval for one training, nor for several with equal exact values.
        values: The value of each training.
    """

    condition: int
    test: str
    point: int
    mean: float
    low: float | None
    high: float | None
    values: tuple[float, ...]


class SweptResult(Value):
    """The results of a sweep so far.

    Attributes:
        measured: Every measurement, by condition, seed, point and test.
    """

    measured: tuple[Measurement, ...]

    def summaries(self) -> list[Summary]:
        """Summaries over seeds, by condition, test and point."""
        groups: dict[tuple[int, str, int], list[Measurement]] = {}
        for one in self.measured:
            groups.setdefault((one.condition, one.test, one.point), []).append(one)
        return [_summary(*key, some) for key, some in groups.items()]


def _summary(condition: int, test: str, point: int, some: Sequence[Measurement]) -> Summary:
    found = mean_share([one.interval for one in some])
    over_seeds = _in_percent(*found) if len(some) > 1 else (100 * found.value, None, None)
    return Summary(condition, test, point, *over_seeds, tuple(one.value for one in some))


def _in_percent(mean: float, low: float, high: float) -> tuple[float, float | None, float | None]:
    """A mean and its interval in percent; an interval without width becomes None."""
    return (100 * mean, None, None) if low == high else (100 * mean, 100 * low, 100 * high)


class Swept(Question[SweptResult]):
    """Run a sweep.

    Attributes:
        conditions: The conditions to compare.
        points: The numbers of positions after which all are measured, ascending; the last one ends training.
        tests: The tests that measure each agent.
    """

    packages: ClassVar = TRAINING
    error_type: ClassVar = NoughtsError
    called: ClassVar = "sweep"
    counted: ClassVar[Literal[True]] = True

    conditions: tuple[SweptCondition, ...]
    points: tuple[int, ...]
    tests: tuple[Test, ...]

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if not self.conditions or not self.points or not self.tests:
            raise ValueError("a sweep needs conditions, points and tests, one of each at least")
        seen: dict[tuple[str, ...], SweptCondition] = {}
        for condition in self.conditions:
            learned = tuple(training.model_copy(update={"label": ""}).key for training in condition.trainings)
            if (twin := seen.setdefault(learned, condition)) is not condition:
                raise ValueError(
                    f"{twin.label} and {condition.label} are the same settings on {condition.task}: name them once"
                )
        if list(self.points) != sorted(set(self.points)):
            raise ValueError(f"{list(self.points)} is not allowed: numbers of positions in ascending order")
        names = [test.name for test in self.tests]
        if len(set(names)) < len(names):
            raise ValueError(f"the tests are called {', '.join(names)}: give each its own name")
        return self

    @classmethod
    def of(
        cls,
        settings: Sequence[Setting],
        *,
        tasks: Sequence[str],
        seeds: Sequence[int],
        points: Sequence[int],
        tests: Sequence[ScoreTest | MatchTest],
        method: str = "az",
        config: Mapping[str, Any] | None = None,
        cores: int | None = 1,
    ) -> Self:
        """The sweep over settings x tasks x seeds.

        Args:
            settings: The settings of each condition, by the keys of ``noughts train --set`` and ``preset``.
            tasks, seeds: Each condition is trained on each task with each seed.
            points, tests: As in the class.
            method: The training method of all.
            config: The settings that all have in common, by the same keys or nested.
            cores: The cores for each training, in parallel with others; None for all cores, one training at a time.

        Raises:
            NoughtsError: a configuration is impossible; names its settings.
        """
        return cls(
            conditions=tuple(
                _condition(setting, task, seeds, points, method, nested(config or {}), cores)
                for task in tasks
                for setting in settings
            ),
            points=tuple(points),
            tests=tuple(tests),
        )

    def needs(self) -> Sequence[Question[Any]]:
        """All trainings, then the tests of their agents."""
        return [*self._trainings, *(asked.question for asked in self._asked)]

    def answer(self, needed: Sequence[Any], notes: Recorder) -> SweptResult:
        """The results so far."""
        trained = dict(zip((training.key for training in self._trainings), needed, strict=False))
        found = []
        for asked, answer in zip(self._asked, needed[len(self._trainings) :], strict=True):
            reading = asked.test.read(answer, asked.agent)
            if reading is not None:
                found.append(self._measurement(asked, trained[asked.training.key], reading))
        return SweptResult(measured=tuple(found))

    @cached_property
    def _trainings(self) -> tuple[Training, ...]:
        return tuple(training for condition in self.conditions for training in condition.trainings)

    @cached_property
    def _asked(self) -> "tuple[_Asked, ...]":
        """Every test of every agent, grouped by test, because agents in the same test share exact values."""
        return tuple(
            _Asked(number, training, test, point, agent, test.question(agent, parse_task(condition.task)))
            for test in self.tests
            for number, condition in enumerate(self.conditions)
            for training in condition.trainings
            for point in self.points
            for agent in [agent_of(training, point, test)]
        )

    def _measurement(self, asked: "_Asked", trained: Trained | None, reading: Reading) -> Measurement:
        curve = () if trained is None else trained.curve
        at = next((one for one in curve if one.positions >= asked.point), None)
        iteration, positions, seconds = (None,) * 3 if at is None else (at.iteration, at.positions, at.seconds)
        training = asked.training
        moment = (asked.point, iteration, positions, seconds)
        who = (asked.condition, training.settings.seed, training.name, asked.test.name)
        return Measurement(*who, *moment, **reading._asdict())


def agent_of(training: Training, point: int, test: ScoreTest | MatchTest) -> AgentSpec:
    """The agent to test: the first weights saved after `point` positions, with the test's options."""
    options: dict[str, Any] = dict(test.options)
    return training.agent(positions=point, **options)


class _Asked(NamedTuple):
    """One test of one agent.

    Attributes:
        condition: The index of its condition.
    """

    condition: int
    training: Training
    test: ScoreTest | MatchTest
    point: int
    agent: AgentSpec
    question: Judged | Played


def _condition(
    setting: Setting,
    task: str,
    seeds: Sequence[int],
    points: Sequence[int],
    method: str,
    config: Mapping[str, Any],
    cores: int | None,
) -> SweptCondition:
    chosen = find_method(method)
    shown = tuple((key, write_setting(value)) for key, value in setting.items())
    label = ", ".join(f"{key}={value}" for key, value in shown)
    given = merge(merge(chosen.brief, config), nested(setting))
    for name, instead in _KEPT.items():
        if name in given:
            raise NoughtsError(f"{name} is not a setting of a sweep: {instead} sets it for all conditions")
    trainings = []
    schedule = {
        "measure_minutes": None,
        "measure_at_positions": list(points),
        "checkpoint_seconds": _CHECKPOINT_SECONDS,
    }
    for seed in seeds:
        fields = given | {"task": task, "seed": seed, "schedule": schedule}
        try:
            made = make_config(chosen, fields, {"positions": max(points)}, None)
        except NoughtsError as error:
            raise NoughtsError(f"{label or 'the configuration'} on {task}: {error}") from None
        name = f"{label + ' on ' if label else ''}{task}, seed {seed}"
        trainings.append(Training(label=name, method=method, config=made, cores=cores))
    return SweptCondition(settings=shown, task=trainings[0].settings.task, trainings=tuple(trainings))
