"""`Training`: how a study trains the agents that it measures.

A training is work of the first stage: one at a time and on all cores, or, where one core does as well, several side by side. Its run folder's name says what was trained by
which code, so that agents can be named before they exist, an interrupted study goes on inside a training, and one that
asks for a training that was finished before finds it done. What is measured of its agents is work of a later stage.
"""

import hashlib
import json
import re
import time
from datetime import UTC, datetime
from typing import ClassVar, Generic, NamedTuple, TypeVar

from noughts.agents import parse_agent
from noughts.agents.spec import AgentSpec
from noughts.machine.environment import current_code
from noughts.play.playthrough import Notes
from noughts.questions.session import Measurement
from noughts.rules import StoreError, Value
from noughts.store.run_folder import RunFolder, training_folder
from noughts.studies.study import Results
from noughts.training.events import Event, Iterated, StrengthMeasured
from noughts.training.loop import train
from noughts.training.registry import find_method
from noughts.training.trainer import TrainingConfig

Config = TypeVar("Config", bound=TrainingConfig)
REUSED = "Trainings are kept as runs of the store, and one that was finished with equal settings by equal code is not done again: its seconds are those of the run that trained it."
"""What a study that trains says of its seconds."""

_JOB = "noughts.studies.trained:train_job"


class Point(Value):
    """One measurement of strength on the way.

    Attributes:
        iteration, positions, seconds: Spent until then; seconds of all sittings together, measuring included.
        values: What was measured, by name, as the method's `strength` says; None for one that is no number.
    """

    iteration: int
    positions: int
    seconds: float
    values: dict[str, float | None]


class Trained(Value):
    """What became of a training.

    Attributes:
        iterations, positions, seconds: Spent in all.
        cores: Processor cores it could use.
        curve: Strength on the way; the last point is the end.
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
        """What it took, in words."""
        return f"{self.iterations} iterations, {self.positions:,} positions, {self.seconds:,.0f} s on {self.cores} core{'s' if self.cores != 1 else ''}"


class Training(NamedTuple, Generic[Config]):
    """An agent that a study trains.

    Attributes:
        study: The study's name.
        label: What people call it; it differs from those of the study's other trainings.
        config: Its schedule ends after some iterations and knows no other limit, so that the last one is known before.
        method: How it learns, a key of `noughts.training.registry.METHODS`.
        cores: On how many cores it computes, beside other work; None for all of them, one training at a time.
    """

    study: str
    label: str
    config: Config
    method: str = "az"
    cores: int | None = None

    @property
    def name(self) -> str:
        """The run's name: equal configurations and equal code have equal names, others do not."""
        facts = json.dumps([self.method, self.config.model_dump(mode="json"), current_code()], sort_keys=True)
        digest = hashlib.blake2b(facts.encode(), digest_size=4).hexdigest()
        words = re.sub(r"[^a-z0-9]+", "-", f"{self.study} {self.label}".lower()).strip("-")
        return f"{words[:80].rstrip('-')}-{digest}"

    @property
    def iterations(self) -> int:
        """Until when it trains; ValueError if that is not known before."""
        schedule = self.config.schedule
        if schedule.iterations is None or schedule.positions is not None or schedule.minutes is not None:
            raise ValueError(f"{self.label}: limit a study's training by iterations, and by nothing else")
        return schedule.iterations

    def agent(self, sims: int | None = None, iteration: int | None = None, **options: object) -> str:
        """The canonical text of the agent.

        Args:
            sims: With so many simulations a move; None for agents that make none.
            iteration: One at which strength is measured; None for the last.
            options: Further ones of the method's agent.
        """
        target = f"{self.name}@{self.iterations if iteration is None else iteration}"
        given = options if sims is None else {"sims": sims, **options}
        texts = tuple((name, str(value)) for name, value in given.items())
        return str(parse_agent(str(AgentSpec(name=self.method, target=target, options=texts))))

    @property
    def key(self) -> str:
        """Names the work within the study."""
        return f"train / {self.label}"

    def work(self) -> Measurement:
        """The training as a piece of work; it gives `Trained`."""
        asked = {
            "name": self.name,
            "label": self.label,
            "iterations": self.iterations,
            "method": self.method,
            "cores": self.cores,
            "config": self.config.model_dump(mode="json"),
        }
        return Measurement(self.key, _JOB, json.dumps(asked), alone=self.cores is None)

    def trained(self, results: Results) -> Trained | None:
        """What became of it; None if that is not known yet."""
        text = results.measurements.get(self.key)
        return None if text is None else Trained.from_json(text)


def train_job(argument: str, notes: Notes) -> str:
    """Train in the store's run folder of a name, as far as it is not done yet; gives `Trained` as JSON.

    Raises:
        StoreError: the folder is in use, damaged, or holds another run.
        NoughtsError: the network cannot serve the task.
    """
    asked = json.loads(argument)
    method = find_method(asked["method"])
    config = method.read_config(asked["config"])
    run = _run_folder(asked["name"], method.name, config)
    if not _is_done(run, asked["iterations"]):
        notes.note(f"{asked['label']}: programs are compiled")
        for event in train(method.make_trainer(config, asked["cores"]), run, config.schedule, time.monotonic):
            if told := _told(event, asked["iterations"]):
                notes.note(f"{asked['label']}: {told}")
    return _trained(run).to_json()


def _run_folder(name: str, method: str, config: TrainingConfig) -> RunFolder:
    """The run of this name in the store, made if there is none."""
    folder, fields = training_folder() / name, config.model_dump(mode="json")
    if not (folder / "run.json").exists():
        return RunFolder.create(
            folder, method=method, task=config.task, config=fields, seed=config.seed, created=datetime.now(UTC)
        )
    run = RunFolder.open(folder)
    if run.description.config != fields:
        raise StoreError(f"{folder} holds a run with other settings: remove it, and run the study again")
    return run


def _is_done(run: RunFolder, iterations: int) -> bool:
    return run.status().state == "finished" and iterations in run.iterations()


def _told(event: Event, iterations: int) -> str:
    """An event in words, if it is worth any."""
    if isinstance(event, Iterated):
        each = event.positions / event.iteration
        left = (iterations - event.iteration) * each / event.rate if event.rate else 0.0
        return f"iteration {event.iteration} of {iterations}, {event.positions:,} positions, {event.rate:,.0f}/s, about {left:,.0f} s left"
    if isinstance(event, StrengthMeasured):
        shown = ", ".join(f"{name} {value:.3g}" for name, value in event.metrics.items())
        return f"strength after {event.iteration} of {iterations} iterations: {shown}"
    return ""


def _trained(run: RunFolder) -> Trained:
    status = run.status()
    curve = tuple(
        Point(iteration=line.iteration, positions=line.positions, seconds=line.seconds, values=line.metrics)
        for line in run.metrics.lines()
        if line.kind == "measurement"
    )
    return Trained(
        iterations=status.iterations,
        positions=status.positions,
        seconds=status.seconds,
        cores=run.description.environment.cores,
        curve=curve,
    )
