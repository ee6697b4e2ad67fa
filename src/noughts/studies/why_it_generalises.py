"""Why does the line network generalise? One thing at a time is taken from it, and its wins on squares never seen are watched.

How far a network carries is another question than how soon it learns: one that has not learned its own square yet wins nowhere.
So variants are compared at equal seen score, each where it first wins nearly all games on the squares it trains on.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from statistics import fmean
from typing import Any, ClassVar

from noughts.document.citations import BRICK_PAPER
from noughts.document.result import CurveFigure, Row, Table, beside
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import REUSED
from noughts.rules import Rules, Value
from noughts.rules.text import counted
from noughts.statistics import recover_variances
from noughts.studies.checkpoints import (
    OVER_SEEDS,
    CheckpointStudy,
    FrozenSettings,
    RunSizes,
    TrainedUntil,
    classes_of,
    over_seeds,
    read_settings,
)
from noughts.studies.claims import between, curve_figure, percent
from noughts.studies.study import Conclusion, Settings, Study, with_minutes

BASE = "line"


class Variant(Value):
    """One change to the line network or its training, or to another variant.

    Attributes:
        about: What is different, in words.
        changes: Fields of the configuration.
        group: Which figure it is drawn in; empty for the base.
        beside: The variant from which it differs in one thing.
    """

    called: ClassVar = "variant"

    about: str
    changes: dict[str, Any]
    group: str = ""
    beside: str = BASE


class AblationSizes(RunSizes):
    """How much is run at a scale.

    Attributes:
        iterations: Of training, equal for all.
        variants: Those that are trained; none for all.
    """

    iterations: int
    variants: tuple[str, ...]


class AblationSettings(FrozenSettings):
    """The file `why_it_generalises.json`.

    Attributes:
        groups: Titles of the figures, by the group of variants.
        variants: By what they are called.
    """

    groups: dict[str, str]
    variants: dict[str, Variant]
    scales: Mapping[str, AblationSizes]


SETTINGS, FROZEN = read_settings(AblationSettings, "why_it_generalises.json")


class WhyItGeneralises(Study):
    """Ablations of the line network."""

    name = "why-it-generalises"
    title = "Why the line network generalises"
    question = (
        "What of the line network and its training makes it win on brick squares that it never saw, and what does not?"
    )
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to "
        "Novel Test Environments: it finds that more training squares help, and asks what else does"
    )
    citations = (BRICK_PAPER,)
    takes_guests = False
    frozen = FROZEN
    scales = with_minutes(
        {
            scale: f"{len(size.variants or SETTINGS.variants)} variants, {counted(size.seeds, 'seed')} each, {size.iterations} iterations, a checkpoint every {size.every}"
            + (": shows the page in small, and settles nothing" if scale == "quick" else "")
            for scale, size in SETTINGS.scales.items()
        },
        quick=3,
        laptop=54,
    )
    deviations = (
        "The paper has no ablations; nothing here is set beside a number of its.",
        "Every variant differs from the line network, trained by Gumbel AlphaZero on D4 alone, in one thing; one differs from the convolution.",
        "Classes never seen are the same for all: the seven to which no augmentation turns D4, D3 or C3, so that none of them was seen by anybody. One square of each is played on.",
        "Strength is that of the bare policy, without search, as first player against depth-2 Minimax with random ties. It sees positions from one side: so images of a square are one to it, and the sample is of classes.",
        "Intervals are Student's over seeds, and never narrower than those of the seeds' own games are on average; of one seed, they are of its own games. Differences between variants are of means over seeds, joined as MOVER does, and only at equal seen score.",
        "At scale laptop, trainings have the settings of certified-generalisation, and the seeds: what both train is trained once.",
        "Variants, games, margins and what counts as mastered stand in a file that was fixed before; its hash is at the end of this page.",
        REUSED,
    )

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """Trainings of the first seeds first; then the games of their checkpoints."""
        work = Ablations(settings)
        return [*(work.training(*pair) for pair in work.pairs), *map(work.played, work.checkpoints)]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """A table of variants at equal seen score, one of where each ends, and a figure for each kind of change."""
        work = Ablations(settings, answers)
        ends = _at_the_end(work)
        about = f"By checkpoint: {OVER_SEEDS} games. Positions of self-play are what training costs; curves that are told apart at the end may meet later."
        tables = (work.equal_seen(_COLUMNS, work.row), ends)
        return Conclusion(tables, beside(ends, _figures(work), about), tuple(_findings(work)))


_COLUMNS = ("Variant", "What is different")


class Ablations(CheckpointStudy[AblationSettings, AblationSizes]):
    """All that a scale asks, for one seed of the study, and what is known of it."""

    def __init__(self, settings: Settings, answers: Answers | None = None) -> None:
        super().__init__(settings, SETTINGS, SETTINGS.scales[settings.scale], answers)

    @cached_property
    def variants(self) -> Mapping[str, Variant]:
        """Those of this scale."""
        return {name: SETTINGS.variants[name] for name in self.size.variants or SETTINGS.variants}

    @cached_property
    def learners(self) -> Mapping[str, Mapping[str, Any]]:
        """What each variant changes."""
        return {name: variant.changes for name, variant in self.variants.items()}

    def last_iteration(self, learner: str) -> int:
        """One for all."""
        return self.size.iterations

    @cached_property
    def unseen(self) -> tuple[Rules, ...]:
        """Those that no variant's training shows, of this scale or another: so that all scales ask about the same."""
        changed = (variant.changes for variant in SETTINGS.variants.values())
        seen = frozenset[Rules]().union(*(classes_of(changes.get("task", SETTINGS.trained_on)) for changes in changed))
        return tuple(rules for rules in self.classes.rules if rules not in seen)

    def row(self, variant: str, at: Sequence[TrainedUntil], more: str) -> Row:
        """A row about a variant's checkpoints."""
        points, spent = [point for one in at if (point := self.point(one)) is not None], ""
        if points:
            positions, seconds = (fmean(getattr(point, name) for point in points) for name in ("positions", "seconds"))
            spent = f"after {positions:,.0f} positions, {seconds:,.0f} s on one core"
        return self.unseen_row((variant, self.variants[variant].about), at, spent, more)


