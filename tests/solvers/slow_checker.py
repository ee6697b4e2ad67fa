"""A second checker of agents' certificates, too plain to be wrong: sets of cells, a dictionary, the rule book, recursion.

It shares no code with `noughts.solvers.verify`, which it tests.
"""

from dataclasses import dataclass
from struct import Struct
from typing import Any

from noughts.positions import FIRST_MARK, SECOND_MARK, Outcome, Side
from noughts.positions.reference import ReferencePosition
from noughts.rules import Rules, symmetries

Marks = tuple[int, int]
Sets = dict[Marks, frozenset[int]]
RECORD = Struct("<QQB")
"""A record of version 1."""


@dataclass(frozen=True)
class Strategy:
    """The content of a file of version 2, or of one of version 1, whose sets have one move."""

    rules: Rules
    side: Side
    claim: str
    symmetric: bool
    table: Sets
    version: int = 2

    def header(self, agent: str = "any") -> dict[str, Any]:
        """The header's fields without SHA-256."""
        side = str(self.side)
        claim = {"side": side, "claim": self.claim, "agent": agent, "symmetric": self.symmetric}
        return {
            "format": "noughts certificate",
            "version": self.version,
            "noughts": "0",
            "game": "any",
            "rules": self.rules.model_dump(mode="json"),
            **({"winner": side} if self.version == 1 else claim),
            "entries": len(self.table),
        }

    def body(self) -> bytes:
        """The records."""
        if self.version == 1:
            return b"".join(RECORD.pack(*marks, min(moves)) for marks, moves in sorted(self.table.items()))
        width = -(-self.rules.size // 8)
        numbers = [number for marks, moves in sorted(self.table.items()) for number in (*marks, bits(moves))]
        return b"".join(number.to_bytes(width, "little") for number in numbers)


def bits(cells: Any) -> int:
    """A set of cells as a number."""
    return sum(1 << cell for cell in cells)


def cells_of(number: int) -> frozenset[int]:
    """A number as a set of cells."""
    return frozenset(cell for cell in range(number.bit_length()) if number >> cell & 1)


def images_of(position: ReferencePosition, symmetric: bool) -> list[tuple[Marks, tuple[int, ...]]]:
    """The marks of each image of a position, and the map that gives it."""
    cells = position.cells
    held = [[cell for cell, content in enumerate(cells) if content == mark] for mark in (FIRST_MARK, SECOND_MARK)]
    maps = [symmetry.image for symmetry in symmetries(position.rules)]
    maps = maps if symmetric else maps[:1]
    found = [tuple(bits(image[cell] for cell in marks) for marks in held) for image in maps]
    return [((first, second), image) for (first, second), image in zip(found, maps, strict=True)]


def chosen(strategy: Strategy, position: ReferencePosition) -> frozenset[int] | None:
    """The moves that the table allows in a position; None if it allows none, or not the same by all symmetries.

    In version 1 symmetries may give different moves.
    """
    images = images_of(position, strategy.symmetric)
    least = min(marks for marks, _ in images)
    moves = strategy.table.get(least, frozenset())
    if not all(0 <= move < strategy.rules.size for move in moves):
        return None
    sets = {frozenset(image.index(move) for move in moves) for marks, image in images if marks == least}
    if strategy.version == 1:
        return frozenset().union(*sets) or None
    return sets.pop() if len(sets) == 1 and moves else None


def leaves_out(strategy: Strategy, position: ReferencePosition) -> bool:
    """Whether the table needs no record of a position of its side: in version 1, if a move wins at once."""
    won = []
    for move in position.legal_moves if strategy.version == 1 else ():
        position.play(move)
        won.append(position.outcome is not Outcome.ONGOING and position.outcome.value(strategy.side) == 1)
        position.undo()
    return any(won)


def ends_well(strategy: Strategy, outcome: Outcome) -> bool:
    """Whether the claim allows this end of a game."""
    return outcome.value(strategy.side) == 1 or (outcome is Outcome.DRAW and strategy.claim == "never loses")


def first_failure(strategy: Strategy) -> int | None:
    """The least ply of a failing position, by playing all games; None if nothing fails."""
    position, known = ReferencePosition(strategy.rules), dict[tuple[int, ...], int | None]()

    def failure() -> int | None:
        cells = position.cells
        if cells not in known:
            known[cells] = worked_out()
        return known[cells]

    def worked_out() -> int | None:
        ply, legal = len(position.moves), set(position.legal_moves)
        own = position.to_move is strategy.side
        if own and leaves_out(strategy, position):
            return None
        moves = chosen(strategy, position) if own else legal
        if moves is None or not moves <= legal:
            return ply
        failures = []
        for move in sorted(moves):
            position.play(move)
            if position.outcome is Outcome.ONGOING:
                failures.append(failure())
            else:
                failures.append(None if ends_well(strategy, position.outcome) else ply)
            position.undo()
        return min((found for found in failures if found is not None), default=None)

    return failure()
