"""A small book of solved openings: positions that take a solver long, with their values and an optimal move.

Our own solvers wrote it, and its tests prove its entries again. It is for people who wait for an answer, such as those who use
the web app. A `Truth` uses a book only if it is given one, so that solving a game is still solving it.
"""

import functools
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import TypeAlias

from noughts.rules import Rules
from noughts.rules.symmetry import symmetries
from noughts.solvers.solution import Proof

FILE = files("noughts.solvers").joinpath("openings.json")
"""For each game's text and moves: the value, and the square of a move that attains it."""

Moves: TypeAlias = tuple[int, ...]
Book: TypeAlias = Mapping[tuple[Moves, Moves], Proof]
"""Proved values of one game's positions, by their `marks_of`."""


def marks_of(moves: Moves) -> tuple[Moves, Moves]:
    """The marks of each side, whatever the order of their moves."""
    return tuple(sorted(moves[::2])), tuple(sorted(moves[1::2]))


@functools.lru_cache(maxsize=16)
def book_of(rules: Rules) -> Book:
    """What is written about a game, and its images under the game's symmetries; empty if there is nothing."""
    book = {}
    for moves, (value, reply) in json.loads(FILE.read_text(encoding="utf-8")).get(str(rules), {}).items():
        for symmetry in symmetries(rules):
            image = tuple(symmetry.image[rules.cell_of(move)] for move in moves.split())
            book[marks_of(image)] = Proof(value, value, symmetry.image[rules.cell_of(reply)])
    return book
