"""Certified generalisation: after training on one class of squares, which others are won, played optimally and proved?

The settings in `certified_generalisation.json` were fixed in advance. `checkpoints` plans the trainings and games.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import inf
from statistics import fmean
from typing import Any, Literal

from noughts.document.citations import BRICK_PAPER
from noughts.document.result import Figure, Row
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.questions.judged import Judged
from noughts.questions.network_cost import NetworkCost
from noughts.questions.on_policy import OnPolicy
from noughts.questions.question import Question
from noughts.questions.walked import Walked
from noughts.rules import Rules, parse_rules
from noughts.rules.text import counted
from noughts.statistics import Interval, recover_variances, wilson
from noughts.studies.checkpoints import (
    OVER_SEEDS,
    UNSEEN_WINS,
    PlannedCheckpoints,
    Share,
    TrainedUntil,
    over_seeds,
    read_settings,
)
from noughts.studies.claims import curve_figure, in_points, percent, rate_row, share_row, total_of
from noughts.studies.games import in_random_positions
from noughts.studies.study import Conclusion, Settings, concluded, listed, section, with_minutes

SETTINGS, FROZEN = read_settings("certified_generalisation.json")


Reading = Literal["positions", "seconds", "operations"]
_AMOUNT: dict[Reading, str] = {
    "positions": "{:,.0f} positions",
    "seconds": "{:,.0f} s on one core",
    "operations": "{:.3g} operations",
}
"""The budgets that can be equal: positions of self-play, seconds on one core, floating-point operations."""


class CertifiedGeneralisation(PlannedCheckpoints):
    """Six networks, one training class; wins, exact accuracy and certificates at every checkpoint."""

    name = "certified-generalisation"
    title = "Certified generalisation"
    question = "Networks are trained on one class of brick squares. Which of them win, play optimally and are proved on unseen classes, and do the proofs last?"
    citations = (BRICK_PAPER,)
    takes_guests = False
    fixed, frozen = SETTINGS, FROZEN
    scales = with_minutes(
        {
            scale: f"{len(SETTINGS.networks)} networks, {counted(size.seeds, 'seed')}{''.join(f' ({name} {fewer})' for name, fewer in size.fewer.items())}, a checkpoint every {size.every} iterations"
            for scale, size in SETTINGS.scales.items()
        },
        quick=", about 4 minutes on two cores: too small for conclusions",
        laptop=", about two hours and a quarter on two cores",
        paper=", planned for many cores",
    )
    deviations = (
        "All networks learn by one protocol, Gumbel AlphaZero with equal settings. The Brick Tic-Tac-Toe paper's network does not train as in its paper, so no number here is compared with that paper's.",
        "Every network plays by its raw policy and sees positions in canonical form. It therefore plays alike on symmetric squares: one proof covers a class, and the sample consists of classes.",
        "Operations are those that the compiler counts for one evaluation of the network, times evaluations: one for each simulation, one more for each position, and three for each position learned from. Seconds are those of a training on one core, with others on the other cores, including measurements.",
        "A file that was fixed in advance defines validation and test classes, networks, budgets, margins and the threshold of mastery. Its hash is at the end of this page.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings of the first seeds first; then the questions about their checkpoints."""
        study = self.at(settings)
        return [
            *(study.cost(network) for network in study.learners),
            *study.trainings.values(),
            *(study.played(at) for at in study.checkpoints),
            *(study.walked(at) for at in study.checkpoints),
            *(study.judged(*pair) for pair in study.trainings),
            *(study.own_games(at, rules) for at in study.checkpoints for rules in study.classes.rules),
        ]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Three readings, equal seen score, the choice on validation classes, how long certificates last, and curves."""
        study = self.at(settings, answers)
        equal = study.equal_seen(("Network",), lambda network, at, more: _row(study, (network,), at, more))
        return concluded(_readings(study), equal, _tested(study), _lasting(study))

    def _plan(self, settings: Settings) -> None:
        super()._plan(settings)
        self.trained_on = parse_rules(SETTINGS.trained_on)
        self.validation, self.test = (
            tuple(rules for rules in self.classes.rules if rules.brick_names() in names)
            for names in (SETTINGS.validation, SETTINGS.test)
        )

    def walked(self, at: TrainedUntil) -> Walked:
        """Every reply to a checkpoint."""
        return Walked(task=self.classes, agent=self.agents[at], side="first", hunt=self.size.hunt, most=self.size.most)

    def judged(self, learner: str, seed: int) -> Judged:
        """The moves of a training's checkpoints in the same positions of random play."""
        agents = (self.agents[TrainedUntil(learner, seed, iteration)] for iteration in self.iterations(learner))
        size = self.size
        return in_random_positions(agents, self.classes, size.plies, size.per_ply, size.nodes, seed=self.seed)

    def own_games(self, at: TrainedUntil, rules: Rules) -> OnPolicy:
        """The moves of a checkpoint in positions of its own games."""
        return OnPolicy(
            agent=self.agents[at],
            opponent=self.opponent,
            rules=rules,
            games=self.size.own_games,
            plies=self.size.plies,
            most=self.size.own_positions,
            nodes=self.size.nodes,
            seed=self.seed,
        )

    def cost(self, learner: str) -> NetworkCost:
        """The cost of evaluating a position with a network."""
        return NetworkCost(network=self.fixed.networks[learner], rules=self.trained_on)

    def looks(self, at: TrainedUntil, positions: float) -> tuple[float, float]:
        """The evaluations of the network until a checkpoint: in self-play of `positions` positions, and in learning.

        Self-play needs one for each simulation and one more for each position. Learning counts three for each position,
        because a gradient costs as much as two evaluations.
        """
        config = self.trainings[at.learner, at.seed].settings
        search, batch, steps = (getattr(config, name) for name in ("search", "batch", "steps"))
        return positions * (search.simulations + 1), 3 * at.iteration * steps * batch

    def spent(self, at: TrainedUntil) -> dict[Reading, float]:
        """The cost of training until a checkpoint; empty while unknown."""
        point, cost = self.point(at), self.answers[self.cost(at.learner)]
        if point is None or cost is None:
            return {}
        operations = sum(self.looks(at, point.positions)) * cost.operations
        return {"positions": point.positions, "seconds": point.seconds, "operations": operations}

    def certified(self, at: TrainedUntil, where: Sequence[Rules]) -> list[bool | None]:
        """Whether a checked certificate proves it, for each class with an answer; None where the walk was given up."""
        walks = self.answers[self.walked(at)].by_rules
        found = [walks[rules] for rules in where if rules in walks]
        return [walk.proved if walk.proved or walk.lost_game is not None else None for walk in found]

    def right(self, at: TrainedUntil, own: bool) -> Interval | None:
        """The share of optimal moves in non-trivial positions of its own games, or of random play."""
        if own:
            found = (self.answers[self.own_games(at, rules)] for rules in self.classes.rules)
            tally = sum((tally for tally in found if tally is not None), Tally())
        else:
            tally = total_of(self.answers[self.judged(at.learner, at.seed)], self.agents[at], *self.classes.rules)
        return tally.optimal_interval if tally.choices else None

    def budget(self, reading: Reading) -> float | None:
        """The largest budget that every training used up; None while some are not trained."""
        ends = [self.spent(TrainedUntil(*pair, iteration=self.last_iteration(pair[0]))) for pair in self.trainings]
        return min(end[reading] for end in ends) if all(ends) else None

    def within(self, network: str, reading: Reading, budget: float) -> list[TrainedUntil]:
        """The last checkpoint of each training within the budget, if there is one."""
        most = budget * (1 + 1e-9)
        inside = ([at for at in some if self.spent(at).get(reading, inf) <= most] for some in self.of_seeds(network))
        return [some[-1] for some in inside if some]

    def chosen(self, network: str) -> list[TrainedUntil]:
        """The checkpoint of each training that the validation classes alone select: most proved, then most won, then earliest."""

        def worth(at: TrainedUntil) -> tuple[int, int, int]:
            classes = self.validation
            return self.certified(at, classes).count(True), self.total(at, classes).wins, -at.iteration

        return [max(some, key=worth) for some in self.of_seeds(network)]

    def lasting(self, network: str) -> tuple[int, int]:
        """The number of proofs that the next checkpoint of the training still has, and of all; on seen and unseen classes."""
        stands = [
            still
            for some in self.of_seeds(network)
            for at, after in itertools.pairwise(some)
            for rules in self.classes.rules
            if True in self.certified(at, [rules])
            for still in self.certified(after, [rules])
            if still is not None
        ]
        return sum(stands), len(stands)

    def proved_share(self, at: TrainedUntil, where: Sequence[Rules]) -> Interval | None:
        """The share of the decided classes that are proved."""
        decided = [proved for proved in self.certified(at, where) if proved is not None]
        return wilson(sum(decided), len(decided)) if decided else None


