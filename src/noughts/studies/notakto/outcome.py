"""What became of a training: its games, and when no reply beat it any more."""

from collections.abc import Sequence
from typing import NamedTuple

from noughts.examine.walk_result import WalkResult
from noughts.questions.answers import Answers
from noughts.studies.notakto.plan import BoardTraining


class FirstProof(NamedTuple):
    """The first measurement at which an agent is proved."""

    iteration: int
    positions: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.iteration} iterations, {self.positions:,} positions"


def walks_by_iteration(run: BoardTraining, sims: int, answers: Answers) -> list[tuple[int, WalkResult]]:
    """By iteration, those that are known."""
    found = ((iteration, answers[walk]) for iteration, walk in run.walks(sims).items())
    return [(iteration, game.result) for iteration, task in found for game in task.games]


def first_proof(run: BoardTraining, sims: int, answers: Answers) -> FirstProof | None:
    """The first measurement at which no reply beats it; None if there is none, or not yet."""
    trained = answers[run.training]
    points = {} if trained is None else {point.iteration: point for point in trained.curve}
    for iteration, walk in walks_by_iteration(run, sims, answers):
        if walk.proved and iteration in points:
            return FirstProof(iteration, points[iteration].positions, points[iteration].seconds)
    return None


class OverSeeds(NamedTuple):
    """What became of several trainings of one network on one board.

    Attributes:
        trained: How many were walked.
        proved: Of these, how many were proved at some measurement.
        at_the_end: How many at the last one.
        later: Measurements after a first proof, of all of them together.
        still: How many of these are proved.
    """

    trained: int
    proved: int
    at_the_end: int
    later: int
    still: int


def over_seeds(runs: Sequence[BoardTraining], sims: int, answers: Answers) -> OverSeeds:
    """Counted over the trainings that were walked."""
    found = [[walk.proved for _, walk in walks_by_iteration(run, sims, answers)] for run in runs]
    known = [walks for walks in found if walks]
    after = [later for walks in known if True in walks for later in walks[walks.index(True) + 1 :]]
    return OverSeeds(len(known), sum(map(any, known)), sum(walks[-1] for walks in known), len(after), sum(after))
