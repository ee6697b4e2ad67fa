"""Positions to examine: none missing, none twice, and the same sample for all agents."""

import pytest

from noughts.examine.sample import TRIES, all_positions, sample_positions
from noughts.positions import Position, Rng, derive_seed
from noughts.rules import Rules, parse_rules
from noughts.search.rollout import RolloutPosition, reference_rng
from noughts.solvers.bits import words
from tests.positions.reached import SMALL_GAMES
from tests.solvers.brute_force import every_position


@pytest.mark.parametrize("text", SMALL_GAMES)
def test_all_positions_equal_brute_force_each_once(text: str) -> None:
    rules = parse_rules(text)
    strata = all_positions(rules, 20_000)
    assert strata is not None
    found = [words(position) for stratum in strata for position in stratum.positions]
    truths = every_position(rules)
    assert len(set(found)) == len(found)
    assert set(found) == set(zip(map(int, truths.first), map(int, truths.second), strict=True))
    for stratum in strata:
        assert stratum.complete
        assert all(position.ply == stratum.ply and not position.is_over for position in stratum.positions)


def test_too_many_positions_are_not_listed() -> None:
    assert all_positions(parse_rules("tic-tac-toe"), 4520) is not None
    assert all_positions(parse_rules("tic-tac-toe"), 4519) is None
    assert all_positions(parse_rules("tic-tac-toe"), 0) is None
    assert all_positions(parse_rules("bttt(D4)"), 20_000) is None


def test_a_range_of_plies_may_be_small_enough_to_list() -> None:
    rules = parse_rules("bttt(D4)")
    found = all_positions(rules, 49, (1, 1))
    assert found is not None
    assert [(stratum.ply, len(stratum.positions)) for stratum in found] == [(1, 48)]
    assert all_positions(rules, 48, (1, 1)) is None
    assert all_positions(parse_rules("tic-tac-toe"), 10_000, (9, 20)) == ()


def test_the_sample_depends_only_on_the_seed() -> None:
    rules = parse_rules("bttt(D4)")
    strata = sample_positions(rules, 20, 7)
    assert strata == sample_positions(rules, 20, 7)
    assert strata[5].positions != sample_positions(rules, 20, 8)[5].positions
    assert [stratum.ply for stratum in strata] == list(range(len(strata)))
    assert len(strata) >= 45
    for stratum in strata:
        assert stratum.complete == (stratum.ply == 0)
        assert len(set(stratum.positions)) == len(stratum.positions) <= 20
        assert all(position.ply == stratum.ply and not position.is_over for position in stratum.positions)
        again = [Position.start(rules, position.moves) for position in stratum.positions]
        assert [position.moves for position in stratum.positions] == [position.moves for position in again]
    assert sum(len(stratum.positions) for stratum in strata) > 0.9 * 20 * len(strata)


def test_a_range_of_plies_has_the_same_positions_as_the_whole() -> None:
    rules = parse_rules("bttt(D4)")
    whole = sample_positions(rules, 10, 3)
    assert sample_positions(rules, 10, 3, (0, 2)) == whole[:3]
    assert sample_positions(rules, 10, 3, (6, 9)) == whole[6:10]


def test_plies_with_few_positions_are_complete() -> None:
    rules = parse_rules("tic-tac-toe")
    whole = all_positions(rules, 10_000)
    assert whole is not None
    strata = sample_positions(rules, 300, 0)
    assert [stratum.complete for stratum in strata] == [True] * 4 + [False] * 5
    assert strata[:4] == whole[:4]
    for drawn, every in zip(strata[4:], whole[4:], strict=True):
        assert set(drawn.positions) < set(every.positions)


def reference(rules: Rules, ply: int, number: int, seed: int) -> list[Position]:
    """The sample of one ply, in plain Python."""
    found: dict[Position, None] = {}
    for drawn in range(number):
        rng = reference_rng(Rng(derive_seed(seed, "score", rules.to_json(), ply, drawn)))
        for _ in range(TRIES):
            walk = RolloutPosition(Position.start(rules))
            while not walk.position.is_over and walk.position.ply < ply:
                walk.play(walk.free[rng.below(len(walk.free))])
            if not walk.position.is_over:
                found.setdefault(walk.position)
                break
    return list(found)


@pytest.mark.parametrize("text", ["tic-tac-toe", "bttt(D4)", "notakto(3,boards=2)", "mnk(3,4,3,line=loses,full=first)"])
def test_the_sample_equals_the_readable_one(text: str) -> None:
    rules = parse_rules(text)
    strata = {stratum.ply: stratum for stratum in sample_positions(rules, 5, 1)}
    for ply in (2, 4, 6, max(strata)):
        expected = reference(rules, ply, 5, 1)
        assert list(strata[ply].positions) == expected
        assert [found.moves for found in strata[ply].positions] == [position.moves for position in expected]


def test_the_sample_ends_where_every_game_is_over() -> None:
    rules = parse_rules("notakto(3)")
    assert max(stratum.ply for stratum in sample_positions(rules, 5, 0)) == 6  # seven marks always contain a line
    assert sample_positions(rules, 5, 0, (7, 9)) == ()
