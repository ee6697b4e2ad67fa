"""Verdicts on claims: comparisons of a claimed proportion with a measured one.

A claim *agrees* if the whole 95 percent interval of the difference is within a margin that was stated in advance, even
if a smaller difference is certain. Otherwise it *differs* if an exact test is significant after Holm's adjustment for
all claims of the study. A claim about every game is *refuted* by a single counterexample. In all other cases the two
are *not distinguishable*, which does not mean that they agree.
"""

from collections.abc import Sequence
from typing import Literal

from noughts.rules import Value
from noughts.statistics.intervals import ClusteredShare, Interval, difference, wilson
from noughts.statistics.significance import holm, same_rate

Verdict = Literal["agrees", "differs", "refuted", "not distinguishable", "no claim"]

LEVEL = 0.05
"""Significance level of all tests."""

MARGIN = 0.1
"""Default margin: proportions less than ten points apart count as equal. A count of 100 games in a paper is itself
only known to about ten points, so no finer comparison is possible."""


class Comparison(Value):
    """A comparison of a claimed proportion with a measured one.

    Attributes:
        successes, trials: The measured counts.
        claimed: The claimed proportion, from 0 to 1.
        claimed_trials: The number of trials behind the claim; 0 for a claim about every possible trial.
        value, low, high: The measured proportion minus the claimed one, with its 95 percent interval.
        margin: The largest difference that counts as equal, stated in advance.
        p_value: Of the test that both have one rate; None for a claim about every trial, which one trial can refute.
        contrary: The verdict on a claim about every trial that some trial contradicts; empty if none does.
    """

    successes: int
    trials: int
    claimed: float
    claimed_trials: int
    value: float
    low: float
    high: float
    margin: float
    p_value: float | None = None
    contrary: Literal["", "differs", "refuted"] = ""

    def verdict(self, adjusted: float | None) -> Verdict:
        """Return the verdict on the claim, given the adjusted p-value."""
        if self.contrary:
            return self.contrary
        if -self.margin <= self.low and self.high <= self.margin:
            return "agrees"
        return "differs" if adjusted is not None and adjusted < LEVEL else "not distinguishable"


def compare(
    successes: int,
    trials: int,
    claimed: int,
    claimed_trials: int,
    margin: float = MARGIN,
    clustered: ClusteredShare | None = None,
) -> Comparison | None:
    """Compare a measured count with a claimed one; return None if either has no trials.

    Args:
        successes, trials: The measured counts.
        claimed, claimed_trials: The claimed counts.
        margin: The largest difference that counts as equal.
        clustered: The measured proportion, if its trials come in clusters; then its interval counts, and the test uses
            its effective number of trials.
    """
    if not trials or not claimed_trials:
        return None
    share, worth = (wilson(successes, trials), trials) if clustered is None else clustered
    found = difference(share, wilson(claimed, claimed_trials))
    return Comparison(
        successes=successes,
        trials=trials,
        claimed=claimed / claimed_trials,
        claimed_trials=claimed_trials,
        **found._asdict(),
        margin=margin,
        p_value=same_rate(round(successes * worth / trials), worth, claimed, claimed_trials),
    )


def compare_with_always(
    successes: int,
    trials: int,
    always: bool = True,
    margin: float = MARGIN,
    contrary: Literal["differs", "refuted"] = "refuted",
) -> Comparison | None:
    """Compare a measured count with the claim that every trial succeeds, or that none does; None without trials.

    Args:
        successes, trials: The measured counts.
        always: True for every trial, False for none.
        margin: The claim agrees if the interval of the difference is within this.
        contrary: The verdict if a trial contradicts the claim.
    """
    if not trials:
        return None
    share, claimed = wilson(successes, trials), float(always)
    return Comparison(
        successes=successes,
        trials=trials,
        claimed=claimed,
        claimed_trials=0,
        **difference(share, Interval(claimed, claimed, claimed))._asdict(),
        margin=margin,
        contrary="" if successes == (trials if always else 0) else contrary,
    )


def verdicts_on(comparisons: Sequence[Comparison]) -> list[Verdict]:
    """Return the verdict on each of a study's claims; each depends on the number of claims."""
    tested = iter(holm([one.p_value for one in comparisons if one.p_value is not None]))
    return [one.verdict(None if one.p_value is None else next(tested)) for one in comparisons]