def _row(study: CertifiedGeneralisation, labels: tuple[str, ...], at: Sequence[TrainedUntil], more: str = "") -> Row:
    """A row about some checkpoints of a network, one of each seed."""
    if not at:
        return study.unseen_row(labels, at, more)
    seen, unseen = (
        [found for one in at for found in study.certified(one, where)] for where in ((study.trained_on,), study.unseen)
    )
    own, drawn = (over_seeds(at, partial(study.right, own=own)) for own in (True, False))
    given_up = (seen + unseen).count(None)
    proved = f"proved: seen {seen.count(True)} of {len(at)}, unseen {unseen.count(True)} of {len(unseen)} classes"
    return study.unseen_row(
        labels,
        at,
        proved + f" ({given_up} not decided)" * bool(given_up),
        f"optimal moves: {percent(own.value):.0f} percent in its own games" if own else "",
        f"{percent(drawn.value):.0f} percent in random ones" if drawn else "",
        f"iteration {', '.join(str(one.iteration) for one in at)}",
        more,
    )


def _readings(study: CertifiedGeneralisation) -> Conclusion:
    """Every network after equal positions, equal seconds and equal operations: three readings of one set of runs."""
    rows, ends = [], {network: study.ends(network) for network in study.learners}
    for reading, amount in _AMOUNT.items():
        budget = study.budget(reading)
        for network in study.learners:
            at = [] if budget is None else study.within(network, reading, budget)
            within = "" if budget is None else f"within {amount.format(budget)}"
            rows.append(_row(study, (f"equal {reading}", network), at, within))
    for network, last in ends.items():
        spent = [taken for at in last if (taken := study.spent(at))]
        means = [amount.format(fmean(one[name] for one in spent)) for name, amount in _AMOUNT.items() if spent]
        more = f"after {', '.join(means)}" if spent else ""
        rows.append(_row(study, ("not equal: the end of each", network), last, more))
    findings, budget = list[str](), study.budget("positions")
    if budget is not None:
        equal = {network: study.within(network, "positions", budget) for network in study.learners}
        findings += _carried(study, f"after {budget:,.0f} positions", equal)
        findings += _carried(study, "at the end of training", ends) if ends != equal else ()
    return section(
        "After equal amounts of training",
        ("Equal", "Network"),
        UNSEEN_WINS,
        rows,
        "The last checkpoint of each training within a budget that every training used up. The same runs are read for three budgets, and once at their ends, which are not equal. Proofs count classes, not squares, because all squares of a class are equivalent under symmetry.",
        _figures(study),
        findings=findings,
        measured="unseen wins",
    )


