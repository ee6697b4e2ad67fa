"""The levels of a walk as arrays, and the kernel that computes the next level.

A position is one bit for each cell and side, packed into words, so that equal positions are equal words, on boards of
any size. During the construction of a level, a hash table contains the number of each of its positions:

    slots   [ -1 | 2 | -1 | 0 | 1 | -1 ... ]     at most half of them taken
                   |         |   |
    words   row 2  row 0  row 1                  the least image of the position, if the walk merges symmetric ones
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions import EMPTY, FIRST_MARK, Position
from noughts.positions.kernels import OUTCOME, PLY, play, set_up, undo
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, symmetries
from noughts.search.best_moves import board_worth

NO_MOVE = 65535
"""Marks a missing move; cells have lower numbers."""

NEXT, COUNT = 0, 1
"""Indices of the kernel's state: the next position to expand, and the number of positions found for the next level."""

SHORTEST, LONGEST = 3, 4
"""Indices of the record of an outcome in a level: the plies of a shortest game, and of a longest one. Before these come
the number of a position, the agent's move and the reply that make a shortest game."""

DONE, GO_ON, ROOM, ILLEGAL = 0, 1, 2, 3
"""The results of `expand`."""


class Level(NamedTuple):
    """Positions of equal ply. `words` has one bit for each cell: the first player's marks, then the second's if they differ."""

    words: NDArray[np.uint64]  # [positions, words]
    ways: NDArray[np.float64]  # [positions] number of games that lead to each
    parent: NDArray[np.int32]  # [positions] the position in the level before from which it was reached,
    move: NDArray[np.uint16]  # [positions] the agent's move there, or NO_MOVE,
    reply: NDArray[np.uint16]  # [positions] the reply,
    symmetry: NDArray[np.uint16]  # [positions] and the symmetry that was then applied


class WalkGame(NamedTuple):
    """What the kernel needs of a game in addition to its `GameTables`. From `cells` on it is scratch, so each walk has its own."""

    start: NDArray[np.int8]  # [size] the empty board
    image: NDArray[np.uint16]  # [symmetries, size]; the identity alone if symmetric positions are not merged
    second: int  # the first word of the second player's marks; 0 if marks are shared
    cells: NDArray[np.int8]  # [size]
    closed: NDArray[np.int8]  # [boards]
    images: NDArray[np.uint64]  # [symmetries, words] the images of the current position
    best: NDArray[np.uint64]  # [words]
    other: NDArray[np.uint64]  # [words]


@lru_cache(maxsize=256)
def start_cells(rules: Rules) -> NDArray[np.int8]:
    """int8 [size]: the empty board."""
    return np.frombuffer(Position.start(rules).cells, np.int8)


def game_of(rules: Rules, symmetric: bool) -> WalkGame:
    """The game for a walk, with or without its symmetries."""
    group = symmetries(rules) if symmetric else symmetries(rules)[:1]
    side_words, shared = (rules.size + 63) // 64, rules.marks == "shared"
    width = side_words if shared else 2 * side_words
    return WalkGame(
        start=start_cells(rules),
        image=np.array([symmetry.image for symmetry in group], np.uint16),
        second=0 if shared else side_words,
        cells=np.empty(rules.size, np.int8),
        closed=np.zeros(rules.boards, np.int8),
        images=np.empty((len(group), width), np.uint64),
        best=np.empty(width, np.uint64),
        other=np.empty(width, np.uint64),
    )


def room_for(positions: int, width: int) -> Level:
    """An uninitialised level for `positions` positions of `width` words each."""
    return Level(
        words=np.empty((positions, width), np.uint64),
        ways=np.empty(positions, np.float64),
        parent=np.empty(positions, np.int32),
        move=np.empty(positions, np.uint16),
        reply=np.empty(positions, np.uint16),
        symmetry=np.empty(positions, np.uint16),
    )


def without_words(level: Level) -> Level:
    """The level with only the record of how its positions were reached."""
    return level._replace(words=level.words[:0], ways=level.ways[:0])


