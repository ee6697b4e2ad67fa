"""Exact tests of counts, and p-values adjusted for multiple testing."""

from collections.abc import Sequence


def same_rate(successes_a: int, trials_a: int, successes_b: int, trials_b: int) -> float:
    """Return the two-sided p-value of Fisher's exact test that both counts have one common rate."""
    import numpy as np
    from scipy.stats import fisher_exact

    table = np.array([[successes_a, trials_a - successes_a], [successes_b, trials_b - successes_b]])
    return float(fisher_exact(table).pvalue)


def same_rate_paired(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return the two-sided p-value of McNemar's exact test that both sides of the pairs have one common rate.

    Only pairs whose sides differ count: under one rate, each side is equally likely to be the one that succeeds.

    Args:
        pairs: For each pair, such as two trainings from one seed, whether each side succeeded.
    """
    from scipy.stats import binomtest

    only_first = sum(first and not second for first, second in pairs)
    only_second = sum(second and not first for first, second in pairs)
    if not only_first + only_second:
        return 1.0
    return float(binomtest(only_first, only_first + only_second).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values: rejecting those below a level keeps the probability of any false rejection below that level.

    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
    """
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted
