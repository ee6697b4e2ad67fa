"""Random rollouts: the readable twin of `positions.kernels.rollout`, and what both share with their callers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.positions import Outcome, Position, Rng


class RolloutPosition:
    """A position that moves change in place, with its free cells in the order that the kernels keep them.

    A cell that is taken is replaced in the list by the last one. Whoever draws an index into `free` from the
    same generator therefore makes the same random moves as the kernels.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.free = list(position.legal_moves)

    def play(self, cell: int) -> None:
        """The side to move plays a legal cell."""
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
    """Play uniformly random moves to the end; the walk is left there."""
    while not walk.position.is_over:
        walk.play(walk.free[rng.below(len(walk.free))])
    return walk.position.outcome


def kernel_rng(rng: Rng) -> NDArray[Any]:
    """The state of a generator as kernels take it, uint64 [1]: seeded by one draw from `rng`."""
    return np.array([rng.next64()], dtype=np.uint64)


def reference_rng(rng: Rng) -> Rng:
    """The generator that draws what a kernel draws after `kernel_rng` on an equal `rng`."""
    return Rng(rng.next64())
