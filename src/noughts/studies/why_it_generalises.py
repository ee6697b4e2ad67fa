"""Why does the line network generalise? One thing at a time is taken from it, and its wins on squares never seen are watched.

How far a network carries is another question than how soon it learns: one that has not learned its own square yet wins nowhere.
So variants are compared at equal seen score, each where it first wins nearly all games on the squares it trains on.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from noughts.document.citations import BRICK_PAPER
from noughts.document.result import CurveFigure, Row, Series, Table, beside
from noughts.positions import derive_seed
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.questions.trained import REUSED, Trained, Training
from noughts.rules import parse_task
from noughts.rules.symmetry import brick_orbit
from noughts.statistics import MARGIN, mean_interval, recover_variances
from noughts.studies.study import Conclusion, Settings, Study, percent
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.schedule import Schedule

STUDY = "why-it-generalises"
METRIC, SEEN_METRIC = "held_out_first_score", "first_score"
BASE = "line"
_MASTERED = 0.95
_CHECKPOINT_SECONDS = 30.0
_WIDEST_TASK = "bttt(C3|D3|D4)"


class Variant(NamedTuple):
    """One change to the line network or its training, or to another variant.

    Attributes:
        about: What is different, in words.
        group: Which figure it is drawn in.
        changes: Fields of the configuration.
        beside: The variant from which it differs in one thing.
    """

    about: str
    group: str
    changes: Mapping[str, Any]
    beside: str = BASE


_CONVOLUTION = {"network": "resnet:channels=14,value_width=8"}
VARIANTS: dict[str, Variant] = {
    BASE: Variant("nothing taken away: 3 blocks, bricks absent, D4 alone, 8 symmetries, 24 simulations", "", {}),
    "brick as feature": Variant(
        "lines through a brick exist, and a brick is something a cell may hold",
        "network",
        {"network": "line:bricks=feature"},
    ),
    "no reverse": Variant(
        "lines are read forwards only, so left is told from right", "network", {"network": "line:reverse=false"}
    ),
    "convolution": Variant(
        "a residual network of as many parameters: 15,627 to 15,530, running statistics counted",
        "network",
        _CONVOLUTION,
    ),
    "residual, 32 channels": Variant("a residual network of 79,329 parameters", "network", {"network": "resnet"}),
    "convolution with line features": Variant(
        "the same, told at every cell what the lines through it hold", "network", {"network": "resnet:features=lines"}
    ),
    "graph": Variant("cells that touch pass messages, and know nothing of lines", "network", {"network": "graph"}),
    "no augmentation": Variant("positions are learned as they were played", "data", {"augmentation": "none"}),
    "trained on D3 D4": Variant("two training squares", "data", {"task": "bttt(D3|D4)"}),
    "trained on C3 D3 D4": Variant("three training squares", "data", {"task": _WIDEST_TASK}),
    "no random openings": Variant("all games begin at the empty board", "openings", {"opening_plies": 0}),
    "convolution, no random openings": Variant(
        "the same of the convolution", "openings", {**_CONVOLUTION, "opening_plies": 0}, beside="convolution"
    ),
    "random moves": Variant("one move in ten is a random one, all through a game", "openings", {"random_moves": 0.1}),
    "8 simulations": Variant("less search in training", "search", {"search": {"simulations": 8}}),
    "64 simulations": Variant("more search in training", "search", {"search": {"simulations": 64}}),
    "1 block": Variant("one round of messages", "depth", {"network": "line:blocks=1"}),
    "2 blocks": Variant("two rounds", "depth", {"network": "line:blocks=2"}),
    "4 blocks": Variant("four rounds", "depth", {"network": "line:blocks=4"}),
}
GROUPS = {
    "network": "What the network is made of",
    "data": "What it is shown",
    "openings": "How its games begin, and go astray",
    "search": "Search in training",
    "depth": "Rounds of messages",
}


_CURVES = (
    "The mean of the seeds at each measurement, and from the worst to the best of them. Positions of self-play are what "
    "training costs; curves that are told apart at the end may meet later."
)


_NETWORKS = (BASE, *(name for name, variant in VARIANTS.items() if variant.group == "network"))
"""The base, and what differs from it in the network: with ten seeds each they are what a laptop can do."""


class AblationScale(NamedTuple):
    """Which variants, how many seeds, iterations of training and between measurements, and games on each square."""

    variants: tuple[str, ...]
    seeds: int
    iterations: int
    every: int
    games: int


SCALES = {
    "quick": AblationScale((BASE, "brick as feature", "convolution"), seeds=1, iterations=4, every=2, games=1),
    "laptop": AblationScale(_NETWORKS, seeds=10, iterations=24, every=3, games=1),
    "paper": AblationScale(tuple(VARIANTS), seeds=10, iterations=100, every=5, games=4),
}


class Reached(NamedTuple):
    """Where a variant's seeds stand after so many iterations: mean and range of a share, and the mean of positions."""

    positions: float
    mean: float
    low: float
    high: float
    seeds: int


