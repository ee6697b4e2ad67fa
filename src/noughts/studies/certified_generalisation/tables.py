"""The tables and figures of `certified-generalisation`."""

from collections.abc import Callable, Iterator, Sequence

from noughts.document.result import CurveFigure, Row, Series, Table
from noughts.statistics import Interval
from noughts.studies.certified_generalisation.outcome import READINGS, CertificateFound, Reading
from noughts.studies.certified_generalisation.plan import CertifiedPlan, TrainedUntil
from noughts.studies.study import percent

Share = Callable[[TrainedUntil], Interval | None]
_READ = {"positions": "equal positions", "seconds": "equal seconds", "operations": "equal operations"}
_AMOUNT: dict[Reading, str] = {
    "positions": "{:,.0f} positions",
    "seconds": "{:,.0f} s on one core",
    "operations": "{:.3g} operations",
}


def readings(plan: CertifiedPlan, found: CertificateFound) -> Table:
    """Every network after equal positions, equal seconds and equal operations: three readings of one set of runs."""
    rows = [row for reading in READINGS for row in _reading(plan, found, reading)]
    for network in plan.frozen.networks:
        ends = [at[-1] for seed in range(plan.size.seeds) if (at := found.of_seed(network, seed))]
        rows.append(row_of(plan, found, ("not equal: the end of each", network), ends, _spent(found, ends)))
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
    means = {name: sum(getattr(one, name) for one in spent) / len(spent) for name in READINGS}
    return "after " + ", ".join(_AMOUNT[name].format(means[name]) for name in READINGS)


def _reading(plan: CertifiedPlan, found: CertificateFound, reading: Reading) -> Iterator[Row]:
    budget = found.budget(reading)
    for network in plan.frozen.networks:
        labels = (_READ[reading], network)
        if budget is None:
            yield Row(labels=labels)
            continue
        inside = [found.within(network, seed, reading, budget) for seed in range(plan.size.seeds)]
        yield row_of(
            plan, found, labels, [at for at in inside if at is not None], f"within {_AMOUNT[reading].format(budget)}"
        )


def equal_seen(plan: CertifiedPlan, found: CertificateFound) -> Table:
    """Every network where it first wins its own training class: how far, and not how soon."""
    rows = []
    for network in plan.frozen.networks:
        reached = [found.mastered(network, seed) for seed in range(plan.size.seeds)]
        known = [at for at in reached if at is not None]
        never = sum(at is None and bool(found.of_seed(network, seed)) for seed, at in enumerate(reached))
        note = f"{len(known)} of {plan.size.seeds} seeds get there" if never else ""
        rows.append(row_of(plan, found, (network,), known, note))
    return Table(
        title="At equal seen score",
        label_columns=("Network",),
        unit="won on classes never seen, percent",
        rows=tuple(rows),
        caption=(
            f"The first checkpoint that wins {percent(plan.frozen.seen_score):.0f} percent of its games on the class it was "
            "trained on. A network that never gets there has not learned its own game, and nothing is said of how far it carries."
        ),
        measured="unseen wins",
    )


