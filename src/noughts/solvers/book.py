"""A small book of solved openings: positions that take a solver long, with their values and an optimal move.

Our own solvers wrote it (`python -m noughts.solvers.write_book` adds to it), and its tests prove its entries again. It is for
people who wait for an answer, such as those who use the web app. A `Truth` uses a book only if it is given one, so that
solving a game is still solving it.
"""

import functools
import json
from collections.abc import Mapping
from importlib.resources import files

from noughts.positions import Position
from noughts.rules import Rules
from noughts.rules.symmetry import symmetries
from noughts.solvers.solution import Proof

FILE = files("noughts.solvers").joinpath("openings.json")

Moves = tuple[int, ...]


class Book(dict[tuple[Moves, Moves], Proof]):
    """Proved values of one game's positions, by the marks of each side."""

    def look_up(self, position: Position) -> Proof | None:
        """What it has about a position of its game; None if it has nothing."""
        return self.get(_marks(position.moves)) if self else None


@functools.lru_cache(maxsize=16)
def book_of(rules: Rules) -> Book:
    """The book of a game; empty if nothing is written about it."""
    return book_with(rules, entries_of(rules))


def book_with(rules: Rules, entries: Mapping[Moves, Proof]) -> Book:
    """A book of entries by the moves that lead to them, and of their images under the game's symmetries."""
    return Book(
        {
            _marks(tuple(symmetry.image[move] for move in moves)): Proof(
                proof.low, proof.high, None if proof.move is None else symmetry.image[proof.move]
            )
            for moves, proof in entries.items()
            for symmetry in symmetries(rules)
        }
    )


def entries_of(rules: Rules) -> dict[Moves, Proof]:
    """What is written about a game, by moves; every proof has a value."""
    return {
        tuple(map(rules.cell_of, moves.split())): Proof(value, value, None if move is None else rules.cell_of(move))
        for moves, (value, move) in read_book().get(str(rules), {}).items()
    }


@functools.lru_cache(maxsize=1)
def read_book() -> dict[str, dict[str, tuple[int, str | None]]]:
    """Read the book: for each game's text and moves, the value and the square of a move that attains it."""
    found: dict[str, dict[str, tuple[int, str | None]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def _marks(moves: Moves) -> tuple[Moves, Moves]:
    """The marks of each side, whatever the order of their moves."""
    return tuple(sorted(moves[::2])), tuple(sorted(moves[1::2]))