class WhyItGeneralises(Study):
    """Ablations of the line network."""

    name = STUDY
    title = "Why the line network generalises"
    question = (
        "What of the line network and its training makes it win on brick squares that it never saw, and what does not?"
    )
    paper = (
        "Tan Chong Min and Motani, Brick Tic-Tac-Toe: Exploring the Generalizability of AlphaZero to "
        "Novel Test Environments: it finds that more training squares help, and asks what else does"
    )
    citations = (BRICK_PAPER,)
    scales = {
        scale: f"{len(size.variants)} variants, {size.seeds} seed{'s' if size.seeds > 1 else ''} each, {size.iterations} iterations, measured every {size.every}"
        + (": shows the page in small, and settles nothing" if scale == "quick" else "")
        for scale, size in SCALES.items()
    }
    deviations = (
        "The paper has no ablations; nothing here is set beside a number of its.",
        "Every variant differs from the line network, trained by Gumbel AlphaZero on D4 alone, in one thing; one differs from the convolution.",
        "Held-out squares are the same for all: the 40 to which no augmentation turns D4, D3 or C3, so that none of them was seen by anybody.",
        "Strength is what the trainings measure of themselves: games as first player against depth-2 Minimax with random ties, 32 simulations a move, the averaged weights.",
        "Ranges are those of the seeds, from the worst to the best. Differences between variants are of means over seeds, by Student's intervals joined as MOVER does, and only at equal seen score.",
        "A square's two games are no more than a sample: seen score is of the few squares that training shows, so that nearly all of them won is a coarse mark.",
        REUSED,
    )
    takes_guests = False

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        """A training for each variant and seed, first seeds first; what is measured, they measure themselves."""
        size = SCALES[settings.scale]
        return [training_of(settings, name, number) for number in range(size.seeds) for name in size.variants]

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        """A table of where each variant ends, and a figure for each kind of change."""
        size = SCALES[settings.scale]
        found = {name: _seeds(settings, name, answers) for name in size.variants}
        table = Table(
            title="Held-out squares after training",
            label_columns=("Variant", "What is different"),
            unit="won on squares never seen, percent",
            rows=tuple(_row(settings, name, found[name]) for name in size.variants),
            caption="Mean of the seeds; from the worst to the best of them in place of an interval.",
            spread="range",
        )
        figures = beside(table, (figure for group in GROUPS for figure in _figure(group, found)), _CURVES)
        return Conclusion((_equal_seen_table(found), table), figures, tuple(_findings(found)))


def held_out() -> str:
    """The task of all squares that no variant's training shows, however it is augmented."""
    seen = {bricks for rules in parse_task(_WIDEST_TASK).rules for bricks in brick_orbit(rules)}
    names = [rules.brick_names() for rules in parse_task("bttt(*)").rules if rules.bricks not in seen]
    return f"bttt({'|'.join(names)})"


def reached(seeds: Sequence[Trained], metric: str = METRIC) -> dict[int, Reached]:
    """By iteration, where those seeds stand that were measured there."""
    found: dict[int, list[tuple[int, float]]] = {}
    for trained in seeds:
        for point in trained.curve:
            value = point.values.get(metric)
            if value is not None:
                found.setdefault(point.iteration, []).append((point.positions, value))
    return {
        iteration: Reached(
            positions=sum(positions for positions, _ in points) / len(points),
            mean=sum(value for _, value in points) / len(points),
            low=min(value for _, value in points),
            high=max(value for _, value in points),
            seeds=len(points),
        )
        for iteration, points in sorted(found.items())
    }


