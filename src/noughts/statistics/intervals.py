"""95 percent confidence intervals of proportions, of differences of proportions, and of means.

SciPy provides Student's distribution and the bootstrap. It is loaded on first use, because most commands need neither.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

_RESAMPLES = 9999
_ROUNDING = 1e-12  # relative: how far rounding may put a sum of squares from the square of the sum


class Interval(NamedTuple):
    """An estimate with its 95 percent interval: a proportion, a difference of two, or a mean in its own unit."""

    value: float
    low: float
    high: float

    def as_data(self, name: str) -> dict[str, float]:
        """The numbers for programs, with the value under this name."""
        return {name: self.value, "low": self.low, "high": self.high}


class ClusteredShare(NamedTuple):
    """A proportion of trials that come in clusters.

    Attributes:
        interval: By bootstrap over clusters, and never narrower than Wilson's.
        trials: The effective sample size of Rao and Scott, 1992: independent trials with the same information.
    """

    interval: Interval
    trials: int


def wilson(successes: float, trials: float) -> Interval:
    """Return the proportion of successes with its 95 percent Wilson score interval; from 0 to 1 if there are no trials.

    It also serves for the mean of values from 0 to 1, given their sum and their number, as if each unit of the sum were a
    success. Other values spread less, so the interval is never too narrow. If wins, draws and losses are known,
    `points_interval` is more precise.
    """
    if trials == 0:
        return Interval(0.0, 0.0, 1.0)
    square = NormalDist().inv_cdf(0.975) ** 2
    middle = successes + square / 2
    half = (square * (successes * (trials - successes) / trials + square / 4)) ** 0.5
    low, high = max(0.0, (middle - half) / (trials + square)), min(1.0, (middle + half) / (trials + square))
    share = successes / trials
    return Interval(share, min(low, share), max(high, share))  # rounding must not exclude the share


def difference(a: Interval, b: Interval) -> Interval:
    """Return the difference `a` - `b` of proportions, with Newcombe's hybrid score interval if both are Wilson's.

    With other intervals it is the same method, variance recovery (MOVER).

    Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17 (1998),
    method 10; Zou and Donner, Construction of confidence limits about effect measures, Statistics in Medicine 27 (2008).
    """
    value, low, high = recover_variances(a, b)
    return Interval(value, max(-1.0, low), min(1.0, high))


def recover_variances(a: tuple[float, float, float], b: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return the difference of two independent estimates in any unit, each given with its interval."""
    value = a[0] - b[0]
    return value, value - math.hypot(a[0] - a[1], b[2] - b[0]), value + math.hypot(a[2] - a[0], b[0] - b[1])


def clustered_share(successes: Sequence[int], trials: Sequence[int]) -> ClusteredShare:
    """Estimate a proportion of trials that come in clusters, such as games on symmetric squares.

    Trials within a cluster may be correlated, so the bootstrap draws whole clusters with replacement, 9,999 times from a
    fixed seed. The interval is between the 2.5th and the 97.5th percentile of the proportions. If all trials have the
    same result, the bootstrap shows no variation, and gives no information about correlation. Then each cluster counts
    as one trial.

    Args:
        successes, trials: The counts of each cluster.
    """
    counted = [(won, of) for won, of in zip(successes, trials, strict=True) if of]
    won, of = sum(won for won, _ in counted), sum(of for _, of in counted)
    plain = wilson(won, of)
    if len(counted) < 2:  # one cluster does not show how clusters differ
        return ClusteredShare(Interval(plain.value, 0.0, 1.0) if counted else plain, min(of, 1))
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
    effective = plain.value * (1 - plain.value) / variance if variance > 0 else float(of)
    interval = Interval(plain.value, min(plain.low, low), max(plain.high, high))
    return ClusteredShare(interval, max(1, min(of, round(effective))))


def points_interval(wins: float, draws: float, losses: float) -> Interval:
    """Return the mean points of a game, 1 for a win and 1/2 for a draw, with a 95 percent interval; 0 to 1 without games.

    This is Tango's score interval of the difference of wins and losses, which counts draws: many draws make it narrower.
    It excludes 1/2 if McNemar's test without continuity correction finds wins and losses different. Without draws it is `wilson`.

    Tango, Equivalence test and confidence interval for the difference in proportions for the paired-sample design,
    Statistics in Medicine 17 (1998).
    """
    if not draws:
        return wilson(wins, wins + losses)
    points = (wins + draws / 2) / (wins + draws + losses)
    low, high = 0.5 - _most_ahead(losses, draws, wins) / 2, 0.5 + _most_ahead(wins, draws, losses) / 2
    return Interval(points, low, high)


