"""What `certified-generalisation` trains and asks, as its frozen settings have it."""

from collections.abc import Mapping
from functools import cached_property

from noughts.examine.sample import Plies
from noughts.questions.judged import Judged
from noughts.questions.network_cost import NetworkCost
from noughts.questions.on_policy import OnPolicy
from noughts.questions.walked import Walked
from noughts.rules import Rules, parse_rules
from noughts.studies.checkpoints.plan import CheckpointPlan, FrozenSettings, RunSizes, TrainedUntil, read_settings
from noughts.studies.study import Settings

STUDY = "certified-generalisation"


class CertifiedSizes(RunSizes):
    """How much is run at a scale.

    Attributes:
        most, hunt: Positions of a walk, and those that a narrow one keeps of each level.
        plies, per_ply, nodes: Positions of random play that are judged, on a square of each class.
        own_games, own_positions: Games in which the agent's own positions are met, and how many of them are judged.
        iterations: Of training, by network.
        fewer: Trainings of the networks that have fewer than `seeds`: a costly one would take most of the time.
    """

    most: int
    hunt: int
    plies: Plies
    per_ply: int
    own_games: int
    own_positions: int
    nodes: int
    iterations: dict[str, int]
    fewer: dict[str, int]


class CertifiedSettings(FrozenSettings):
    """The file `settings.json`.

    Attributes:
        validation, test: First squares of the classes by which a checkpoint is chosen, and of those on which it is tested.
        networks: By what they are called.
    """

    validation: tuple[str, ...]
    test: tuple[str, ...]
    networks: dict[str, str]
    scales: Mapping[str, CertifiedSizes]


SETTINGS, FROZEN = read_settings(CertifiedSettings, "certified_generalisation/settings.json")


class CertifiedPlan(CheckpointPlan[CertifiedSettings, CertifiedSizes]):
    """All that a scale holds, for one seed of the study."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, SETTINGS, SETTINGS.scales[settings.scale])

    @cached_property
    def learners(self) -> Mapping[str, Mapping[str, str]]:
        """The networks."""
        return {name: {"network": network} for name, network in self.frozen.networks.items()}

    def last_iteration(self, learner: str) -> int:
        """Each network has its own."""
        return self.size.iterations[learner]

    def seeds_of(self, learner: str) -> int:
        """Some networks have fewer."""
        return self.size.fewer.get(learner, self.size.seeds)

    @cached_property
    def trained_on(self) -> Rules:
        """The game that all train on."""
        return parse_rules(self.frozen.trained_on)

    def named(self, names: tuple[str, ...]) -> tuple[Rules, ...]:
        """Those of the classes that are called so."""
        return tuple(rules for rules in self.classes.rules if rules.brick_names() in names)

    @cached_property
    def validation(self) -> tuple[Rules, ...]:
        """Classes by which a checkpoint is chosen."""
        return self.named(self.frozen.validation)

    @cached_property
    def test(self) -> tuple[Rules, ...]:
        """Classes on which the chosen one is tested."""
        return self.named(self.frozen.test)

    def walked(self, at: TrainedUntil) -> Walked:
        """Every reply to it."""
        return Walked(task=self.classes, agent=self.agent(at), side="first", hunt=self.size.hunt, most=self.size.most)

    def judged(self, learner: str, seed: int) -> Judged:
        """Its checkpoints in the same positions of random play."""
        at = [TrainedUntil(learner, seed, iteration) for iteration in self.iterations(learner)]
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

    def cost(self, learner: str) -> NetworkCost:
        """What it costs a network to look at a position."""
        return NetworkCost(network=self.frozen.networks[learner], rules=self.trained_on)

    def looks(self, at: TrainedUntil, positions: float) -> tuple[float, float]:
        """How often a training has looked at its network, until there and after so many positions of self-play.

        In self-play once for each simulation and once more for each position; in learning three times for each position,
        since a gradient takes twice what a look takes.
        """
        config = self.training(at.learner, at.seed).settings
        search, batch, steps = (getattr(config, name) for name in ("search", "batch", "steps"))
        return positions * (search.simulations + 1), 3 * at.iteration * steps * batch
