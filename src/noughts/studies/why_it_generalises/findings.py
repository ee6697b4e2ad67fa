"""What `why-it-generalises` says in words, only as far as the intervals bear it."""

from collections.abc import Iterator

from noughts.statistics import Interval, recover_variances
from noughts.studies.checkpoints.outcome import CheckpointsFound, over_seeds
from noughts.studies.study import percent
from noughts.studies.why_it_generalises.plan import BASE, SETTINGS, AblationPlan

Found = CheckpointsFound[AblationPlan]


def findings(found: Found) -> Iterator[str]:
    """How each variant ends, with its seen score beside; then where it stands at equal seen score."""
    for name in found.plan.learners:
        ends = found.ends(name)
        unseen, seen = over_seeds(ends, found.won_share(found.plan.unseen)), over_seeds(ends, found.won_seen)
        if unseen is None or seen is None:
            continue
        said = f"{name}: wins {_written(unseen)} of its games on {len(found.plan.unseen)} classes that it never saw, and {_written(seen)} on what it trains on, at the end of {len(ends)} training{'s' if len(ends) > 1 else ''}"
        yield f"{said}." if name == BASE else f"{said}; {_beside(found, name)}."


def _written(share: Interval) -> str:
    return f"{percent(share.share):.0f} percent ({percent(share.low):.0f} to {percent(share.high):.0f})"


def _beside(found: Found, name: str) -> str:
    """A variant beside the one from which it differs in one thing, where both win their own squares."""
    called, margin = found.plan.variants[name].beside, SETTINGS.margin
    other = f"the {called} network" if called == BASE else f"the {called}"
    own, base = (found.mastered(variant) if variant in found.plan.learners else [] for variant in (name, called))
    if not own:
        return f"no seed wins {percent(SETTINGS.seen_score):.0f} percent of the games on what it trains on, so that nothing is said of how far it carries"
    share = found.won_share(found.plan.unseen)
    carried, carries = over_seeds(own, share), over_seeds(base, share)
    if len(own) < 2 or len(base) < 2 or carried is None or carries is None:
        return f"at equal seen score it is not told from {other}: that takes two seeds of each"
    value, low, high = recover_variances(carried, carries)
    points = f"{percent(value):+.0f} points, {percent(low):+.0f} to {percent(high):+.0f}"
    if low >= -margin and high <= margin:
        return f"at equal seen score as far as {other}, within {percent(margin):.0f} points ({points})"
    if low > 0 or high < 0:
        return f"at equal seen score {'further' if low > 0 else 'less far'} than {other} ({points})"
    return f"at equal seen score not distinguishable from {other} ({points})"
