"""Agents that decide in different ways, for tests of walks and proofs. ``python:tests.agents.deciders:Name``."""

import os
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from noughts.agents import Decision, Want
from noughts.agents.agent import OneByOne
from noughts.positions import Outcome, Position, Rng
from noughts.search import Kind, SearchResult


class Last:
    """Deterministic: the last free cell."""

    def choose(self, position: Position, rng: Rng) -> int:
        return position.legal_moves[-1]


class Together:
    """Plays the last free cell, in batches."""

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        return [Decision(position.legal_moves[-1]) for position in positions]


class OneTooFew(Together):
    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        return super().decide(positions, rngs, want)[1:]


class ArrayMove:
    """The last free cell, as an array library's integer."""

    def choose(self, position: Position, rng: Rng) -> Any:
        return np.array(position.legal_moves[-1])


class Ends(OneByOne):
    """Takes the first or the last free cell at random, and lists both."""

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        return Decision(rng.choice(self.name_choices(position)))

    def name_choices(self, position: Position) -> tuple[int, ...]:
        return tuple(sorted({position.legal_moves[0], position.legal_moves[-1]}))


class SometimesNames(OneByOne):
    """Plays the last free cell; lists its choice only while the centre is free."""

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        return Decision(position.legal_moves[-1])

    def name_choices(self, position: Position) -> tuple[int, ...]:
        return () if position.cells[4] else (position.legal_moves[-1],)


class Untrue(Ends):
    """Sometimes takes a cell that it did not list."""

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        return Decision(rng.choice(position.legal_moves))


class NamesTaken(Ends):
    """Lists an illegal cell."""

    def name_choices(self, position: Position) -> tuple[int, ...]:
        return (*super().name_choices(position), position.moves[-1])


class Sided(Last):
    """Fails when asked whether it is symmetric."""

    @property
    def symmetric(self) -> bool:
        raise RuntimeError("no idea")


class OwnChance:
    """Draws from its own generator."""

    def choose(self, position: Position, rng: Rng) -> int:
        return random.choice(position.legal_moves)


class Follows:
    """Plays by the last move instead of the board."""

    def choose(self, position: Position, rng: Rng) -> int:
        last = position.moves[-1] if position.moves else 0
        return min(position.legal_moves, key=lambda cell: abs(cell - last))


class Counts:
    """Plays by the number of earlier calls."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, position: Position, rng: Rng) -> int:
        self.asked += 1
        return position.legal_moves[self.asked % len(position.legal_moves)]


class Diary(Last):
    """Plays the last free cell after a delay; logs each position to the file in DIARY."""

    def choose(self, position: Position, rng: Rng) -> int:
        with Path(os.environ["DIARY"]).open("a") as diary:
            diary.write(f"{position.cells.hex()}\n")
        time.sleep(0.003)
        return super().choose(position, rng)


class Spoils:
    """Plays at random, then corrupts its arguments."""

    symmetric = True

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        found = []
        for position, rng in zip(positions, rngs, strict=True):
            legal = position.legal_moves
            found.append(Decision(legal[0] if want is Want.CHOICES else legal[rng.below(len(legal))], legal))
            for name, value in (("outcome", Outcome.DRAW), ("cells", b""), ("moves", (1,)), ("closed", None)):
                object.__setattr__(position, name, value)
            position.rules.__dict__.update(k=1, rows=1)
        rngs.clear()  # type: ignore[attr-defined]
        return found

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Any) -> Any:
        decision = self.decide([position], [rng])[0]
        yield SearchResult(decision.move, 0.0, Kind.ESTIMATE, (), (), 1)
