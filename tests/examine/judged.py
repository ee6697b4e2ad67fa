"""Agents for the judge. Used as ``python:tests.examine.judged:Name``."""

from collections.abc import Sequence

from noughts.agents import Decision, Want
from noughts.positions import Position, Rng
from noughts.search import Kind, SearchResult


class Says:
    """The last free cell, and one value for every position; counts how it was asked."""

    def __init__(self, value: str, kind: str = "exact") -> None:
        self.value, self.kind = float(value), Kind(kind)
        self.asked: list[int] = []

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        self.asked.append(len(positions))
        moves = [position.legal_moves[-1] for position in positions]
        return [Decision(move, (), SearchResult(move, self.value, self.kind, (), (), 1)) for move in moves]


class SaysAlone(Says):
    """The same, of one position at a time."""

    shared = False


class Remembers:
    """The last free cell; the first one, once it was asked before."""

    shared = False

    def __init__(self) -> None:
        self.asked = False

    def choose(self, position: Position, rng: Rng) -> int:
        before, self.asked = self.asked, True
        return position.legal_moves[0 if before else -1]


class RemembersAndSharesItself(Remembers):
    """The same, and says that it does not go by what it was asked before."""

    shared = True

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> list[Decision]:
        return [Decision(self.choose(position, rng)) for position, rng in zip(positions, rngs, strict=True)]
