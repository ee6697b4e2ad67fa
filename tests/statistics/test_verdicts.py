"""Verdicts: agreement, difference, and neither."""

from noughts.statistics import LEVEL, Comparison, clustered_share, compare, compare_with_always, verdicts_on


def known(comparison: Comparison | None) -> Comparison:
    assert comparison is not None
    return comparison


def test_a_failure_to_reject_is_no_agreement() -> None:
    few, many = known(compare(70, 100, 70, 100)), known(compare(7000, 10_000, 7000, 10_000))
    assert few.p_value == many.p_value == 1.0
    assert verdicts_on([few]) == ["not distinguishable"]  # the difference may be 13 points
    assert verdicts_on([many]) == ["agrees"]
    assert verdicts_on([known(compare(70, 100, 70, 100, margin=0.2))]) == ["agrees"]


def test_significant_differences_within_the_margin_agree() -> None:
    found = known(compare(5500, 10_000, 5000, 10_000))
    assert found.p_value is not None
    assert found.p_value < LEVEL
    assert verdicts_on([found]) == ["agrees"]
    assert verdicts_on([known(compare(5500, 10_000, 5000, 10_000, margin=0.02))]) == ["differs"]


def test_one_counterexample_refutes_a_claim_about_all() -> None:
    assert verdicts_on([known(compare_with_always(29, 30))]) == ["refuted"]
    assert verdicts_on([known(compare_with_always(1, 30, False))]) == ["refuted"]
    assert verdicts_on([known(compare_with_always(1, 30, False, contrary="differs"))]) == ["differs"]
    assert verdicts_on([known(compare_with_always(30, 30))]) == ["not distinguishable"]  # at least 89 percent
    certain = [known(compare_with_always(400, 400)), known(compare_with_always(0, 400, False))]
    assert verdicts_on(certain) == ["agrees"] * 2


def test_verdicts_depend_on_the_number_of_claims() -> None:
    one, other = known(compare(38, 50, 27, 50)), known(compare(25, 50, 25, 50))
    assert one.p_value is not None
    assert LEVEL / 3 < one.p_value < LEVEL
    assert verdicts_on([one]) == ["differs"]
    assert verdicts_on([one, other, other]) == ["not distinguishable"] * 3


def test_clustered_trials_are_weaker_evidence() -> None:
    won, of = [10, 10, 10, 10, 10, 10, 0, 0], [10] * 8
    alone = known(compare(60, 80, 40, 80))
    clustered = known(compare(60, 80, 40, 80, clustered=clustered_share(won, of)))
    assert verdicts_on([alone]) == ["differs"]
    assert verdicts_on([clustered]) == ["not distinguishable"]
    assert clustered.low < alone.low < alone.high < clustered.high
    assert (clustered.value, clustered.trials) == (alone.value, 80)


def test_nothing_is_compared_before_it_is_measured() -> None:
    assert compare(0, 0, 10, 20) is None
    assert compare(5, 10, 0, 0) is None
    assert compare_with_always(0, 0) is None
    assert verdicts_on([]) == []
