"""The fast backend: boards as arrays, compiled by Numba. Searches and rollouts run on these functions.

A `MutableBoard` is updated incrementally, so that a move only visits the lines through one cell:

    cells     the content of each cell                    cells[cell]
    codes     the marked places of each line              codes[line]
    marks     each side's marks, on small boards          marks[side]
    free      the legal cells, in the first count[FREE] places, in no particular order
    where     the index of each legal cell in `free`      free[where[cell]] == cell
    counts    four numbers: see FREE, PLY, CLOSED, OUTCOME

For speed, a move that ends the game leaves `free` unchanged, although its cells are then no longer legal.

A line's code is two bit masks in one int64: bit `place` is the first player's mark at that place, bit
`32 + place` the second player's. The line A1 B2 C3 of tic-tac-toe after X A1, O B2, X C3:

    bit   34 33 32 ...  2  1  0
           0  1  0      1  0  1        code = 2 << 32 | 5      place 0 is A1, 1 is B2, 2 is C3

A side has completed a line when its mask is all ones. `marks` packs a whole board into a word, with a column of
zeros after each row so that no run crosses rows. Rollouts use it on boards where rows * (cols + 1) <= 64. If
edges are joined, they check the lines through each cell instead.
A code fits any k up to 31, whereas a base-3 code with a
lookup table would need 3^19 entries for k = 19. `GameTables` has the constants of a game.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions.numba_kernel import kernel
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, Outcome, Position, Side
from noughts.rules import Rules, line_table

FREE, PLY, CLOSED, OUTCOME = 0, 1, 2, 3
"""Indices of `MutableBoard.counts`: number of legal cells until the game is over, moves made, boards closed, the `Outcome`."""

SECOND_SHIFT = 32

UNKNOWN = -1
"""Passed to `play_known` for an unknown `Outcome`, which it then computes."""

_ONGOING = int(Outcome.ONGOING)


class GameTables(NamedTuple):
    """The constants of a game. The lines through cell c are entries first[c] to first[c + 1] of `line` and `bit`."""

    first: NDArray[np.int32]  # [size + 1]
    line: NDArray[np.int32]  # [sum of lines through each cell] line numbers
    bit: NDArray[np.int64]  # [same] 1 << the cell's place in that line
    board_of: NDArray[np.int32]  # [size]
    board_size: int
    boards: int
    complete: int  # the mask of a complete line
    shared: bool  # both sides place the first player's mark
    k: int
    packed: bool  # whether the game fits the words of `MutableBoard.marks`
    mark: NDArray[np.uint64]  # [size] the cell's bit in those words
    strides: tuple[np.uint64, np.uint64, np.uint64, np.uint64]  # bits from a cell to the next in each direction
    straight: bool  # whether the game is packed and no edge is joined, so that shifting those words finds every line
    line_outcome: NDArray[np.int64]  # [2] the Outcome if that side completes the deciding line
    full_outcome: int  # the Outcome of a full board


class MutableBoard(NamedTuple):
    """A position that moves change in place; see the module docstring."""

    cells: NDArray[np.int8]  # [size]
    codes: NDArray[np.int64]  # [lines]
    marks: NDArray[np.uint64]  # [2]
    free: NDArray[np.int32]  # [size]
    where: NDArray[np.int32]  # [size]
    closed: NDArray[np.int8]  # [boards] 1 for a board that contains a line
    counts: NDArray[np.int64]  # [4]


@lru_cache(maxsize=4096)
def tables(rules: Rules) -> GameTables:
    """The tables of a game, cached for each `Rules`."""
    through = line_table(rules).through
    stride = rules.cols + 1
    packed = rules.boards == 1 and rules.rows * stride <= 64
    bits = [1 << (cell // rules.cols * stride + cell % rules.cols) if packed else 0 for cell in range(rules.size)]
    return GameTables(
        first=np.cumsum([0, *map(len, through)], dtype=np.int32),
        line=np.array([line for pairs in through for line, _ in pairs], dtype=np.int32),
        bit=np.array([1 << place for pairs in through for _, place in pairs], dtype=np.int64),
        board_of=np.arange(rules.size, dtype=np.int32) // rules.board_size,
        board_size=rules.board_size,
        boards=rules.boards,
        complete=(1 << rules.k) - 1,
        shared=rules.marks == "shared",
        k=rules.k,
        packed=packed,
        mark=np.array(bits, dtype=np.uint64),
        strides=(np.uint64(1), np.uint64(stride), np.uint64(stride + 1), np.uint64(stride - 1)),
        straight=packed and rules.wrap == "none",
        line_outcome=np.array([Outcome.line_by(side, rules) for side in Side], dtype=np.int64),
        full_outcome=int(Outcome.full_board(rules)),
    )


def new_board(rules: Rules) -> MutableBoard:
    """An uninitialised board of the right size."""
    size = rules.size
    return MutableBoard(
        cells=np.empty(size, np.int8),
        codes=np.empty(len(line_table(rules).cells), np.int64),
        marks=np.empty(2, np.uint64),
        free=np.empty(size, np.int32),
        where=np.empty(size, np.int32),
        closed=np.empty(rules.boards, np.int8),
        counts=np.empty(4, np.int64),
    )


def board_at(position: Position) -> MutableBoard:
    """The board of a position, with its legal cells in ascending order."""
    board = new_board(position.rules)
    closed = np.zeros(position.rules.boards, np.int8)
    closed[list(position.closed)] = 1
    cells = np.frombuffer(position.cells, np.int8)
    set_up(tables(position.rules), board, cells, closed, position.ply, int(position.outcome))
    return board


class Columns(NamedTuple):
    """Positions of one game as arrays, for kernels that process many of them."""

    cells: NDArray[np.int8]  # [positions, size]
    closed: NDArray[np.int8]  # [positions, boards]
    ply: NDArray[np.int64]  # [positions]

    @classmethod
    def of(cls, positions: Sequence[Position]) -> "Columns":
        """The arrays of positions of one game; at least one position."""
        rules = positions[0].rules
        return cls(
            np.frombuffer(b"".join(position.cells for position in positions), np.int8).reshape(-1, rules.size),
            np.array([[board in p.closed for board in range(rules.boards)] for p in positions], np.int8),
            np.array([position.ply for position in positions], np.int64),
        )


@kernel
def set_up(tables, board, cells, closed, ply, outcome):  # type: ignore[no-untyped-def]
    """Initialise `board` from the contents of its cells."""
    for line in range(board.codes.size):
        board.codes[line] = 0
    board.marks[0] = board.marks[1] = 0
    free = 0
    for cell in range(cells.size):
        content = cells[cell]
        board.cells[cell] = content
        if content == EMPTY:
            if outcome == _ONGOING and closed[tables.board_of[cell]] == 0:
                board.free[free] = cell
                board.where[cell] = free
                free += 1
        elif content != BRICK:
            shift = 0 if content == FIRST_MARK else SECOND_SHIFT
            board.marks[content - FIRST_MARK] |= tables.mark[cell]
            for entry in range(tables.first[cell], tables.first[cell + 1]):
                board.codes[tables.line[entry]] += tables.bit[entry] << shift
    board.counts[CLOSED] = 0
    for number in range(closed.size):
        board.closed[number] = closed[number]
        board.counts[CLOSED] += closed[number]
    board.counts[FREE] = free
    board.counts[PLY] = ply
    board.counts[OUTCOME] = outcome


@kernel
def copy_board(source, target):  # type: ignore[no-untyped-def]
    """Make `target` equal to `source`."""
    for cell in range(source.cells.size):  # loops, because slices of short arrays cost more than the copy
        target.cells[cell] = source.cells[cell]
        target.free[cell] = source.free[cell]
        target.where[cell] = source.where[cell]
    for line in range(source.codes.size):
        target.codes[line] = source.codes[line]
    for side in range(2):
        target.marks[side] = source.marks[side]
    for number in range(source.closed.size):
        target.closed[number] = source.closed[number]
    for number in range(4):
        target.counts[number] = source.counts[number]


@kernel
def _take(board, cell):  # type: ignore[no-untyped-def]
    """Remove a cell from the legal ones: the last one replaces it."""
    last = board.counts[FREE] - 1
    hole = board.where[cell]
    moved = board.free[last]
    board.free[hole] = moved
    board.where[moved] = hole
    board.counts[FREE] = last


@kernel
def _put_back(board, cell):  # type: ignore[no-untyped-def]
    """Undo the last `_take`; in reverse order this restores `free` exactly."""
    last = board.counts[FREE]
    hole = board.where[cell]
    moved = board.free[hole]
    board.free[last] = moved
    board.where[moved] = last
    board.free[hole] = cell
    board.counts[FREE] = last + 1


@kernel
def play(tables, board, cell):  # type: ignore[no-untyped-def]
    """Play a legal cell for the side to move."""
    side = board.counts[PLY] & 1
    shift = 0 if tables.shared or side == 0 else SECOND_SHIFT
    complete = np.int64(tables.complete) << shift
    made_line = False
    for entry in range(tables.first[cell], tables.first[cell + 1]):
        line = tables.line[entry]
        code = board.codes[line] + (tables.bit[entry] << shift)
        board.codes[line] = code
        if code == complete:
            made_line = True
    mark = 0 if shift == 0 else 1
    board.cells[cell] = FIRST_MARK + mark
    board.marks[mark] ^= tables.mark[cell]
    board.counts[PLY] += 1
    _take(board, cell)
    if made_line:
        number = tables.board_of[cell]
        board.closed[number] = 1
        board.counts[CLOSED] += 1
        if board.counts[CLOSED] == tables.boards:
            board.counts[OUTCOME] = tables.line_outcome[side]
        else:
            for other in range(number * tables.board_size, (number + 1) * tables.board_size):
                if board.cells[other] == EMPTY:
                    _take(board, other)
    if board.counts[FREE] == 0 and board.counts[OUTCOME] == _ONGOING:
        board.counts[OUTCOME] = tables.full_outcome


@kernel
def undo(tables, board, cell):  # type: ignore[no-untyped-def]
    """Undo the last move, which must be `cell`, played on this board; restores every array exactly."""
    board.counts[PLY] -= 1
    side = board.counts[PLY] & 1
    shift = 0 if tables.shared or side == 0 else SECOND_SHIFT
    number = tables.board_of[cell]
    if board.closed[number] == 1:
        if board.counts[CLOSED] < tables.boards:
            for other in range((number + 1) * tables.board_size - 1, number * tables.board_size - 1, -1):
                if board.cells[other] == EMPTY:
                    _put_back(board, other)
        board.closed[number] = 0
        board.counts[CLOSED] -= 1
    board.counts[OUTCOME] = _ONGOING
    _put_back(board, cell)
    board.cells[cell] = EMPTY
    board.marks[0 if shift == 0 else 1] ^= tables.mark[cell]
    for entry in range(tables.first[cell], tables.first[cell + 1]):
        board.codes[tables.line[entry]] -= tables.bit[entry] << shift


@kernel
def play_known(tables, board, cell, outcome):  # type: ignore[no-untyped-def]
    """As `play`, for a search that often has the outcome already; returns the Outcome.

    `outcome` is the result of the move, or `UNKNOWN`. For speed, a straight game leaves `codes` unchanged and searches for lines
    only if it must. Afterwards do not call `play` and `undo` on such a board.
    """
    if not tables.straight:
        play(tables, board, cell)
        return board.counts[OUTCOME]
    side = board.counts[PLY] & 1
    mark = 0 if tables.shared else side
    board.cells[cell] = FIRST_MARK + mark
    board.marks[mark] ^= tables.mark[cell]
    board.counts[PLY] += 1
    _take(board, cell)
    if outcome == UNKNOWN:
        outcome = np.int64(_ONGOING)
        along, down, down_right, down_left = tables.strides
        if _line_ends(board.marks[mark], along, down, down_right, down_left, tables.k) != np.uint64(0):
            outcome = tables.line_outcome[side]
        elif board.counts[FREE] == 0:
            outcome = np.int64(tables.full_outcome)
    board.counts[OUTCOME] = outcome
    return outcome


@kernel
def _line_ends(marks, along, down, down_right, down_left, k):  # type: ignore[no-untyped-def]
    """The ends of runs of k of these marks, packed in one word; k - 1 shifts find all of them."""
    a, b, c, d = marks, marks, marks, marks
    for _ in range(k - 1):
        a &= a >> along
        b &= b >> down
        c &= c >> down_right
        d &= d >> down_left
    return a | b | c | d


@kernel
def next64(rng):  # type: ignore[no-untyped-def]
    """`Rng.next64`: 64 random bits; rng is a uint64 array [1] that contains the state."""
    # With uint64, Python ints would turn into floats here, so every constant is a uint64.
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = rng[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@kernel
def below(rng, n):  # type: ignore[no-untyped-def]
    """`Rng.below`: an integer from 0 to n - 1."""
    return np.int64(((next64(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def uniform(rng):  # type: ignore[no-untyped-def]
    """`Rng.random`: a float in [0, 1)."""
    return np.float64(next64(rng) >> np.uint64(11)) * 2.0**-53


@kernel
def rollout(tables, board, scratch, rng):  # type: ignore[no-untyped-def]
    """Play uniformly random moves to the end; return the Outcome. `board` is unchanged, `scratch` is overwritten."""
    if tables.boards > 1:
        copy_board(board, scratch)
    else:
        for place in range(board.counts[FREE]):
            scratch.free[place] = board.free[place]
        if not tables.straight:
            for line in range(board.codes.size):
                scratch.codes[line] = board.codes[line]
    return play_out(tables, board, scratch, rng)


@kernel
def play_out(tables, board, scratch, rng):  # type: ignore[no-untyped-def]
    """The moves of `rollout`, in a copy of `board` or in place: `scratch` may be `board` itself, which is useless afterwards."""
    if board.counts[OUTCOME] != _ONGOING:
        return board.counts[OUTCOME]
    if tables.boards > 1:
        while scratch.counts[OUTCOME] == _ONGOING:
            play(tables, scratch, scratch.free[below(rng, scratch.counts[FREE])])
        return scratch.counts[OUTCOME]
    free = board.counts[FREE]
    if tables.straight:
        return _rollout_packed(tables, board, scratch.free, free, rng)
    side = board.counts[PLY] & 1
    while True:
        place = below(rng, free)
        cell = scratch.free[place]
        free -= 1
        scratch.free[place] = scratch.free[free]
        shift = 0 if tables.shared or side == 0 else SECOND_SHIFT
        complete = np.int64(tables.complete) << shift
        made_line = False
        for entry in range(tables.first[cell], tables.first[cell + 1]):
            line = tables.line[entry]
            code = scratch.codes[line] + (tables.bit[entry] << shift)
            scratch.codes[line] = code
            if code == complete:
                made_line = True
        if made_line:
            return tables.line_outcome[side]
        if free == 0:
            return np.int64(tables.full_outcome)
        side = 1 - side


@kernel
def _rollout_packed(tables, board, free_cells, free, rng):  # type: ignore[no-untyped-def]
    """The same rollout, with each side's marks in one word."""
    side = board.counts[PLY] & 1
    mine = board.marks[0 if tables.shared else side]
    theirs = board.marks[0 if tables.shared else 1 - side]
    along, down, down_right, down_left = tables.strides
    mark, shared, k = tables.mark, tables.shared, tables.k
    while True:
        place = below(rng, free)
        cell = free_cells[place]
        free -= 1
        free_cells[place] = free_cells[free]
        mine |= mark[cell]
        if _line_ends(mine, along, down, down_right, down_left, k) != np.uint64(0):
            return tables.line_outcome[side]
        if free == 0:
            return np.int64(tables.full_outcome)
        side = 1 - side
        if not shared:
            mine, theirs = theirs, mine


@kernel
def rollouts(tables, board, scratch, games, rng, tally):  # type: ignore[no-untyped-def]
    """Play `games` rollouts from `board`; add the count of each Outcome to `tally`, int64 [4]."""
    for _ in range(games):
        tally[rollout(tables, board, scratch, rng)] += 1
