"""What `betazero-evolution` trains: the paper's method, each difference and each negative result alone, and how many of each."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from noughts.questions.played import Played
from noughts.questions.trained import Training
from noughts.rules import format_task
from noughts.rules.text import counted
from noughts.studies.study import Settings
from noughts.studies.tic_tac_toe import TASK
from noughts.training.evolution.config import PRESETS, EvolutionConfig
from noughts.training.schedule import Schedule

STUDY = "betazero-evolution"
PAPER_RUNS, PAPER_KEPT = 10, 5


class EvolutionCondition(NamedTuple):
    """A way to train.

    Attributes:
        name: What people call it.
        changes: Fields of its `EvolutionConfig` that differ from the text's.
        claim: What the paper says of it: ``half`` of the runs reach 0 losses and keep it; ``never`` do they reach it;
            ``rarely``, and they do not keep it. Empty where it says nothing.
        many: Whether it is run as often as the paper's main experiment; the others less often.
    """

    name: str
    changes: dict[str, Any]
    claim: str = ""
    many: bool = False

    @property
    def share(self) -> float:
        """Of a run's generations, so many are as many games: larger populations have fewer generations."""
        return POPULATION / int(self.changes.get("population", POPULATION))


POPULATION = 23
"""The paper's; generations are counted in those of so many candidates, so that equal numbers are as many games."""

TEXT, PROGRAM, REDRAWN, OWN = "the text", "the program", "seeds redrawn", "seeds drawn for each candidate"
OURS = "seeds redrawn, sigma 0.5, population 230, diagonal"
_PROGRAM = PRESETS["betazero-program"]
_LARGE = {"population": PRESETS["betazero-unbeatable"]["population"]}

DIFFERENCES = (
    EvolutionCondition(TEXT, {}, "half", many=True),
    EvolutionCondition(PROGRAM, _PROGRAM, "half", many=True),
    EvolutionCondition(REDRAWN, {"seeds": "redrawn"}),
    EvolutionCondition(OWN, {"seeds": "own"}),
    EvolutionCondition("tie tolerance 1e-2", {"tie_tolerance": 1e-2}),
    EvolutionCondition("the text, two-point step size", {"step_size": "tpa"}),
    EvolutionCondition("seeds redrawn, two-point step size", {"seeds": "redrawn", "step_size": "tpa"}),
)
"""From the text to the program, one thing at a time."""

BETTER = (
    EvolutionCondition("seeds redrawn, sigma 0.5", {"seeds": "redrawn", "sigma": 0.5}),
    EvolutionCondition("seeds redrawn, sigma 0.5, population 230", {"seeds": "redrawn", "sigma": 0.5, **_LARGE}),
    EvolutionCondition(OURS, {**PRESETS["betazero-unbeatable"]}, many=True),
)
"""From seeds redrawn on, one thing more at a time, within as many games: ten times the population for a tenth of the
generations; then a covariance matrix that is a diagonal."""


def _negative(name: str, claim: str, **changes: Any) -> EvolutionCondition:
    return EvolutionCondition(name, {**_PROGRAM, **changes}, claim)


NEGATIVES = (
    _negative("nPlay = 10", "never", simulations=10),
    _negative("maximise the return", "never", objective="return"),
    _negative("previous best, pRand = 0.1", "never", omniscient=False, random_moves=0.1),
    _negative("previous best, pRand = 0.5", "never", omniscient=False, random_moves=0.5),
    _negative("pure self-play", "never", opponent="self", omniscient=False),
    _negative("previous best", "never", omniscient=False),
    _negative("hall of fame: all former bests", "never", opponent="hall", omniscient=False),
    _negative("hall of fame: the last ten", "never", opponent="recent", omniscient=False),
    _negative("flat Monte Carlo, growing", "rarely", opponent="random", growth=0.1),
    _negative("the adversary with the agent itself inside", "rarely", opponent="self"),
)
"""The paper's, each with the program's settings but for what its name says."""

CONDITIONS = DIFFERENCES + BETTER + NEGATIVES
SELECTED = PROGRAM
"""Whose runs play each other, for the best to be chosen."""