def grown(level: Level, least: int) -> Level:
    """The same level with at least twice the capacity, and at least `least`; a power of two."""
    held = len(level.words)
    larger = room_for(1 << max(2 * held - 1, least).bit_length(), level.words.shape[1])
    for name in Level._fields:
        getattr(larger, name)[:held] = getattr(level, name)
    return larger


@kernel
def _slot(words, rows, slots):  # type: ignore[no-untyped-def]
    """The slot of `words` in the hash table `slots` of row numbers, or the empty slot for it."""
    key = np.uint64(0)
    for place in range(words.size):
        key = (key ^ words[place]) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    key *= np.uint64(0xBF58476D1CE4E5B9)
    mask = np.int64(slots.size - 1)
    slot = np.int64(key >> np.uint64(32)) & mask
    while slots[slot] >= 0:
        row = slots[slot]
        same = True
        for place in range(words.size):
            if rows[row, place] != words[place]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def fill(rows, slots, count):  # type: ignore[no-untyped-def]
    """Insert the first `count` rows, which are distinct, into an empty hash table."""
    for row in range(count):
        slots[_slot(rows[row], rows, slots)] = row


@kernel
def _mark(words, game, side, cell):  # type: ignore[no-untyped-def]
    """Set a cell's bit."""
    words[side * game.second + (cell >> 6)] |= np.uint64(1) << np.uint64(cell & 63)


@kernel
def _unpack(tables, board, game, words, ply):  # type: ignore[no-untyped-def]
    """Set up the board of a position from its words, and compute the words of all its images."""
    cells, images = game.cells, game.images
    for symmetry in range(images.shape[0]):
        for place in range(images.shape[1]):
            images[symmetry, place] = 0
    for cell in range(cells.size):
        cells[cell] = game.start[cell]
    sides = 1 if game.second == 0 else 2
    for side in range(sides):
        for cell in range(cells.size):
            word = words[side * game.second + (cell >> 6)]
            if (word >> np.uint64(cell & 63)) & np.uint64(1):
                cells[cell] = FIRST_MARK + side
                for symmetry in range(images.shape[0]):
                    _mark(images[symmetry], game, side, np.int64(game.image[symmetry, cell]))
    set_up(tables, board, cells, game.closed, ply, 0)
    if tables.boards > 1:
        for cell in range(cells.size):
            for entry in range(tables.first[cell], tables.first[cell + 1]):
                if board.codes[tables.line[entry]] == tables.complete:
                    game.closed[tables.board_of[cell]] = 1
        set_up(tables, board, cells, game.closed, ply, 0)
        for number in range(tables.boards):
            game.closed[number] = 0


@kernel
def rate(tables, board, game, scores, level, ply, worth, start, count):  # type: ignore[no-untyped-def]
    """Write the worth of some positions for the first player."""
    for number in range(start, min(start + count, worth.size)):
        _unpack(tables, board, game, level.words[number], ply)
        worth[number] = board_worth(board, scores)


@kernel
def _least_image(game, side, move, reply):  # type: ignore[no-untyped-def]
    """Write the least of the images after two more moves to `best`; return the symmetry that yields it."""
    images, best, other = game.images, game.best, game.other
    by = 0
    for symmetry in range(images.shape[0]):
        words = best if symmetry == 0 else other
        for place in range(words.size):
            words[place] = images[symmetry, place]
        if move != NO_MOVE:
            _mark(words, game, side, np.int64(game.image[symmetry, move]))
        _mark(words, game, 1 - side, np.int64(game.image[symmetry, reply]))
        if symmetry > 0:
            place = 0
            while place < words.size - 1 and other[place] == best[place]:
                place += 1
            if other[place] < best[place]:
                by = symmetry
                for place in range(words.size):
                    best[place] = other[place]
    return by


@kernel
def _end(board, found, ended, number, move, reply, plies, ways):  # type: ignore[no-untyped-def]
    """Count games that end here, and record the first shortest game of each outcome."""
    outcome = board.counts[OUTCOME]
    ended[outcome] += ways
    if found[outcome, 0] < 0 or plies < found[outcome, SHORTEST]:
        found[outcome, 0], found[outcome, 1], found[outcome, 2] = number, move, reply
        found[outcome, SHORTEST] = plies
    found[outcome, LONGEST] = max(found[outcome, LONGEST], plies)


