"""The tables and figures of `why-it-generalises`."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from noughts.document.result import CurveFigure, Figure, Row, Table, beside
from noughts.studies.checkpoints.outcome import CheckpointsFound
from noughts.studies.checkpoints.plan import TrainedUntil
from noughts.studies.checkpoints.tables import OVER_SEEDS, curve, equal_seen, unseen_row
from noughts.studies.why_it_generalises.plan import BASE, SETTINGS, AblationPlan

Found = CheckpointsFound[AblationPlan]
_COLUMNS = ("Variant", "What is different")


def at_equal_seen(found: Found) -> Table:
    """Every variant where it first wins its own squares."""
    return equal_seen(found, _COLUMNS, lambda variant, at, more: _row(found, variant, at, more))


def at_the_end(found: Found) -> Table:
    """Every variant after as many positions."""
    rows = []
    for variant in found.plan.learners:
        ends, seeds = found.ends(variant), found.plan.seeds_of(variant)
        so_far = f"{len(ends)} of {seeds} seeds so far" if 0 < len(ends) < seeds else ""
        rows.append(_row(found, variant, ends, so_far))
    return Table(
        title="After equal positions",
        label_columns=_COLUMNS,
        unit="won on classes never seen, percent",
        rows=tuple(rows),
        caption="At the end of each training. One that has not won its own squares by then says nothing of how far it carries.",
        measured="unseen wins",
    )


def _row(found: Found, variant: str, at: Sequence[TrainedUntil], more: str) -> Row:
    points = [point for one in at if (point := found.point(one)) is not None]
    spent = (
        f"after {fmean(point.positions for point in points):,.0f} positions, {fmean(point.seconds for point in points):,.0f} s on one core"
        if points
        else ""
    )
    return unseen_row(found, (variant, found.plan.variants[variant].about), at, (spent, more))


def figures(found: Found, ends: Table) -> tuple[Figure, ...]:
    """A figure for each kind of change, beside the table of ends."""
    about = f"By checkpoint: {OVER_SEEDS} games. Positions of self-play are what training costs; curves that are told apart at the end may meet later."
    return beside(ends, _figures(found), about)


def _figures(found: Found) -> Iterator[CurveFigure]:
    """The curves of the base and of one kind of change."""
    variants = found.plan.variants
    for group, title in SETTINGS.groups.items():
        own = {name for name, variant in variants.items() if variant.group == group}
        shown = own | {variants[name].beside for name in own} | {BASE}
        share = found.won_share(found.plan.unseen)
        curves = [one for name in variants if name in shown and (one := curve(found, name, share)).x]
        if own.intersection(one.name for one in curves):
            yield CurveFigure(
                name=group,
                title=f"{title}: wins on classes never seen",
                x_label="positions of self-play",
                y_label="won, percent",
                y_range=(0.0, 100.0),
                series=tuple(curves),
            )
