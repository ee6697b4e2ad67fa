"""The page of a sweep: differences between conditions are paired by seed, and no more precise than their tests."""

import pytest

from noughts.document.result import Row
from noughts.questions.sweep_tests import ScoreTest
from noughts.questions.swept import Measurement, Swept, SweptResult
from noughts.statistics import Interval, difference, mean_interval, wilson
from noughts.studies.sweep_document import sweep_page

SWEPT = Swept.of(
    [{"widths": "2"}, {"widths": "3"}],
    tasks=["mnk(2,3,2)"],
    seeds=[0, 1, 2],
    points=[100],
    tests=[ScoreTest(name="truth")],
    method="es",
    config={"rounds": 2, "population": 4},
)


def measured(condition: int, seed: int, share: Interval) -> Measurement:
    value, low, high = (100 * end for end in share)
    return Measurement(condition, seed, "run", "truth", 100, 1, 100, 1.0, value, low, high, 50, "told", low == high)


def exact(condition: int, seed: int, value: float) -> Measurement:
    return measured(condition, seed, Interval(*(value / 100,) * 3))


def differences(*some: Measurement) -> tuple[Row, ...]:
    """The rows of the second condition beside the first."""
    tables = sweep_page(SWEPT, SweptResult(measured=some)).tables
    return next((table.rows for table in tables if ": differences from widths=2" in table.title), ())


def test_differences_are_paired_by_seed() -> None:
    values = {0: (10.0, 20.0, 40.0), 1: (12.0, 25.0, 41.0)}
    some = [exact(n, seed, value) for n, own in values.items() for seed, value in enumerate(own)]
    (found,) = differences(*some)
    assert (found.labels, found.count, found.note) == (("3",), 3, "")
    assert (found.paper, found.ours) == ("23.3", "26.0")
    assert (found.value, found.low, found.high) == pytest.approx(mean_interval([2.0, 5.0, 1.0]))
    (found,) = differences(*some[:2], some[4])
    assert (found.paper, found.ours, found.low, found.count) == ("20.0", "25.0", None, 1)
    assert found.value == pytest.approx(5.0)
    assert found.note == "One seed alone, or the same difference in all: there is no interval."
    assert differences(some[0], some[4]) == ()


def test_a_difference_is_no_more_precise_than_its_tests() -> None:
    own = {0: (2, 1, 1), 1: (10, 10, 10)}
    tests = {n: [wilson(won, 20) for won in wins] for n, wins in own.items()}
    (found,) = differences(*(measured(n, seed, share) for n, each in tests.items() for seed, share in enumerate(each)))
    assert found.value == pytest.approx(100 * (30 - 4) / 60)
    assert found.low is not None
    assert found.high is not None
    narrowest = difference(wilson(10, 20), wilson(4 / 3, 20))
    assert (found.low, found.high) == pytest.approx((100 * narrowest.low, 100 * narrowest.high), abs=1.0)
    over_seeds = mean_interval([40.0, 45.0, 45.0])
    assert found.low < over_seeds.low < over_seeds.high < found.high


def test_equal_differences_of_exact_values_have_no_interval() -> None:
    values = {0: (10.1, 20.2, 40.7), 1: (12.2, 22.3, 42.8)}
    (found,) = differences(*(exact(n, seed, value) for n, own in values.items() for seed, value in enumerate(own)))
    assert (found.low, found.high) == (None, None)
    assert found.value == pytest.approx(2.1)
