"""A small book of solved openings: positions that take a solver long, with their values and a move that gets them.

It was written by our own solvers (`python -m noughts.solvers.book` adds to it) and its tests prove its entries again. It is
for who waits for an answer, such as a person at the page: a `Truth` uses it only if it is given to it, so that solving a
game is still solving it.
"""

import functools
import json
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from noughts.positions import Position
from noughts.rules import Rules, parse_rules
from noughts.rules.symmetry import symmetries
from noughts.solvers.solution import Proof
from noughts.store.files import write_atomically

_FILE = "openings.json"

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
    written = _read().get(str(rules), {})
    entries = {}
    for text, (value, move) in written.items():
        moves = tuple(map(rules.cell_of, text.split()))
        entries[moves] = Proof(value, value, None if move is None else rules.cell_of(move))
    return Book(rules, entries)


def written_games() -> list[Rules]:
    """The games that something is written about."""
    return list(map(parse_rules, _read()))


@functools.lru_cache(maxsize=1)
def _read() -> dict[str, dict[str, tuple[int, str | None]]]:
    found: dict[str, dict[str, tuple[int, str | None]]] = json.loads(
        files("noughts.solvers").joinpath(_FILE).read_text(encoding="utf-8")
    )
    return found


def _key(moves: tuple[int, ...], image: tuple[int, ...] | None = None) -> _Key:
    """The marks of each side, whatever the order of their moves."""
    seen = moves if image is None else tuple(image[move] for move in moves)
    return tuple(sorted(seen[::2])), tuple(sorted(seen[1::2]))


def write_openings(rules: Rules, nodes: int, memory: int) -> None:
    """Prove every first move of a game that is not in the book, each within so many nodes, and write what was found.

    Args:
        rules: The game.
        nodes: Of the solver, for each move; what it does not settle is left out.
        memory: Bytes of its tables.
    """
    from noughts.solvers.solution import Budget
    from noughts.solvers.solve import Truth

    place = Path(str(files("noughts.solvers").joinpath(_FILE)))
    for move in range(rules.size):
        start = Position.start(rules)
        if not start.is_legal(move) or book_of(rules).look_up(position := start.play(move)) is not None:
            continue
        proof = Truth(rules, memory).prove(position, Budget(nodes))
        if proof.value is None:
            continue
        written = _read()
        entry = (proof.value, None if proof.move is None else rules.name_of(proof.move))
        written.setdefault(str(rules), {})[rules.name_of(move)] = entry
        lines = ",\n".join(
            f"{json.dumps(game)}: {{\n"
            + ",\n".join(f"  {json.dumps(moves)}: {json.dumps(found)}" for moves, found in sorted(entries.items()))
            + "\n}"
            for game, entries in sorted(written.items())
        )
        write_atomically(place, f"{{\n{lines}\n}}\n")
        book_of.cache_clear()
        print(f"{rules} {rules.name_of(move)}: {entry}", flush=True)


if __name__ == "__main__":
    for text in sys.argv[1:]:
        write_openings(parse_rules(text), nodes=400_000_000, memory=2 << 30)
