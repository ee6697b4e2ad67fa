"""All backends agree on some 20,000 random plies of random rules."""

from random import Random

import pytest

from noughts.positions import derive_seed
from noughts.positions.backends import KERNELS, POSITION, REFERENCE, Moves, batched
from noughts.positions.laws import check_agreement, random_game
from noughts.rules import Rules
from noughts.rules.squares import MAX_SIDE
from tests.rules.strategies import random_rules

# Rows, columns, boards, and the number of plies on boards of exactly that size. Most plies are on small boards, which are
# fast on every backend and contain every situation.
OF_ONE_SIZE = [
    (1, 1, 1, 50), (1, 2, 1, 100), (2, 1, 1, 100), (1, 8, 1, 500), (2, 2, 1, 500), (2, 3, 1, 1_000),
    (3, 3, 1, 4_000), (4, 3, 1, 2_000), (3, 5, 1, 2_000), (4, 4, 1, 2_500), (5, 5, 1, 2_000), (7, 7, 1, 1_500),
    (1, 1, 3, 50), (2, 2, 2, 1_000), (3, 2, 3, 1_500), (3, 3, 2, 1_500),
]  # fmt: skip

# Sizes up to a largest side, played in the corner of a board of that side, the boards, and the number of plies.
UP_TO_A_SIZE = [(6, 1, 700), (6, 2, 200), (10, 1, 700), pytest.param(MAX_SIDE, 1, 400, marks=pytest.mark.heavy)]


@pytest.mark.parametrize(("rows", "cols", "boards", "plies"), OF_ONE_SIZE)
def test_backends_agree_on_boards_of_one_size(rows: int, cols: int, boards: int, plies: int) -> None:
    rng = Random(derive_seed(1, rows, cols, boards))
    games: list[tuple[Rules, Moves]] = []
    while sum(len(moves) for _, moves in games) < plies:
        rules = random_rules(rng, (rows, cols, boards))
        games.extend((rules, random_game(rules, rng)) for _ in range(4))
    backends = [REFERENCE, POSITION, KERNELS, batched()]
    assert check_agreement(backends, games) >= plies


@pytest.mark.parametrize(("side", "boards", "plies"), UP_TO_A_SIZE)
def test_backends_agree_on_boards_of_any_size(side: int, boards: int, plies: int) -> None:
    rng = Random(derive_seed(2, side, boards))
    games: list[tuple[Rules, Moves]] = []
    while sum(len(moves) for _, moves in games) < plies:
        rules = random_rules(rng, (rng.randint(1, side), rng.randint(1, side), boards), wraps=("none",))
        games.append((rules, random_game(rules, rng)))
    backends = [REFERENCE, POSITION, KERNELS, batched(canvas=(side, side))]
    assert check_agreement(backends, games) >= plies
