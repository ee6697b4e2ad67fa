"""What became of learners at their checkpoints: their games on classes seen and unseen."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.played import GameScore
from noughts.questions.trained import Point
from noughts.rules import Rules
from noughts.statistics import Interval, clustered_share, mean_share
from noughts.studies.checkpoints.plan import CheckpointPlan, TrainedUntil

P = TypeVar("P", bound=CheckpointPlan[Any, Any])
Share = Callable[[TrainedUntil], Interval | None]
"""A share of something at a checkpoint, with its interval; None where it is not known."""


class CheckpointsFound(Generic[P]):
    """All that is known so far."""

    def __init__(self, plan: P, answers: Answers) -> None:
        self.plan, self.answers = plan, answers

    @cached_property
    def _points(self) -> dict[TrainedUntil, Point]:
        """The measurements of those that are trained."""
        found = {}
        for learner, seed in self.plan.pairs:
            trained = self.answers[self.plan.training(learner, seed)]
            for point in () if trained is None else trained.curve:
                found[TrainedUntil(learner, seed, point.iteration)] = point
        return found

    def point(self, at: TrainedUntil) -> Point | None:
        """What its training had taken there; None if it is not trained."""
        return self._points.get(at)

    def scores(self, at: TrainedUntil, where: Iterable[Rules]) -> list[GameScore]:
        """Its games on some squares."""
        wanted = set(where)
        return [game for game in self.answers[self.plan.played(at)].by_game if game.rules in wanted]

    def total(self, at: TrainedUntil, where: Iterable[Rules]) -> Score:
        """All games on some squares together."""
        return sum((game.score for game in self.scores(at, where)), Score())

    def of_seed(self, learner: str, seed: int) -> list[TrainedUntil]:
        """The checkpoints of a training that have played."""
        found = (TrainedUntil(learner, seed, iteration) for iteration in self.plan.iterations(learner))
        return [at for at in found if self.point(at) is not None and self.total(at, self.plan.classes.rules).games]

    def ends(self, learner: str) -> list[TrainedUntil]:
        """The last of these, of each seed."""
        return [at[-1] for seed in range(self.plan.seeds_of(learner)) if (at := self.of_seed(learner, seed))]

    def mastered(self, learner: str) -> list[TrainedUntil]:
        """Of each seed that gets there: the first checkpoint that wins its training classes as often as the settings ask."""
        return [
            first
            for seed in range(self.plan.seeds_of(learner))
            if (first := next(filter(self._masters, self.of_seed(learner, seed)), None)) is not None
        ]

    def _masters(self, at: TrainedUntil) -> bool:
        seen = self.total(at, self.plan.seen(at.learner))
        return seen.games > 0 and seen.wins >= self.plan.frozen.seen_score * seen.games

    def won_share(self, where: Sequence[Rules]) -> Share:
        """The share of wins of a checkpoint; on one class by its games, on several by bootstrap over these."""

        def share(at: TrainedUntil) -> Interval | None:
            scores = [game.score for game in self.scores(at, where) if game.score.games]
            if len(scores) < 2:
                return scores[0].win_interval if scores else None
            return clustered_share([score.wins for score in scores], [score.games for score in scores]).interval

        return share

    def won_seen(self, at: TrainedUntil) -> Interval | None:
        """The same on the classes that its training shows."""
        return self.won_share(self.plan.seen(at.learner))(at)


def over_seeds(checkpoints: Sequence[TrainedUntil], share: Share) -> Interval | None:
    """The mean over checkpoints of different seeds, of those whose share is known; None without any."""
    known = [found for at in checkpoints if (found := share(at)) is not None]
    return mean_share(known) if known else None
