"""The arithmetic on rounds."""

from benchmarks.results import Measured, Spread, ratio_of_rounds


def at_rates(*rates: int) -> list[Measured]:
    return [Measured(units=rate * 2, wall_s=2.0, cpu_s=1.5) for rate in rates]


def test_a_spread_is_the_median_and_the_extremes() -> None:
    assert Spread.of([4.0, 1.0, 3.0]) == Spread(median=3.0, min=1.0, max=4.0)
    assert Spread.of([1.0, 2.0]).median == 1.5


def test_the_ratio_is_taken_within_rounds() -> None:
    # The last round was slow for both. The ratio of the medians would be 80 / 10 = 8 times.
    ratio = ratio_of_rounds("noughts", at_rates(100, 80, 10), at_rates(10, 20, 2))
    assert ratio.noughts == "noughts"
    assert ratio.times == Spread(median=5.0, min=4.0, max=10.0)
