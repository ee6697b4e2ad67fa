"""Agents that decide in batches, correctly and incorrectly. Used as ``python:tests.agents.together:Name``."""

import os
import sys
from collections.abc import Sequence

from noughts.agents import Decision, Want
from noughts.positions import Position, Rng

TAKEN = 4
"""If this cell is taken at ply 3 or later, the bad agents misbehave: in some games, and not in others."""


def _is_bad(position: Position) -> bool:
    return position.ply >= 3 and position.cells[TAKEN] != 0


class Together:
    """Correctly random; counts its calls."""

    asked_alone = 0
    asked_together: list[int] = []  # of the class, because matches build the agents

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        if len(positions) == 1:
            type(self).asked_alone += 1
        else:
            self.asked_together.append(len(positions))
        return [
            Decision(position.legal_moves[rng.below(len(position.legal_moves))])
            for position, rng in zip(positions, rngs, strict=True)
        ]


class Raises(Together):
    """Raises for bad positions, after it has drawn for all."""

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        decisions = super().decide(positions, rngs, want)
        for position in filter(_is_bad, positions):
            raise RuntimeError(f"bad at ply {position.ply}")
        return decisions


class Illegal(Together):
    """Plays a taken cell."""

    bad = Decision(TAKEN)

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        decisions = super().decide(positions, rngs, want)
        return [self.bad if _is_bad(at) else decision for at, decision in zip(positions, decisions, strict=True)]


class Nonsense(Illegal):
    """Returns something that is no move."""

    bad = Decision(None)  # type: ignore[arg-type]


class Short(Together):
    """Leaves one answer out of a batch."""

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        return super().decide(positions, rngs, want)[len(positions) > 1 :]


class Quits(Raises):
    """Ends its process by `sys.exit`."""

    def end(self) -> None:
        sys.exit(3)

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        if len(positions) == 1 and _is_bad(positions[0]):
            self.end()
        return super().decide(positions, rngs, want)


class Dies(Quits):
    """Ends the process it runs in."""

    def end(self) -> None:
        os._exit(3)
