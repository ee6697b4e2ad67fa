"""Wins on large boards where 1, 2 or 3 own marks in a row win: they take at most five plies, so a direct check finds them.

Let A be to move.

    1 ply     A completes a line.
    3 plies   A has a move after which A could complete lines on two cells, and B on none (if B now threatens one cell, A
              takes it). A's move never gives B a line, so B cannot win at once, and cannot take both cells.
    5 plies   A has a move after which A wins in 1 or 3 plies, as above, against any reply. The check tries only
              the cells on most lines; if none of them works, it claims nothing.

A loses if each of its moves leaves B a win in 1 or 3 plies. If k is 1, a single mark is a line, so the first move ends
the game, and loses it if lines lose. The check tries every step, without tables or results of other games. The
tests compare it with solvers on boards that these can search exhaustively.
"""

from typing import ClassVar

from noughts.positions import Position, Side
from noughts.rules import Rules, SolverError, line_table
from noughts.solvers.solution import Budget, Proof, Solver

_LONGEST_LINE = 3
_TRIED = 4
"""First moves to try for a win in five plies, and all on as many lines as the last of them, so that symmetric
positions are all proved or all open. Each one costs a check of every reply."""


class ShortLines(Solver):
    """Finds wins of at most five plies, and losses to them."""

    name: ClassVar[str] = "short lines"

    def __init__(self, rules: Rules, memory_bytes: int) -> None:
        self.rules = rules
        one_mark = rules.k == 1 and rules.boards == 1
        short = (rules.marks, rules.line) == ("own", "wins") and rules.k <= _LONGEST_LINE
        self._applies = (one_mark or short) and not rules.lineless
        self._proofs: dict[Position, Proof | None] = {}

    def refusal(self, position: Position) -> str | None:
        """Why the solver rejects the position; None if it does not."""
        if not self._applies:
            return f"it finds wins by {_LONGEST_LINE} own marks in a row, or fewer"
        if not position.is_over and self._proof(position) is None:
            return "no win within five plies was found for either side"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Return the value and a move that attains it, at no cost; raise SolverError if it rejects the position."""
        if not self._applies or (proof := self._proof(position)) is None:
            raise SolverError(f"{self.name} does not cover {self.rules}: {self.refusal(position)}")
        return proof

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can win within `plies`."""
        value = self.prove(position, budget).value
        wins = value == (1 if side is position.to_move else -1)
        if self.rules.k == 1 or not wins:
            return wins and plies >= 1
        if side is position.to_move:
            return plies >= 5 or (bool(position.completing_cells(side)) if plies < 3 else _soon(position) is not None)
        return plies >= 4 or (plies >= 2 and all(_wins_next(position.play(move)) for move in position.legal_moves))

    def _proof(self, position: Position) -> Proof | None:
        if position not in self._proofs:
            self._proofs[position] = self._look(position)
        return self._proofs[position]

    def _look(self, position: Position) -> Proof | None:
        if self.rules.k == 1:
            value = 1 if self.rules.line == "wins" else -1
            return Proof(value, value, position.legal_moves[0])
        if (cell := _soon(position)) is not None:
            return Proof(1, 1, cell)
        if _always_soon(position):
            return Proof(-1, -1, position.legal_moves[0])
        for cell in self._promising(position):
            after = position.play(cell)
            if not after.is_over and _always_soon(after):
                return Proof(1, 1, cell)
        return None

    def _promising(self, position: Position) -> list[int]:
        lines = {cell: len(line_table(self.rules).through[cell]) for cell in position.legal_moves}
        least = sorted(lines.values(), reverse=True)[:_TRIED][-1]
        return [cell for cell in sorted(lines, key=lambda cell: -lines[cell]) if lines[cell] >= least]


def _wins_next(position: Position) -> bool:
    """Whether the side to move wins with its next move."""
    return not position.is_over and bool(position.completing_cells(position.to_move))


def _soon(position: Position) -> int | None:
    """A move with which the side to move wins in 1 or 3 plies."""
    me = position.to_move
    if completing := position.completing_cells(me):
        return completing[0]
    threats = position.completing_cells(me.other)
    if len(threats) > 1:
        return None
    return next((cell for cell in position.forking_cells(me) if not threats or cell == threats[0]), None)


def _always_soon(position: Position) -> bool:
    """Whether every move of the side to move lets the opponent win in 1 or 3 plies."""
    if position.completing_cells(position.to_move):
        return False
    for move in position.legal_moves:
        after = position.play(move)
        if after.is_over or _soon(after) is None:
            return False
    return True
