"""What `certified-generalisation` trains and asks, as its frozen settings have it."""

import hashlib
import json
import math
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, ClassVar, NamedTuple

from noughts.agents import AgentSpec, parse_agent
from noughts.examine.sample import Plies
from noughts.positions import derive_seed
from noughts.questions.judged import Judged
from noughts.questions.network_cost import NetworkCost
from noughts.questions.on_policy import OnPolicy
from noughts.questions.played import Played
from noughts.questions.trained import Training
from noughts.questions.walked import Walked
from noughts.rules import Rules, Task, Value, parse_task, task_of
from noughts.rules.symmetry import image_classes
from noughts.studies.study import Settings
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.schedule import Schedule

STUDY = "certified-generalisation"
SETTINGS = "certified_generalisation/settings.json"
SQUARES = parse_task("bttt(*)")
CLASS_SIZE = {group[0].brick_names(): len(group) for group in image_classes(SQUARES.rules)}
"""By the first square of each class of images: how many squares are in it. The 49 squares fall into 10 classes."""


class RunSizes(Value):
    """How much is run at a scale.

    Attributes:
        seeds: Trainings of each network.
        squares: First squares of the classes that are asked about; none for all.
        games: Against Minimax on a square of each class, at every checkpoint.
        most, hunt: Positions of a walk, and those that a narrow one keeps of each level.
        plies, per_ply, nodes: Positions of random play that are judged, on a square of each class.
        own_games, own_positions: Games in which the agent's own positions are met, and how many of them are judged.
        iterations: Of training, by network.
        every: A checkpoint comes after so many iterations each.
        training: Fields of the configuration that differ from Gumbel AlphaZero's.
    """

    called: ClassVar = "settings of a scale"

    seeds: int
    squares: tuple[str, ...]
    games: int
    most: int
    hunt: int
    plies: Plies
    per_ply: int
    own_games: int
    own_positions: int
    nodes: int
    iterations: dict[str, int]
    every: int
    training: dict[str, Any]


class FrozenSettings(Value):
    """The file `settings.json`.

    Attributes:
        trained_on: The only game that training shows.
        validation, test: First squares of the classes by which a checkpoint is chosen, and of those on which it is tested.
        opponent: Whom games are played against.
        seen_score: From this share of wins on its training class on, networks are compared at equal seen score.
        margin: Shares that are less apart count as equal.
        networks: By what they are called.
        scales: By name.
    """

    called: ClassVar = "frozen settings"

    about: str
    trained_on: str
    validation: tuple[str, ...]
    test: tuple[str, ...]
    opponent: str
    seen_score: float
    margin: float
    networks: dict[str, str]
    scales: dict[str, RunSizes]


def settings_bytes() -> bytes:
    """The file as it is."""
    return files("noughts.studies").joinpath(SETTINGS).read_bytes()


@lru_cache(maxsize=1)
def frozen_settings() -> FrozenSettings:
    """What it says."""
    return FrozenSettings(**json.loads(settings_bytes()))


def settings_hash() -> str:
    """SHA-256 of the file, hexadecimal digits."""
    return hashlib.sha256(settings_bytes()).hexdigest()


class TrainedUntil(NamedTuple):
    """A network in training: the one of a seed, after so many iterations."""

    network: str
    seed: int
    iteration: int


