"""Notakto on n x n boards with n divisible by 4: the second player wins by a pairing of the cells.

Both mark the same, and the player who completes a row, a column or a main diagonal loses. The partner of a cell is

    s(row, col) = (n - 1 - (row ^ 1), col ^ 1)        where x ^ 1 is x + 1 for even x, and x - 1 for odd x

and the second player always marks the partner of the cell that was marked last. That this wins takes four steps.

1. **Partners are mutual.** n is even, so (n - 1 - x) ^ 1 = n - 1 - (x ^ 1): both sides turn the last bit of
   n - 1 - x round. So the row of s(s(row, col)) is n - 1 - ((n - 1 - (row ^ 1)) ^ 1) = n - 1 - (n - 1 - row) = row, and
   its column is (col ^ 1) ^ 1 = col. No cell is its own partner, since col ^ 1 differs from col.

2. **Lines go to lines.** s takes rows to rows and columns to columns. It takes the diagonal cell (i, i) to
   (n - 1 - (i ^ 1), i ^ 1), which is on the other diagonal; and by step 1 that one comes back.

3. **No line holds a cell and its partner.** Not a row: with row = 2q or 2q + 1, row + (row ^ 1) = 4q + 1, and if
   the partner's row were the same this sum would be n - 1, which is 3 modulo 4. Not a column: col ^ 1 differs from
   col. Not a diagonal: s takes each to the other, and they share no cell, because i = n - 1 - i has no solution
   for even n.

4. **The reply completes no line that was not complete already.** Let the marks be symmetric: with each cell its
   partner is marked. Somebody marks x without completing a line. Then s(x) is empty, since x was, and is not x. Suppose
   that marking s(x) completed a line L. By step 3, x is not in L; so all of L but s(x) was marked before x was, and,
   the marks being symmetric then, all of s(L) but x. So x completed s(L), which is a line by step 2: a contradiction.

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
    """The pairing s of the module's docstring and its distinct images under the board's symmetries.

    ``pairings(rules)[p][cell]`` is the cell's partner. The rules are n x n with n divisible by 4.
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
    """Knows the value of positions whose marks are symmetric under a pairing, or will be after one more mark."""

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
        """Why the position is not covered, in words; None if it is."""
        if not self._applies:
            return "it solves notakto(n) with n divisible by 4"
        if not position.is_over and self._without_partner(position) is None:
            return "the marks are neither in pairs nor one mark short of it"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """The value and a move that attains it; SolverError if the position is refused. Costs no nodes."""
        if position.is_over:
            return Proof.by_rules(position)
        replies = self._replies(position)
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

    def reply(self, position: Position) -> int:
        """The winning reply: the partner of the one mark that is without.

        Raises:
            SolverError: there is no such mark; where all marks are in pairs, no move wins.
        """
        replies = () if position.is_over else self._replies(position)
        if not replies:
            raise SolverError(f"{self._game(position)}: no mark waits for its partner, so there is no reply by pairing")
        return replies[0]

    def _replies(self, position: Position) -> tuple[int, ...]:
        """The move that puts all marks in pairs; none if they are already."""
        if (reason := self.refusal(position)) is not None:
            raise SolverError(f"pairing does not cover {self._game(position)}: {reason}")
        without = self._without_partner(position)
        return () if without is None else without

    def _without_partner(self, position: Position) -> tuple[int, ...] | None:
        """By the pairing that leaves fewest cells without their partners, these cells' partners: none or one.

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

    def _game(self, position: Position) -> str:
        """The position's game and moves, for messages."""
        played = " ".join(map(self.rules.name_of, position.moves))
        return f"{self.rules}{' after ' + played if played else ''}"
