"""The kernels reproduce published counts of games; the other backends agree with them."""

from collections import Counter

import numpy as np
import pytest

from noughts.positions import Outcome, Position
from noughts.positions.kernels import board_at, perft, tables
from noughts.rules import Rules, parse_rules
from tests.positions.counting import Counts


@pytest.mark.parametrize("file", ["tic_tac_toe", "notakto_3x3"])
def test_known_counts_by_kernel(file: str) -> None:
    rules, expected = Counts.published(file)
    found, games = _perft(rules)
    assert (found, games) == (expected.perft, expected.games)


def test_misere_turns_the_winners_of_tic_tac_toe_around() -> None:
    _, normal = Counts.published("tic_tac_toe")
    perft, games = _perft(parse_rules("misere-tic-tac-toe"))
    assert perft == normal.perft
    assert games == {
        Outcome.FIRST: normal.games[Outcome.SECOND],
        Outcome.SECOND: normal.games[Outcome.FIRST],
        Outcome.DRAW: normal.games[Outcome.DRAW],
    }


def _perft(rules: Rules) -> tuple[Counter[int], Counter[Outcome]]:
    depth = rules.size
    counts = np.zeros((depth + 1, 4), np.int64)
    board = board_at(Position.start(rules))
    before = [array.copy() for array in board]
    perft(tables(rules), board, depth, np.empty(depth + 1, np.int64), counts)
    assert all((one == two).all() for one, two in zip(before, board, strict=True))
    sequences = Counter({length: int(count) for length, count in enumerate(counts.sum(axis=1)) if length})
    games = Counter({Outcome(number): int(counts[:, number].sum()) for number in (1, 2, 3)})
    return +sequences, +games
