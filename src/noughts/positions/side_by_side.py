"""Many games of one board size in parallel, with a learner on one side of each: the core of a vectorised environment.

Each row is an episode. It has a game, drawn from a task; a learner's side; and two random streams. One draws
episodes, and the other is for the opponent and is seeded anew for each episode. These kernels change the rows:

    begin     start an episode: draw the game, the side and the opponent's stream
    move      make the learner's move; then the opponent is to move, or the episode is over
    reply     make the opponent's move, in rows where it is to move; `reply_at_random` draws it
    see       write the learners' observations, and their legal cells

The arrays are stacked along a leading axis of rows (`Rows`) or of games (`Games`); `kernels` describes what they hold.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions.kernels import (
    FREE,
    OUTCOME,
    PLY,
    GameTables,
    MutableBoard,
    below,
    next64,
    play,
    set_up,
    tables,
    uniform,
)
from noughts.positions.numba_kernel import kernel
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Outcome, Position, Side
from noughts.rules import Rules, line_table

SEEN = 6
"""Planes of an observation: own marks, other marks, closed cells, legal cells, first player, ones."""

DRAWN = -1
"""A side to be drawn for each episode, in place of the number of a `Side`."""

_ONGOING = int(Outcome.ONGOING)


class Games(NamedTuple):
    """The games of a task: the `GameTables` of each, stacked and padded."""

    until: NDArray[np.float64]  # [games] cumulative probability, up to 1
    start: NDArray[np.int8]  # [games, size] the empty board
    first: NDArray[np.int32]  # [games, size + 1]
    line: NDArray[np.int32]  # [games, entries]
    bit: NDArray[np.int64]  # [games, entries]
    complete: NDArray[np.int64]  # [games]
    shared: NDArray[np.bool_]  # [games]
    k: NDArray[np.int64]  # [games]
    line_outcome: NDArray[np.int64]  # [games, 2]
    full_outcome: NDArray[np.int64]  # [games]
    straight: NDArray[np.bool_]  # [games]
    board_of: NDArray[np.int32]  # [size]; this and the following are equal for boards of one size
    board_size: int
    boards: int
    packed: bool
    mark: NDArray[np.uint64]  # [size]
    strides: tuple[np.uint64, np.uint64, np.uint64, np.uint64]


class Rows(NamedTuple):
    """Episodes in progress. The fields from `cells` to `counts` form a `MutableBoard` per row."""

    cells: NDArray[np.int8]  # [rows, size]
    codes: NDArray[np.int64]  # [rows, lines]
    marks: NDArray[np.uint64]  # [rows, 2]
    free: NDArray[np.int32]  # [rows, size]
    where: NDArray[np.int32]  # [rows, size]
    closed: NDArray[np.int8]  # [rows, boards]
    counts: NDArray[np.int64]  # [rows, 4]
    moves: NDArray[np.int16]  # [rows, size] the moves made, in order
    game: NDArray[np.int64]  # [rows] index of the game
    side: NDArray[np.int64]  # [rows] the learner's side
    stream: NDArray[np.uint64]  # [rows] the state of the stream that draws episodes
    opponent: NDArray[np.uint64]  # [rows] the state of the opponent's stream
    awaited: NDArray[np.bool_]  # [rows] whether the opponent is to move
    over: NDArray[np.bool_]  # [rows] whether the episode is over
    reward: NDArray[np.float64]  # [rows] the learner's reward for the last move and the reply to it


def stack_games(games: Sequence[Rules], until: Sequence[float]) -> Games:
    """Stack the games of a task, which share a board size; `until` is the cumulative probability of each."""
    each = [tables(rules) for rules in games]
    entries = max(len(one.line) for one in each)
    line = np.zeros((len(each), entries), np.int32)
    bit = np.zeros((len(each), entries), np.int64)
    for number, one in enumerate(each):
        line[number, : len(one.line)], bit[number, : len(one.bit)] = one.line, one.bit
    of_each = ("first", "complete", "shared", "k", "line_outcome", "full_outcome", "straight")
    alike = ("board_of", "board_size", "boards", "packed", "mark", "strides")
    fields: dict[str, Any] = {name: np.stack([getattr(one, name) for one in each]) for name in of_each}
    fields |= {name: getattr(each[0], name) for name in alike}
    return Games(
        until=np.array(until, np.float64),
        start=np.stack([np.frombuffer(Position.start(rules).cells, np.int8) for rules in games]),
        line=line,
        bit=bit,
        **fields,
    )


def new_rows(games: Sequence[Rules], count: int) -> Rows:
    """Create rows without episodes, all marked as over."""
    size, boards = games[0].size, games[0].boards
    lines = max(len(line_table(rules).cells) for rules in games)
    return Rows(
        cells=np.zeros((count, size), np.int8),
        codes=np.zeros((count, lines), np.int64),
        marks=np.zeros((count, 2), np.uint64),
        free=np.zeros((count, size), np.int32),
        where=np.zeros((count, size), np.int32),
        closed=np.zeros((count, boards), np.int8),
        counts=np.zeros((count, 4), np.int64),
        moves=np.zeros((count, size), np.int16),
        game=np.zeros(count, np.int64),
        side=np.zeros(count, np.int64),
        stream=np.zeros(count, np.uint64),
        opponent=np.zeros(count, np.uint64),
        awaited=np.zeros(count, np.bool_),
        over=np.ones(count, np.bool_),
        reward=np.zeros(count, np.float64),
    )


def position_in(rows: Rows, row: int, games: Sequence[Rules]) -> Position:
    """The current position of a row."""
    return Position(
        games[int(rows.game[row])],
        tuple(rows.moves[row, : int(rows.counts[row, PLY])].tolist()),
        rows.cells[row].tobytes(),
        frozenset(np.flatnonzero(rows.closed[row]).tolist()),
        Outcome(int(rows.counts[row, OUTCOME])),
    )


@kernel
def _tables_in(games, game):  # type: ignore[no-untyped-def]
    """The `GameTables` of one game."""
    return GameTables(
        games.first[game],
        games.line[game],
        games.bit[game],
        games.board_of,
        games.board_size,
        games.boards,
        games.complete[game],
        games.shared[game],
        games.k[game],
        games.packed,
        games.mark,
        games.strides,
        games.straight[game],
        games.line_outcome[game],
        games.full_outcome[game],
    )


@kernel
def _board_in(rows, row):  # type: ignore[no-untyped-def]
    """The board of one row."""
    return MutableBoard(
        rows.cells[row],
        rows.codes[row],
        rows.marks[row],
        rows.free[row],
        rows.where[row],
        rows.closed[row],
        rows.counts[row],
    )


@kernel
def begin(games, rows, which, side, no_board_closed):  # type: ignore[no-untyped-def]
    """Start an episode in each row that is set in `which`, bool [rows]. `no_board_closed` is zeros, int8 [boards]."""
    for row in range(which.size):
        if which[row]:
            stream = rows.stream[row : row + 1]
            rows.opponent[row] = next64(stream)
            share = uniform(stream)
            drawn = below(stream, 2)
            game = 0
            while games.until[game] <= share:
                game += 1
            rows.game[row] = game
            rows.side[row] = drawn if side == DRAWN else side
            set_up(_tables_in(games, game), _board_in(rows, row), games.start[game], no_board_closed, 0, _ONGOING)
            rows.awaited[row] = rows.side[row] == 1
            rows.over[row] = False
            rows.reward[row] = 0.0


@kernel
def _make(games, rows, row, cell):  # type: ignore[no-untyped-def]
    """Play a legal cell for the side to move. The reward, 0 until then, changes if the game ends with a winner."""
    rows.moves[row, rows.counts[row, PLY]] = cell
    play(_tables_in(games, rows.game[row]), _board_in(rows, row), cell)
    outcome = rows.counts[row, OUTCOME]
    rows.awaited[row] = False
    if outcome != _ONGOING:
        rows.over[row] = True
        if outcome == rows.side[row] + 1:
            rows.reward[row] = 1.0
        elif outcome == 2 - rows.side[row]:
            rows.reward[row] = -1.0


@kernel
def _is_legal(games, rows, row, cell):  # type: ignore[no-untyped-def]
    return rows.cells[row, cell] == EMPTY and rows.closed[row, games.board_of[cell]] == 0


@kernel
def move(games, rows, which, actions, illegal_reward):  # type: ignore[no-untyped-def]
    """Play `actions`, int64 [rows], for the learners in `which`, bool [rows]; an illegal action ends the episode."""
    for row in range(which.size):
        if which[row]:
            cell = actions[row]
            rows.reward[row] = 0.0
            if cell < 0 or cell >= rows.cells.shape[1] or not _is_legal(games, rows, row, cell):
                rows.over[row] = True
                rows.reward[row] = illegal_reward
            else:
                _make(games, rows, row, cell)
                rows.awaited[row] = not rows.over[row]


@kernel
def reply(games, rows, replies):  # type: ignore[no-untyped-def]
    """Play the legal cells `replies`, int64 [rows], in the rows where the opponent is to move."""
    for row in range(replies.size):
        if rows.awaited[row]:
            _make(games, rows, row, replies[row])


@kernel
def reply_at_random(games, rows):  # type: ignore[no-untyped-def]
    """Play a uniformly random legal cell where the opponent is to move: the same move as the agent ``random``."""
    for row in range(rows.awaited.size):
        if rows.awaited[row]:
            left = below(rows.opponent[row : row + 1], rows.counts[row, FREE])
            cell = -1
            while left >= 0:  # in ascending order, as in the agent
                cell += 1
                if _is_legal(games, rows, row, cell):
                    left -= 1
            _make(games, rows, row, cell)


@kernel
def see(games, rows, seen, mask):  # type: ignore[no-untyped-def]
    """Fill `seen`, [rows, size, SEEN], and `mask`, int8 [rows, size], which is all ones where the episode is over."""
    for row in range(seen.shape[0]):
        side = rows.side[row]
        shared = games.shared[rows.game[row]]
        own = FIRST_MARK if shared or side == 0 else SECOND_MARK
        ongoing = rows.counts[row, OUTCOME] == _ONGOING
        for cell in range(seen.shape[1]):
            content = rows.cells[row, cell]
            closed = rows.closed[row, games.board_of[cell]] == 1
            legal = ongoing and content == EMPTY and not closed
            seen[row, cell, 0] = content == own
            seen[row, cell, 1] = content not in (own, EMPTY, BRICK)
            seen[row, cell, 2] = closed or content == BRICK
            seen[row, cell, 3] = legal
            seen[row, cell, 4] = side == 0
            seen[row, cell, 5] = 1
            mask[row, cell] = legal or rows.over[row]


def side_number(plays: str) -> int:
    """The number that `begin` takes for ``first``, ``second`` or ``drawn``."""
    return {"first": int(Side.FIRST), "second": int(Side.SECOND), "drawn": DRAWN}[plays]
