"""Imagined positions compared with real ones: each kind of mistake is counted."""

from collections.abc import Sequence

import pytest

from noughts.agents.model import ImaginedPosition
from noughts.examine.imagining import ImaginedTally, judge_imagination, judge_nodes
from noughts.machine.memory import GIB
from noughts.positions import SYMBOLS, Position
from noughts.rules import parse_rules
from noughts.solvers import Budget
from noughts.solvers.solve import Truth


def test_imagination_is_tallied_correctly() -> None:
    """By hand: an illegal move and its successors, a missed end, an invented one, a wrong side and a wrong cell."""
    rules = parse_rules("mnk(1,4,2)")
    root = Position.start(rules, (0,))  # X . . . with the second player to move

    def cells(drawn: str) -> bytes:
        return bytes(map(SYMBOLS.index, drawn))

    nodes = [
        ImaginedPosition((0,), 1, 0.0, False, None, None),  # illegal
        ImaginedPosition((0, 1), 1, 0.0, False, None, None),  # beyond
        # The game continues, but is imagined as over; side and board are wrong. Then a line: the end is missed, the value right.
        ImaginedPosition((2,), 1, 0.0, True, False, cells("X.XO")),
        ImaginedPosition((2, 1), 1, -0.9, False, False, cells("XXO.")),
        ImaginedPosition((2, 1, 3), 1, 0.0, False, None, None),  # beyond
        ImaginedPosition((1,), 1, 0.8, False, True, cells("XO..")),
    ]
    found: dict[int, ImaginedTally] = {}
    for depth, tally in judge_nodes(root, nodes, lambda position: 1 if not position.is_over else -1):
        found[depth] = found.get(depth, ImaginedTally()) + tally
    first, second, third = found[1], found[2], found[3]
    assert (first.made, first.illegal, first.real, first.beyond) == (3, 1, 2, 0)
    assert (first.going, first.invented, first.ended) == (2, 1, 0)
    assert (first.sides, first.sides_mistaken, first.boards, first.boards_wrong) == (2, 1, 2, 1)
    assert (first.values, first.values_wrong) == (2, 0)
    assert first.error == pytest.approx(1.2)
    assert (second.made, second.beyond, second.ended, second.missed, second.sides) == (1, 1, 1, 1, 0)
    assert second.error == pytest.approx(0.1)
    assert (third.made, third.beyond) == (0, 1)


def every_move_as_it_is(positions: Sequence[Position]) -> list[list[ImaginedPosition]]:
    """Every legal move from each position, imagined correctly."""
    found = []
    for position in positions:
        truth, nodes = Truth(position.rules, GIB), list[ImaginedPosition]()
        for move in position.legal_moves:
            after = position.play(move)
            value = after.outcome.value(after.to_move) if after.is_over else truth.solve(after, Budget()).value
            assert value is not None
            nodes.append(ImaginedPosition((move,), 1, value, after.is_over, after.ply % 2 == 0, after.cells))
        found.append(nodes)
    return found


def test_an_undrawn_board_is_neither_right_nor_wrong() -> None:
    root = Position.start(parse_rules("mnk(1,4,2)"), (0,))
    node = ImaginedPosition((2,), 1, 0.0, False, None, None)
    ((_, tally),) = judge_nodes(root, [node], lambda position: None)
    assert (tally.real, tally.boards, tally.boards_wrong) == (1, 0, 0)


def test_a_model_that_is_right_everywhere_has_no_mistakes() -> None:
    rules = parse_rules("mnk(2,3,2,bricks=A2)")
    positions = [Position.start(rules), Position.start(rules, (0,)), Position.start(rules, (0, 2))]
    found = judge_imagination(every_move_as_it_is, positions, Truth(rules, GIB).prove, None)
    assert list(found) == [1]
    tally = found[1]
    assert tally.made == tally.real == tally.boards == tally.values == sum(len(p.legal_moves) for p in positions)
    assert tally.ended + tally.going == tally.made
    assert tally.ended > 0
    mistakes = ("illegal", "beyond", "missed", "invented", "sides_mistaken", "boards_wrong", "error")
    assert [getattr(tally, name) for name in mistakes] == [0] * len(mistakes)
    assert tally.share("missed", "ended").value == 0  # type: ignore[union-attr]
    assert ImaginedTally().share("missed", "ended") is None
