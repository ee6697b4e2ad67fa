"""`Training`: train a configuration, before other questions examine the agent that results.

Trainings are answered first: one at a time on all cores, or several in parallel if one core is as good. The run folder's
name contains a hash of the configuration and the code. So agents can be named before they exist, an interrupted training
resumes where it stopped, and a finished training is reused.
"""

import hashlib
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Self, cast

from pydantic import SerializeAsAny, model_validator

from noughts.agents import AgentSpec, parse_agent
from noughts.agents.registry import depends_on as agent_depends_on
from noughts.machine import Recorder
from noughts.machine.dependencies import Dependencies, together
from noughts.questions.conditions import nested
from noughts.questions.question import TRAINING, Question
from noughts.rules import NoughtsError, StoreError, Value
from noughts.store.run_folder import RunFolder, training_folder
from noughts.training import registry
from noughts.training.events import Event, Iterated, StrengthMeasured
from noughts.training.loop import train
from noughts.training.method_config import MethodConfig
from noughts.training.registry import agent_text, find_method
from noughts.training.schedule import LIMITS, Limit
from noughts.training.settings import make_config

REUSED = "Trainings are saved as runs of the store, and reused if settings and code are equal; seconds are those of the original run. One seed means one run on one machine. Start values and the order of batches derive from the seed, but self-play is divided among one device for each core, and numbers depend on the instruction set and jaxlib. Another number of cores or another processor therefore gives another run."
"""The remark on seconds and seeds that every study with trainings prints."""


class Point(Value):
    """One measurement of strength during a training.

    Attributes:
        iteration, positions, seconds: The training so far; seconds of all sessions together, with measuring.
        values: The metrics of the method's `strength`, by name; None for one that is not a number.
    """

    iteration: int
    positions: int
    seconds: float
    values: dict[str, float | None]


class Trained(Value):
    """The result of a training.

    Attributes:
        iterations, positions, seconds: The totals.
        cores: The processor cores that it could use.
        curve: The measurements of strength; the last one is at the end.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "training"

    iterations: int
    positions: int
    seconds: float
    cores: int
    curve: tuple[Point, ...]

    @property
    def budget(self) -> str:
        """The totals and the cores, in words."""
        return f"{self.iterations} iterations, {self.positions:,} positions, {self.seconds:,.0f} s on {self.cores} core{'s' if self.cores != 1 else ''}"


class Training(Question[Trained]):
    """Train an agent, or resume its training.

    Attributes:
        label: A name for people; no part of the key.
        method: The training method, as `noughts.training.registry.find_method` takes it.
        config: The method's configuration. Its schedule ends after some iterations or some positions and has no other limit,
            so that the result is determined in advance.
        cores: The number of cores, in parallel with other jobs; None for all of them, one training at a time.
    """

    packages: ClassVar = TRAINING
    effort: ClassVar = frozenset({"label", "cores"})

    label: str
    method: str = "az"
    config: SerializeAsAny[Value]
    cores: int | None = None

    @classmethod
    def of(
        cls,
        label: str,
        config: Mapping[str, Any],
        *,
        method: str = "az",
        preset: str | None = None,
        iterations: int | None = None,
        positions: int | None = None,
        cores: int | None = 1,
    ) -> Self:
        """A training from settings as in ``noughts train``.

        Args:
            label, method, cores: As in the class.
            config: Settings by the keys of ``noughts train --set``, with ``task`` and ``seed``, or nested.
            preset: The preset for settings that `config` leaves out; None for the method's defaults, also for small games.
            iterations, positions: When it ends; give one of them.

        Raises:
            NoughtsError: a setting is missing, unknown or impossible.
        """
        given = {"iterations": iterations, "positions": positions}
        limits = {name: amount for name, amount in given.items() if amount is not None}
        if len(limits) != 1:
            raise NoughtsError(f"training {label!r} has no end: give iterations or positions, one of them")
        made = make_config(find_method(method), nested(config), limits, preset)
        return cls(label=label, method=method, config=made, cores=cores)

    @property
    def settings(self) -> MethodConfig:
        """The configuration with its real type."""
        return cast(MethodConfig, self.config)

    @model_validator(mode="before")
    @classmethod
    def _read_config(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Turn a configuration from JSON into one of the method's class."""
        if isinstance(fields.get("config"), dict):
            return fields | {"config": find_method(fields.get("method", "az")).config(**fields["config"])}
        return fields

    @property
    def alone(self) -> bool:
        """Whether it uses all cores."""
        return self.cores is None

    @property
    def name(self) -> str:
        """The run's name, which is equal only for equal configurations and code."""
        digest = hashlib.blake2b(f"{self.key} {self.depends_on().basis}".encode(), digest_size=5).hexdigest()
        words = re.sub(r"[^a-z0-9]+", "-", f"{self.method} {self.settings.task}".lower()).strip("-")
        return f"{words[:60].rstrip('-')}-{digest}"

    @property
    def trains(self) -> str:
        """The run's name."""
        return self.name

    @property
    def iterations(self) -> int:
        """The number of iterations; ValueError if positions end the training."""
        if self._limit != "iterations":
            raise ValueError(f"{self.label}: it is limited by positions, and not by iterations")
        return self._amount

    def depends_on(self, agent: Callable[[AgentSpec], Dependencies] = agent_depends_on) -> Dependencies:
        """The dependencies, with a third-party method and network."""
        return together(super().depends_on(agent), registry.depends_on(self.method, dict(self.config)))

    def makes(self) -> Path:
        """The run's folder."""
        return training_folder().absolute() / self.name

    @property
    def title(self) -> str:
        """The label, and the seed unless the label names it."""
        return self.label if "seed" in self.label else f"{self.label}, seed {self.settings.seed}"

    @property
    def _limit(self) -> Limit:
        """The limit that ends it; ValueError if the end is not determined in advance."""
        schedule = self.settings.schedule
        limits = [name for name in LIMITS if getattr(schedule, name) is not None]
        if len(limits) > 1 or limits == ["minutes"]:
            raise ValueError(
                f"{self.label}: limit a study's training by iterations or by positions, and by nothing else"
            )
        return limits[0]

    @property
    def _amount(self) -> int:
        """The number of iterations or positions after which it ends."""
        amount: int = getattr(self.settings.schedule, self._limit)
        return amount

    def agent(
        self, sims: int | None = None, iteration: int | None = None, positions: int | None = None, **options: object
    ) -> AgentSpec:
        """The agent that it trains.

        Args:
            sims: The number of simulations for a move; None for agents without them.
            iteration: An iteration at which strength is measured; None for the last.
            positions: Instead, the first weights saved after this many positions; see `Schedule.measure_at_positions`.
            options: Further options of the method's agent.
        """
        if positions is None and iteration is None and self._limit == "positions":
            positions = self._amount
        if positions is not None:
            target = f"{self.name}@{positions}p"
        else:
            target = f"{self.name}@{self.iterations if iteration is None else iteration}"
        given = options if sims is None else {"sims": sims, **options}
        texts = (f",{name}={value}" for name, value in given.items())
        return parse_agent(agent_text(self.method, target) + "".join(texts))

    def so_far(self) -> Trained | None:
        """The result so far of its run in the store, finished or not; None if there is no run."""
        folder = training_folder() / self.name
        return _trained(RunFolder.open(folder), self.cores) if (folder / "run.json").exists() else None

    def accepts(self, answer: Trained) -> bool:
        """Whether the finished run still exists."""
        folder = training_folder() / self.name
        return (folder / "run.json").exists() and _is_done(RunFolder.open(folder), self._limit, self._amount)

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Trained:
        """Train in the store's run folder, from where an earlier session stopped.

        Raises:
            StoreError: the folder is in use, damaged, or holds another run.
            NoughtsError: the network does not support the task.
        """
        run = _run_folder(self.name, self.method, self.settings)
        limit, amount = self._limit, self._amount
        if not _is_done(run, limit, amount):
            notes.note(f"{self.label}: programs are compiled")
            trainer = find_method(self.method).trainer(self.settings, self.cores)
            for event in train(trainer, run, self.settings.schedule, time.monotonic, notes):
                if told := _told(event, limit, amount):
                    notes.note(f"{self.label}: {told}")
        return _trained(run, self.cores)