def _most_ahead(wins: float, draws: float, losses: float) -> float:
    """The upper end of Tango's interval of the difference of win and loss rates, from -1 to 1; requires draws."""
    from scipy.optimize import brentq

    games, square = wins + draws + losses, NormalDist().inv_cdf(0.975) ** 2

    def excess(ahead: float) -> float:
        """The excess of the squared statistic over its limit, times its variance, if `ahead` were the true difference."""
        middle = (2 * games - wins + losses) * ahead - wins - losses
        spread = middle * middle + 8 * games * losses * ahead * (1 - ahead)
        lost = (max(0.0, spread) ** 0.5 - middle) / (4 * games)  # the maximum likelihood loss rate then
        variance = games * (2 * lost + ahead * (1 - ahead))
        return float((wins - losses - games * ahead) ** 2 - square * variance)

    return float(brentq(excess, (wins - losses) / games + _ROUNDING, 1.0, xtol=_ROUNDING))


def effective_games(games: Sequence[int], distinct: Sequence[int]) -> float:
    """Return the effective number of games in groups where some games were played more than once.

    Repeats are no further evidence. This is Kish's effective sample size, (sum of weights)^2 / sum of squared weights, where
    the different games of a group share the group's games equally as their weights. It does not use how often each game
    was played: if some were repeated more often than others, the result is an upper bound. Without repeats it is
    the number of all games.

    Kish, Survey Sampling, Wiley (1965).

    Args:
        games: Number of games in each group; empty groups have no effect.
        distinct: Number of different games in each group, at least 1 if it has games.
    """
    groups = [(of, different) for of, different in zip(games, distinct, strict=True) if of]
    if not groups:
        return 0.0
    return sum(of for of, _ in groups) ** 2 / sum(of**2 / different for of, different in groups)


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the mean of 2 or more values, in any unit, with its 95 percent interval by Student's t."""
    mean = fmean(values)
    half = _students(len(values)) * stdev(values) / len(values) ** 0.5
    return Interval(mean, mean - half, mean + half)


def mean_share(shares: Sequence[Interval]) -> Interval:
    """Return the mean of proportions, each from its own test, such as those of trainings with different seeds.

    The interval is Student's t over the proportions, within 0 to 1, but never narrower than their own intervals are on
    average, because equal results do not make the tests larger. For exact proportions that are all equal it has no
    width, because they do not show how far others would differ.

    Args:
        shares: At least one proportion with its own interval; a single one is returned unchanged.
    """
    if len(shares) == 1:
        return shares[0]
    mean, low, high = mean_interval([found.value for found in shares])
    own = _on_average(shares)
    return Interval(mean, max(0.0, min(low, own.low)), min(1.0, max(high, own.high)))


def mean_difference(ones: Sequence[Interval], bases: Sequence[Interval]) -> Interval:
    """Return the mean paired difference of two kinds of proportions, such as trainings with equal seeds.

    The interval is Student's t over the differences, within -1 to 1, but never narrower than that of the difference of two
    tests of average size. These are treated as independent, although tests of a pair on the same positions carry
    slightly more information. For exact proportions whose differences are all equal it has no width.

    Args:
        ones, bases: At least 2 proportions each, with their own intervals, in the order of their pairs.
    """
    value, low, high = mean_interval([one.value - base.value for one, base in zip(ones, bases, strict=True)])
    _, least, most = recover_variances(_on_average(ones), _on_average(bases))
    low, high = max(-1.0, min(low, least)), min(1.0, max(high, most))
    if math.isclose(low, high, abs_tol=_ROUNDING):
        return Interval(value, value, value)
    return Interval(value, low, high)


def _on_average(shares: Sequence[Interval]) -> Interval:
    """The averages of the proportions and of both ends of their intervals."""
    return Interval(*(fmean(column) for column in zip(*shares, strict=True)))


def interval_of_sums(count: int, total: float, squares: float, most: float) -> Interval:
    """Return the mean of `count` values from 0 to `most`, given only their sum and their sum of squares.

    The interval is Student's t, within 0 to `most`. If all values are equal, or there is only one, Student's t has no
    width; then each value counts as one trial, as in `wilson`.
    """
    mean = total / count
    spread = max(0.0, squares - count * mean * mean)
    if spread <= _ROUNDING * squares:
        _, low, high = wilson(total / most, count)
        return Interval(mean, most * low, most * high)
    half = _students(count) * (spread / (count - 1) / count) ** 0.5
    return Interval(mean, max(0.0, mean - half), min(most, mean + half))


def _students(count: int) -> float:
    """The half-width of the interval of a mean of `count` values, in standard errors."""
    from scipy.special import stdtrit  # scipy.stats takes much longer to load

    return float(stdtrit(count - 1, 0.975))
