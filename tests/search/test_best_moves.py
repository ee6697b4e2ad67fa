"""The best moves of a batch of positions equal minimax's in each."""

from itertools import groupby

import pytest

from noughts.positions import Position
from noughts.rules import parse_rules
from noughts.search import Kind
from noughts.search.best_moves import best_moves
from noughts.search.minimax import minimax
from noughts.search.patterns import PATTERN_TABLES, PatternTable
from tests.search.cases import positions


def by_minimax(position: Position, depth: int, evaluator: PatternTable) -> tuple[int, ...]:
    found = minimax(position, depth, evaluator, "first")
    return tuple(move.move for move in found.moves if move.kind is not Kind.UPPER)


@pytest.mark.parametrize("name", PATTERN_TABLES)
def test_best_moves_equal_minimaxs(name: str) -> None:
    assert best_moves([], 2, PATTERN_TABLES[name](parse_rules("tic-tac-toe"))) == []
    for rules, group in groupby(positions(6), key=lambda position: position.rules):
        asked = list(group)
        evaluator = PATTERN_TABLES[name](rules)
        for depth in (1, 2, 3, 9) if rules.size <= 12 else (1, 2):
            assert best_moves(asked, depth, evaluator) == [by_minimax(p, depth, evaluator) for p in asked]
