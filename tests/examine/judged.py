"""Agents for the judge. Used as ``python:tests.examine.judged:Name``."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from noughts.positions import Position, Rng
from noughts.search import Kind, SearchResult


class Last:
    """Deterministic: the last free cell."""

    def choose(self, position: Position, rng: Rng) -> int:
        return position.legal_moves[-1]


class Says(Last):
    """The last free cell, and one value for every position."""

    def __init__(self, value: str, kind: str = "exact") -> None:
        self.value, self.kind = float(value), Kind(kind)

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        return SearchResult(self.choose(position, rng), self.value, self.kind, (), (), 1)


class SaysOfMany(Says):
    """The same, of many positions at once."""

    def __init__(self, value: str, kind: str = "exact") -> None:
        super().__init__(value, kind)
        self.asked: list[int] = []

    def analyse_many(self, positions: Sequence[Position], rngs: Sequence[Rng]) -> list[SearchResult]:
        self.asked.append(len(positions))
        return [self.analyse(position, rng) for position, rng in zip(positions, rngs, strict=True)]


class Diary:
    """Random and slow, and writes down what it is asked in the file that DIARY names."""

    def choose(self, position: Position, rng: Rng) -> int:
        with Path(os.environ["DIARY"]).open("a") as diary:
            diary.write(f"{position.cells.hex()}\n")
        time.sleep(0.015)
        return position.legal_moves[rng.below(len(position.legal_moves))]
