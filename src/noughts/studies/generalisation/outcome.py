"""What `generalisation` found: answers put together as its tables and findings ask for them."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import NamedTuple

from noughts.examine.judge import Tally
from noughts.examine.walk_result import WalkResult
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.judged import JudgedTask
from noughts.questions.played import GameScore
from noughts.questions.trained import Trained
from noughts.rules import Rules, format_game
from noughts.rules.symmetry import image_classes
from noughts.statistics import ClusteredShare, clustered_share
from noughts.studies.brick_squares import CLASSES
from noughts.studies.generalisation.plan import VARIANTS, Contender, Plan


class Winners(NamedTuple):
    """Who wins some games under perfect play: how many are proved for either side, and how many are not decided."""

    first: int
    second: int
    unknown: int


class Optimal(NamedTuple):
    """A contender's tallies with so many simulations: by ply, and by whether the square was seen in training."""

    plies: dict[int, Tally]
    seen: Tally
    unseen: Tally


class Found:
    """All that is known so far."""

    def __init__(self, plan: Plan, answers: Answers) -> None:
        self._plan, self._answers = plan, answers

    def trained(self, contender: Contender) -> Trained | None:
        """What became of its training."""
        return None if contender.training is None else self._answers[contender.training]

    def by_square(self, contender: Contender, sims: int, ties: str) -> dict[Rules, Score]:
        """The games that count for Table 7: so many on each square."""
        found = self._answers[self._plan.on_squares(contender, sims, ties)]
        return {game.rules: game.score for game in found.by_game}

    def variants(self, contender: Contender, sims: int) -> dict[Rules, GameScore]:
        """Its games on the paper's two squares."""
        found = self._answers[self._plan.on_variants(contender, sims)]
        return {game.rules: game for game in found.by_game}

    def sequences(self, contender: Contender, sims: int, ties: str) -> int:
        """How many different sequences of moves it played on the 49 squares, wherever the brick was."""
        records = self._plan.on_squares(contender, sims, ties).records(self._answers)
        return len({record.moves for record in records})

    def distinct(self, contender: Contender, sims: int, ties: str) -> int:
        """How many of the games that count for Table 7 differ, on each square by itself."""
        return self._answers[self._plan.on_squares(contender, sims, ties)].distinct

    def distinct_elsewhere(self, contender: Contender, sims: int, board: str) -> int:
        """The same of its games on a board it was not trained on."""
        return self._answers[self._plan.elsewhere(contender, sims, board)].distinct

    def lost_game(self, contender: Contender, sims: int, rules: Rules) -> str:
        """The first game on a square that it lost against random ties, as text; empty if it lost none."""
        plan, among = self._plan, rules in VARIANTS.values()
        played = plan.on_variants(contender, sims) if among else plan.on_squares(contender, sims, "random")
        record = played.lost(self._answers, rules)
        return "" if record is None else format_game(rules, record.moves)

    def elsewhere(self, contender: Contender, sims: int, board: str) -> dict[Rules, Score]:
        """Its games on a board it was not trained on."""
        found = self._answers[self._plan.elsewhere(contender, sims, board)]
        return {game.rules: game.score for game in found.by_game}

    def walks(self, contender: Contender, sims: int) -> Mapping[Rules, WalkResult]:
        """Its walks, by square."""
        return self._answers[self._plan.walk(contender, sims)].by_rules

    def judged(self, contender: Contender, sims: int) -> Optimal:
        """Its tallies."""
        seen, agent = contender.seen(), contender.agent(sims)
        plies = dict.fromkeys(self._plan.size.plies, Tally())
        halves = {True: Tally(), False: Tally()}
        for ply, found in self._judged.items():
            for rules, *_ in CLASSES:
                tally = found.of(agent, rules).get(ply, Tally())
                plies[ply] += tally
                halves[rules.bricks[0] in seen] += tally
        return Optimal(plies, halves[True], halves[False])

    @cached_property
    def _judged(self) -> dict[int, JudgedTask]:
        return {ply: self._answers[self._plan.judging(ply)] for ply in self._plan.size.plies}

    def winners(self, board: str) -> Winners:
        """Who wins the games on a board."""
        asked = self._plan.truth(board)
        solved = None if asked is None else self._answers[asked]
        values = [] if solved is None else [game.found.value for game in solved.games]
        first, second = values.count(1), values.count(-1)
        return Winners(first, second, len(self._plan.boards[board].rules) - first - second)


def total(scores: Mapping[Rules, Score], where: Callable[[Rules], bool] = lambda rules: True) -> Score:
    """The scores of some squares together."""
    return sum((found for rules, found in scores.items() if where(rules)), Score())


def by_class(scores: Mapping[Rules, Score]) -> ClusteredShare:
    """The share of wins, its interval by classes of games that are images of one another."""
    classes = [total(scores, group.__contains__) for group in image_classes(scores)]
    return clustered_share([score.wins for score in classes], [score.games for score in classes])


def halves(contender: Contender, scores: Mapping[Rules, Score]) -> tuple[Score, Score]:
    """On squares that it saw in training, and on the others."""
    seen = contender.seen()
    return (
        total(scores, lambda rules: rules.bricks[0] in seen),
        total(scores, lambda rules: rules.bricks[0] not in seen),
    )


def best_sims(contender: Contender) -> int:
    """The most simulations with which it is judged, and plays."""
    return max(contender.judged)
