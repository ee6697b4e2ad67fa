"""Agents for the judge. Used as ``python:tests.examine.judged:Name``."""

from collections.abc import Sequence

from noughts.agents import Decision, Want
from noughts.positions import Position, Rng
from noughts.search import Kind, SearchResult


class Says:
    """Plays the last free cell, and gives every position one value; counts its calls."""

    def __init__(self, value: str, kind: str = "exact") -> None:
        self.value, self.kind = float(value), Kind(kind)
        self.asked: list[int] = []

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        self.asked.append(len(positions))
        moves = [position.legal_moves[-1] for position in positions]
        return [Decision(move, (), SearchResult(move, self.value, self.kind, (), (), 1)) for move in moves]


class SaysAlone(Says):
    """The same, one position at a time."""

    shared = False


class Remembers:
    """Plays the last free cell; after its first call, the first one."""

    shared = False

    def __init__(self) -> None:
        self.asked = False

    def choose(self, position: Position, rng: Rng) -> int:
        before, self.asked = self.asked, True
        return position.legal_moves[0 if before else -1]


class RemembersAndSharesItself(Remembers):
    """The same, and claims not to depend on earlier calls."""

    shared = True

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
        return [Decision(self.choose(position, rng)) for position, rng in zip(positions, rngs, strict=True)]
