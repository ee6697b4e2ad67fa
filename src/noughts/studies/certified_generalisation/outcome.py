"""What `certified-generalisation` found: answers put together as its tables and findings ask for them."""

import itertools
from collections.abc import Sequence
from typing import Literal, NamedTuple

from noughts.examine.judge import Tally
from noughts.rules import Rules
from noughts.statistics import Interval, wilson
from noughts.studies.certified_generalisation.plan import CertifiedPlan
from noughts.studies.checkpoints.outcome import CheckpointsFound, Share
from noughts.studies.checkpoints.plan import TrainedUntil

Reading = Literal["positions", "seconds", "operations"]
READINGS: tuple[Reading, ...] = ("positions", "seconds", "operations")
"""What networks may be given equal amounts of: positions of self-play, seconds on one core, floating-point operations."""


class Spent(NamedTuple):
    """What a training had taken at a checkpoint."""

    positions: float
    seconds: float
    operations: float


class CertifiedClasses(NamedTuple):
    """Of so many classes that were decided, so many are proved by a checked certificate; others were given up."""

    proved: int
    decided: int
    given_up: int


class CertificateFound(CheckpointsFound[CertifiedPlan]):
    """All that is known so far."""

    def spent(self, at: TrainedUntil) -> Spent | None:
        """What its training had taken; None while that is not known."""
        point, cost = self.point(at), self.answers[self.plan.cost(at.learner)]
        if point is None or cost is None:
            return None
        looks = sum(self.plan.looks(at, point.positions))
        return Spent(point.positions, point.seconds, looks * cost.operations)

    def certified(self, at: TrainedUntil, where: Sequence[Rules]) -> CertifiedClasses:
        """How many classes are proved: their certificates were checked."""
        walks = self.answers[self.plan.walked(at)].by_rules
        found = [walks[rules] for rules in where if rules in walks]
        given_up = sum(not (result.proved or result.lost_game is not None) for result in found)
        return CertifiedClasses(sum(result.proved for result in found), len(found) - given_up, given_up)

    def is_proved(self, at: TrainedUntil, rules: Rules) -> bool | None:
        """Whether it is proved on a class; None if that is not decided."""
        result = self.answers[self.plan.walked(at)].by_rules.get(rules)
        if result is None or not (result.proved or result.lost_game is not None):
            return None
        return result.proved

    def off_policy(self, at: TrainedUntil, where: Sequence[Rules]) -> Tally:
        """Its moves beside truth in positions of random play."""
        judged, agent = self.answers[self.plan.judged(at.learner, at.seed)], self.plan.agent(at)
        return sum((tally for rules in where for tally in judged.of(agent, rules).values()), Tally())

    def on_policy(self, at: TrainedUntil, where: Sequence[Rules]) -> Tally:
        """The same in positions of its own games."""
        found = (self.answers[self.plan.on_policy(at, rules)] for rules in where)
        return sum((one.tally for one in found if one is not None), Tally())

    def budget(self, reading: Reading) -> float | None:
        """The most of something that every training had taken at its end; None while some are not trained."""
        ends = [
            self.spent(TrainedUntil(*pair, iteration=self.plan.last_iteration(pair[0]))) for pair in self.plan.pairs
        ]
        known = [getattr(end, reading) for end in ends if end is not None]
        return min(known) if len(known) == len(ends) else None

    def within(self, network: str, reading: Reading, budget: float) -> list[TrainedUntil]:
        """The last checkpoint of each training that had taken no more than the budget, where there is one."""
        return [
            inside[-1]
            for seed in range(self.plan.seeds_of(network))
            if (inside := [at for at in self.of_seed(network, seed) if self._is_within(at, reading, budget)])
        ]

    def _is_within(self, at: TrainedUntil, reading: Reading, budget: float) -> bool:
        spent = self.spent(at)
        return spent is not None and getattr(spent, reading) <= budget * (1 + 1e-9)

    def chosen(self, network: str) -> list[TrainedUntil]:
        """Of each training the checkpoint chosen by the validation classes alone: most proved, then most won, then the earliest."""

        def worth(at: TrainedUntil) -> tuple[int, int, int]:
            classes = self.plan.validation
            return self.certified(at, classes).proved, self.total(at, classes).wins, -at.iteration

        seeds = (self.of_seed(network, seed) for seed in range(self.plan.seeds_of(network)))
        return [max(found, key=worth) for found in seeds if found]

    def lasting(self, network: str) -> tuple[int, int]:
        """Of so many proofs of an unseen or the seen class, how many the next checkpoint of the same training still has."""
        kept = of = 0
        for seed in range(self.plan.seeds_of(network)):
            for at, after in itertools.pairwise(self.of_seed(network, seed)):
                for rules in self.plan.classes.rules:
                    if self.is_proved(at, rules) and (still := self.is_proved(after, rules)) is not None:
                        of += 1
                        kept += still
        return kept, of

    def proved_share(self, where: Sequence[Rules]) -> Share:
        """The share of the decided classes that are proved."""

        def share(at: TrainedUntil) -> Interval | None:
            found = self.certified(at, where)
            return wilson(found.proved, found.decided) if found.decided else None

        return share

    def right_share(self, where: Sequence[Rules], own: bool) -> Share:
        """The share of choices that keep the value."""

        def share(at: TrainedUntil) -> Interval | None:
            tally = self.on_policy(at, where) if own else self.off_policy(at, where)
            return tally.optimal_interval if tally.choices else None

        return share
