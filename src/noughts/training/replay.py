"""`SlidingWindow`: the latest rows of self-play, on the host: positions for AlphaZero, whole games for MuZero."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noughts.training.augmentation import Turns

AnyArray = NDArray[Any]

POSITION_ROWS = ("cells", "closed", "ply", "number")
"""The arrays that hold positions, with a leading axis [N]: int8 [size], bool [boards], int32, and int32 for the task's game."""


@dataclass(frozen=True)
class SlidingWindow:
    """A sliding window over rows, oldest first. It is frozen; `followed_by` returns a new one.

    Attributes:
        window: The number of rows that it keeps.
        rows: Arrays by name, with a leading axis [rows]; empty at the beginning.
    """

    window: int
    rows: Mapping[str, AnyArray]

    def __len__(self) -> int:
        return len(next(iter(self.rows.values()))) if self.rows else 0

    def positions(self, count: int, generator: np.random.Generator) -> dict[str, AnyArray]:
        """`count` uniformly random positions, as `POSITION_ROWS`."""
        chosen = generator.integers(len(self), size=count)
        return {name: self.rows[name][chosen] for name in POSITION_ROWS}

    def draw(self, config: Any, turns: Turns, generator: np.random.Generator) -> Any:
        """A random batch to learn from, turned by random symmetries; only windows of self-play have one."""
        raise NotImplementedError

    def followed_by(self, new: Mapping[str, AnyArray]) -> Self:
        """A window with new rows added, without the oldest that do not fit."""
        rows = {name: np.concatenate([self.rows[name], new[name]]) for name in new} if self.rows else new
        return type(self)(self.window, {name: array[-self.window :] for name, array in rows.items()})
