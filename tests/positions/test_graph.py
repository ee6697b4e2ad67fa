"""Graphs of small games contain every position once, with the same data as the position itself."""

import numpy as np
import pytest

from noughts.positions import Outcome, Position
from noughts.positions.graph import MOST_POSITIONS, game_graph, is_small
from noughts.rules import parse_rules, symmetries
from tests.positions.counting import published
from tests.positions.reached import SMALL_GAMES


@pytest.mark.parametrize(("name", "positions", "edges"), [("tic_tac_toe", 5478, 16_167), ("notakto_3x3", 450, 1297)])
def test_published_numbers_of_positions_are_reproduced(name: str, positions: int, edges: int) -> None:
    rules, counts = published(name)
    graph, kept = game_graph(rules)
    assert len(kept) == len(graph.outcome) == sum(counts["positions"]) == positions
    assert len(graph.cell) == len(graph.child) == graph.first[-1] == edges
    assert np.bincount([position.ply for position in kept]).tolist() == counts["positions"]
    images = [symmetry.image for symmetry in symmetries(rules)]
    least = {min(bytes(at.cells[cell] for cell in image) for image in images): at.ply for at in kept}
    assert np.bincount(list(least.values())).tolist() == counts["positions_up_to_symmetry"]
    for outcome in Outcome.FIRST, Outcome.SECOND, Outcome.DRAW:
        assert np.count_nonzero(graph.outcome == outcome) == counts["finished_positions"][str(outcome)]


@pytest.mark.parametrize("text", SMALL_GAMES)
def test_a_graph_contains_every_position_of_the_game(text: str) -> None:
    rules = parse_rules(text)
    graph, positions = game_graph(rules)
    assert positions[0] == Position.start(rules)
    assert len(set(positions)) == len(positions) == len(graph.first) - 1
    met = {0}
    for number, position in enumerate(positions):
        edges = slice(graph.first[number], graph.first[number + 1])
        assert tuple(graph.cell[edges]) == position.legal_moves
        assert graph.outcome[number] == position.outcome
        assert graph.side[number] == position.to_move
        for cell, child in zip(graph.cell[edges], graph.child[edges], strict=True):
            assert child > number
            assert positions[child] == position.play(int(cell))
            met.add(int(child))
    assert len(met) == len(positions)  # no unreachable position is included


def test_which_games_are_small() -> None:
    assert MOST_POSITIONS == 20_000
    assert is_small(parse_rules("mnk(2,7,3,marks=shared)"))  # 2^14 positions at most
    assert is_small(parse_rules("mnk(2,5,2,bricks=A1)"))  # 3^9


# 2^15 positions, 3^10, and more
@pytest.mark.parametrize(
    "text", ["mnk(3,5,3,marks=shared)", "mnk(2,5,3)", "bttt(D4)", "notakto(4)", "notakto(3,boards=2)"]
)
def test_games_that_are_too_large_are_refused(text: str) -> None:
    assert not is_small(parse_rules(text))
    with pytest.raises(ValueError, match="too many positions"):
        game_graph(parse_rules(text))
