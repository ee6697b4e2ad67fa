"""Positions of every game of the family, and three backends that play by one law.

`Position` is the value that agents are given. The backends are `reference`, the rule book in plain Python; `kernels`,
compiled by Numba; and `batched`, compiled by JAX. Importing this package loads none of the array libraries.
"""

from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, SYMBOLS, Outcome, Position, Side
from noughts.positions.rng import Rng, derive_seed

__all__ = [
    "BRICK",
    "EMPTY",
    "FIRST_MARK",
    "SECOND_MARK",
    "SYMBOLS",
    "Outcome",
    "Position",
    "Rng",
    "Side",
    "derive_seed",
]