def _run_folder(name: str, method: str, config: MethodConfig) -> RunFolder:
    """Open the run of this name in the store, or create it."""
    folder, fields = training_folder() / name, config.model_dump(mode="json")
    if not (folder / "run.json").exists():
        return RunFolder.create(
            folder,
            method=method,
            task=config.task,
            config=fields,
            seed=config.seed,
            created=datetime.now(UTC),
            outside=registry.depends_on(method, fields).versions,
        )
    run = RunFolder.open(folder)
    if run.description.config != fields:
        raise StoreError(f"{folder} holds a run with other settings: remove it, and run the study again")
    return run


def _is_done(run: RunFolder, limit: Limit, amount: int) -> bool:
    status = run.status()
    if status.state != "finished" or status.iterations not in run.iterations():
        return False
    return status.iterations == amount if limit == "iterations" else status.positions >= amount


def _told(event: Event, limit: Limit, amount: int) -> str:
    """A progress note for an event; empty for events without one."""
    if isinstance(event, Iterated):
        each = event.positions / event.iteration
        positions = amount * each if limit == "iterations" else amount
        left = max(0.0, positions - event.positions) / event.rate if event.rate else 0.0
        done = (
            f"iteration {event.iteration} of {amount}, {event.positions:,} positions"
            if limit == "iterations"
            else f"iteration {event.iteration}, {event.positions:,} of {amount:,} positions"
        )
        return f"{done}, {event.rate:,.0f}/s, about {left:,.0f} s left"
    if isinstance(event, StrengthMeasured):
        shown = ", ".join(f"{name} {value:.3g}" for name, value in event.metrics.items())
        after = (
            f"{event.iteration} of {amount} iterations" if limit == "iterations" else f"{event.positions:,} positions"
        )
        return f"strength after {after}: {shown}"
    return ""


def _trained(run: RunFolder, cores: int | None) -> Trained:
    """The result of a run on `cores` cores; None for all of its machine."""
    status = run.status()
    curve = tuple(
        Point(iteration=line.iteration, positions=line.positions, seconds=line.seconds, values=line.metrics)
        for line in run.lines()
        if line.kind == "measurement"
    )
    return Trained(
        iterations=status.iterations,
        positions=status.positions,
        seconds=status.seconds,
        cores=cores or run.description.environment.cores,
        curve=curve,
    )
