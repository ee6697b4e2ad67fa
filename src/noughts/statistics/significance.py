"""Exact tests of counts, and p-values adjusted for how many there are."""

from collections.abc import Sequence


def same_rate(successes_a: int, trials_a: int, successes_b: int, trials_b: int) -> float:
    """Two-sided p-value of Fisher's exact test: how well both counts fit one common rate."""
    import numpy as np
    from scipy.stats import fisher_exact

    table = np.array([[successes_a, trials_a - successes_a], [successes_b, trials_b - successes_b]])
    return float(fisher_exact(table).pvalue)


def same_rate_paired(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Two-sided p-value of McNemar's exact test: how well both sides of the pairs fit one common rate.

    Only pairs whose sides differ count: under one rate, either side is the one that succeeds by the toss of a coin.

    Args:
        pairs: Whether each side of a pair succeeded, such as two trainings from one seed.
    """
    from scipy.stats import binomtest

    only_first = sum(first and not second for first, second in pairs)
    only_second = sum(second and not first for first, second in pairs)
    if not only_first + only_second:
        return 1.0
    return float(binomtest(only_first, only_first + only_second).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values: rejecting those below a level keeps the chance of even one false rejection below it.

    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
    """
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values: of those below a level, that share is expected to be false at most.

    Benjamini and Hochberg, Controlling the false discovery rate, Journal of the Royal Statistical Society B 57 (1995).
    """
    if not p_values:
        return []
    from scipy.stats import false_discovery_control

    return [float(value) for value in false_discovery_control(list(p_values))]
