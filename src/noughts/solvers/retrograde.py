"""Tables of every position of a shared-mark game, one bit each: Notakto, and any lines on up to 36 free cells.

With shared marks a position is the set of its empty cells, and the side to move does not affect what can still
happen. A table covers all positions that can follow one position, its base. The n empty cells of the base are numbered
0 to n - 1, and a set of them is a number e below 2^n: bit i is set if cell i is empty. Lines are stored as those of
their cells that are empty in the base; a line is complete when none of these is in e. A move clears one bit of e, so
the table is filled from 0 upwards, and every position comes after those that its moves lead to.

64 positions make a word: e = 64 w + b is bit b of word w, so the six lowest cells are inside a word. Bit 1 means
that the side to move wins. For the line A1 A2 of the board of three cells, where the player who completes it loses:

    empty     A3A2A1  A3A2  A3A1  A3    A2A1  A2    A1    none
    bit       7       6     5     4     3     2     1     0
    value     0       1     1     1     1     0     0     1       bits 4 and 0 are over: the line is complete

`full` has no effect: the rules have a line without bricks, which a full board contains, so a line ends each game
before or when the board is full.

`retrograde_table` explains how the tables are filled.
"""

from typing import ClassVar

from noughts.machine.memory import GIB, require_memory, size_text
from noughts.positions import FIRST_MARK, Position, Side
from noughts.rules import Rules, SolverError
from noughts.solvers.bits import mask_of
from noughts.solvers.retrograde_table import Frame, Lengths, RetrogradeTable, table_bytes
from noughts.solvers.solution import NOTHING, Budget, Proof, Solver

MOST_CELLS = 36
"""Most free cells for a table of bits: 2^36 positions are 8 GiB."""
MOST_CELLS_OF_LENGTHS = 26
"""Most free cells for a table of lengths: 2^26 positions are 64 MiB."""

_SMALL, _MORE = 16, 3  # free cells of a cheap table; extra cells that a new table may have


class Retrograde(Solver):
    """Solves games with shared marks on one board by a table of all positions that can follow.

    The table is built for the first position, and later positions that follow it are looked up. For any other position
    a new table replaces it; if that stays small, it also covers the positions of the old one.
    """

    name: ClassVar[str] = "retrograde"

    def __init__(self, rules: Rules, memory_bytes: int) -> None:
        self.rules = rules
        self.memory = memory_bytes
        self.table: RetrogradeTable | None = None
        self._lengths: Lengths | None = None
        self._known_lengths: dict[int, int] = {}  # by marks, so that a discarded table is not filled again

    def refusal(self, position: Position) -> str | None:
        """Why the solver rejects the position; None if it does not."""
        rules = self.rules
        if rules.marks != "shared" or rules.boards > 1 or rules.lineless:
            return "it solves games with shared marks and lines, on one board"
        free = len(position.legal_moves)
        if free > MOST_CELLS:
            return f"{free} cells are free, and its tables have at most {MOST_CELLS}"
        if (needed := table_bytes(free)) > self.memory:
            allow = f"allow more with --memory {-(-needed // GIB)}"
            return f"its table of 2^{free} positions needs {size_text(needed)}, and {size_text(self.memory)} are allowed: {allow}"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Return the value and a move that attains it, or no bounds if the budget ran out; a later call continues.

        Raises:
            SolverError: the solver rejects the position, or there is not enough memory for its table.
        """
        marks = self._require(position)
        table = self._table_of(marks)
        if not table.fill(budget):
            return NOTHING
        empties = table.frame.empties(marks)
        if not table.won(empties):
            return Proof(-1, -1, position.legal_moves[0])
        after = {cell: empties ^ (1 << i) for i, cell in enumerate(table.frame.cells) if empties >> i & 1}
        return Proof(1, 1, next(cell for cell, left in after.items() if not table.won(left)))

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can win within `plies`.

        None if the budget ran out, or if `side` wins but the position has more than 26 free cells, because the table of
        lengths would need too much memory.
        """
        marks = self._require(position)
        if marks not in self._known_lengths:
            lengths = self._lengths_of(marks)
            if lengths is None:
                value = self.prove(position, budget).value
                return False if value is not None and (value == 1) != (side is position.to_move) else None
            if not lengths.fill(budget):
                return None
            self._known_lengths[marks] = int(lengths.plies[lengths.frame.empties(marks)])
        length = self._known_lengths[marks]
        last_to_move = position.to_move if length % 2 else position.to_move.other
        winner = last_to_move if self.rules.line == "wins" else last_to_move.other
        return side is winner and length <= plies

    def _require(self, position: Position) -> int:
        """The position's marks; raise SolverError if the solver rejects the position."""
        if (reason := self.refusal(position)) is not None:
            raise SolverError(f"retrograde does not cover this position of {self.rules}: {reason}")
        return mask_of(position.cells, FIRST_MARK)

    def _table_of(self, marks: int) -> RetrogradeTable:
        """The table that covers these marks, filled or not."""
        if self.table is None or not self.table.frame.covers(marks):
            frame = self._frame(marks, self.table.frame if self.table else None)
            needed = table_bytes(len(frame.cells))
            self.table = None  # frees its memory before allocating more
            if self._lengths is not None and needed + self._lengths.plies.nbytes > self.memory:
                self._lengths = None
            purpose = f"the table of {self.rules} with its 2^{len(frame.cells)} positions"
            require_memory(needed, self.memory, purpose)
            self.table = RetrogradeTable(self.rules, frame)
        return self.table

    def _lengths_of(self, marks: int) -> Lengths | None:
        """The table of lengths that covers these marks, filled or not; None if it would be too large."""
        if self._lengths is None or not self._lengths.frame.covers(marks):
            previous = self._lengths.frame if self._lengths else None
            if self.table is not None and self.table.frame.covers(marks):
                previous = self.table.frame  # `prove` built it for a position that these marks follow
            frame = self._frame(marks, previous)
            needed = 1 << len(frame.cells)
            if len(frame.cells) > MOST_CELLS_OF_LENGTHS:
                return None
            if needed + (self.table.words.nbytes if self.table else 0) > self.memory:
                return None
            self._lengths = None
            require_memory(needed, self.memory, f"the table of lengths of {self.rules}")
            self._lengths = Lengths(self.rules, frame)
        return self._lengths

    def _frame(self, marks: int, previous: Frame | None) -> Frame:
        """A frame that covers these marks, and those of the previous frame if that makes no much larger table."""
        frame = Frame.after(self.rules, marks)
        if previous is not None:
            both = Frame.after(self.rules, marks & previous.marked)
            cells = len(both.cells)
            if cells <= max(_SMALL, len(frame.cells) + _MORE) and 1 << cells <= self.memory // 2:
                return both
        return frame
