"""Random rollouts: a readable version of `positions.kernels.rollout`, and the generators that both use."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.positions import Outcome, Position, Rng


class RolloutPosition:
    """A mutable position, with its free cells in the same order as in the kernels.

    The last free cell replaces a taken one in the list. So code that draws indices into `free` from the
    same generator makes the same random moves as the kernels.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.free = list(position.legal_moves)

    def play(self, cell: int) -> None:
        """Play a legal cell for the side to move."""
        closed = self.position.closed
        self.position = self.position.play(cell)
        self._take(cell)
        if self.position.is_over:
            return
        size = self.position.rules.board_size
        for board in self.position.closed - closed:
            for other in sorted(free for free in self.free if free // size == board):
                self._take(other)

    def _take(self, cell: int) -> None:
        self.free[self.free.index(cell)] = self.free[-1]
        self.free.pop()


def rollout_reference(walk: RolloutPosition, rng: Rng) -> Outcome:
    """Play uniformly random moves to the end; `walk` is the final position afterwards."""
    while not walk.position.is_over:
        walk.play(walk.free[rng.below(len(walk.free))])
    return walk.position.outcome


def kernel_rng(rng: Rng) -> NDArray[Any]:
    """Return the state of a generator for kernels, uint64 [1], seeded by one draw from `rng`."""
    return np.array([rng.next64()], dtype=np.uint64)


def reference_rng(rng: Rng) -> Rng:
    """Return the generator with the same draws as a kernel's after `kernel_rng` on an equal `rng`."""
    return Rng(rng.next64())