def tested(plan: CertifiedPlan, found: CertificateFound) -> Table:
    """The checkpoint chosen on validation classes, tested once on the others."""
    rows = []
    for network in plan.frozen.networks:
        chosen = [at for seed in range(plan.size.seeds) if (at := found.chosen(network, seed)) is not None]
        proved = [found.certified(at, plan.test) for at in chosen]
        at_all = sum(one.decided for one in proved)
        share = found.over_seeds(chosen, found.proved_share(plan.test))
        said = ", ".join(f"{one.proved} of {len(plan.test)}" for one in proved)
        wins = found.over_seeds(chosen, found.won_share(plan.test))
        rows.append(
            Row(
                labels=(network,),
                ours=f"{said} classes" if chosen else "",
                value=None if share is None else percent(share.share),
                low=None if share is None else percent(share.low),
                high=None if share is None else percent(share.high),
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


def lasting(plan: CertifiedPlan, found: CertificateFound) -> Table:
    """How long certificates last."""
    from noughts.statistics import wilson

    rows = []
    for network in plan.frozen.networks:
        kept, of = found.lasting(network)
        share = wilson(kept, of)
        rows.append(
            Row(
                labels=(network,),
                ours=f"{kept} of {of}" if of else "",
                value=percent(share.share) if of else None,
                low=percent(share.low) if of else None,
                high=percent(share.high) if of else None,
                count=of,
                note="" if of else "nothing was proved before the last checkpoint",
            )
        )
    return Table(
        title="How long certificates last",
        label_columns=("Network",),
        unit="proofs that the next checkpoint still has, percent",
        rows=tuple(rows),
        caption=f"Of each class that a checkpoint is proved on, whether the next one of the same training is, at most {plan.size.every} iterations later.",
        measured="still proved",
    )


def row_of(
    plan: CertifiedPlan, found: CertificateFound, labels: tuple[str, ...], at: Sequence[TrainedUntil], more: str = ""
) -> Row:
    """A row about some checkpoints of a network, one of each seed."""
    share = found.over_seeds(at, found.won_share(plan.unseen))
    if share is None:
        return Row(labels=labels, note=more)
    seen, unseen = ([found.certified(one, where) for one in at] for where in ((plan.seen,), plan.unseen))
    games = [score for one in at for score in found.scores(one, plan.unseen)]
    won = found.over_seeds(at, found.won_share((plan.seen,)))
    own, drawn = (found.over_seeds(at, found.right_share(plan.classes.rules, on)) for on in (True, False))
    notes = [
        f"won seen {percent(won.share):.0f} percent" if won is not None else "",
        f"proved: seen {sum(one.proved for one in seen)} of {len(at)}, unseen {sum(one.proved for one in unseen)} of "
        f"{sum(one.decided + one.given_up for one in unseen)} classes"
        + (f" ({given} not decided)" if (given := sum(one.given_up for one in (*seen, *unseen))) else ""),
        f"right moves: {percent(own.share):.0f} percent in its own games" if own is not None else "",
        f"{percent(drawn.share):.0f} percent in random ones" if drawn is not None else "",
        f"iteration {', '.join(str(one.iteration) for one in at)}",
        more,
    ]
    return Row(
        labels=labels,
        ours=f"{percent(share.share):.0f} percent",
        value=percent(share.share),
        low=percent(share.low),
        high=percent(share.high),
        count=sum(game.score.games for game in games),
        distinct=sum(game.distinct for game in games),
        note="; ".join(filter(None, notes)),
    )


_CURVES: tuple[tuple[str, str, str], ...] = (
    ("unseen wins", "Games won on classes never seen", "won, percent"),
    ("seen wins", "Games won on the class it trains on", "won, percent"),
    ("unseen proofs", "Classes never seen that are proved", "proved, percent of those decided"),
    ("own positions", "Right moves in positions of its own games", "keeps the value, percent of choices"),
    ("random positions", "Right moves in positions of random play", "keeps the value, percent of choices"),
)


def figures(plan: CertifiedPlan, found: CertificateFound) -> Iterator[CurveFigure]:
    """A curve of each network over the positions it has seen, for each thing that is measured."""
    shares: dict[str, Share] = {
        "unseen wins": found.won_share(plan.unseen),
        "seen wins": found.won_share((plan.seen,)),
        "unseen proofs": found.proved_share(plan.unseen),
        "own positions": found.right_share(plan.classes.rules, own=True),
        "random positions": found.right_share(plan.classes.rules, own=False),
    }
    for name, title, label in _CURVES:
        series = [one for network in plan.frozen.networks if (one := _series(plan, found, network, shares[name])).x]
        if series:
            yield CurveFigure(
                name=name,
                title=title,
                x_label="positions of self-play",
                y_label=label,
                y_range=(0.0, 100.0),
                series=tuple(series),
                about="By checkpoint: the mean of the seeds with its 95 percent interval; of one seed, the interval of its own games, classes or positions.",
            )


def _series(plan: CertifiedPlan, found: CertificateFound, network: str, share: Share) -> Series:
    points = []
    for iteration in plan.iterations(network):
        at = [TrainedUntil(network, seed, iteration) for seed in range(plan.size.seeds)]
        spent = [amount.positions for one in at if (amount := found.spent(one)) is not None]
        interval = found.over_seeds([one for one in at if found.spent(one) is not None], share)
        if spent and interval is not None:
            points.append((sum(spent) / len(spent), *(percent(value) for value in interval)))
    columns = tuple(zip(*points, strict=True)) or ((),) * 4
    return Series(name=network, x=columns[0], y=columns[1], low=columns[2], high=columns[3])
