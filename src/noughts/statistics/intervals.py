"""Intervals at 95 percent: of shares, of differences of shares, of means.

The Student distribution and the bootstrap are SciPy's. It is loaded where it is needed, since most commands need neither.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

_RESAMPLES = 9999
_ROUNDING = 1e-12  # of a sum of squares: by so much it may miss the square of the sum


class Interval(NamedTuple):
    """A share with its 95 percent interval, all from 0 to 1."""

    share: float
    low: float
    high: float


class MeanInterval(NamedTuple):
    """A mean with its 95 percent interval."""

    mean: float
    low: float
    high: float


class Difference(NamedTuple):
    """A difference of two shares with its 95 percent interval, all from -1 to 1."""

    value: float
    low: float
    high: float

    def is_within(self, margin: float) -> bool:
        """Whether the whole interval lies from `-margin` to `margin`."""
        return -margin <= self.low and self.high <= margin


class ClusteredShare(NamedTuple):
    """A share of trials that come in clusters.

    Attributes:
        interval: By bootstrap over clusters, and never narrower than Wilson's.
        trials: How many independent trials would say as much: the effective sample size of Rao and Scott, 1992.
    """

    interval: Interval
    trials: int


def wilson(successes: float, trials: float) -> Interval:
    """Share of successes with its 95 percent Wilson score interval; everything from 0 to 1 if there are no trials."""
    return bounded_mean_interval(successes, trials)


def difference(a: Interval, b: Interval) -> Difference:
    """How much larger the share `a` is than the share `b`: Newcombe's hybrid score interval, if both are Wilson's.

    With other intervals it is the same method of recovering variances (MOVER).

    Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17 (1998),
    method 10; Zou and Donner, Construction of confidence limits about effect measures, Statistics in Medicine 27 (2008).
    """
    value, low, high = recover_variances(a, b)
    return Difference(value, max(-1.0, low), min(1.0, high))


def recover_variances(a: tuple[float, float, float], b: tuple[float, float, float]) -> tuple[float, float, float]:
    """How much larger one figure is than another, each given with its interval; both independent, of any unit."""
    value = a[0] - b[0]
    return value, value - math.hypot(a[0] - a[1], b[2] - b[0]), value + math.hypot(a[2] - a[0], b[0] - b[1])


def clustered_share(successes: Sequence[int], trials: Sequence[int]) -> ClusteredShare:
    """A share of trials that come in clusters, such as the games on squares that are images of one another.

    Within a cluster trials may be as alike as they like: whole clusters are drawn, with replacement, 9,999 times from a
    fixed seed, and the interval lies between the 2.5th and the 97.5th percentile of their shares. Where every trial came
    out the same, drawing them shows no difference, and says nothing of how alike the trials of a cluster are: then each
    cluster counts as one trial.

    Args:
        successes, trials: Of each cluster.
    """
    counted = [(won, of) for won, of in zip(successes, trials, strict=True) if of]
    won, of = sum(won for won, _ in counted), sum(of for _, of in counted)
    plain = wilson(won, of)
    if len(counted) < 2:  # of one cluster nobody knows how far clusters differ
        return ClusteredShare(Interval(plain.share, 0.0, 1.0) if counted else plain, min(of, 1))
    if won in (0, of):
        alike = wilson(len(counted) if won else 0, len(counted))
        return ClusteredShare(alike, len(counted))
    import numpy as np
    from scipy.stats import bootstrap

    def share(won: np.ndarray, of: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.asarray(won.sum(axis=axis) / of.sum(axis=axis))

    drawn = bootstrap(
        tuple(np.array(counted, float).T),
        share,
        paired=True,
        vectorized=True,
        n_resamples=_RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(0),
    )
    low, high = map(float, drawn.confidence_interval)
    variance = float(drawn.standard_error) ** 2
    effective = plain.share * (1 - plain.share) / variance if variance > 0 else float(of)
    interval = Interval(plain.share, min(plain.low, low), max(plain.high, high))
    return ClusteredShare(interval, max(1, min(of, round(effective))))


def points_interval(wins: float, draws: float, losses: float) -> Interval:
    """Mean points of a game, 1 for a win and 1/2 for a draw, with a 95 percent interval; everything from 0 to 1 without games.

    Tango's score interval of the difference of wins and losses, among which draws count: many draws leave less to chance.
    It leaves 1/2 out where McNemar's test of wins and losses, without its correction, tells them apart. Without draws it is `wilson`.

    Tango, Equivalence test and confidence interval for the difference in proportions for the paired-sample design,
    Statistics in Medicine 17 (1998).
    """
    if not draws:
        return wilson(wins, wins + losses)
    points = (wins + draws / 2) / (wins + draws + losses)
    low, high = 0.5 - _most_ahead(losses, draws, wins) / 2, 0.5 + _most_ahead(wins, draws, losses) / 2
    return Interval(points, low, high)


def _most_ahead(wins: float, draws: float, losses: float) -> float:
    """The upper end of Tango's interval of the share of wins less that of losses, from -1 to 1; there are draws."""
    from scipy.optimize import brentq

    games, square = wins + draws + losses, NormalDist().inv_cdf(0.975) ** 2

    def excess(ahead: float) -> float:
        """By how much the statistic's square exceeds what is allowed, if that were the true difference; times its variance."""
        middle = (2 * games - wins + losses) * ahead - wins - losses
        spread = middle * middle + 8 * games * losses * ahead * (1 - ahead)
        lost = (max(0.0, spread) ** 0.5 - middle) / (4 * games)  # the likeliest share of losses then
        variance = games * (2 * lost + ahead * (1 - ahead))
        return float((wins - losses - games * ahead) ** 2 - square * variance)

    return float(brentq(excess, (wins - losses) / games + _ROUNDING, 1.0, xtol=_ROUNDING))


