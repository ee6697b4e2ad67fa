"""The results of `generalisation`, read: scores by square, walks, tallies, truths."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from noughts.examine.judge import Tally
from noughts.play.match import Score
from noughts.questions.settle import Answers
from noughts.rules import Rules
from noughts.store.records import GameRecord
from noughts.studies.generalisation.jobs import Walked, read_tallies
from noughts.studies.generalisation.plan import (
    Contender,
    Plan,
    all_squares,
    judge_key,
    judged_sims,
    match_name,
    square_classes,
    truth_classes,
    truth_key,
    walk_key,
)
from noughts.studies.study import Results
from noughts.studies.trained import Trained


class Truths(NamedTuple):
    """Who wins some games under perfect play: how many are proved for either side, and how many are not decided."""

    first: int
    second: int
    unknown: int


class Judged(NamedTuple):
    """A contender's tallies with so many simulations: by ply, and by whether the square was seen in training."""

    plies: dict[int, Tally]
    seen: Tally
    unseen: Tally


class Found:
    """All that is known so far."""

    def __init__(self, plan: Plan, results: Results) -> None:
        self._plan, self._results = plan, results
        self._matches = results.by_match()

    def trained(self, contender: Contender) -> Trained | None:
        """What became of its training."""
        return None if contender.training is None else contender.training.trained(self._results)

    def records(self, contender: Contender, sims: int, ties: str, rules: Rules) -> list[GameRecord]:
        """Its games in one game, in the order of their numbers."""
        return self._matches.get(match_name(contender, sims, ties, rules), [])

    def by_square(self, contender: Contender, sims: int, ties: str) -> dict[Rules, Score]:
        """The games that count for Table 7: so many on each square."""
        most = self._plan.size.games
        scores = {rules: score(self.records(contender, sims, ties, rules)[:most]) for rules in all_squares()}
        return {rules: found for rules, found in scores.items() if found.games or found.errors}

    def moved(self, contender: Contender, sims: int, board: str) -> dict[Rules, Score]:
        """Its games on a board it was not trained on."""
        scores = {rules: score(self.records(contender, sims, "random", rules)) for rules in self._plan.boards[board]}
        return {rules: found for rules, found in scores.items() if found.games or found.errors}

    def walks(self, contender: Contender, sims: int) -> dict[Rules, Walked]:
        """Its walks, by square."""
        found: dict[Rules, Walked] = {}
        for group in self._plan.walked:
            text = self._results.measurements.get(walk_key(contender, sims, group[0]))
            if text is not None:
                walk = Walked.from_json(text)
                found |= {rules: walk.moved(group[0], rules) for rules in group}
        return {rules: found[rules] for rules in self._plan.proved if rules in found}

    def judged(self, contender: Contender, sims: int) -> Judged:
        """Its tallies."""
        called, seen = contender.called(sims), contender.seen()
        plies = dict.fromkeys(self._plan.size.plies, Tally())
        halves = {True: Tally(), False: Tally()}
        for (rules, ply), tallies in self._tallies.items():
            tally = tallies.get(called, Tally())
            plies[ply] += tally
            halves[rules.bricks[0] in seen] += tally
        return Judged(plies, halves[True], halves[False])

    @cached_property
    def _tallies(self) -> dict[tuple[Rules, int], dict[str, Tally]]:
        found = {}
        for group in square_classes():
            for ply in self._plan.size.plies:
                text = self._results.measurements.get(judge_key(group[0], ply))
                if text is not None:
                    found[group[0], ply] = read_tallies(text)
        return found

    def truths(self, board: str) -> Truths:
        """Who wins the games on a board."""
        games = self._plan.boards[board]
        won, lost = 0, 0
        for group in truth_classes(games):
            text = self._results.measurements.get(truth_key(group[0]))
            values = [] if text is None else [answer.value for answer in Answers.from_json(text).answers]
            won, lost = won + values.count(1), lost + values.count(-1)
        return Truths(won, lost, len(games) - won - lost)


def score(records: Iterable[GameRecord]) -> Score:
    """Games from the first player's point of view."""
    endings = [record.ending for record in records]
    return Score(
        wins=endings.count("first"),
        draws=endings.count("draw"),
        losses=endings.count("second"),
        errors=endings.count("error"),
    )


def total(scores: dict[Rules, Score], where: Callable[[Rules], bool] = lambda rules: True) -> Score:
    """The scores of some squares together."""
    return sum((found for rules, found in scores.items() if where(rules)), Score())


def halves(contender: Contender, scores: dict[Rules, Score]) -> tuple[Score, Score]:
    """On squares that it saw in training, and on the others."""
    seen = contender.seen()
    return (
        total(scores, lambda rules: rules.bricks[0] in seen),
        total(scores, lambda rules: rules.bricks[0] not in seen),
    )


def best_sims(contender: Contender) -> int:
    """The most simulations with which it is judged, and plays."""
    return max(judged_sims(contender))