class CertifiedPlan:
    """All that a scale holds, for one seed of the study."""

    def __init__(self, settings: Settings) -> None:
        self.frozen = frozen_settings()
        self.seed, self.size = settings.seed, self.frozen.scales[settings.scale]
        self.opponent = parse_agent(self.frozen.opponent)

    @cached_property
    def seen(self) -> Rules:
        """The game it trains on."""
        return parse_task(self.frozen.trained_on).rules[0]

    @cached_property
    def classes(self) -> Task:
        """The first square of each class that is asked about."""
        first = (group[0] for group in image_classes(SQUARES.rules))
        return task_of(*(r for r in first if not self.size.squares or r.brick_names() in self.size.squares))

    def named(self, names: tuple[str, ...]) -> tuple[Rules, ...]:
        """Those of the classes that are called so."""
        return tuple(rules for rules in self.classes.rules if rules.brick_names() in names)

    @cached_property
    def unseen(self) -> tuple[Rules, ...]:
        """The first squares of the others."""
        return tuple(rules for rules in self.classes.rules if rules != self.seen)

    @cached_property
    def validation(self) -> tuple[Rules, ...]:
        """Classes by which a checkpoint is chosen."""
        return self.named(self.frozen.validation)

    @cached_property
    def test(self) -> tuple[Rules, ...]:
        """Classes on which the chosen one is tested."""
        return self.named(self.frozen.test)

    def iterations(self, network: str) -> list[int]:
        """After which ones there is a checkpoint: one of them is where the shortest training ends, so that all have one after
        equal positions."""
        last, common = self.size.iterations[network], min(self.size.iterations.values())
        return sorted({*range(self.size.every, last, self.size.every), common, last})

    @cached_property
    def checkpoints(self) -> tuple[TrainedUntil, ...]:
        """All of them, first seeds first."""
        return tuple(
            TrainedUntil(network, seed, iteration)
            for seed in range(self.size.seeds)
            for network in self.frozen.networks
            for iteration in self.iterations(network)
        )

    def training(self, network: str, seed: int) -> Training:
        """A training, on one core: so that several go side by side, and a second means the same for all."""
        return self._trainings[network, seed]

    @cached_property
    def _trainings(self) -> dict[tuple[str, int], Training]:
        pairs = ((network, seed) for network in self.frozen.networks for seed in range(self.size.seeds))
        return {(network, seed): self._training(network, seed) for network, seed in pairs}

    def _training(self, network: str, seed: int) -> Training:
        config = AlphaZeroConfig.preset(
            "gumbel",
            **{
                **self.size.training,
                "task": self.frozen.trained_on,
                "network": self.frozen.networks[network],
                "seed": derive_seed(self.seed, STUDY, seed) >> 1,
                "schedule": Schedule(
                    iterations=self.size.iterations[network],
                    measure_minutes=None,
                    measure_iterations=math.gcd(self.size.every, min(self.size.iterations.values())),
                    checkpoint_seconds=60.0,
                ),
                "measure_games": 1,
                "measure_simulations": 0,
                "measure_positions": 0,
            },
        )
        return Training(label=f"{network}, seed {seed}", config=config, cores=1)

    def agent(self, at: TrainedUntil) -> AgentSpec:
        """The network's own move, without search. It sees positions from one side, so that images are one to it."""
        return self._agents[at]

    @cached_property
    def _agents(self) -> dict[TrainedUntil, AgentSpec]:
        return {
            at: self.training(at.network, at.seed).agent(0, iteration=at.iteration, view="one-side")
            for at in self.checkpoints
        }

    def played(self, at: TrainedUntil) -> Played:
        """Its games as first player."""
        return Played(
            task=self.classes,
            a=self.agent(at),
            b=self.opponent,
            games=self.size.games * len(self.classes.rules),
            seed=self.seed,
            draws=(STUDY,),
        )

    def walked(self, at: TrainedUntil) -> Walked:
        """Every reply to it."""
        return Walked(task=self.classes, agent=self.agent(at), side="first", hunt=self.size.hunt, most=self.size.most)

    def judged(self, network: str, seed: int) -> Judged:
        """Its checkpoints in the same positions of random play."""
        at = [TrainedUntil(network, seed, iteration) for iteration in self.iterations(network)]
        return Judged(
            task=self.classes,
            named=tuple(map(self.agent, at)),
            all_up_to=0,
            per_ply=self.size.per_ply,
            plies=self.size.plies,
            nodes=self.size.nodes,
            seed=self.seed,
        )

    def on_policy(self, at: TrainedUntil, rules: Rules) -> OnPolicy:
        """The same in positions of its own games."""
        return OnPolicy(
            agent=self.agent(at),
            opponent=self.opponent,
            rules=rules,
            games=self.size.own_games,
            plies=self.size.plies,
            most=self.size.own_positions,
            nodes=self.size.nodes,
            seed=self.seed,
        )

    def cost(self, network: str) -> NetworkCost:
        """What it costs a network to look at a position."""
        return NetworkCost(network=self.frozen.networks[network], rules=self.seen)