def training_of(settings: Settings, name: str, number: int) -> Training:
    """The training of a variant's seed of this number."""
    size = SCALES[settings.scale]
    fields: dict[str, Any] = {
        "task": "bttt(D4)",
        "network": BASE,
        "seed": derive_seed(settings.seed, STUDY, number) >> 1,
        "schedule": Schedule(
            iterations=size.iterations,
            measure_minutes=None,
            measure_iterations=size.every,
            checkpoint_seconds=_CHECKPOINT_SECONDS,
        ),
        "held_out": held_out(),
        "measure_games": size.games,
        "measure_positions": 0,
    }
    config = AlphaZeroConfig.preset("gumbel", **{**fields, **VARIANTS[name].changes})
    return Training(label=f"{name}, seed {number}", config=config)


def _seeds(settings: Settings, name: str, answers: Answers) -> list[Trained]:
    """What became of a variant's seeds, as far as they are done."""
    trainings = (training_of(settings, name, number) for number in range(SCALES[settings.scale].seeds))
    return [trained for training in trainings if (trained := answers[training]) is not None]


def _row(settings: Settings, name: str, seeds: Sequence[Trained]) -> Row:
    labels = (name, VARIANTS[name].about)
    curve = reached(seeds)
    if not curve:
        return Row(labels=labels)
    last = curve[max(curve)]
    seen = reached(seeds, SEEN_METRIC)[max(curve)]
    seconds = sum(trained.seconds for trained in seeds) / len(seeds)
    mastered = _mastered(curve)
    notes = [
        f"{percent(seen.mean):.0f} percent on the training squares",
        f"{percent(_MASTERED):.0f} percent held out after {mastered:,.0f} positions"
        if math.isfinite(mastered)
        else f"never {percent(_MASTERED):.0f} percent held out",
        f"{seeds[0].iterations} iterations, {last.positions:,.0f} positions, {seconds:,.0f} s a seed on {seeds[0].cores} cores",
    ]
    if last.seeds < SCALES[settings.scale].seeds:
        notes.append(f"{last.seeds} of {SCALES[settings.scale].seeds} seeds so far")
    return Row(
        labels=labels,
        ours=f"{percent(last.mean):.1f} percent ({percent(last.low):.1f} to {percent(last.high):.1f})",
        value=percent(last.mean),
        low=percent(last.low),
        high=percent(last.high),
        count=last.seeds,
        note="; ".join(notes),
    )


class AtEqualSeen(NamedTuple):
    """Where the seeds of a variant first win nearly all games on the squares they train on.

    Attributes:
        unseen: The share won there on squares never seen, of each seed that gets there.
        gaps: The seen share less that.
        positions: Seen until there, on average.
        seeds: How many there are in all.
    """

    unseen: tuple[float, ...]
    gaps: tuple[float, ...]
    positions: float
    seeds: int


def at_equal_seen(seeds: Sequence[Trained]) -> AtEqualSeen:
    """The first measurement of each seed at which its seen score is 95 percent or more."""
    found: list[tuple[float, float, int]] = []
    for trained in seeds:
        for point in trained.curve:
            seen, unseen = point.values.get(SEEN_METRIC), point.values.get(METRIC)
            if seen is not None and unseen is not None and seen >= _MASTERED:
                found.append((unseen, seen - unseen, point.positions))
                break
    return AtEqualSeen(
        unseen=tuple(unseen for unseen, _, _ in found),
        gaps=tuple(gap for _, gap, _ in found),
        positions=sum(positions for *_, positions in found) / len(found) if found else math.nan,
        seeds=len(seeds),
    )


