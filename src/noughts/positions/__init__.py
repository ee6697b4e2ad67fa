"""Positions of every game of the family, and three backends with the same rules of play.

`Position` is the value that agents receive. The backends are `reference`, the reference implementation in plain Python;
`kernels`, compiled by Numba; and `batched`, compiled by JAX. Importing this package loads no array library.
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
