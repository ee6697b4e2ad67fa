"""Many positions at once: what is said of them is true, the same for any number of workers, and open where it is open."""

import pytest

import noughts
from noughts.questions.solved_positions import SolvedPositions
from tests.solvers import brute_force


def test_every_move_has_the_value_of_brute_force() -> None:
    positions = noughts.sample("tic-tac-toe", 40, seed=1) + noughts.sample("misere(mnk(3,3,3))", 20, seed=1)
    for position, found in zip(positions, noughts.solve_many(positions, workers=0), strict=True):
        values = {m: -brute_force.value(position.play(m)) for m in position.legal_moves}
        assert {move.move: move.value for move in found.moves} == values
        assert found.value == max(values.values())
        assert set(found.optimal) == {move for move, value in values.items() if value == found.value}
