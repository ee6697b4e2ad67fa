"""What is trained and played, where learners are compared at their checkpoints: as a file of frozen settings has it."""

import hashlib
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from noughts.agents import AgentSpec, parse_agent
from noughts.positions import derive_seed
from noughts.questions.played import Played
from noughts.questions.trained import Training
from noughts.rules import Rules, Task, Value, parse_task, task_of
from noughts.studies.brick_squares import CLASSES
from noughts.studies.study import Settings
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.schedule import Schedule

_SEEDS = "certified-generalisation"
"""The study that asked first: seeds derive from its name, so that trainings and games of another with equal settings are its own."""


def classes_of(task: str) -> frozenset[Rules]:
    """First squares of the classes that the games of a task are in."""
    games = set(parse_task(task).rules)
    return frozenset(squares[0] for squares in CLASSES if games.intersection(squares))


class RunSizes(Value):
    """How much is run at a scale.

    Attributes:
        seeds: Trainings of each learner.
        squares: First squares of the classes that are asked about; none for all.
        games: Against the opponent on a square of each class, at every checkpoint.
        every: A checkpoint comes after so many iterations each.
        training: Fields of the configuration that differ from Gumbel AlphaZero's.
    """

    called: ClassVar = "settings of a scale"

    seeds: int
    squares: tuple[str, ...]
    games: int
    every: int
    training: dict[str, Any]


class FrozenSettings(Value):
    """What was fixed before anything was measured.

    Attributes:
        trained_on: The game that training shows, unless a learner differs in that.
        opponent: Whom games are played against.
        seen_score: From this share of wins on its training classes on, learners are compared at equal seen score.
        margin: Shares that are less apart count as equal.
        scales: By name.
    """

    called: ClassVar = "frozen settings"

    about: str
    trained_on: str
    opponent: str
    seen_score: float
    margin: float
    scales: Mapping[str, RunSizes]


F = TypeVar("F", bound=FrozenSettings)
S = TypeVar("S", bound=RunSizes)


def read_settings(kind: type[F], name: str) -> tuple[F, dict[str, str]]:
    """The frozen settings of a file in this package; its name with its SHA-256, as `Study.frozen` has it."""
    content = files("noughts.studies").joinpath(name).read_bytes()
    return kind(**json.loads(content)), {f"studies/{name}": hashlib.sha256(content).hexdigest()}


class TrainedUntil(NamedTuple):
    """A learner in training: the one of a seed, after so many iterations."""

    learner: str
    seed: int
    iteration: int


class CheckpointPlan(ABC, Generic[F, S]):
    """What a scale of a study trains, and the games of its checkpoints. Whatever two studies both ask is asked once.

    Args:
        settings: How it is run.
        frozen, size: What was fixed before, and its part about this scale.
    """

    def __init__(self, settings: Settings, frozen: F, size: S) -> None:
        self.seed, self.frozen, self.size = settings.seed, frozen, size
        self.opponent = parse_agent(frozen.opponent)

    @property
    @abstractmethod
    def learners(self) -> Mapping[str, Mapping[str, Any]]:
        """By what they are called: fields of the configuration in which they differ from each other."""

    @abstractmethod
    def last_iteration(self, learner: str) -> int:
        """Where a learner's training ends."""

    @cached_property
    def classes(self) -> Task:
        """The first square of each class that is asked about."""
        first = (squares[0] for squares in CLASSES)
        return task_of(*(r for r in first if not self.size.squares or r.brick_names() in self.size.squares))

    def seen(self, learner: str) -> tuple[Rules, ...]:
        """Those that a learner's training shows."""
        shown = classes_of(self.learners[learner].get("task", self.frozen.trained_on))
        return tuple(rules for rules in self.classes.rules if rules in shown)

    @cached_property
    def unseen(self) -> tuple[Rules, ...]:
        """Those that no learner's training shows."""
        seen = {rules for learner in self.learners for rules in self.seen(learner)}
        return tuple(rules for rules in self.classes.rules if rules not in seen)

    @cached_property
    def pairs(self) -> tuple[tuple[str, int], ...]:
        """Each learner with each seed, first seeds first."""
        return tuple(
            (learner, seed)
            for seed in range(self.size.seeds)
            for learner in self.learners
            if seed < self.seeds_of(learner)
        )

    def seeds_of(self, learner: str) -> int:
        """How many trainings a learner has."""
        return self.size.seeds

    def iterations(self, learner: str) -> list[int]:
        """After which ones there is a checkpoint: one of them is where the shortest training ends, so that all have one after
        equal positions."""
        last = self.last_iteration(learner)
        return sorted({*range(self.size.every, last, self.size.every), self._shortest, last})

    @cached_property
    def _shortest(self) -> int:
        """Iterations of the shortest training."""
        return min(map(self.last_iteration, self.learners))

    @cached_property
    def checkpoints(self) -> tuple[TrainedUntil, ...]:
        """All of them, first seeds first."""
        return tuple(TrainedUntil(*pair, iteration) for pair in self.pairs for iteration in self.iterations(pair[0]))

    def training(self, learner: str, seed: int) -> Training:
        """A training, on one core: so that several go side by side, and a second means the same for all."""
        return self._trainings[learner, seed]

    @cached_property
    def _trainings(self) -> dict[tuple[str, int], Training]:
        return {pair: self._training(*pair) for pair in self.pairs}

    def _training(self, learner: str, seed: int) -> Training:
        fields: dict[str, Any] = {
            "task": self.frozen.trained_on,
            **self.size.training,
            **self.learners[learner],
            "seed": derive_seed(self.seed, _SEEDS, seed) >> 1,
            "schedule": Schedule(
                iterations=self.last_iteration(learner),
                measure_minutes=None,
                measure_iterations=math.gcd(self.size.every, self._shortest),
                checkpoint_seconds=60.0,
            ),
            "measure_games": 1,
            "measure_simulations": 0,
            "measure_positions": 0,
        }
        return Training(label=f"{learner}, seed {seed}", config=AlphaZeroConfig.preset("gumbel", **fields), cores=1)

    def agent(self, at: TrainedUntil) -> AgentSpec:
        """The network's own move, without search. It sees positions from one side, so that images are one to it."""
        return self._agents[at]

    @cached_property
    def _agents(self) -> dict[TrainedUntil, AgentSpec]:
        return {
            at: self.training(at.learner, at.seed).agent(0, iteration=at.iteration, view="one-side")
            for at in self.checkpoints
        }

    def played(self, at: TrainedUntil) -> Played:
        """Its games as first player."""
        return Played(
            task=self.classes,
            a=self.agent(at),
            b=self.opponent,
            games=self.size.games * len(self.classes.rules),
            moves_first="a",
            seed=self.seed,
            draws=(_SEEDS,),
        )
