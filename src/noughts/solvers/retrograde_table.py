"""The tables behind `retrograde`: the winner and the length of each position that can follow a base position.

`retrograde` explains the numbers and the bits.

Why it is fast: a block of words that fits the cache shares its highest cells. First AND joins the finished blocks with
one of these cells less, which leaves the positions all of whose moves so far lead to won ones. Then the words of the
block, in order, do the same for the cells inside the block, and a table of 256 entries does it for the cells inside a
word, 8 positions at a time.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, line_table
from noughts.solvers.bits import count_bits
from noughts.solvers.solution import Budget

_IN_WORD = 6  # cells inside a word
_IN_BLOCK = 13  # cells inside a block besides: 64 KiB, which fits the level-2 cache
POSITIONS_A_NODE, LENGTHS_A_NODE = 4096, 64
"""Positions per node of a budget, chosen so that a node takes about as long as in other solvers."""

_SLICE = 1 << 13  # nodes between two checks of the budget: a few hundredths of a second
_ALL = 0xFFFF_FFFF_FFFF_FFFF


@dataclass(frozen=True)
class Frame:
    """The positions that can follow a base position, as numbers.

    Attributes:
        marked: The base's marks, as a mask of cells.
        cells: ``cells[i]`` is the cell with number i.
        lines: int64 [lines]: the cells of each line that are empty in the base, by number. Every line has some.
    """

    marked: int
    cells: tuple[int, ...]
    lines: NDArray[np.int64]

    @classmethod
    def after(cls, rules: Rules, marked: int) -> "Frame":
        """The frame of all positions that follow these marks, which complete no line."""
        bricks = rules.brick_cells
        cells = tuple(cell for cell in range(rules.size) if not marked >> cell & 1 and cell not in bricks)
        number = {cell: i for i, cell in enumerate(cells)}
        lines = {sum(1 << number[cell] for cell in line if cell in number) for line in line_table(rules).cells}
        return cls(marked, cells, np.array(sorted(lines), dtype=np.int64))

    def covers(self, marks: int) -> bool:
        """Whether the frame contains the position with these marks."""
        return marks & self.marked == self.marked

    def empties(self, marks: int) -> int:
        """The number of the position with these marks."""
        return sum(1 << i for i, cell in enumerate(self.cells) if not marks >> cell & 1)


class _Lines(NamedTuple):
    """The lines of a frame, each cut in three. In a part without cells of its own, a line counts as complete."""

    words: NDArray[np.uint64]  # [lines] bit b: complete inside a word, for empty cells b
    offsets: NDArray[np.int64]  # [lines] the line's cells inside a block, bit 0 the lowest
    blocks: NDArray[np.int64]  # [lines] the line's cells in the number of a block


class RetrogradeTable:
    """The winner of each position of a frame, filled in slices.

    Attributes:
        frame: The positions of the table.
        words: uint64 [2^(cells - 6), at least 1]: bit 1 where the side to move wins. A word is valid once filled.
    """

    def __init__(self, rules: Rules, frame: Frame) -> None:
        free = len(frame.cells)
        inside = max(0, min(_IN_BLOCK, free - _IN_WORD))
        self.frame = frame
        self.words = np.empty(1 << max(0, free - _IN_WORD), np.uint64)
        self._positions = min(64, 1 << free)  # positions per word
        self._wins = rules.line == "wins"
        self._lines = _Lines(
            words=np.array([_without(int(line) & 63) for line in frame.lines], np.uint64),
            offsets=frame.lines >> _IN_WORD & (1 << inside) - 1,
            blocks=frame.lines >> _IN_WORD + inside,
        )
        self._open = np.empty(1 << inside, np.uint64)
        self._over = np.empty(1 << inside, np.uint64)
        self._done = np.zeros(2, np.int64)  # words filled, lost positions among them

    @property
    def complete(self) -> bool:
        """Whether every word is filled."""
        return int(self._done[0]) == self.words.size

    @property
    def lost(self) -> int:
        """How many of the positions filled so far are lost for the side to move and not over."""
        return int(self._done[1])

    def fill(self, budget: Budget) -> bool:
        """Continue until the table is complete or the budget is used up; return whether it is complete."""
        valid = np.uint64((1 << self._positions) - 1)
        while not self.complete and not budget.exhausted:
            words = budget.portion(_SLICE) * POSITIONS_A_NODE // self._positions
            before = int(self._done[0])
            _fill(self.words, self._lines, self._open, self._over, _LOST_OF_BYTE, self._done, words, self._wins, valid)
            budget.spend(-(-(int(self._done[0]) - before) * self._positions // POSITIONS_A_NODE))
        return self.complete

    def won(self, empties: int) -> bool:
        """Whether the side to move wins the position with that number."""
        return bool(int(self.words[empties >> _IN_WORD]) >> (empties & 63) & 1)


class Lengths:
    """The plies that each position of a frame lasts under fastest wins and longest resistance, filled in slices.

    The winner makes the last move if lines win, and the loser if they lose. So the parity of a length determines the
    winner, and the table needs nothing else.
    """

    def __init__(self, rules: Rules, frame: Frame) -> None:
        self.frame = frame
        self.plies = np.empty(1 << len(frame.cells), np.uint8)
        self._lost = 0 if rules.line == "wins" else 1  # length modulo 2 of positions that the side to move loses
        self._done = 0

    def fill(self, budget: Budget) -> bool:
        """Continue until the table is complete or the budget is used up; return whether it is complete."""
        while self._done < self.plies.size and not budget.exhausted:
            stop = min(self._done + budget.portion(_SLICE) * LENGTHS_A_NODE, self.plies.size)
            _fill_lengths(self.plies, self.frame.lines, self._done, stop, self._lost)
            budget.spend(-(-(stop - self._done) // LENGTHS_A_NODE))
            self._done = stop
        return self._done == self.plies.size


def _without(cells: int) -> int:
    """The word with a bit for each set of the six lowest cells that contains none of `cells`."""
    return sum(1 << inside for inside in range(64) if inside & cells == 0)


def _lost_of_byte() -> NDArray[np.uint64]:
    """uint64 [256]: of 8 positions that differ in three cells, those lost for the side to move.

    The index is the set of positions without any other move to a lost one. These are lost unless one of the three
    cells leads to a lost one.
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
    """The positions of a word that a move inside the word takes to one of the given positions."""
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
    """Given the positions without a move to a lost one in another word, return those without one inside the word either.

    Byte i contains the positions with the upper three cells i. Each byte's lost positions rule out positions in the
    bytes with one of these cells more: byte 0 affects 1, 2 and 4; byte 1 affects 3 and 5; and so on.
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
    """For each word of a block, find the positions that are over, and those without a move out of the block to a lost one."""
    size = open_.size
    for i in range(size):
        open_[i] = valid
        over[i] = np.uint64(0)
    for line in range(lines.words.size):
        if lines.blocks[line] & block == 0:
            over[(size - 1) & ~lines.offsets[line]] |= lines.words[line]
    # So far each line is only marked where all other cells are empty. It stays complete with fewer empty cells.
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
    """Fill the next `words` words. `open_` and `over`, one block each, and `done` persist between calls."""
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
                    candidates &= ~_one_more(ended)  # completing a line here wins
                lost = _lost_in_word(candidates, lost_of_byte)
                done[1] += count_bits(lost)
            table[first + i] = ~(lost | ended) if wins else ~lost
            # The three lowest cells were looked up above. The others are joined many words at once: if this word is the
            # last of a run without some cell, the next run of equal length has that cell, and a move there may take it.
            if i & 7 == 7:
                run = (i + 1) & ~i
                if run < size:
                    for filled in range(i + 1 - run, i + 1):
                        open_[filled + run] &= table[first + filled]
        word = first + min(size, end - first)
    done[0] = word


@kernel
def _fill_lengths(plies, lines, start, stop, lost):  # type: ignore[no-untyped-def]
    """Compute the lengths of positions `start` to `stop`: 0 if a line is complete, else one more than the best move's."""
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


def table_bytes(free: int) -> int:
    """Memory, in bytes, of a table for a number of free cells."""
    return 8 << max(0, free - _IN_WORD)
