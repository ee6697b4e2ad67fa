"""Intervals and tests: what a count of games does and does not show. SciPy does the arithmetic."""

from typing import NamedTuple


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


def wilson(successes: int, trials: int) -> Interval:
    """Share of successes with its 95 percent Wilson score interval; everything from 0 to 1 if there are no trials."""
    if trials == 0:
        return Interval(0.0, 0.0, 1.0)
    from scipy.stats import binomtest

    found = binomtest(successes, trials).proportion_ci(confidence_level=0.95, method="wilson")
    return Interval(successes / trials, float(found.low), float(found.high))


def points_interval(points: float, games: int) -> Interval:
    """Mean points of a game, from 0 to 1, with a 95 percent interval; everything from 0 to 1 if there are no games.

    Wilson's formula as if each point were a game won: draws spread less than that, so the interval is never too narrow.
    Of a whole number of points it is that of `wilson`.
    """
    if games == 0:
        return Interval(0.0, 0.0, 1.0)
    from scipy.stats import norm

    square = float(norm.ppf(0.975)) ** 2
    middle = points + square / 2
    half = (square * (points * (games - points) / games + square / 4)) ** 0.5
    low, high = max(0.0, (middle - half) / (games + square)), min(1.0, (middle + half) / (games + square))
    return Interval(points / games, low, high)


def mean_interval(values: list[float]) -> tuple[float, float, float]:
    """Mean with its 95 percent interval by Student's t; the interval is the mean itself for a single value."""
    import numpy as np
    from scipy.stats import t

    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, mean, mean
    half = float(t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / len(values) ** 0.5)
    return mean, mean - half, mean + half


def interval_of_sums(count: int, total: float, squares: float) -> MeanInterval:
    """`mean_interval` of `count` values, 1 or more, of which only the sum and the sum of squares were kept."""
    from scipy.stats import t

    mean = total / count
    if count < 2:
        return MeanInterval(mean, mean, mean)
    variance = max(0.0, squares - count * mean * mean) / (count - 1)
    half = float(t.ppf(0.975, count - 1)) * (variance / count) ** 0.5
    return MeanInterval(mean, mean - half, mean + half)


def same_rate(successes_a: int, trials_a: int, successes_b: int, trials_b: int) -> float:
    """Two-sided p-value of Fisher's exact test: how well both counts fit one common rate."""
    import numpy as np
    from scipy.stats import fisher_exact

    table = np.array([[successes_a, trials_a - successes_a], [successes_b, trials_b - successes_b]])
    return float(fisher_exact(table).pvalue)
