"""Tables of every position of a shared-mark game, one bit each: Notakto, and any lines on up to 36 free cells.

With shared marks a position is the set of its empty cells, and who is to move does not matter to what can still
happen. A table covers all that can follow one position, its base. The n cells that are empty there get the numbers
0 to n - 1, and a set of them is a number e below 2^n: bit i says that cell i is empty. Lines are kept as their cells
that are empty in the base; a line is complete when none of its cells is in e. A move takes one bit out of e, so
the table is filled from 0 upwards, and every position comes after those that its moves lead to.

64 positions make a word: e = 64 w + b is bit b of word w, so the six lowest cells are inside a word. Bit 1 means
that the side to move wins. For the line A1 A2 of the board of three cells, where whoever completes it loses:

    empty     A3A2A1  A3A2  A3A1  A3    A2A1  A2    A1    none
    bit       7       6     5     4     3     2     1     0
    is        0       1     1     1     1     0     0     1       bits 4 and 0 are over: the line is complete

`full` cannot matter: the rules have a line without bricks, which a full board contains, so each game ends with a
line at the latest when the board is full.

How it is fast. A block of words that fits the cache shares its highest cells. First the finished blocks, those with
one of these cells less, are joined by AND: what remains are positions all of whose moves so far lead to won ones.
Then its words, in order, do the same for the cells inside the block, and a table of 256 entries for those inside a
word, 8 positions at a time.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions import FIRST_MARK, Position, Side
from noughts.positions.compiled import kernel
from noughts.rules import Rules, SolverError, format_rules, line_table
from noughts.solvers.bits import count_bits, mask_of
from noughts.solvers.memory import GIB, in_words, require_memory
from noughts.solvers.solution import NOTHING, Budget, Proof, Solver

MOST_CELLS = 36
"""Free cells that a table of bits may have: 2^36 positions are 8 GiB."""
MOST_CELLS_OF_LENGTHS = 26
"""Free cells that a table of lengths may have: 2^26 positions are 64 MiB."""

_SMALL, _MORE = 16, 3  # cells of a table that is no effort; cells more than needed that another question may share
_IN_WORD = 6  # cells inside a word
_IN_BLOCK = 13  # cells inside a block besides: 64 KiB, a part of the level-2 cache
POSITIONS_A_NODE, LENGTHS_A_NODE = 4096, 64
"""What counts as one node of a budget: so that nodes cost about as much time as those of other solvers."""

_SLICE = 1 << 13  # nodes between two looks at the budget: a few hundredths of a second
_ALL = 0xFFFF_FFFF_FFFF_FFFF


@dataclass(frozen=True)
class Frame:
    """The positions that can follow a base position, as numbers.

    Attributes:
        marked: The base's marks, as a mask of cells.
        cells: ``cells[i]`` is the cell of number i.
        lines: int64 [lines]: each line's cells that are empty in the base, by number. None is without cells.
    """

    marked: int
    cells: tuple[int, ...]
    lines: NDArray[np.int64]

    @classmethod
    def after(cls, rules: Rules, marked: int) -> "Frame":
        """All that follows the position with these marks, which complete no line."""
        bricks = rules.brick_cells
        cells = tuple(cell for cell in range(rules.size) if not marked >> cell & 1 and cell not in bricks)
        number = {cell: i for i, cell in enumerate(cells)}
        lines = {sum(1 << number[cell] for cell in line if cell in number) for line in line_table(rules).cells}
        return cls(marked, cells, np.array(sorted(lines), dtype=np.int64))

    def covers(self, marks: int) -> bool:
        """Whether the position with these marks can follow."""
        return marks & self.marked == self.marked

    def empties(self, marks: int) -> int:
        """The number of the position with these marks."""
        return sum(1 << i for i, cell in enumerate(self.cells) if not marks >> cell & 1)


class _Lines(NamedTuple):
    """The lines of a frame, each cut in three. A line that has no cell in a part is complete there."""

    words: NDArray[np.uint64]  # [lines] bit b: complete inside a word, for the cells b
    offsets: NDArray[np.int64]  # [lines] its cells inside a block, bit 0 the lowest
    blocks: NDArray[np.int64]  # [lines] its cells in the number of a block


class Table:
    """Who wins each position of a frame, filled in slices.

    Attributes:
        frame: Which positions.
        words: uint64 [2^(cells - 6), at least 1]: bit 1 where the side to move wins. A word is valid once filled.
    """

    def __init__(self, rules: Rules, frame: Frame) -> None:
        free = len(frame.cells)
        inside = max(0, min(_IN_BLOCK, free - _IN_WORD))
        self.frame = frame
        self.words = np.empty(1 << max(0, free - _IN_WORD), np.uint64)
        self._positions = min(64, 1 << free)  # in a word
        self._wins = rules.line == "wins"
        self._lines = _Lines(
            words=np.array([_without(int(line) & 63) for line in frame.lines], np.uint64),
            offsets=frame.lines >> _IN_WORD & (1 << inside) - 1,
            blocks=frame.lines >> _IN_WORD + inside,
        )
        self._open = np.empty(1 << inside, np.uint64)
        self._over = np.empty(1 << inside, np.uint64)
        self._done = np.zeros(2, np.int64)  # words filled, positions lost among them

    @property
    def complete(self) -> bool:
        """Whether every word is filled."""
        return int(self._done[0]) == self.words.size

    @property
    def lost(self) -> int:
        """How many of the positions filled so far are not over, and lost for the side to move."""
        return int(self._done[1])

    def fill(self, budget: Budget) -> bool:
        """Go on until the table is complete or the budget is used up; whether it is complete."""
        valid = np.uint64((1 << self._positions) - 1)
        while not self.complete and not budget.exhausted:
            words = budget.portion(_SLICE) * POSITIONS_A_NODE // self._positions
            before = int(self._done[0])
            _fill(self.words, self._lines, self._open, self._over, _LOST_OF_BYTE, self._done, words, self._wins, valid)
            budget.spend(-(-(int(self._done[0]) - before) * self._positions // POSITIONS_A_NODE))
        return self.complete

    def won(self, empties: int) -> bool:
        """Whether the side to move wins the position of that number."""
        return bool(int(self.words[empties >> _IN_WORD]) >> (empties & 63) & 1)


class Lengths:
    """How many plies each position of a frame lasts, the winner hurrying and the loser resisting, filled in slices.

    The last move of a game is the winner's where lines win, and the loser's where they lose: so whether a length is
    even says who wins, and the table needs nothing else.
    """

    def __init__(self, rules: Rules, frame: Frame) -> None:
        self.frame = frame
        self.plies = np.empty(1 << len(frame.cells), np.uint8)
        self._lost = 0 if rules.line == "wins" else 1  # length modulo 2 of the positions lost for the side to move
        self._done = 0

    def fill(self, budget: Budget) -> bool:
        """Go on until the table is complete or the budget is used up; whether it is complete."""
        while self._done < self.plies.size and not budget.exhausted:
            stop = min(self._done + budget.portion(_SLICE) * LENGTHS_A_NODE, self.plies.size)
            _fill_lengths(self.plies, self.frame.lines, self._done, stop, self._lost)
            budget.spend(-(-(stop - self._done) // LENGTHS_A_NODE))
            self._done = stop
        return self._done == self.plies.size


class Retrograde(Solver):
    """Solves games with shared marks on one board by a table of all that can follow.

    The table is of the position first asked about, and is kept: what follows from there is looked up. For a position
    that does not follow, a new table takes its place; if it is small it also covers the positions of the old one.
    """

    name: ClassVar[str] = "retrograde"

    def __init__(self, rules: Rules, memory_bytes: int) -> None:
        self.rules = rules
        self.memory = memory_bytes
        self.table: Table | None = None
        self._lengths: Lengths | None = None
        self._known_lengths: dict[int, int] = {}  # by marks, so that a table that had to go is not filled again

    def refusal(self, position: Position) -> str | None:
        """Why the position is not covered, in words; None if it is."""
        rules = self.rules
        if rules.marks != "shared" or rules.boards > 1 or rules.lineless:
            return "it solves games with shared marks and lines, on one board"
        free = len(position.legal_moves)
        if free > MOST_CELLS:
            return f"{free} cells are free, and its tables have at most {MOST_CELLS}"
        if (needed := _table_bytes(free)) > self.memory:
            allow = f"allow more with --memory {-(-needed // GIB)}"
            return f"its table of 2^{free} positions needs {in_words(needed)}, and {in_words(self.memory)} are allowed: {allow}"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """The value and a move that attains it; nothing if the budget ran out, and then asking again goes on.

        Raises:
            SolverError: the position is refused, or the memory that its table needs is not there.
        """
        if position.is_over:
            value = position.outcome.value(position.to_move)
            return Proof(value, value)
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
        """Whether `side` can win within so many plies.

        None if the budget ran out; and of positions with more than 26 free cells, whose lengths need too much memory,
        where `side` wins some day.
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

    def lost_positions(self) -> int:
        """How many sets of marks that contain the table's base and complete no line are lost for the side to move.

        For a table of the empty board these are all positions of the game, however the marks came there.

        Raises:
            SolverError: no table is complete yet.
        """
        if self.table is None or not self.table.complete:
            raise SolverError(f"the table of {format_rules(self.rules)} is not complete: prove a position first")
        return self.table.lost

    def _require(self, position: Position) -> int:
        """The position's marks; SolverError if it is refused."""
        if (reason := self.refusal(position)) is not None:
            raise SolverError(f"retrograde does not cover this position of {format_rules(self.rules)}: {reason}")
        return mask_of(position.cells, FIRST_MARK)

    def _table_of(self, marks: int) -> Table:
        """The table that covers these marks, filled or not."""
        if self.table is None or not self.table.frame.covers(marks):
            frame = self._frame(marks, self.table.frame if self.table else None)
            needed = _table_bytes(len(frame.cells))
            self.table = None  # its memory first, before asking for more
            if self._lengths is not None and needed + self._lengths.plies.nbytes > self.memory:
                self._lengths = None
            purpose = f"the table of {format_rules(self.rules)} with its 2^{len(frame.cells)} positions"
            require_memory(needed, self.memory, purpose)
            self.table = Table(self.rules, frame)
        return self.table

    def _lengths_of(self, marks: int) -> Lengths | None:
        """The table of lengths that covers these marks, filled or not; None if it would be too large."""
        if self._lengths is None or not self._lengths.frame.covers(marks):
            previous = self._lengths.frame if self._lengths else None
            if self.table is not None and self.table.frame.covers(marks):
                previous = self.table.frame  # `prove` was asked about the position that these marks follow
            frame = self._frame(marks, previous)
            needed = 1 << len(frame.cells)
            if len(frame.cells) > MOST_CELLS_OF_LENGTHS:
                return None
            if needed + (self.table.words.nbytes if self.table else 0) > self.memory:
                return None
            self._lengths = None
            require_memory(needed, self.memory, f"the table of lengths of {format_rules(self.rules)}")
            self._lengths = Lengths(self.rules, frame)
        return self._lengths

    def _frame(self, marks: int, previous: Frame | None) -> Frame:
        """A frame that covers these marks, and what the previous one covered if that makes no much larger table."""
        frame = Frame.after(self.rules, marks)
        if previous is not None:
            both = Frame.after(self.rules, marks & previous.marked)
            cells = len(both.cells)
            if cells <= max(_SMALL, len(frame.cells) + _MORE) and 1 << cells <= self.memory // 2:
                return both
        return frame