def _carried(study: CertifiedGeneralisation, when: str, at: Mapping[str, Sequence[TrainedUntil]]) -> Iterator[str]:
    """Unseen wins and proofs of the networks that learned their own class; seen wins of the others."""
    learned, unlearned = dict[str, str](), dict[str, str]()
    for network, checkpoints in at.items():
        wins, seen = over_seeds(checkpoints, study.won_unseen), over_seeds(checkpoints, study.won_seen)
        if wins is None or seen is None:
            continue
        shares = f"{percent(seen.value):.0f} percent won seen"
        if seen.value < SETTINGS.seen_score:
            unlearned[network] = shares
            continue
        proved = ", ".join(str(study.certified(one, study.unseen).count(True)) for one in checkpoints)
        gap = in_points(recover_variances(seen, wins), 0)
        learned[network] = (
            f"{shares}, {percent(wins.value):.0f} percent unseen, a gap of {gap}, classes proved by seed: {proved}"
        )
    margin = f"equal is within {percent(SETTINGS.margin):.0f} points"
    yield from listed(f"Results on {len(study.unseen)} unseen classes, {when} ({margin})", learned)
    yield from listed(f"Did not learn their own class, {when}, so their generalisation is unknown", unlearned)


def _tested(study: CertifiedGeneralisation) -> Conclusion:
    """The checkpoint chosen on validation classes, tested once on the others."""

    def row(network: str) -> Row:
        chosen = study.chosen(network)
        proved = [study.certified(at, study.test) for at in chosen]
        said = ", ".join(f"{one.count(True)} of {len(study.test)}" for one in proved)
        wins, share = (over_seeds(chosen, partial(of, where=study.test)) for of in (study.won, study.proved_share))
        iterations = ", ".join(str(at.iteration) for at in chosen)
        decided = sum(one is not None for some in proved for one in some)
        note = f"won {percent(wins.value):.0f} percent of its games there; iteration {iterations}" if wins else ""
        return share_row((network,), f"{said} classes" * bool(chosen), share, decided, note=note)

    return section(
        "Chosen on some classes, tested once on others",
        ("Network",),
        "test classes proved, percent of those decided",
        map(row, study.learners),
        f"Chosen by the classes {', '.join(SETTINGS.validation)} alone: most proved, then most won. Tested on {', '.join(rules.brick_names() for rules in study.test)}. The sample consists of classes; their squares are no further evidence.",
        measured="test classes proved",
    )