@kernel
def expand(  # type: ignore[no-untyped-def]
    tables, board, game, above, offsets, moves, ply, passes, below, slots, state, ended, found, budget
):
    """Play the agent's moves (unless it `passes`) and every reply, from position state[NEXT] of the level on.

    Returns DONE at the end of the level; GO_ON after `budget` replies; ROOM if `below` and
    `slots` must be enlarged first; ILLEGAL at a position with an illegal move.
    """
    cells = board.cells
    played = 0
    while state[NEXT] < above.words.shape[0]:
        number = state[NEXT]
        if played >= budget:
            return GO_ON
        first, last = offsets[number], offsets[number + 1]
        if state[COUNT] + (last - first) * cells.size > below.words.shape[0]:
            return ROOM
        _unpack(tables, board, game, above.words[number], ply)
        ways = above.ways[number]
        for choice in range(first, last):
            move = moves[choice]
            if not passes:
                if move < 0 or move >= cells.size or cells[move] != EMPTY or board.closed[tables.board_of[move]] == 1:
                    return ILLEGAL
                play(tables, board, move)
            if board.counts[OUTCOME] != 0:
                _end(board, found, ended, number, move, NO_MOVE, ply + 1, ways)
            else:
                side = (ply & 1) if not passes else 1
                for reply in range(cells.size):
                    if cells[reply] != EMPTY or board.closed[tables.board_of[reply]] == 1:
                        continue
                    played += 1
                    play(tables, board, reply)
                    if board.counts[OUTCOME] != 0:
                        _end(board, found, ended, number, move, reply, board.counts[PLY], ways)
                    else:
                        by = _least_image(game, side, move, reply)
                        slot = _slot(game.best, below.words, slots)
                        row = slots[slot]
                        if row >= 0:
                            below.ways[row] += ways
                        else:
                            row = state[COUNT]
                            state[COUNT] += 1
                            slots[slot] = row
                            for place in range(game.best.size):
                                below.words[row, place] = game.best[place]
                            below.ways[row] = ways
                            below.parent[row] = number
                            below.move[row] = move
                            below.reply[row] = reply
                            below.symmetry[row] = by
                    undo(tables, board, reply)
            if not passes:
                undo(tables, board, move)
        state[NEXT] += 1
    return DONE


@kernel
def lose(  # type: ignore[no-untyped-def]
    tables, board, game, words, offsets, moves, ply, below, slots, later, lost, chance, start, count
):
    """Compute how often the agent loses from some positions to a best response, given this for the next level.

    Args:
        words, offsets, moves, ply: A level, and the agent's possible moves in each of its positions, equally likely.
        below, slots, later: The words of the next level, its hash table, and the probability for each of its positions.
        lost: The outcome of a game that the agent loses.
        chance: float64 [positions of the level], the output.
        start, count: The positions to compute.
    """
    cells = board.cells
    for number in range(start, min(start + count, chance.size)):
        _unpack(tables, board, game, words[number], ply)
        total = 0.0
        for choice in range(offsets[number], offsets[number + 1]):
            move = moves[choice]
            play(tables, board, move)
            if board.counts[OUTCOME] != 0:
                total += board.counts[OUTCOME] == lost
            else:
                worst = 0.0
                for reply in range(cells.size):
                    if cells[reply] != EMPTY or board.closed[tables.board_of[reply]] == 1:
                        continue
                    play(tables, board, reply)
                    if board.counts[OUTCOME] != 0:
                        worst = max(worst, np.float64(board.counts[OUTCOME] == lost))
                    else:
                        _least_image(game, ply & 1, move, reply)
                        worst = max(worst, later[slots[_slot(game.best, below, slots)]])
                    undo(tables, board, reply)
                total += worst
            undo(tables, board, move)
        chance[number] = total / (offsets[number + 1] - offsets[number])
