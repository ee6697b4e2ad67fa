"""`SlidingWindow`: the latest of what was played, on the host: positions of AlphaZero, whole games of MuZero."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]

POSITION_ROWS = ("cells", "closed", "ply", "number")
"""The arrays that hold positions, with a leading axis [N]: int8 [size], bool [boards], int32, and int32 for the task's game."""


@dataclass(frozen=True)
class SlidingWindow:
    """A sliding window over rows, oldest first. Frozen: `followed_by` gives the next one.

    Attributes:
        window: How many rows it keeps.
        rows: Arrays by name, with a leading axis [rows]; none at the beginning.
    """

    window: int
    rows: Mapping[str, AnyArray]

    def __len__(self) -> int:
        return len(next(iter(self.rows.values()))) if self.rows else 0

    def positions(self, count: int, generator: np.random.Generator) -> dict[str, AnyArray]:
        """`count` positions at random, all equally likely, as `POSITION_ROWS`."""
        chosen = generator.integers(len(self), size=count)
        return {name: self.rows[name][chosen] for name in POSITION_ROWS}

    def followed_by(self, new: Mapping[str, AnyArray]) -> Self:
        """With new rows taken in, and the oldest left out that have no room."""
        rows = {name: np.concatenate([self.rows[name], new[name]]) for name in new} if self.rows else new
        return type(self)(self.window, {name: array[-self.window :] for name, array in rows.items()})