def _table_bytes(free: int) -> int:
    return 8 << max(0, free - _IN_WORD)


def _without(cells: int) -> int:
    """The word with a bit for each set of the six lowest cells in which none of `cells` is."""
    return sum(1 << inside for inside in range(64) if inside & cells == 0)


def _lost_of_byte() -> NDArray[np.uint64]:
    """uint64 [256]: of 8 positions that differ in three cells, those lost for the side to move.

    The index says which positions have no other move to a lost one: those are lost unless one of the three cells
    leads to a lost one.
    """
    lost_of = np.zeros(256, np.uint64)
    for candidates in range(256):
        lost = 0
        for empties in range(8):
            reached = [empties ^ (1 << cell) for cell in range(3) if empties >> cell & 1]
            if candidates >> empties & 1 and not any(lost >> after & 1 for after in reached):
                lost |= 1 << empties
        lost_of[candidates] = lost
    return lost_of


_LOST_OF_BYTE = _lost_of_byte()


@kernel
def _one_more(word):  # type: ignore[no-untyped-def]
    """The positions of a word from which one move inside the word leads to one of those given."""
    return (
        (word & np.uint64(0x5555555555555555)) << np.uint64(1)
        | (word & np.uint64(0x3333333333333333)) << np.uint64(2)
        | (word & np.uint64(0x0F0F0F0F0F0F0F0F)) << np.uint64(4)
        | (word & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8)
        | (word & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16)
        | (word & np.uint64(0x00000000FFFFFFFF)) << np.uint64(32)
    )


