"""Why does the line network generalise? Ablations: remove one part at a time, and measure the wins on unseen squares.

A network that has not learned its own square yet wins nowhere, so generalisation must be separated from speed of learning.
Variants are therefore compared at equal seen score: each where it first wins nearly all games on its training squares.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import Any

from noughts.document.citations import BRICK_PAPER
from noughts.document.result import CurveFigure, Row
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.rules.text import counted
from noughts.statistics import recover_variances
from noughts.studies.checkpoints import (
    OVER_SEEDS,
    UNSEEN_WINS,
    PlannedCheckpoints,
    TrainedUntil,
    over_seeds,
    read_settings,
)
from noughts.studies.claims import curve_figure, in_points, percent
from noughts.studies.study import Conclusion, Settings, concluded, listed, section, with_minutes

BASE = "line"


SETTINGS, FROZEN = read_settings("why_it_generalises.json")


class WhyItGeneralises(PlannedCheckpoints):
    """Ablations of the line network."""

    name = "why-it-generalises"
    title = "Why the line network generalises"
    question = "Which parts of the line network and its training make it win on unseen brick squares, and which do not?"
    paper = "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to Novel Test Environments: it finds that more training squares help, and asks what else does"
    citations = (BRICK_PAPER,)
    takes_guests = False
    fixed, frozen = SETTINGS, FROZEN
    scales = with_minutes(
        {
            scale: f"{len(size.variants or SETTINGS.variants)} variants, {counted(size.seeds, 'seed')} each, {size.iterations} iterations, a checkpoint every {size.every}"
            for scale, size in SETTINGS.scales.items()
        },
        quick=": too small for conclusions; about 3 minutes on two cores",
        laptop=54,
    )
    deviations = (
        "The paper has no ablations, so no number here is compared with it.",
        "Every variant differs from the line network, trained by Gumbel AlphaZero on D4 alone, in one thing; one differs from the convolution.",
        "All variants have the same unseen classes: the seven to which no augmentation moves D4, D3 or C3. One square of each is played.",
        "Strength is that of the raw policy, without search, as first player against depth-2 Minimax with random ties. It sees positions in canonical form and therefore plays alike on equivalent squares, so the sample consists of classes.",
        "Intervals are Student's over seeds, and never narrower than the average interval of a seed's own games. With one seed, the interval is that of its own games. Differences between variants compare means over seeds by MOVER, only at equal seen score.",
        "At scale laptop, trainings have the settings and seeds of certified-generalisation, so that shared ones run once.",
        "A file that was fixed in advance defines variants, games, margins and the threshold of mastery. Its hash is at the end of this page.",
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings of the first seeds first; then the games of their checkpoints."""
        study = self.at(settings)
        return [*study.trainings.values(), *map(study.played, study.checkpoints)]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """A table of variants at equal seen score, one of where each ends, and a figure for each kind of change."""
        study = self.at(settings, answers)
        return concluded(study.equal_seen(_COLUMNS, partial(_row, study), _beside(study)), _at_the_end(study))


_COLUMNS = ("Variant", "Difference")


def _row(study: WhyItGeneralises, variant: str, at: Sequence[TrainedUntil], more: str) -> Row:
    points, spent = [point for one in at if (point := study.point(one)) is not None], ""
    if points:
        positions, seconds = (fmean(getattr(point, name) for point in points) for name in ("positions", "seconds"))
        spent = f"after {positions:,.0f} positions, {seconds:,.0f} s on one core"
    return study.unseen_row((variant, SETTINGS.variants[variant].about), at, spent, more)


def _beside(study: WhyItGeneralises) -> Iterator[str]:
    """The unseen wins of each variant minus those of the one that differs in one thing, if two seeds of each get there."""
    told = dict[str, str]()
    for name in study.learners:
        other = SETTINGS.variants[name].beside
        pair = [study.mastered(each) if each in study.learners else [] for each in (name, other)]
        own, base = (over_seeds(at, study.won_unseen) if len(at) > 1 else None for at in pair)
        if name != BASE and own is not None and base is not None:
            told[f"{name} beside {other}"] = in_points(recover_variances(own, base), 0)
    legend = f"Won on unseen classes at equal seen score, where two seeds of each win {percent(SETTINGS.seen_score):.0f} percent on what they train on (equal is within {percent(SETTINGS.margin):.0f} points)"
    return listed(legend, told)


def _at_the_end(study: WhyItGeneralises) -> Conclusion:
    """Every variant after equally many positions, and curves of the base and of each kind of change."""
    rows, curves = [], list[CurveFigure]()
    for variant in study.learners:
        ends, seeds = study.ends(variant), study.seeds_of(variant)
        rows.append(_row(study, variant, ends, f"{len(ends)} of {seeds} seeds so far" * (0 < len(ends) < seeds)))
    for group, title in SETTINGS.groups.items():
        own = {name for name in study.learners if SETTINGS.variants[name].group == group}
        shown = own | {SETTINGS.variants[name].beside for name in own} | {BASE}
        lines = [line for name in study.learners if name in shown and (line := study.curve(name, study.won_unseen)).x]
        if own.intersection(line.name for line in lines):
            named = f"{title}: wins on unseen classes"
            curves += curve_figure(group, named, lines, "positions of self-play", "won, percent")
    about = f"By checkpoint: {OVER_SEEDS} games. Positions of self-play measure the cost of training; curves that differ at the end may meet later."
    return section(
        "After equal positions",
        _COLUMNS,
        UNSEEN_WINS,
        rows,
        "At the end of each training. If it does not win on its own squares, its generalisation is unknown.",
        {about: curves},
        "Won on unseen classes at the end of each training",
        measured="unseen wins",
    )