class EvolutionScale(NamedTuple):
    """The size of the study.

    Attributes:
        runs, others, negatives: Of each main condition, of each other, and of each of the paper's negative results.
        generations, negative_generations: Of each run, if there are 23 candidates in one.
        every: Strength is measured after so many of these each.
        rounds: Of each ordered pair in the round robin.
        judges: Whether runs are long enough for a verdict on the paper's claims.
        conditions: By name; none for all.
    """

    runs: int
    others: int
    negatives: int
    generations: int
    negative_generations: int
    every: int
    rounds: int
    judges: bool
    conditions: tuple[str, ...] = ()

    def runs_of(self, condition: EvolutionCondition) -> int:
        """How many there are."""
        if condition in NEGATIVES:
            return self.negatives
        return self.runs if condition.many else self.others

    def generations_of(self, condition: EvolutionCondition) -> int:
        """How many each has, of its own population."""
        whole = self.negative_generations if condition in NEGATIVES else self.generations
        return round(whole * condition.share)

    @property
    def chosen(self) -> tuple[EvolutionCondition, ...]:
        """Its conditions."""
        return tuple(condition for condition in CONDITIONS if not self.conditions or condition.name in self.conditions)

    @property
    def about(self) -> str:
        """Its size in words."""
        negative = sum(condition in NEGATIVES for condition in self.chosen)
        main = sum(condition.many for condition in self.chosen)
        kinds = (
            (main, self.runs, "main condition", self.generations),
            (len(self.chosen) - main - negative, self.others, "other", self.generations),
            (negative, self.negatives, "negative result", self.negative_generations),
        )
        each = [
            f"{counted(number, kind)} ({counted(runs, 'run')} each of {generations:,} generations)"
            for number, runs, kind, generations in kinds
            if number
        ]
        return (
            f"{', '.join(each)}; a generation has 24 x 100 rounds; of larger ones there are fewer, with as many games"
        )


SCALES = {
    "quick": EvolutionScale(2, 1, 1, 1200, 1200, 50, 10, False, (TEXT, PROGRAM, "previous best")),
    "laptop": EvolutionScale(10, 10, 10, 10_000, 3000, 50, 100, True, (TEXT, PROGRAM, OURS)),
    "paper": EvolutionScale(20, 20, 20, 10_000, 10_000, 50, 100, True),
}
_FRESH = 500  # seeds below were seen while settings were chosen


def conditions_hash() -> str:
    """SHA-256 of the settings of all conditions, which were fixed before the seeds that are run."""
    text = json.dumps([condition._asdict() for condition in CONDITIONS], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def conditions(settings: Settings) -> tuple[EvolutionCondition, ...]:
    """Those of a scale."""
    return SCALES[settings.scale].chosen


class EvolutionRun(NamedTuple):
    """One training of a condition; `number` tells it from the others of its kind."""

    condition: EvolutionCondition
    number: int
    training: Training


def runs(settings: Settings) -> list[EvolutionRun]:
    """All trainings; the first of each condition first, so that all fill up together."""
    size = SCALES[settings.scale]
    return [
        EvolutionRun(condition, number, _training(condition, number, settings))
        for number in range(size.runs)
        for condition in conditions(settings)
        if number < size.runs_of(condition)
    ]


def runs_of(settings: Settings, name: str) -> list[EvolutionRun]:
    """Those of one condition."""
    return [run for run in runs(settings) if run.condition.name == name]


def round_robin(settings: Settings) -> Iterator[tuple[EvolutionRun, EvolutionRun, Played]]:
    """Every ordered pair of the selected condition's runs: the first moves first."""
    size, selected = SCALES[settings.scale], runs_of(settings, SELECTED)
    for a in selected:
        for b in selected:
            if a is not b:
                played = Played(
                    task=TASK,
                    a=a.training.agent(),
                    b=b.training.agent(),
                    games=size.rounds,
                    moves_first="a",
                    seed=settings.seed,
                    draws=(STUDY, a.training.label, b.training.label),
                )
                yield a, b, played


def _training(condition: EvolutionCondition, number: int, settings: Settings) -> Training:
    size = SCALES[settings.scale]
    config = EvolutionConfig(
        task=format_task(TASK),
        seed=settings.seed * 1000 + _FRESH + number,
        schedule=Schedule(
            iterations=size.generations_of(condition),
            measure_iterations=max(1, round(size.every * condition.share)),
            measure_minutes=None,
            checkpoint_seconds=60.0,
        ),
        **condition.changes,
    )
    return Training(label=f"{condition.name}, run {number + 1}", method="es", config=config, cores=1)
