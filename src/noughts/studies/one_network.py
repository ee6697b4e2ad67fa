"""Can one network play the family? It learns a mixture of games on small boards, and plays on unseen boards with unseen lines.

The games, seeds and budgets below were fixed before anything was measured. The last weights are examined; no checkpoint is
chosen.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from noughts.document.result import Row
from noughts.examine.judge import Tally
from noughts.questions.answers import Answers
from noughts.questions.judged import Judged
from noughts.questions.question import Question
from noughts.questions.trained import Training
from noughts.rules import Rules, Task, embed, format_task, parse_rules, parse_task, task_of
from noughts.rules.symmetry import image_classes
from noughts.rules.text import counted
from noughts.statistics import Interval, mean_share, recover_variances
from noughts.studies.claims import notes, percent, points_row, share_row, tally_notes, total_of
from noughts.studies.games import in_random_positions
from noughts.studies.study import Conclusion, Settings, Study, concluded, section, sizes, with_minutes
from noughts.studies.trainings import NumberedRun, alphazero, by_kind, numbered_runs

MIXTURE, ALONE, ITSELF = "the mixture", "one game of it", "the game itself"
"""The kinds of training."""

SIMULATIONS = (0, 32)
"""Simulations for each move of the agents."""


_LARGER = ("mnk(6,6,5)", "mnk(7,7,4)", "mnk(9,9,4)", "mnk(9,9,5)", "notakto(5)")
SCALES = sizes(
    side=(4, 6, 6),  # of the largest boards of the mixture
    k=(3, 4, 4),  # the longest line in it
    unseen=(("mnk(4,4,4)", "mnk(5,5,3)", "notakto(4)"), _LARGER, _LARGER),  # games outside the mixture
    seeds=(1, 2, 10),  # of the mixture and of one game of it
    own_seeds=(1, 1, 3),  # of each game itself
    iterations=(4, 40, 400),
    per_ply=(3, 10, 40),  # positions judged, of each ply
    nodes=(50_000, 200_000, 1_000_000),  # of the solver for each position
)


def mixture(side: int, k: int) -> Task:
    """The mixture, each game equally often: boards from 3x3 to `side` rows, in a corner of the largest, with lines of up to k
    that win or lose; the largest with a brick, on one square of each class; and Notakto on boards of up to k rows.
    """
    plain = [Rules(rows=n, cols=n, k=min(n, k), line=line) for n in range(3, side + 1) for line in ("wins", "loses")]
    bricks = [games[0] for games in image_classes(parse_task(f"mnk({side},{side},{k},bricks=*)").rules)]
    shared = [parse_rules(f"notakto({n})") for n in range(3, k + 1)]
    return task_of(*(embed(rules, side, side) for rules in (*plain, *bricks, *shared)))


class OneNetwork(Study):
    """Training on a mixture of games, compared with one of its games alone and with each unseen game itself."""

    name = "one-network"
    title = "One network for the family"
    question = "A network is trained on a mixture of small games. How well does it play longer lines, larger boards and Notakto, none of which it saw?"
    takes_guests = False
    scales = with_minutes(
        {
            scale: f"{counted(len(mixture(size.side, size.k).rules), 'game')} on boards up to {size.side}x{size.side}, asked on {', '.join(size.unseen)}; {counted(size.seeds, 'seed')} of {size.iterations} iterations"
            for scale, size in SCALES.items()
        },
        quick=": too small for conclusions; about 3 minutes on two cores",
        laptop="; planned for two hours on two cores",
        paper="; planned for many cores",
    )
    deviations = (
        "No paper has this study. It asks how far one set of weights carries over sizes, lengths of lines, bricks, misere play and shared marks.",
        "All networks are line networks with the preset gumbel, from as many iterations, and so as many positions of self-play. Smaller boards of the mixture lie in a corner of the largest.",
        "Positions are drawn from random play, and judged by exact values. Those that a solver leaves undecided, or in which every move is as good, count for no agent.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings, first seeds first; then their moves compared with exact values, game by game."""
        study = self.at(settings)
        return [*(run.training for run in study.runs), *map(study.judged, study.asked)]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """Optimal moves by game, and the mixture compared with the others."""
        study = self.at(settings, answers)
        return concluded(_optimal(study), _beside(study))

    def _plan(self, settings: Settings) -> None:
        size = self.size = SCALES[settings.scale]
        self.seed = settings.seed
        self.one = Rules(rows=size.side, cols=size.side, k=size.k)  # the game of the mixture that is also trained alone
        self.unseen = tuple(map(parse_rules, size.unseen))  # games outside the mixture
        tasks = {MIXTURE: mixture(size.side, size.k), ALONE: task_of(self.one)}
        seeds = dict.fromkeys(tasks, size.seeds)
        for rules in self.unseen:
            tasks[f"{ITSELF}, {rules}"], seeds[f"{ITSELF}, {rules}"] = task_of(rules), size.own_seeds

        def training(kind: str, number: int) -> Training:
            task, seed = format_task(tasks[kind]), self.seed + number
            return alphazero(f"{kind}, seed {number}", "gumbel", task, seed, size.iterations)

        self.runs = numbered_runs(seeds.items(), training)
        self.asked = (self.one, *self.unseen)  # games in which moves are judged

    def trained_on(self, rules: Rules) -> Mapping[str, list[NumberedRun[str]]]:
        """The trainings whose networks play a game, by kind."""
        kinds = {MIXTURE: MIXTURE, ALONE: ALONE} | ({ITSELF: f"{ITSELF}, {rules}"} if rules in self.unseen else {})
        runs = by_kind(self.runs)
        return {name: runs[kind] for name, kind in kinds.items()}

    def judged(self, rules: Rules) -> Judged:
        """The moves of these networks in the same positions of a game. Notakto's tables hold every position, so need no limit."""
        runs = [run for some in self.trained_on(rules).values() for run in some]
        agents = (run.training.agent(sims) for run in runs for sims in SIMULATIONS)
        nodes = None if rules.marks == "shared" else self.size.nodes
        return in_random_positions(agents, task_of(rules), None, self.size.per_ply, nodes, chunk=25, seed=self.seed)

    @cached_property
    def tallies(self) -> dict[tuple[Rules, str, int], list[Tally]]:
        """The known tallies, one for each seed, by game, kind of training and simulations."""
        return {
            (rules, kind, sims): [
                tally
                for run in runs
                if (tally := total_of(self.answers[self.judged(rules)], run.training.agent(sims))).choices
            ]
            for rules in self.asked
            for kind, runs in self.trained_on(rules).items()
            for sims in SIMULATIONS
        }

    def share(self, rules: Rules, kind: str, sims: int) -> Interval | None:
        """The mean share of optimal moves over seeds."""
        known = self.tallies.get((rules, kind, sims))
        return mean_share([tally.optimal_interval for tally in known]) if known else None