@kernel
def _lost_in_word(open_, lost_of_byte):  # type: ignore[no-untyped-def]
    """Of the positions without a move to a lost one in another word, those without one inside the word.

    Byte i holds the positions with the upper three cells i. Each byte's lost positions bar the bytes with one
    of these cells more: 0 bars 1, 2 and 4; 1 bars 3 and 5; and so on.
    """
    byte = np.uint64(255)
    lost_0 = lost_of_byte[np.int64(open_ & byte)]
    open_ &= ~(lost_0 * np.uint64(0x0000000100010100))
    lost_1 = lost_of_byte[np.int64((open_ >> np.uint64(8)) & byte)]
    lost_2 = lost_of_byte[np.int64((open_ >> np.uint64(16)) & byte)]
    lost_4 = lost_of_byte[np.int64((open_ >> np.uint64(32)) & byte)]
    open_ &= ~(
        lost_1 * np.uint64(0x0000010001000000)
        | lost_2 * np.uint64(0x0001000001000000)
        | lost_4 * np.uint64(0x0001010000000000)
    )
    lost_3 = lost_of_byte[np.int64((open_ >> np.uint64(24)) & byte)]
    lost_5 = lost_of_byte[np.int64((open_ >> np.uint64(40)) & byte)]
    lost_6 = lost_of_byte[np.int64((open_ >> np.uint64(48)) & byte)]
    open_ &= ~((lost_3 | lost_5 | lost_6) << np.uint64(56))
    lost_7 = lost_of_byte[np.int64(open_ >> np.uint64(56))]
    return (
        lost_0
        | lost_1 << np.uint64(8)
        | lost_2 << np.uint64(16)
        | lost_3 << np.uint64(24)
        | lost_4 << np.uint64(32)
        | lost_5 << np.uint64(40)
        | lost_6 << np.uint64(48)
        | lost_7 << np.uint64(56)
    )


