"""Agents that decide many positions at once, well and badly. Used as ``python:tests.play.together:Name``."""

import os
import sys
from collections.abc import Sequence

from noughts.positions import Position, Rng

TAKEN = 4
"""Where this cell is taken at ply 3 or later, the bad ones among them misbehave: in some games, and not in others."""


def _is_bad(position: Position) -> bool:
    return position.ply >= 3 and position.cells[TAKEN] != 0


class Together:
    """Random, as it says it is; counts how it was asked."""

    mixes_games = False
    asked_alone = 0
    asked_together: list[int] = []  # of the class, as matches make the agents

    def choose(self, position: Position, rng: Rng) -> int:
        type(self).asked_alone += 1
        return position.legal_moves[rng.below(len(position.legal_moves))]

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> Sequence[int]:
        assert self.mixes_games or len({position.rules for position in positions}) == 1
        self.asked_together.append(len(positions))
        return [
            position.legal_moves[rng.below(len(position.legal_moves))]
            for position, rng in zip(positions, rngs, strict=True)
        ]


class Mixing(Together):
    """Takes positions of several games."""

    mixes_games = True


class Raises(Together):
    """Raises where things are bad; asked together, after it has drawn for all."""

    def choose(self, position: Position, rng: Rng) -> int:
        move = super().choose(position, rng)
        if _is_bad(position):
            raise RuntimeError(f"bad at ply {position.ply}")
        return move

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> Sequence[int]:
        moves = super().choose_many(positions, rngs)
        if any(map(_is_bad, positions)):
            raise RuntimeError("something is bad")
        return moves


class Illegal(Together):
    """Takes a taken cell."""

    def choose(self, position: Position, rng: Rng) -> int:
        return TAKEN if _is_bad(position) else super().choose(position, rng)

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> Sequence[int]:
        moves = super().choose_many(positions, rngs)
        return [TAKEN if _is_bad(at) else move for at, move in zip(positions, moves, strict=True)]


class Nonsense(Illegal):
    """Answers with something that is no move."""

    def choose(self, position: Position, rng: Rng) -> int:
        return None if _is_bad(position) else super().choose(position, rng)  # type: ignore[return-value]

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> Sequence[int]:
        moves = super().choose_many(positions, rngs)
        return [None if _is_bad(at) else move for at, move in zip(positions, moves, strict=True)]  # type: ignore[misc]


class Short(Together):
    """Leaves an answer out."""

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> Sequence[int]:
        return super().choose_many(positions, rngs)[1:]


class Quits(Raises):
    """Ends the process it runs in, as far as it can without being rude."""

    def choose(self, position: Position, rng: Rng) -> int:
        if _is_bad(position):
            sys.exit(3)
        return Together.choose(self, position, rng)


class Dies(Raises):
    """Ends the process it runs in."""

    def choose(self, position: Position, rng: Rng) -> int:
        if _is_bad(position):
            os._exit(3)
        return Together.choose(self, position, rng)