_COLUMNS = ("Game", "Trained on", "Simulations")


def _optimal(study: OneNetwork) -> Conclusion:
    def row(rules: Rules, kind: str, sims: int) -> Row:
        known, share = study.tallies[rules, kind, sims], study.share(rules, kind, sims)
        labels = (str(rules), kind, f"{sims}")
        if share is None:
            return Row(labels=labels)
        one = known[0]
        note = notes(*tally_notes(one), counted(len(known), "seed"))
        return share_row(labels, f"{percent(share.value):.1f} percent", share, one.choices, note=note)

    return section(
        "Optimal moves in positions of random play",
        _COLUMNS,
        "optimal moves where not all are, percent",
        (row(*kind) for kind in study.tallies),
        f"{study.one} is a game of the mixture; it lacks the others. The mean over seeds with its 95 percent interval; of one seed, its own.",
        finding=f"Optimal moves with {SIMULATIONS[-1]} simulations",
        in_finding=lambda row: row.labels[2] == f"{SIMULATIONS[-1]}",
    )


def _beside(study: OneNetwork) -> Conclusion:
    rows = []
    for rules, kind, sims in study.tallies:
        own, base = study.share(rules, MIXTURE, sims), study.share(rules, kind, sims)
        if kind != MIXTURE and own is not None and base is not None:
            rows.append(points_row((str(rules), kind, f"{sims}"), recover_variances(own, base)))
    return section(
        "The mixture beside other trainings",
        ("Game", "Beside one trained on", "Simulations"),
        "optimal moves, difference from the other in points",
        rows,
        "With the 95 percent interval, as if the two were tested in different positions.",
        finding=f"Optimal moves of the mixture beside others, {SIMULATIONS[-1]} simulations",
        in_finding=lambda row: row.labels[2] == f"{SIMULATIONS[-1]}",
        spread="difference",
    )
