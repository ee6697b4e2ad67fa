"""`Swept`: trainings under several conditions, each with several seeds, all measured after the same numbers of positions
on one fixed test set.

What it asks are the questions that others ask: a `Training` for each condition and seed, and of each agent that comes of
it a `Judged` or a `Played`. So nothing that is kept is trained or measured again.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from statistics import fmean
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
from noughts.statistics import Interval, mean_difference, mean_share
from noughts.training.registry import find_method
from noughts.training.settings import make_config, merge

_CHECKPOINT_SECONDS = 30.0
_KEPT = {"task": "tasks", "seed": "seeds", "schedule": "positions"}
"""What a condition may not set, and what sets it instead."""


class SweptCondition(Value):
    """Settings and a task, trained once for each seed.

    Attributes:
        settings: By key, as people read them.
        task: What is trained, as text.
        trainings: One for each seed.
    """

    settings: tuple[tuple[str, str], ...]
    task: str
    trainings: tuple[Training, ...]

    @property
    def label(self) -> str:
        """The settings in words."""
        return ", ".join(f"{key}={value}" for key, value in self.settings) or "as configured"


class Measurement(NamedTuple):
    """One test of one agent.

    Attributes:
        condition: Its place among the conditions.
        seed, run: Of the training, and what its run is called.
        test: The name of the test.
        point: After so many positions it was to be measured.
        iteration, positions, seconds: What it had done when these weights were kept; None while that is not known.
        value, low, high, tested, counts, exact, distinct: As of `Reading`.
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
        """The value with its interval, from 0 to 1."""
        return Interval(self.value / 100, self.low / 100, self.high / 100)


class Summary(NamedTuple):
    """One test of a condition after so many positions, over its seeds.

    Attributes:
        mean, low, high: Over trainings, in percent, with the 95 percent interval of `mean_share`; no interval of one, nor of
            several that have one value, exactly.
        values: Of each training.
        tested: Positions or games behind all of them together.
    """

    condition: int
    test: str
    point: int
    mean: float
    low: float | None
    high: float | None
    values: tuple[float, ...]
    tested: int


class PairedDifference(NamedTuple):
    """How much more a condition has than the first one, by one test at one point, over the seeds that both have.

    Attributes:
        first: The mean of the first condition over these seeds, in percent.
        mean, low, high: The mean of the differences by seed, in points of percent, with the 95 percent interval of
            `mean_difference`; no interval of one seed, nor of exact values whose differences are all equal.
        seeds: How many there are.
    """

    condition: int
    test: str
    point: int
    first: float
    mean: float
    low: float | None
    high: float | None
    seeds: int


class SweptResult(Value):
    """What is known of a sweep.

    Attributes:
        trained: How many trainings are done.
        measured: Every measurement, by condition, seed, point and test.
    """

    trained: int
    measured: tuple[Measurement, ...]

    def summaries(self) -> list[Summary]:
        """By condition, test and point, over seeds."""
        groups: dict[tuple[int, str, int], list[Measurement]] = {}
        for one in self.measured:
            groups.setdefault((one.condition, one.test, one.point), []).append(one)
        return [_summary(*key, some) for key, some in groups.items()]

    def differences(self, conditions: Sequence[SweptCondition]) -> list[PairedDifference]:
        """Of each condition from the first one of its task, paired by seed; all meet one test set.

        Args:
            conditions: Of the sweep.
        """
        values: dict[tuple[int, str, int], dict[int, Interval]] = {}
        for one in self.measured:
            values.setdefault((one.condition, one.test, one.point), {})[one.seed] = one.interval
        first = {task: n for n, task in reversed([*enumerate(condition.task for condition in conditions)])}
        found = []
        for (condition, test, point), own in values.items():
            base = first[conditions[condition].task]
            if condition != base and (base, test, point) in values:
                found.append(_difference(own, values[base, test, point], (condition, test, point)))
        return [one for one in found if one is not None]


def _difference(
    one: Mapping[int, Interval], base: Mapping[int, Interval], key: tuple[int, str, int]
) -> PairedDifference | None:
    """By seed; None without a seed in common."""
    seeds = [seed for seed in one if seed in base]
    if not seeds:
        return None
    ones, bases = [one[seed] for seed in seeds], [base[seed] for seed in seeds]
    first = 100 * fmean(found.share for found in bases)
    found = mean_difference(ones, bases) if len(seeds) > 1 else (ones[0].share - bases[0].share,) * 3
    return PairedDifference(*key, first, *_in_percent(*found), len(seeds))


def _summary(condition: int, test: str, point: int, some: Sequence[Measurement]) -> Summary:
    values, tested = tuple(one.value for one in some), sum(one.tested for one in some)
    found = mean_share([one.interval for one in some])
    over_seeds = _in_percent(*found) if len(some) > 1 else (100 * found.share, None, None)
    return Summary(condition, test, point, *over_seeds, values, tested)


def _in_percent(mean: float, low: float, high: float) -> tuple[float, float | None, float | None]:
    """The same in percent; one without width is no interval."""
    return (100 * mean, None, None) if low == high else (100 * mean, 100 * low, 100 * high)


class Swept(Question[SweptResult]):
    """A sweep.

    Attributes:
        conditions: What is compared.
        points: After so many positions all are measured, ascending; the last ends training.
        tests: With what.
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
            raise ValueError(f"points={list(self.points)} is not allowed: numbers of positions in ascending order")
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
            settings: Of each condition, by the keys of ``noughts train --set``; ``preset`` is one, too.
            tasks, seeds: Each condition is trained on each task with each seed.
            points, tests: As of the class.
            method: How all learn.
            config: What all have in common, by the same keys or as fields within fields.
            cores: For each training, beside others; None for all cores, one training at a time.

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
        """All trainings, then all that is asked of their agents."""
        return [*self._trainings, *(asked.question for asked in self._asked)]

    def answer(self, needed: Sequence[Any], notes: Recorder) -> SweptResult:
        """What is known so far."""
        trained = dict(zip((training.key for training in self._trainings), needed, strict=False))
        found = []
        for asked, answer in zip(self._asked, needed[len(self._trainings) :], strict=True):
            reading = asked.test.read(answer, asked.agent)
            if reading is not None:
                found.append(self._measurement(asked, trained[asked.training.key], reading))
        return SweptResult(trained=sum(answer is not None for answer in trained.values()), measured=tuple(found))

    @cached_property
    def _trainings(self) -> tuple[Training, ...]:
        return tuple(training for condition in self.conditions for training in condition.trainings)

    @cached_property
    def _asked(self) -> "tuple[_Asked, ...]":
        """Every test of every agent; those of one test together, as they share exact truth."""
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
    """The agent that is tested: the first weights kept after so many positions, with the test's options."""
    options: dict[str, Any] = dict(test.options)
    return training.agent(positions=point, **options)


class _Asked(NamedTuple):
    """One test of one agent.

    Attributes:
        condition: The place of its condition.
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
            chosen.look(made)
        except NoughtsError as error:
            raise NoughtsError(f"{label or 'the configuration'} on {task}: {error}") from None
        name = f"{label + ' on ' if label else ''}{task}, seed {seed}"
        trainings.append(Training(label=name, method=method, config=made, cores=cores))
    return SweptCondition(settings=shown, task=trainings[0].settings.task, trainings=tuple(trainings))
