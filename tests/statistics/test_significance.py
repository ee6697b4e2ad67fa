"""Exact tests and adjusted p-values beside published ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.statistics import holm, same_rate, same_rate_paired

P_VALUES = st.lists(st.floats(0, 1), max_size=12)


def test_fishers_test_of_the_lady_tasting_tea() -> None:
    # Fisher (1935), The Design of Experiments, chapter 2: 3 of 4 cups right; 34 of 70 arrangements are as extreme.
    assert same_rate(3, 4, 1, 4) == pytest.approx(34 / 70)
    assert same_rate(4, 4, 0, 4) == pytest.approx(2 / 70)
    assert same_rate(70, 100, 15, 20) > 0.5
    assert same_rate(100, 100, 40, 100) < 1e-10


def test_mcnemars_test_only_counts_discordant_pairs() -> None:
    pairs = [(True, True)] * 10 + [(True, False)] * 6 + [(False, True)] + [(False, False)] * 5
    assert same_rate_paired(pairs) == 0.125  # 2 (C(7,0) + C(7,1)) / 2^7; statsmodels 0.14.6: mcnemar(exact=True)
    assert same_rate_paired(pairs[:10]) == 1.0
    assert same_rate_paired([]) == 1.0
    assert same_rate_paired([(True, False)] * 10) == pytest.approx(2 / 1024)


def test_adjusted_p_values_equal_those_of_statsmodels() -> None:
    p_values = [0.01, 0.04, 0.03, 0.005, 0.5, 0.04]  # statsmodels 0.14.6: multipletests, method holm
    assert holm(p_values) == pytest.approx([0.05, 0.12, 0.12, 0.03, 0.5, 0.12])


def test_a_published_example_of_fifteen_tests() -> None:
    # Benjamini and Hochberg (1995), section 3.2: 3 of these are rejected at 0.05 by Bonferroni's rule.
    p_values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719]
    p_values += [0.6528, 0.7590, 1.0000]
    assert sum(value <= 0.05 for value in holm(p_values)) == 3


@given(P_VALUES)
def test_adjusting_never_lowers_p_values_and_preserves_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[place] for place in order] == sorted(adjusted)
