"""The tables and figures of `certified-generalisation`."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from noughts.document.result import CurveFigure, Row, Table
from noughts.statistics import wilson
from noughts.studies.certified_generalisation.outcome import READINGS, CertificateFound, Reading
from noughts.studies.checkpoints.outcome import Share, over_seeds
from noughts.studies.checkpoints.plan import TrainedUntil
from noughts.studies.checkpoints.tables import OVER_SEEDS, curve, unseen_row
from noughts.studies.study import percent, share_row

_READ = {"positions": "equal positions", "seconds": "equal seconds", "operations": "equal operations"}
_AMOUNT: dict[Reading, str] = {
    "positions": "{:,.0f} positions",
    "seconds": "{:,.0f} s on one core",
    "operations": "{:.3g} operations",
}


def readings(found: CertificateFound) -> Table:
    """Every network after equal positions, equal seconds and equal operations: three readings of one set of runs."""
    rows = [row for reading in READINGS for row in _reading(found, reading)]
    for network in found.plan.learners:
        ends = found.ends(network)
        rows.append(row_of(found, ("not equal: the end of each", network), ends, _spent(found, ends)))
    return Table(
        title="After equal amounts of training",
        label_columns=("Equal", "Network"),
        unit="won on classes never seen, percent",
        rows=tuple(rows),
        caption=(
            "The last checkpoint of each training that had taken no more than every training took in all. One set of runs "
            "is read three times, and once at the ends, which are not equal. Proved are classes, not squares: of a class all squares are images of one another."
        ),
        measured="unseen wins",
    )


def _spent(found: CertificateFound, ends: Sequence[TrainedUntil]) -> str:
    """What some checkpoints took, on average."""
    spent = [amount for at in ends if (amount := found.spent(at)) is not None]
    if not spent:
        return ""
    means = {name: fmean(getattr(one, name) for one in spent) for name in READINGS}
    return "after " + ", ".join(_AMOUNT[name].format(means[name]) for name in READINGS)


def _reading(found: CertificateFound, reading: Reading) -> Iterator[Row]:
    budget = found.budget(reading)
    for network in found.plan.learners:
        labels = (_READ[reading], network)
        if budget is None:
            yield Row(labels=labels)
        else:
            at = found.within(network, reading, budget)
            yield row_of(found, labels, at, f"within {_AMOUNT[reading].format(budget)}")


def tested(found: CertificateFound) -> Table:
    """The checkpoint chosen on validation classes, tested once on the others."""
    plan, rows = found.plan, []
    for network in plan.learners:
        chosen = found.chosen(network)
        proved = [found.certified(at, plan.test) for at in chosen]
        at_all = sum(one.decided for one in proved)
        share = over_seeds(chosen, found.proved_share(plan.test))
        said = ", ".join(f"{one.proved} of {len(plan.test)}" for one in proved)
        wins = over_seeds(chosen, found.won_share(plan.test))
        rows.append(
            share_row(
                labels=(network,),
                ours=f"{said} classes" if chosen else "",
                share=share,
                count=at_all,
                note=(
                    f"won {percent(wins.share):.0f} percent of its games there; iteration "
                    f"{', '.join(str(at.iteration) for at in chosen)}"
                    if wins is not None
                    else ""
                ),
            )
        )
    return Table(
        title="Chosen on some classes, tested once on others",
        label_columns=("Network",),
        unit="test classes proved, percent of those decided",
        rows=tuple(rows),
        caption=(
            f"Chosen by the classes {', '.join(plan.frozen.validation)} alone: most proved, then most won. Tested on "
            f"{', '.join(rules.brick_names() for rules in plan.test)}. The sample is of classes; their squares are no further evidence."
        ),
        measured="test classes proved",
    )


def lasting(found: CertificateFound) -> Table:
    """How long certificates last."""
    rows = []
    for network in found.plan.learners:
        kept, of = found.lasting(network)
        share = wilson(kept, of)
        rows.append(
            share_row(
                labels=(network,),
                ours=f"{kept} of {of}" if of else "",
                share=share if of else None,
                count=of,
                note="" if of else "nothing was proved before the last checkpoint",
            )
        )
    return Table(
        title="How long certificates last",
        label_columns=("Network",),
        unit="proofs that the next checkpoint still has, percent",
        rows=tuple(rows),
        caption=f"Of each class that a checkpoint is proved on, whether the next one of the same training is, at most {found.plan.size.every} iterations later.",
        measured="still proved",
    )


def row_of(found: CertificateFound, labels: tuple[str, ...], at: Sequence[TrainedUntil], more: str = "") -> Row:
    """A row about some checkpoints of a network, one of each seed."""
    plan = found.plan
    seen, unseen = ([found.certified(one, where) for one in at] for where in ((plan.trained_on,), plan.unseen))
    own, drawn = (over_seeds(at, found.right_share(plan.classes.rules, on)) for on in (True, False))
    proved = (
        f"proved: seen {sum(one.proved for one in seen)} of {len(at)}, unseen {sum(one.proved for one in unseen)} of "
        f"{sum(one.decided + one.given_up for one in unseen)} classes"
    )
    given_up = sum(one.given_up for one in (*seen, *unseen))
    notes = (
        proved + (f" ({given_up} not decided)" if given_up else ""),
        f"right moves: {percent(own.share):.0f} percent in its own games" if own is not None else "",
        f"{percent(drawn.share):.0f} percent in random ones" if drawn is not None else "",
        f"iteration {', '.join(str(one.iteration) for one in at)}",
    )
    return unseen_row(found, labels, at, (*(notes if at else ()), more))


_CURVES: tuple[tuple[str, str, str], ...] = (
    ("unseen wins", "Games won on classes never seen", "won, percent"),
    ("seen wins", "Games won on the class it trains on", "won, percent"),
    ("unseen proofs", "Classes never seen that are proved", "proved, percent of those decided"),
    ("own positions", "Right moves in positions of its own games", "keeps the value, percent of choices"),
    ("random positions", "Right moves in positions of random play", "keeps the value, percent of choices"),
)


def figures(found: CertificateFound) -> Iterator[CurveFigure]:
    """A curve of each network over the positions it has seen, for each thing that is measured."""
    plan = found.plan
    shares: dict[str, Share] = {
        "unseen wins": found.won_share(plan.unseen),
        "seen wins": found.won_seen,
        "unseen proofs": found.proved_share(plan.unseen),
        "own positions": found.right_share(plan.classes.rules, own=True),
        "random positions": found.right_share(plan.classes.rules, own=False),
    }
    for name, title, label in _CURVES:
        series = [one for network in plan.learners if (one := curve(found, network, shares[name])).x]
        if series:
            yield CurveFigure(
                name=name,
                title=title,
                x_label="positions of self-play",
                y_label=label,
                y_range=(0.0, 100.0),
                series=tuple(series),
                about=f"By checkpoint: {OVER_SEEDS} games, classes or positions.",
            )