def _lasting(study: CertifiedGeneralisation) -> Conclusion:
    def row(network: str) -> Row:
        kept, of = study.lasting(network)
        return rate_row((network,), kept, of, note="nothing was proved before the last checkpoint" * (not of))

    return section(
        "How long certificates last",
        ("Network",),
        "proofs that the next checkpoint still has, percent",
        map(row, study.learners),
        f"Counts whether the next checkpoint of the same training, at most {study.size.every} iterations later, is proved on the same class.",
        measured="still proved",
    )


def _figures(study: CertifiedGeneralisation) -> dict[str, list[Figure]]:
    """For each measure, a curve of each network over the positions it has seen."""
    right, proved = "optimal moves in non-trivial positions, percent", "proved, percent of those decided"
    curves: tuple[tuple[str, str, str, Share], ...] = (
        ("unseen wins", "Games won on unseen classes", "won, percent", study.won_unseen),
        ("seen wins", "Games won on the class it trains on", "won, percent", study.won_seen),
        ("unseen proofs", "Unseen classes that are proved", proved, partial(study.proved_share, where=study.unseen)),
        ("own positions", "Optimal moves in positions of its own games", right, partial(study.right, own=True)),
        ("random positions", "Optimal moves in positions of random play", right, partial(study.right, own=False)),
    )
    drawn = list[Figure]()
    for name, title, label, share in curves:
        lines = [study.curve(network, share) for network in study.learners]
        drawn += curve_figure(name, title, lines, "positions of self-play", label)
    return {f"By checkpoint: {OVER_SEEDS} games, classes or positions.": drawn}