@kernel
def _enter_block(table, lines, open_, over, block, valid):  # type: ignore[no-untyped-def]
    """For each word of a block: which positions are over, and which have no move out of the block to a lost one."""
    size = open_.size
    for i in range(size):
        open_[i] = valid
        over[i] = np.uint64(0)
    for line in range(lines.words.size):
        if lines.blocks[line] & block == 0:
            over[(size - 1) & ~lines.offsets[line]] |= lines.words[line]
    # So far a line is noted only where all other cells are empty; what is over stays over with fewer of them.
    span = 1
    while span < size:
        for start in range(0, size, 2 * span):
            for i in range(start, start + span):
                over[i] |= over[i + span]
        span *= 2
    rest = block
    while rest != 0:
        cell = rest & -rest
        rest ^= cell
        first = (block ^ cell) * size
        for i in range(size):
            open_[i] &= table[first + i]


@kernel
def _fill(table, lines, open_, over, lost_of_byte, done, words, wins, valid):  # type: ignore[no-untyped-def]
    """Fill the next `words` words. `open_` and `over`, a block each, and `done` are kept between calls."""
    size = open_.size
    word = done[0]
    end = min(word + words, table.size)
    while word < end:
        block = word // size
        first = block * size
        if word == first:
            _enter_block(table, lines, open_, over, block, valid)
        for i in range(word - first, min(size, end - first)):
            ended = over[i]
            lost = np.uint64(0)
            if ended != np.uint64(_ALL):
                candidates = open_[i] & ~ended
                if i & 1:
                    candidates &= table[first + i - 1]
                if i & 2:
                    candidates &= table[first + i - 2]
                if i & 4:
                    candidates &= table[first + i - 4]
                if wins:
                    candidates &= ~_one_more(ended)  # a line made here wins
                lost = _lost_in_word(candidates, lost_of_byte)
                done[1] += count_bits(lost)
            table[first + i] = ~(lost | ended) if wins else ~lost
            # The three lowest cells were looked up above. Each other cell is joined for many words at once: when all
            # words without it, and else equal from some cell up, are filled, they bar those with it.
            if i & 7 == 7:
                run = (i + 1) & ~i
                if run < size:
                    for filled in range(i + 1 - run, i + 1):
                        open_[filled + run] &= table[first + filled]
        word = first + min(size, end - first)
    done[0] = word


@kernel
def _fill_lengths(plies, lines, start, stop, lost):  # type: ignore[no-untyped-def]
    """The lengths of positions `start` to `stop`: 0 where a line is complete; else one more than the best move's."""
    for empties in range(start, stop):
        is_over = False
        for line in range(lines.size):
            if empties & lines[line] == 0:
                is_over = True
                break
        if is_over:
            plies[empties] = 0
            continue
        quickest, slowest = np.int64(255), np.int64(0)
        rest = empties
        while rest != 0:
            cell = rest & -rest
            rest ^= cell
            reached = np.int64(plies[empties ^ cell])
            if reached & 1 == lost:
                quickest = min(quickest, reached)
            else:
                slowest = max(slowest, reached)
        plies[empties] = 1 + (quickest if quickest < 255 else slowest)