def _equal_seen_table(found: Mapping[str, Sequence[Trained]]) -> Table:
    rows = []
    for name, seeds in found.items():
        labels, reached = (name, VARIANTS[name].about), at_equal_seen(seeds)
        if not reached.unseen:
            rows.append(Row(labels=labels, note="no seed got there" if reached.seeds else ""))
            continue
        mean = mean_interval(reached.unseen)
        several = len(reached.unseen) > 1
        rows.append(
            Row(
                labels=labels,
                ours=f"{percent(mean.mean):.1f} percent",
                value=percent(mean.mean),
                low=percent(max(0.0, mean.low)) if several else None,
                high=percent(min(1.0, mean.high)) if several else None,
                count=len(reached.unseen),
                note=f"{len(reached.unseen)} of {reached.seeds} seeds get there, after {reached.positions:,.0f} positions on average; "
                f"seen less unseen {percent(sum(reached.gaps) / len(reached.gaps)):.1f} points",
            )
        )
    return Table(
        title="At equal seen score",
        label_columns=("Variant", "What is different"),
        unit="won on squares never seen, percent",
        rows=tuple(rows),
        caption=f"Each seed at its first measurement with {percent(_MASTERED):.0f} percent won on the squares it trains on. A variant of which no seed gets there has not learned its own game, and nothing is said of how far it carries.",
        measured="unseen",
    )


def _mastered(curve: Mapping[int, Reached]) -> float:
    """Positions until the mean of the seeds first reaches nearly everything; infinity if it never does."""
    return next((point.positions for point in curve.values() if point.mean >= _MASTERED), math.inf)


def _figure(group: str, found: Mapping[str, Sequence[Trained]]) -> Iterator[CurveFigure]:
    """The curves of the base and of one kind of change."""
    own = [name for name in found if VARIANTS[name].group == group]
    beside = {VARIANTS[name].beside for name in own}
    names = [name for name in found if name == BASE or name in own or name in beside]
    curves = {name: curve for name in names if (curve := reached(found[name]))}
    if any(name in curves for name in own):
        yield CurveFigure(
            name=group,
            title=f"{GROUPS[group]}: wins on squares never seen",
            x_label="positions of self-play seen",
            y_label="won on held-out squares, percent",
            y_range=(0.0, 100.0),
            series=tuple(_series(name, curve) for name, curve in curves.items()),
        )


def _series(name: str, curve: Mapping[int, Reached]) -> Series:
    points = curve.values()
    return Series(
        name=name,
        x=tuple(point.positions for point in points),
        y=tuple(percent(point.mean) for point in points),
        low=tuple(percent(point.low) for point in points),
        high=tuple(percent(point.high) for point in points),
    )


def _findings(found: Mapping[str, Sequence[Trained]]) -> Iterator[str]:
    """How the base fares with its seen score beside, and then each variant at equal seen score."""
    base = at_equal_seen(found.get(BASE, ()))
    for name, seeds in found.items():
        curve, seen = reached(seeds), reached(seeds, SEEN_METRIC)
        if not curve:
            continue
        end, own = curve[max(curve)], seen[max(curve)]
        said = f"{name}: {_written(end)} of its games on 40 squares that it never saw, and {_written(own)} on those that it trains on, after {end.positions:,.0f} positions"
        other = at_equal_seen(found[VARIANTS[name].beside]) if VARIANTS[name].beside in found else base
        yield said + ("." if name == BASE else f"; {_beside(at_equal_seen(seeds), other, VARIANTS[name].beside)}.")


def _written(point: Reached) -> str:
    if point.seeds == 1:
        return f"{percent(point.mean):.0f} percent"
    return f"{percent(point.mean):.0f} percent ({percent(point.low):.0f} to {percent(point.high):.0f} over {point.seeds} seeds)"


def _beside(own: AtEqualSeen, base: AtEqualSeen, called: str) -> str:
    """In words, and only as far as the intervals bear it; `called` is what it is set beside."""
    other = f"the {called} network" if called == BASE else f"the {called}"
    if not own.unseen:
        return f"no seed wins {percent(_MASTERED):.0f} percent of the squares it trains on, so that nothing is said of how far it carries"
    if len(own.unseen) < 2 or len(base.unseen) < 2:
        return f"at equal seen score it is not told from {other}: that takes two seeds of each"
    value, low, high = recover_variances(mean_interval(own.unseen), mean_interval(base.unseen))
    points = f"{percent(value):+.0f} points, {percent(low):+.0f} to {percent(high):+.0f}"
    if low >= -MARGIN and high <= MARGIN:
        return f"at equal seen score as far as {other}, within {percent(MARGIN):.0f} points ({points})"
    if low > 0 or high < 0:
        return f"at equal seen score {'further' if low > 0 else 'less far'} than {other} ({points})"
    return f"at equal seen score not distinguishable from {other} ({points})"
