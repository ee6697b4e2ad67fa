"""Flat Monte Carlo and the omniscient adversary."""

from itertools import pairwise

import pytest

from noughts.positions import Position, Rng
from noughts.rules import format_rules, parse_rules
from noughts.search.montecarlo import (
    flat_monte_carlo,
    flat_monte_carlo_reference,
    flat_monte_carlo_stepwise,
    omniscient_adversary,
)
from tests.search.cases import positions


@pytest.mark.parametrize("position", positions(6), ids=lambda p: f"{format_rules(p.rules)}@{p.ply}")
def test_kernel_equals_reference_game_for_game(position: Position) -> None:
    for sims in (1, 9):
        assert flat_monte_carlo(position, sims, Rng(2)) == flat_monte_carlo_reference(position, sims, Rng(2))


@pytest.mark.heavy
def test_a_slice_is_short_on_any_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.search.montecarlo.SLICE_PLIES", 2_000)
    for game, simulations, slice_ in (
        ("tic-tac-toe", 300, 222),
        ("mnk(19,19,5)", 8, 5),
        ("notakto(3,boards=100)", 3, 2),
    ):
        position = Position.start(parse_rules(game))
        played = [found.nodes for found in flat_monte_carlo_stepwise(position, simulations, Rng(1))]
        assert played[0] == slice_
        assert played[-1] == simulations * len(position.legal_moves)
        assert max(after - before for before, after in pairwise(played)) < 2 * slice_


def test_each_move_gets_its_rollouts_and_the_centre_is_best() -> None:
    found = flat_monte_carlo(Position.start(parse_rules("tic-tac-toe")), 2000, Rng(1))
    assert {move.visits for move in found.moves} == {2000}
    assert found.nodes == 9 * 2000
    assert found.move == 4


def test_the_omniscient_adversary_knows_its_opponents_next_move() -> None:
    rules = parse_rules("tic-tac-toe")
    start = Position.start(rules)
    asked = []

    def plays_the_first_free_cell(position: Position, rng: Rng) -> int:
        asked.append(position.to_move)
        return position.legal_moves[0]

    # Against an opponent without look-ahead, some move must win every game it can steer; many games find it.
    found = omniscient_adversary(start, 300, plays_the_first_free_cell, Rng(1))
    assert set(asked) == {1}
    values = {move.move: move.value for move in found.moves}
    assert values[found.move] == max(values.values())
    assert found.value > 0.6
