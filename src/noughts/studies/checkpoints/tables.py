"""Rows and curves about learners at their checkpoints."""

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from noughts.document.result import Row, Series, Table
from noughts.studies.checkpoints.outcome import CheckpointsFound, Share, over_seeds
from noughts.studies.checkpoints.plan import TrainedUntil
from noughts.studies.study import percent, share_row

RowOf = Callable[[str, Sequence[TrainedUntil], str], Row]
"""A row about checkpoints of a learner, one of each seed, and what is to be said besides."""

OVER_SEEDS = "the mean of the seeds with its 95 percent interval; of one seed, the interval of its own"


def unseen_row(
    found: CheckpointsFound[Any], labels: tuple[str, ...], at: Sequence[TrainedUntil], notes: Sequence[str]
) -> Row:
    """The games that some checkpoints, one of each seed, won on classes never seen."""
    share = over_seeds(at, found.won_share(found.plan.unseen))
    if share is None:
        return Row(labels=labels, note="; ".join(filter(None, notes)))
    games = [score for one in at for score in found.scores(one, found.plan.unseen)]
    won = over_seeds(at, found.won_seen)
    return share_row(
        labels=labels,
        ours=f"{percent(share.share):.0f} percent",
        share=share,
        count=sum(game.score.games for game in games),
        distinct=sum(game.distinct for game in games),
        note="; ".join(filter(None, (f"won seen {percent(won.share):.0f} percent" if won is not None else "", *notes))),
    )


def equal_seen(found: CheckpointsFound[Any], label_columns: tuple[str, ...], row: RowOf) -> Table:
    """Every learner where it first wins its own training classes: how far it carries, and not how soon it learns."""
    plan, rows = found.plan, []
    for learner in plan.learners:
        at, trained = found.mastered(learner), len(found.ends(learner))
        rows.append(row(learner, at, f"{len(at)} of {trained} seeds get there" if trained > len(at) else ""))
    return Table(
        title="At equal seen score",
        label_columns=label_columns,
        unit="won on classes never seen, percent",
        rows=tuple(rows),
        caption=(
            f"The first checkpoint that wins {percent(plan.frozen.seen_score):.0f} percent of its games on what it was trained "
            f"on. {label_columns[0]}s that never get there have not learned their own game, and nothing is said of how far they carry."
        ),
        measured="unseen wins",
    )


def curve(found: CheckpointsFound[Any], learner: str, share: Share) -> Series:
    """A share at each checkpoint, over the positions seen until then."""
    points = []
    for iteration in found.plan.iterations(learner):
        at = [TrainedUntil(learner, seed, iteration) for seed in range(found.plan.seeds_of(learner))]
        known = [one for one in at if found.point(one) is not None]
        interval = over_seeds(known, share)
        if interval is not None:
            positions = fmean(point.positions for one in known if (point := found.point(one)) is not None)
            points.append((positions, *map(percent, interval)))
    columns = tuple(zip(*points, strict=True)) or ((),) * 4
    return Series(name=learner, x=columns[0], y=columns[1], low=columns[2], high=columns[3])
