"""Verdicts on claims: a claimed share beside a measured one.

A claim *agrees* where the whole 95 percent interval of the difference lies within a margin that is stated before, also
where a smaller difference is certain; one that does not *differs* where an exact test says so after Holm's adjustment for
all claims of the study; it is *refuted* where it is made of every game and one game is to the contrary; otherwise the two
are *not distinguishable*, which is no agreement.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from noughts.rules import Value
from noughts.statistics.intervals import ClusteredShare, Difference, Interval, difference, wilson
from noughts.statistics.significance import benjamini_hochberg, holm, same_rate

Verdict = Literal["agrees", "differs", "refuted", "not distinguishable", "no claim"]

LEVEL = 0.05
"""Of all tests: what is less likely than this under one common rate differs."""

MARGIN = 0.1
"""Where a claim states no other margin: shares that are less than ten points apart count as equal. A paper's count of 100
games is itself known to about ten points, so that nothing finer can be asked of it."""


class Comparison(Value):
    """A claimed share beside a measured one.

    Attributes:
        successes, trials: What was measured.
        claimed: The share that is claimed, from 0 to 1.
        claimed_trials: On how many trials the claim rests; 0 for a claim about every trial there can be.
        value, low, high: The measured share less the claimed one, with its 95 percent interval.
        margin: Stated before: shares that are no further apart count as equal.
        p_value: How well both fit one rate; None for a claim about every trial, which one trial can refute.
        contrary: What is said of a claim about every trial that some trial contradicts; empty if none does.
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

    @property
    def difference(self) -> Difference:
        """The measured share less the claimed one."""
        return Difference(self.value, self.low, self.high)

    def verdict(self, adjusted: float | None) -> Verdict:
        """What to say of the claim, given the p-value after adjustment."""
        if self.contrary:
            return self.contrary
        if self.difference.is_within(self.margin):
            return "agrees"
        return "differs" if adjusted is not None and adjusted < LEVEL else "not distinguishable"


class Family(NamedTuple):
    """How many claims were compared, how many of them an exact test tells from what was measured, by itself and adjusted.

    Some of these may agree nevertheless: the difference is then certain, and within the margin.

    Attributes:
        compared: Claims that a test can tell from what was measured.
        singly: How many have a p-value below `LEVEL`.
        discoveries: How many after Benjamini and Hochberg.
        holm: How many after Holm.
    """

    compared: int
    singly: int
    discoveries: int
    holm: int

    @property
    def by_chance(self) -> float:
        """How many would have a p-value below `LEVEL` on average if every claim were right; with exact tests at most."""
        return LEVEL * self.compared

    @classmethod
    def of(cls, comparisons: Sequence[Comparison]) -> "Family":
        """Of the comparisons of a study."""
        p_values = _p_values(comparisons)
        return cls(
            len(p_values),
            _below(p_values),
            _below(benjamini_hochberg(p_values)),
            _below(holm(p_values)),
        )


def compare(
    successes: int,
    trials: int,
    claimed: int,
    claimed_trials: int,
    margin: float = MARGIN,
    clustered: ClusteredShare | None = None,
) -> Comparison | None:
    """A measured count beside a claimed one; None while nothing was measured.

    Args:
        successes, trials: What was measured.
        claimed, claimed_trials: The claimed count.
        margin: Shares that are no further apart count as equal.
        clustered: The measured share, if its trials come in clusters: then its interval counts, and the test is made
            with as many trials as they are worth.
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
    """A measured count beside the claim that every trial succeeds, or that none does; None while nothing was measured.

    Args:
        successes, trials: What was measured.
        always: True for every trial, False for none.
        margin: How far the share may be from the claim, by its interval, to agree with it.
        contrary: What is said where a trial contradicts it.
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
    """The verdict on each of a study's claims; their number is part of each."""
    tested = iter(holm(_p_values(comparisons)))
    return [one.verdict(None if one.p_value is None else next(tested)) for one in comparisons]


def _p_values(comparisons: Sequence[Comparison]) -> list[float]:
    return [one.p_value for one in comparisons if one.p_value is not None]


def _below(p_values: Sequence[float]) -> int:
    return sum(value < LEVEL for value in p_values)
