"""A small book of solved openings: positions that take a solver long, with their values and a move that gets them.

It was written by our own solvers (`python -m noughts.solvers.write_book` adds to it) and its tests prove its entries again. It is
for who waits for an answer, such as a person at the page: a `Truth` uses it only if it is given to it, so that solving a
game is still solving it.
"""

import functools
import json
from collections.abc import Mapping
from importlib.resources import files

from noughts.positions import Position
from noughts.rules import Rules, parse_rules
from noughts.rules.symmetry import symmetries
from noughts.solvers.solution import Proof

FILE = files("noughts.solvers").joinpath("openings.json")

_Key = tuple[tuple[int, ...], tuple[int, ...]]


class Book:
    """The solved openings of one game, and of their images under its symmetries."""

    def __init__(self, rules: Rules, entries: Mapping[tuple[int, ...], Proof]) -> None:
        """Of entries by the moves that lead to them; every proof names a value."""
        self.rules, self.entries = rules, dict(entries)
        self._found = {
            _key(moves, symmetry.image): Proof(
                proof.low, proof.high, None if proof.move is None else symmetry.image[proof.move]
            )
            for moves, proof in entries.items()
            for symmetry in symmetries(rules)
        }
        self._plies = {len(moves) for moves in entries}

    def look_up(self, position: Position) -> Proof | None:
        """What is written about a position of this game; None if nothing is."""
        if position.ply not in self._plies or position.is_over:
            return None
        return self._found.get(_key(position.moves))


@functools.lru_cache(maxsize=16)
def book_of(rules: Rules) -> Book:
    """The book of a game; an empty one if nothing is written about it."""
    written = read_book().get(str(rules), {})
    entries = {}
    for text, (value, move) in written.items():
        moves = tuple(map(rules.cell_of, text.split()))
        entries[moves] = Proof(value, value, None if move is None else rules.cell_of(move))
    return Book(rules, entries)


def written_games() -> list[Rules]:
    """The games that something is written about."""
    return list(map(parse_rules, read_book()))


@functools.lru_cache(maxsize=1)
def read_book() -> dict[str, dict[str, tuple[int, str | None]]]:
    """By the text of a game and by moves: the value, and the square of a move that gets it."""
    found: dict[str, dict[str, tuple[int, str | None]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def _key(moves: tuple[int, ...], image: tuple[int, ...] | None = None) -> _Key:
    """The marks of each side, whatever the order of their moves."""
    seen = moves if image is None else tuple(image[move] for move in moves)
    return tuple(sorted(seen[::2])), tuple(sorted(seen[1::2]))
