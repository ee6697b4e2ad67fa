"""What became of a training: its games, and when no reply beat it any more."""

from typing import NamedTuple

from noughts.play.match import Score
from noughts.positions import Side
from noughts.studies.examined import Match, Walked, walked
from noughts.studies.notakto.plan import Run
from noughts.studies.study import Results


class Proof(NamedTuple):
    """The first measurement at which an agent is proved."""

    iteration: int
    positions: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.iteration} iterations, {self.positions:,} positions"


def score_of(run: Run, match: Match, results: Results) -> Score:
    """From the point of view of the agent that was trained."""
    score = match.score(results)
    if run.board.side is Side.FIRST:
        return score
    return Score(wins=score.losses, draws=score.draws, losses=score.wins, errors=score.errors)


def walks_by_iteration(run: Run, sims: int, results: Results) -> list[tuple[int, Walked]]:
    """By iteration, those that are known."""
    found = ((i, walked(run.examined(n, sims), run.board.side, results)) for n, i in enumerate(run.iterations, 1))
    return [(iteration, walk) for iteration, walk in found if walk is not None]


def first_proof(run: Run, sims: int, results: Results) -> Proof | None:
    """The first measurement at which no reply beats it; None if there is none, or not yet."""
    trained = run.training.trained(results)
    points = {} if trained is None else {point.iteration: point for point in trained.curve}
    for iteration, walk in walks_by_iteration(run, sims, results):
        if walk.proved and iteration in points:
            return Proof(iteration, points[iteration].positions, points[iteration].seconds)
    return None
