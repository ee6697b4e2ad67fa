"""Wins by lines of 1, 2 or 3: always the value of solvers that search whole boards."""

import random

import pytest

from noughts.machine.memory import GIB
from noughts.positions import Position, Side
from noughts.rules import SolverError, parse_rules
from noughts.rules.symmetry import symmetries
from noughts.solvers import Budget
from noughts.solvers.short_lines import ShortLines
from noughts.solvers.solve import Truth
from tests.positions.reached import played_out

SMALL = (
    "tic-tac-toe",
    "mnk(3,4,2)",
    "mnk(3,4,3)",
    "mnk(4,4,3)",
    "mnk(3,4,3,wrap=columns)",
    "mnk(3,4,3,bricks=B2,full=second)",
    "mnk(2,5,2,bricks=A3)",
    "mnk(3,3,1)",
    "mnk(3,5,3,full=first)",
    "mnk(3,4,1,line=loses)",
    "mnk(3,4,1,line=loses,marks=shared,bricks=A1)",
)


def positions(text: str, count: int) -> list[Position]:
    rng, found = random.Random(text), list[Position]()
    while len(found) < count:
        found += played_out(parse_rules(text), rng)[:-1]
    return found[:count]


@pytest.mark.parametrize("text", SMALL)
def test_proved_values_are_true(text: str) -> None:
    rules, proved = parse_rules(text), 0
    short, whole = ShortLines(rules, GIB), Truth(rules)
    for at in positions(text, 60):
        if short.refusal(at) is not None:
            with pytest.raises(SolverError, match="short lines does not cover"):
                short.prove(at, Budget())
            continue
        proved += 1
        proof = short.prove(at, Budget())
        assert proof.value == whole.prove(at, Budget()).value
        assert proof.move is not None
        after = at.play(proof.move)
        reached = after.outcome.value(at.to_move) if after.is_over else -(whole.prove(after, Budget()).value or 0)
        assert reached == proof.value
        for side in Side:
            for plies in range(1, 7):
                assert short.within(at, side, plies, Budget()) == whole.within(at, side, plies, Budget())
    assert proved > 5


@pytest.mark.parametrize(("text", "plies"), [("mnk(19,19,1)", 1), ("mnk(9,9,2)", 3), ("mnk(9,9,3)", 5)])
def test_games_on_large_boards_are_won_soon(text: str, plies: int) -> None:
    rules = parse_rules(text)
    truth, start = Truth(rules), Position.start(rules)
    assert (truth.solver(start).name, truth.prove(start).value) == ("short lines", 1)
    assert truth.within(start, start.to_move, plies, Budget())
    assert not truth.within(start, start.to_move, plies - 2, Budget())
    assert truth.winning_move(start, plies, Budget()) is not None


@pytest.mark.parametrize("text", ["mnk(5,13,2)", "mnk(9,9,1,line=loses)"])
def test_the_best_moves_of_an_image_are_the_images_of_the_best_moves(text: str) -> None:
    rules = parse_rules(text)
    truth = Truth(rules)
    for at in positions(text, 2):
        best = set(truth.solve(at, distances="best").best)
        for symmetry in symmetries(rules)[1:]:
            image = Position.start(rules, tuple(symmetry.image[cell] for cell in at.moves))
            assert set(truth.solve(image, distances="best").best) == {symmetry.image[cell] for cell in best}
