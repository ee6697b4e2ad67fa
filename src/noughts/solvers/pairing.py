"""Notakto on n x n boards with n divisible by 4: the second player wins by pairing the cells.

Both mark the same, and the player who completes a row, a column or a main diagonal loses. The partner of a cell is

    s(row, col) = (n - 1 - (row ^ 1), col ^ 1)        where x ^ 1 is x + 1 for even x, and x - 1 for odd x

The second player always marks the partner of the last marked cell. The proof that this wins has four steps.

1. **Partners are mutual.** n is even, so (n - 1 - x) ^ 1 = n - 1 - (x ^ 1): both sides flip the last bit of
   n - 1 - x. So the row of s(s(row, col)) is n - 1 - ((n - 1 - (row ^ 1)) ^ 1) = n - 1 - (n - 1 - row) = row, and
   its column is (col ^ 1) ^ 1 = col. No cell is its own partner, because col ^ 1 differs from col.

2. **s maps lines to lines.** It maps rows to rows and columns to columns. It maps the diagonal cell (i, i) to
   (n - 1 - (i ^ 1), i ^ 1), which is on the other diagonal; by step 1 it maps the other diagonal back.

3. **No line contains a cell and its partner.** Not a row: with row = 2q or 2q + 1, row + (row ^ 1) = 4q + 1, and if
   the partner's row were the same this sum would be n - 1, which is 3 modulo 4. Not a column: col ^ 1 differs from
   col. Not a diagonal: s maps each to the other, and they share no cell, because i = n - 1 - i has no solution
   for even n.

4. **The reply completes no line.** Call the marks symmetric if the partner of every marked cell is marked. From
   symmetric marks, a player marks x without completing a line. Then s(x) is empty, because x was, and differs from x.
   Suppose that marking s(x) completed a line L. By step 3, x is not in L. So all of L except s(x) was marked before x,
   and by symmetry all of s(L) except x. So x completed s(L), which is a line by step 2: a contradiction.

The marks are symmetric again after the reply. So the player who faces symmetric marks never sees the other complete a line.
As a full board holds lines, the game ends, and it is that side that completes one. What s does, its images under
the symmetries of the board do as well: they take lines to lines too, and steps 1, 3 and 4 carry over.
"""

from functools import lru_cache
from typing import ClassVar

from noughts.positions import FIRST_MARK, Position, Side
from noughts.rules import Rules, SolverError, symmetries
from noughts.solvers.solution import Budget, Proof, Solver


@lru_cache(maxsize=64)
def pairings(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """Return the pairing s of the module docstring and its distinct images under the board's symmetries.

    ``pairings(rules)[p][cell]`` is the cell's partner. The board must be n x n with n divisible by 4.
    """
    n = rules.rows
    partner = [(n - 1 - (row ^ 1)) * n + (col ^ 1) for row in range(n) for col in range(n)]
    found = []
    for symmetry in symmetries(rules):
        image = [0] * (n * n)
        for cell, to in enumerate(symmetry.image):
            image[to] = symmetry.image[partner[cell]]
        found.append(tuple(image))
    return tuple(dict.fromkeys(found))


class Pairing(Solver):
    """Solves positions whose marks are symmetric under a pairing, or will be after one more mark."""

    name: ClassVar[str] = "pairing"

    def __init__(self, rules: Rules, memory_bytes: int) -> None:
        self.rules = rules
        self.memory = memory_bytes
        self._tables: Solver | None = None
        self._applies = (
            (rules.marks, rules.line, rules.boards, rules.bricks, rules.wrap) == ("shared", "loses", 1, (), "none")
            and rules.rows == rules.cols == rules.k
            and rules.rows % 4 == 0
        )

    def refusal(self, position: Position) -> str | None:
        """Why the solver rejects the position; None if it does not."""
        if not self._applies:
            return "it solves notakto(n) with n divisible by 4"
        if not position.is_over and self._without_partner(position) is None:
            return "the marks are neither in pairs nor one mark short of it"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Return the value and a move that attains it, at no cost; raise SolverError if it rejects the position."""
        if (reason := self.refusal(position)) is not None:
            played = " ".join(map(self.rules.name_of, position.moves))
            raise SolverError(f"pairing does not cover {self.rules}{' after ' + played if played else ''}: {reason}")
        replies = self._without_partner(position)
        return Proof(1, 1, replies[0]) if replies else Proof(-1, -1, position.legal_moves[0])

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can win within so many plies: from a table where few cells are free.

        The pairing itself proves only that the loser never wins; None for the winner.
        """
        from noughts.solvers.retrograde import MOST_CELLS_OF_LENGTHS, Retrograde  # the pairing itself needs no compiler

        if self._tables is None:
            self._tables = Retrograde(self.rules, self.memory)
        if len(position.legal_moves) <= MOST_CELLS_OF_LENGTHS and self._tables.refusal(position) is None:
            return self._tables.within(position, side, plies, budget)
        wins = self.prove(position, budget).value == 1
        return None if wins == (side is position.to_move) else False

    def _without_partner(self, position: Position) -> tuple[int, ...] | None:
        """The missing partners of marked cells, by the pairing that leaves fewest of them: none or one.

        None if every pairing leaves more.
        """
        best: tuple[int, ...] | None = None
        marked = [cell for cell, content in enumerate(position.cells) if content == FIRST_MARK]
        for partner in pairings(self.rules):
            waiting: list[int] = []
            for cell in marked:
                if position.cells[partner[cell]] != FIRST_MARK:
                    waiting.append(partner[cell])
                    if len(waiting) > 1:
                        break
            else:
                if not waiting:
                    return ()
                best = best or tuple(waiting)
        return best