def _at_the_end(work: Ablations) -> Table:
    """Every variant after as many positions."""
    rows = []
    for variant in work.learners:
        ends, seeds = work.ends(variant), work.seeds_of(variant)
        so_far = f"{len(ends)} of {seeds} seeds so far" if 0 < len(ends) < seeds else ""
        rows.append(work.row(variant, ends, so_far))
    return Table(
        title="After equal positions",
        label_columns=_COLUMNS,
        unit="won on classes never seen, percent",
        rows=tuple(rows),
        caption="At the end of each training. One that has not won its own squares by then says nothing of how far it carries.",
        measured="unseen wins",
    )


def _figures(work: Ablations) -> Iterator[CurveFigure]:
    """The curves of the base and of one kind of change."""
    share = work.won_share(work.unseen)
    for group, title in SETTINGS.groups.items():
        own = {name for name, variant in work.variants.items() if variant.group == group}
        shown = own | {work.variants[name].beside for name in own} | {BASE}
        lines = [line for name in work.variants if name in shown and (line := work.curve(name, share)).x]
        if own.intersection(line.name for line in lines):
            named = f"{title}: wins on classes never seen"
            yield from curve_figure(group, named, lines, "positions of self-play", "won, percent")


def _findings(work: Ablations) -> Iterator[str]:
    """How each variant ends, with its seen score beside; then where it stands at equal seen score."""
    for name in work.learners:
        ends = work.ends(name)
        unseen, seen = over_seeds(ends, work.won_share(work.unseen)), over_seeds(ends, work.won_seen)
        if unseen is not None and seen is not None:
            beside_it = "" if name == BASE else f"; at equal seen score {_beside(work, name)}"
            yield f"{name}: wins {between(unseen, 0)} of its games on {len(work.unseen)} classes that it never saw, and {between(seen, 0)} on what it trains on, at the end of {counted(len(ends), 'training')}{beside_it}."


def _beside(work: Ablations, name: str) -> str:
    """How far a variant carries beside the one from which it differs in one thing, where both win their own squares."""
    other, margin = work.variants[name].beside, SETTINGS.margin
    own, base = (work.mastered(variant) if variant in work.learners else [] for variant in (name, other))
    share = work.won_share(work.unseen)
    carried, carries = over_seeds(own, share), over_seeds(base, share)
    reached = f"seeds that win {percent(SETTINGS.seen_score):.0f} percent on what they train on: {len(own)}, and {len(base)} of {other}"
    if len(own) < 2 or len(base) < 2 or carried is None or carries is None:
        return f"nothing is told, as that takes two seeds of each ({reached})"
    value, low, high = recover_variances(carried, carries)
    points = f"{percent(value):+.0f} points, {percent(low):+.0f} to {percent(high):+.0f}; equal is within {percent(margin):.0f}"
    said = "as far" if low >= -margin and high <= margin else "further" if low > 0 else "less far" if high < 0 else ""
    return f"{said or 'not distinguishable'}, beside {other} ({points})"
