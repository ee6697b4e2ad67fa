"""What `certified-generalisation` found: answers put together as its tables and findings ask for them."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from noughts.examine.judge import Tally
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.played import GameScore
from noughts.questions.trained import Point
from noughts.rules import Rules
from noughts.statistics import ClusteredShare, Interval, clustered_share, mean_interval, wilson
from noughts.studies.certified_generalisation.plan import CertifiedPlan, TrainedUntil

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


class CertificateFound:
    """All that is known so far."""

    def __init__(self, plan: CertifiedPlan, answers: Answers) -> None:
        self._plan, self._answers = plan, answers

    @cached_property
    def done(self) -> dict[tuple[str, int], dict[int, Point]]:
        """By network and seed: the measurements of those that are trained, by iteration."""
        found = {}
        for seed in range(self._plan.size.seeds):
            for network in self._plan.frozen.networks:
                trained = self._answers[self._plan.training(network, seed)]
                if trained is not None:
                    found[network, seed] = {point.iteration: point for point in trained.curve}
        return found

    def spent(self, at: TrainedUntil) -> Spent | None:
        """What its training had taken; None while that is not known.

        Operations: one look at the network for each simulation and one more for each position of self-play, and three
        for each position learned from, since a gradient takes twice what a look takes.
        """
        point = self.done.get((at.network, at.seed), {}).get(at.iteration)
        cost = self._answers[self._plan.cost(at.network)]
        if point is None or cost is None:
            return None
        config = self._plan.training(at.network, at.seed).settings
        search, batch, steps = (getattr(config, name) for name in ("search", "batch", "steps"))
        looks = point.positions * (search.simulations + 1) + 3 * at.iteration * steps * batch
        return Spent(point.positions, point.seconds, looks * cost.operations)

    def scores(self, at: TrainedUntil, where: Iterable[Rules]) -> list[GameScore]:
        """Its games on some squares."""
        wanted = set(where)
        return [game for game in self._answers[self._plan.played(at)].by_game if game.rules in wanted]

    def wins(self, at: TrainedUntil, where: Iterable[Rules]) -> ClusteredShare | None:
        """The share of games won, its interval by classes; None without games."""
        games = [game for game in self.scores(at, where) if game.score.games]
        if not games:
            return None
        return clustered_share([game.score.wins for game in games], [game.score.games for game in games])

    def total(self, at: TrainedUntil, where: Iterable[Rules]) -> Score:
        """All games on some squares together."""
        return sum((game.score for game in self.scores(at, where)), Score())

    def certified(self, at: TrainedUntil, where: Sequence[Rules]) -> CertifiedClasses:
        """How many classes are proved: their certificates were checked."""
        walks = self._answers[self._plan.walked(at)].by_rules
        found = [walks[rules] for rules in where if rules in walks]
        given_up = sum(not (result.proved or result.lost_game is not None) for result in found)
        return CertifiedClasses(sum(result.proved for result in found), len(found) - given_up, given_up)

    def is_proved(self, at: TrainedUntil, rules: Rules) -> bool | None:
        """Whether it is proved on a class; None if that is not decided."""
        result = self._answers[self._plan.walked(at)].by_rules.get(rules)
        if result is None or not (result.proved or result.lost_game is not None):
            return None
        return result.proved

    def off_policy(self, at: TrainedUntil, where: Sequence[Rules]) -> Tally:
        """Its moves beside truth in positions of random play."""
        judged, agent = self._answers[self._plan.judged(at.network, at.seed)], self._plan.agent(at)
        return sum((tally for rules in where for tally in judged.of(agent, rules).values()), Tally())

    def on_policy(self, at: TrainedUntil, where: Sequence[Rules]) -> Tally:
        """The same in positions of its own games."""
        found = (self._answers[self._plan.on_policy(at, rules)] for rules in where)
        return sum((one.tally for one in found if one is not None), Tally())

    def of_seed(self, network: str, seed: int) -> list[TrainedUntil]:
        """The checkpoints of a training that are walked and played."""
        found = (TrainedUntil(network, seed, iteration) for iteration in self._plan.iterations(network))
        return [at for at in found if self.spent(at) is not None and self.total(at, self._plan.classes.rules).games]

    def budget(self, reading: Reading) -> float | None:
        """The most of something that every training had taken at its end; None while some are not trained."""
        ends = [
            self.spent(TrainedUntil(network, seed, self._plan.iterations(network)[-1]))
            for network in self._plan.frozen.networks
            for seed in range(self._plan.size.seeds)
        ]
        known = [getattr(end, reading) for end in ends if end is not None]
        return min(known) if known and len(known) == len(ends) else None

    def within(self, network: str, seed: int, reading: Reading, budget: float) -> TrainedUntil | None:
        """The last checkpoint of a training that had taken no more than the budget; None if there is none."""
        inside = [
            at
            for at in self.of_seed(network, seed)
            if (spent := self.spent(at)) is not None and getattr(spent, reading) <= budget * (1 + 1e-9)
        ]
        return inside[-1] if inside else None

    def mastered(self, network: str, seed: int) -> TrainedUntil | None:
        """The first checkpoint that wins its training class as often as the settings ask; None if none does."""
        for at in self.of_seed(network, seed):
            seen = self.total(at, (self._plan.seen,))
            if seen.games and seen.wins >= self._plan.frozen.seen_score * seen.games:
                return at
        return None

    def chosen(self, network: str, seed: int) -> TrainedUntil | None:
        """The checkpoint chosen by the validation classes alone: most proved, then most won, then the earliest."""
        found = self.of_seed(network, seed)
        classes = self._plan.validation
        return max(
            found,
            key=lambda at: (self.certified(at, classes).proved, self.total(at, classes).wins, -at.iteration),
            default=None,
        )

    def lasting(self, network: str) -> tuple[int, int]:
        """Of so many proofs of an unseen or the seen class, how many the next checkpoint of the same training still has."""
        kept = of = 0
        for seed in range(self._plan.size.seeds):
            found = self.of_seed(network, seed)
            for at, after in itertools.pairwise(found):
                for rules in self._plan.classes.rules:
                    if self.is_proved(at, rules) and (still := self.is_proved(after, rules)) is not None:
                        of += 1
                        kept += still
        return kept, of

    def over_seeds(
        self, checkpoints: Sequence[TrainedUntil], share: Callable[[TrainedUntil], Interval | None]
    ) -> Interval | None:
        """The mean over checkpoints of different seeds: of one alone with its own interval, else Student's over seeds."""
        known = [found for at in checkpoints if (found := share(at)) is not None]
        if len(known) < 2:
            return known[0] if known else None
        mean = mean_interval([found.share for found in known])
        return Interval(mean.mean, max(0.0, mean.low), min(1.0, mean.high))

    def won_share(self, where: Sequence[Rules]) -> Callable[[TrainedUntil], Interval | None]:
        """The share of wins of a checkpoint; on one class by its games, on several by bootstrap over these."""

        def share(at: TrainedUntil) -> Interval | None:
            if len(where) == 1:
                score = self.total(at, where)
                return score.win_interval if score.games else None
            found = self.wins(at, where)
            return None if found is None else found.interval

        return share

    def proved_share(self, where: Sequence[Rules]) -> Callable[[TrainedUntil], Interval | None]:
        """The share of the decided classes that are proved."""

        def share(at: TrainedUntil) -> Interval | None:
            found = self.certified(at, where)
            return wilson(found.proved, found.decided) if found.decided else None

        return share

    def right_share(self, where: Sequence[Rules], own: bool) -> Callable[[TrainedUntil], Interval | None]:
        """The share of choices that keep the value."""

        def share(at: TrainedUntil) -> Interval | None:
            tally = self.on_policy(at, where) if own else self.off_policy(at, where)
            return tally.optimal_interval if tally.choices else None

        return share
