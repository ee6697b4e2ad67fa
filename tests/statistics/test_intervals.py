"""Intervals compared with published ones, and their properties where nothing was published."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.statistics import (
    Interval,
    clustered_share,
    difference,
    effective_games,
    interval_of_sums,
    mean_difference,
    mean_interval,
    mean_share,
    points_interval,
    recover_variances,
    wilson,
)

COUNTS = st.integers(1, 60).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


def test_wilson_equals_the_published_interval() -> None:
    # Newcombe (1998), Statistics in Medicine 17, Table I, method 3 (score interval without continuity correction).
    share, low, high = wilson(81, 263)
    assert (round(share, 4), round(low, 4), round(high, 4)) == (0.308, 0.2553, 0.3662)
    assert wilson(0, 0) == (0.0, 0.0, 1.0)
    assert wilson(100, 100).high == pytest.approx(1.0)
    assert 0.96 < wilson(100, 100).low < 0.97


@pytest.mark.parametrize(
    ("a", "b", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((0, 10), (0, 10), -0.2775, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_differences_equal_the_published_ones(a: tuple[int, int], b: tuple[int, int], low: float, high: float) -> None:
    # Newcombe (1998), Statistics in Medicine 17, pages 873-890, Table II, method 10; statsmodels 0.14.6 gives the same
    # by confint_proportions_2indep(method="newcomb", correction=False).
    found = difference(wilson(*a), wilson(*b))
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.value == pytest.approx(a[0] / a[1] - b[0] / b[1])


@given(COUNTS, COUNTS)
def test_a_swapped_difference_is_negated_and_contains_its_value(a: tuple[int, int], b: tuple[int, int]) -> None:
    found, turned = difference(wilson(*a), wilson(*b)), difference(wilson(*b), wilson(*a))
    assert found == pytest.approx((-turned.value, -turned.high, -turned.low))
    assert -1 <= found.low <= found.value <= found.high <= 1


def test_variances_are_recovered_in_any_unit() -> None:
    assert recover_variances((5.0, 2.0, 9.0), (1.0, 1.0, 1.0)) == (4.0, 1.0, 8.0)
    assert recover_variances((5.0, 2.0, 8.0), (1.0, -3.0, 5.0)) == (4.0, -1.0, 9.0)


def test_means_have_students_interval() -> None:
    mean, low, high = mean_interval([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert (round(low, 3), round(high, 3)) == (-0.484, 4.484)  # t(0.975, 2) = 4.303
    assert interval_of_sums(3, 6.0, 14.0, most=4.0) == pytest.approx((2.0, 0.0, 4.0))  # impossible values are left out
    assert interval_of_sums(3, 6.0, 14.0, most=100.0) == pytest.approx((mean, 0.0, high))


def test_equal_values_have_an_interval_of_positive_width() -> None:
    assert interval_of_sums(50, 0.0, 0.0, most=2.0) == pytest.approx([2 * part for part in wilson(0, 50)])
    assert interval_of_sums(1, 2.0, 4.0, most=2.0) == pytest.approx([2 * part for part in wilson(1, 1)])
    tenth = interval_of_sums(1000, 100.0, 10.0, most=1.0)  # a thousand times 0.1, whose square is rounded
    assert tenth == pytest.approx(wilson(100, 1000))


def test_a_mean_share_includes_the_uncertainty_of_seeds_and_tests() -> None:
    one = wilson(90, 100)
    assert mean_share([one]) == one
    far = mean_share([wilson(10, 100), wilson(50, 100), wilson(90, 100)])
    expected = mean_interval([0.1, 0.5, 0.9])
    assert far == pytest.approx((expected.value, max(0.0, expected.low), min(1.0, expected.high)))
    assert mean_share([one, one]) == pytest.approx(one)  # equal values do not make a test larger
    near = mean_share([wilson(90, 100), wilson(90, 100), wilson(91, 100)])
    assert near.low < one.low + 0.01
    assert near.high > one.high
    exact = Interval(1.0, 1.0, 1.0)
    assert mean_share([exact] * 10) == exact


@given(st.lists(st.tuples(st.integers(0, 20), st.just(20)), min_size=1, max_size=6))
def test_a_mean_share_of_tests_lies_within_an_interval_of_positive_width(tests: list[tuple[int, int]]) -> None:
    found = mean_share([wilson(*test) for test in tests])
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


def test_a_mean_difference_includes_the_uncertainty_of_seeds_and_tests() -> None:
    far = mean_difference([wilson(90, 100), wilson(40, 100)], [wilson(10, 100), wilson(30, 100)])
    expected = mean_interval([0.8, 0.1])
    assert far == pytest.approx((expected.value, max(-1.0, expected.low), min(1.0, expected.high)))
    near = mean_difference([wilson(50, 100)] * 3, [wilson(40, 100)] * 3)  # equal values do not make a test larger
    assert near == pytest.approx(difference(wilson(50, 100), wilson(40, 100)))
    one, other = Interval(0.5, 0.5, 0.5), Interval(0.25, 0.25, 0.25)
    assert mean_difference([one] * 3, [other] * 3) == (0.25, 0.25, 0.25)
    exact = [[Interval(share, share, share) for share in shares] for shares in ((1 / 12, 2 / 12), (0.0, 1 / 12))]
    value, low, high = mean_difference(*exact)  # both are 1/12, except for rounding
    assert value == low == high


def test_clusters_of_equal_trials_count_as_one_trial_each() -> None:
    won = [10] * 6 + [0] * 4
    found = clustered_share(won, [10] * 10)
    assert found.interval.value == 0.6
    assert found.trials == pytest.approx(10, abs=1)
    assert found.interval.low <= 0.31  # of ten coins: percentiles of a binomial of 10 trials at 0.6
    assert found.interval.high >= 0.89
    plain = wilson(60, 100)
    assert found.interval.low < plain.low < plain.high < found.interval.high


@given(st.lists(st.tuples(st.integers(0, 5), st.just(5)), min_size=2, max_size=6))
def test_a_clustered_interval_is_never_narrower_than_wilsons(clusters: list[tuple[int, int]]) -> None:
    won, of = zip(*clusters, strict=True)
    found, plain = clustered_share(won, of), wilson(sum(won), sum(of))
    assert found.interval.value == plain.value
    assert found.interval.low <= plain.low
    assert plain.high <= found.interval.high
    assert 1 <= found.trials <= sum(of)
    assert found == clustered_share(won, of)


def test_equal_clusters_count_all_their_trials() -> None:
    assert clustered_share([5] * 8, [10] * 8).trials == 80
    assert clustered_share([5] * 8, [10] * 8).interval == wilson(40, 80)


@pytest.mark.parametrize("clusters", [2, 3, 10])
def test_if_all_trials_are_equal_each_cluster_counts_as_one(clusters: int) -> None:
    won = clustered_share([20] * clusters, [20] * clusters)
    assert won.interval == wilson(clusters, clusters)
    assert won.trials == clusters
    assert clustered_share([0] * clusters, [20] * clusters).interval == wilson(0, clusters)


def test_one_cluster_gives_the_widest_interval() -> None:
    assert clustered_share([7], [10]).interval == (0.7, 0.0, 1.0)
    assert clustered_share([7], [10]).trials == 1
    assert clustered_share([], []).interval == (0.0, 0.0, 1.0)


def test_repeated_games_count_for_no_more_than_different_ones() -> None:
    assert effective_games([10, 5], [10, 5]) == 15
    assert effective_games([100, 100], [1, 1]) == effective_games([1, 1], [1, 1]) == 2
    # Kish: weights 50, 50 and a hundred of 1: 200^2 / (2 * 50^2 + 100) = 7.843 games
    assert effective_games([100, 100], [2, 100]) == 40000 / 5100
    assert effective_games([0, 4], [0, 4]) == 4
    assert effective_games([], []) == 0


def test_without_draws_the_interval_of_points_is_that_of_wins() -> None:
    assert points_interval(7, 0, 3) == wilson(7, 10)
    assert points_interval(0, 0, 0) == (0.0, 0.0, 1.0)


def test_many_draws_narrow_the_interval() -> None:
    clear = points_interval(24, 176, 0)
    assert clear.value == 0.56
    assert clear.low > 0.53
    assert clear.high - clear.low < (wilson(112, 200).high - wilson(112, 200).low) / 2
    drawn = points_interval(0, 1000, 0)
    assert 0.49 < drawn.low < 0.5 < drawn.high < 0.51
    assert drawn.high - 0.5 == pytest.approx(0.5 - drawn.low)


@pytest.mark.parametrize(("wins", "draws", "losses"), [(6, 989, 5), (12, 5, 3), (1, 1, 0), (0, 3, 9), (2.5, 7.25, 1.0)])
def test_points_of_both_players_add_up_and_match_mcnemars_test(wins: float, draws: float, losses: float) -> None:
    ours, theirs = points_interval(wins, draws, losses), points_interval(losses, draws, wins)
    assert (ours.low + theirs.high, ours.high + theirs.low) == pytest.approx((1.0, 1.0))
    assert 0.0 <= ours.low <= ours.value <= ours.high <= 1.0
    # where McNemar's test without its correction distinguishes wins from losses, and only there, 1/2 is outside
    apart = (wins - losses) ** 2 > 1.959964**2 * (wins + losses)
    assert (not ours.low <= 0.5 <= ours.high) == apart


@pytest.mark.parametrize("chances", [(0.5, 0.3, 0.2), (0.2, 0.7, 0.1), (0.05, 0.9, 0.05), (0.3, 0.1, 0.6)])
def test_the_interval_of_points_has_its_nominal_coverage(chances: tuple[float, float, float]) -> None:
    """Every outcome of 40 games, weighted by its probability."""
    games, truth, covered = 40, chances[0] + chances[1] / 2, 0.0
    for wins in range(games + 1):
        for draws in range(games + 1 - wins):
            losses = games - wins - draws
            ways = math.comb(games, wins) * math.comb(games - wins, draws)
            found = points_interval(wins, draws, losses)
            if found.low <= truth <= found.high:
                covered += ways * chances[0] ** wins * chances[1] ** draws * chances[2] ** losses
    assert covered > 0.93


def test_a_share_of_0_or_1_lies_within_its_interval() -> None:
    for games in range(1, 60):
        for points in (0, games):
            share, low, high = wilson(points, games)
            assert low <= share <= high