def bounded_mean_interval(total: float, count: float) -> Interval:
    """The mean of values from 0 to 1 of which only the sum is known, with a 95 percent interval; from 0 to 1 if there are none.

    Wilson's formula as if each unit of the sum were a success: other values spread less than that, so the interval is never
    too narrow. Where wins, draws and losses are known, `points_interval` says more.
    """
    if count == 0:
        return Interval(0.0, 0.0, 1.0)
    square = NormalDist().inv_cdf(0.975) ** 2
    middle = total + square / 2
    half = (square * (total * (count - total) / count + square / 4)) ** 0.5
    low, high = max(0.0, (middle - half) / (count + square)), min(1.0, (middle + half) / (count + square))
    share = total / count
    return Interval(share, min(low, share), max(high, share))  # rounding must not leave the share outside


def effective_games(games: Sequence[int], distinct: Sequence[int]) -> float:
    """How many different games say as much as groups of games, some of which were played more than once.

    Repeats are no further evidence. It is Kish's effective sample size, (sum of weights)^2 / sum of squared weights, where
    each different game of a group has an equal share of the group's games as its weight. How often each was played is not
    asked: where one was repeated more often than others, so many games are the most that it can be. Without repeats it is
    the number of all games.

    Kish, Survey Sampling, Wiley (1965).

    Args:
        games: How many each group has; those of none count for nothing.
        distinct: How many of them differ, 1 or more where there are games.
    """
    groups = [(of, different) for of, different in zip(games, distinct, strict=True) if of]
    if not groups:
        return 0.0
    return sum(of for of, _ in groups) ** 2 / sum(of**2 / different for of, different in groups)


def mean_interval(values: Sequence[float]) -> MeanInterval:
    """Mean of 2 values or more, of any unit, with its 95 percent interval by Student's t."""
    mean = fmean(values)
    half = _students(len(values)) * stdev(values) / len(values) ** 0.5
    return MeanInterval(mean, mean - half, mean + half)


def mean_share(shares: Sequence[Interval]) -> Interval:
    """The mean of shares that were each found by a test of its own, such as those of trainings with different seeds.

    The interval is Student's t over the shares, within 0 to 1, but never narrower than the shares' own intervals are on
    average: shares that happen to agree make none of their tests larger. Of exact shares that are all equal it has no
    width: how far others would differ is not known from them.

    Args:
        shares: Each with its own interval, 1 or more; one alone keeps it.
    """
    if len(shares) == 1:
        return shares[0]
    mean, low, high = mean_interval([found.share for found in shares])
    own = _on_average(shares)
    return Interval(mean, max(0.0, min(low, own.low)), min(1.0, max(high, own.high)))


def mean_difference(ones: Sequence[Interval], bases: Sequence[Interval]) -> Difference:
    """How much larger shares of one kind are than those of another on average, in pairs such as trainings of equal seeds.

    The interval is Student's t over the differences, within -1 to 1, but never narrower than the difference of two tests
    that are as large as each one's is on average. These are taken as independent: tests of a pair that meet the same
    positions tell a little more than that. Of exact shares whose differences are all equal it has no width.

    Args:
        ones, bases: Each with its own interval, in the order of their pairs, 2 or more of both.
    """
    value, low, high = mean_interval([one.share - base.share for one, base in zip(ones, bases, strict=True)])
    _, least, most = recover_variances(_on_average(ones), _on_average(bases))
    low, high = max(-1.0, min(low, least)), min(1.0, max(high, most))
    if math.isclose(low, high, abs_tol=_ROUNDING):
        return Difference(value, value, value)
    return Difference(value, low, high)


def _on_average(shares: Sequence[Interval]) -> Interval:
    """Shares and both ends of their own intervals, each on average."""
    return Interval(*(fmean(column) for column in zip(*shares, strict=True)))


def interval_of_sums(count: int, total: float, squares: float, most: float) -> MeanInterval:
    """Mean of `count` values from 0 to `most`, of which only the sum and the sum of squares were kept.

    The interval is Student's t, within 0 to `most`. If no two values differ it has no width, and nor has one value any:
    then each value counts as one trial, as in `bounded_mean_interval`.
    """
    mean = total / count
    spread = max(0.0, squares - count * mean * mean)
    if spread <= _ROUNDING * squares:
        _, low, high = bounded_mean_interval(total / most, count)
        return MeanInterval(mean, most * low, most * high)
    half = _students(count) * (spread / (count - 1) / count) ** 0.5
    return MeanInterval(mean, max(0.0, mean - half), min(most, mean + half))


def _students(count: int) -> float:
    """How many standard errors the interval of a mean of so many values reaches to either side."""
    from scipy.special import stdtrit  # scipy.stats takes much longer to load

    return float(stdtrit(count - 1, 0.975))
