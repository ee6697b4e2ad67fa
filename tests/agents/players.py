"""Agents that misbehave, each in its own way. Used as ``python:tests.agents.players:Name``."""

import os
import sys
import time

from noughts.positions import Position, Rng


class Raises:
    def choose(self, position: Position, rng: Rng) -> int:
        raise RuntimeError("lost my\nmarbles")


class RaisesLater:
    def choose(self, position: Position, rng: Rng) -> int:
        if position.ply >= 2:
            raise KeyError("gone")
        return position.legal_moves[0]


class TakesATakenCell:
    def choose(self, position: Position, rng: Rng) -> int:
        return position.moves[0] if position.moves else 0


class PlaysOffTheBoard:
    def choose(self, position: Position, rng: Rng) -> int:
        return 10_000


class SaysNothing:
    def choose(self, position: Position, rng: Rng) -> int:
        return None  # type: ignore[return-value]


class SaysText:
    def choose(self, position: Position, rng: Rng) -> int:
        return "A1"  # type: ignore[return-value]


class Hangs:
    def choose(self, position: Position, rng: Rng) -> int:
        if position.ply >= 2:
            while True:
                time.sleep(0.01)
        return position.legal_moves[0]


class First:
    """Deterministic: the first free cell."""

    def choose(self, position: Position, rng: Rng) -> int:
        return position.legal_moves[0]


class Quits:
    def choose(self, position: Position, rng: Rng) -> int:
        sys.exit(0)


class Dies:
    """Ends its process silently."""

    def choose(self, position: Position, rng: Rng) -> int:
        os._exit(7)
