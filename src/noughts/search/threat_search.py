"""Alpha-beta with threats, for boards on which a search of every move, or random games, are useless, such as gomoku.

Each line of k cells with marks of one side only is worth something to that side. A cell's worth to a side is the sum
of the worths of the lines through it, so one number shows the effect of a move there:

    worth >= WINS     it completes a line
    worth >= THREATS  it leaves its side one cell short of a complete line: a four in gomoku
    the rest          6^m for each line with m marks so far

This determines the moves to search:

    the side to move can complete a line      it has won
    the other side could complete a line      it must be stopped; such a reply costs no depth
    depth is left                             the `WIDTH` cells that are worth most to both sides together
    none is left                              the static evaluation, or better after a chain of a few threats

Because of the last two lines, the search can miss quiet moves elsewhere. So its result is an estimate, even if it finds a
completed line.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Outcome, Position
from noughts.positions.kernels import tables
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, line_table
from noughts.search.result import Kind, MoveResult, SearchResult, last, require_unfinished

WIDTH = 14
"""Moves to search in a position where nothing is forced."""
MOST_DEPTH = 24
"""In plies, without replies to threats."""
_CHAIN = 6
"""Most threats in a chain below the last ply."""
_BRANCHES = 4
"""Threats to try at each link of a chain."""

THREATS, WINS = 1 << 32, 1 << 44
"""Worth that a line adds to its empty cells if its side lacks two cells of the line, or one."""
_GROWTH = 6
_PLACES = 16
"""More than the bonus of any cell for its place, so that this only decides between cells with equal lines."""
_WON = 1 << 60
_FAR = _WON - 10_000
"""Scores beyond this are wins found by the search: `_WON` minus their plies."""


def threat_search(position: Position, nodes: int) -> SearchResult:
    """Search deeper and deeper until `nodes` positions were visited.

    Args:
        position: The root; its game must not be over. A line must win, with own marks: see `refusal`.
        nodes: Positions, 1 or more. The results of an incomplete depth are dropped.

    Returns:
        The best of the searched moves, with an estimate of each; others have no visits.
    """
    return last(threat_search_stepwise(position, nodes, lambda: False))


def refusal(rules: Rules) -> str | None:
    """Why the search does not support a game; None if it does."""
    if rules.marks == "own" and rules.line == "wins":
        return None
    return "it plays games in which a line of own marks wins"


def threat_search_stepwise(position: Position, nodes: int, expired: Callable[[], bool]) -> Iterator[SearchResult]:
    """Yield the results of depth 0, 1, 2 and so on; the last is that of `threat_search`, unless time was up before.

    Depth 0 takes the cell of greatest worth.
    """
    require_unfinished(position)
    search = _ThreatSearch(position)
    left = min(MOST_DEPTH, len(position.legal_moves))
    scores = dict.fromkeys(search.candidates(), 0)
    visits = dict.fromkeys(scores, 0)
    done = 0
    yield _result(position, scores, visits, done)
    if position.ply == 0:
        return  # no opponent's move to answer yet
    for depth in range(1, left + 1):
        found, deeper = -_WON, dict[int, int]()
        for move in sorted(scores, key=lambda move: -scores[move]):
            score, visited = search.below(move, depth - 1, found, nodes - done)
            done += visited
            visits[move] += visited
            if score is None or (depth > 1 and expired()):
                return
            deeper[move] = score
            found = max(found, score)
        scores = deeper
        yield _result(position, scores, visits, done)
        if abs(found) > _FAR or len(scores) == 1:
            return


def _result(position: Position, scores: dict[int, int], visits: dict[int, int], done: int) -> SearchResult:
    best = max(scores, key=lambda move: scores[move])
    moves = tuple(
        MoveResult(move, visits.get(move, 0), _value(scores[move]) if move in scores else 0.0)
        for move in position.legal_moves
    )
    return SearchResult(best, _value(scores[best]), Kind.ESTIMATE, moves, (best,), done)


def _value(score: int) -> float:
    """A score as a value in [-1, 1]; scores without a completed line stay strictly inside."""
    if abs(score) > _FAR:
        return 1.0 if score > 0 else -1.0
    return 0.999 * score / (abs(score) + 4 * _GROWTH**3)


class _LinesAndWeights(NamedTuple):
    """The constants of a game."""

    cells: NDArray[np.int16]  # [lines, k]
    first: NDArray[np.int32]  # [cells + 1] as in `GameTables`
    line: NDArray[np.int32]  # [sum of lines through each cell] as in `GameTables`
    weights: NDArray[np.int64]  # [k + 1] worth that a line adds to a cell, by the line's number of marks
    values: NDArray[np.int64]  # [k + 1] worth that it adds to its side's total
    alone: NDArray[np.int64]  # [cells] the worth of a cell of the empty board
    full: int  # the `Outcome` of a full board


class _Board(NamedTuple):
    """A mutable position."""

    marks: NDArray[np.uint8]  # [cells]
    counts: NDArray[np.int16]  # [2, lines] number of marks of each side on each line
    worth: NDArray[np.int64]  # [2, cells]
    standing: NDArray[np.int64]  # [2] total worth of all lines to each side
    wins: NDArray[np.int64]  # [2] number of lines in which a side lacks one cell
    numbers: NDArray[np.int64]  # [3] empty cells, positions visited, limit on positions


_DRAW = int(Outcome.DRAW)
_EMPTY_CELLS, _VISITED, _LIMIT = 0, 1, 2


@lru_cache(maxsize=64)
def _lines(rules: Rules) -> _LinesAndWeights:
    game, lines = tables(rules), line_table(rules).cells
    values = _GROWTH ** np.arange(rules.k + 1, dtype=np.int64)
    weights = _PLACES * values
    weights[max(0, rules.k - 2)] = THREATS
    weights[rules.k - 1] = WINS
    middle = (rules.rows - 1) / 2, (rules.cols - 1) / 2
    away = [max(abs(cell // rules.cols - middle[0]), abs(cell % rules.cols - middle[1])) for cell in range(rules.size)]
    alone = _PLACES - 1 - np.array(away, np.int64) + np.diff(game.first) * weights[0]
    cells = np.array(lines, np.int16).reshape(len(lines), rules.k)
    return _LinesAndWeights(cells, game.first, game.line, weights, values, alone, game.full_outcome)


class _ThreatSearch:
    """The kernel, with the board of a position."""

    def __init__(self, position: Position) -> None:
        self.lines = _lines(position.rules)
        size, count = position.rules.size, len(self.lines.cells)
        self.board = _Board(
            np.array([content if content == BRICK else EMPTY for content in position.cells], np.uint8),
            np.zeros((2, count), np.int16),
            np.stack([self.lines.alone, self.lines.alone]),
            np.full(2, count * self.lines.values[0]),
            np.full(2, count if position.rules.k == 1 else 0),
            np.array([position.cells.count(EMPTY) + position.ply, 0, 0]),
        )
        for cell, content in enumerate(position.cells):
            if content in (FIRST_MARK, SECOND_MARK):
                _put(self.lines, self.board, content - FIRST_MARK, cell, content)
        self.side = int(position.to_move)
        self.tried = np.zeros((2 * size + 4, max(WIDTH, size)), np.int16)

    def candidates(self) -> list[int]:
        """The moves to search from here, in descending order of worth."""
        count = _candidates(self.lines, self.board, self.side, MOST_DEPTH, self.tried[0])
        return [int(cell) for cell in self.tried[0, :count]]

    def below(self, move: int, depth: int, found: int, limit: int) -> tuple[int | None, int]:
        """The score of a move for the side to move, None if `limit` did not suffice, and the number of positions visited.

        It is exact to this depth if it exceeds `found`, and otherwise an upper bound.
        """
        self.board.numbers[_VISITED], self.board.numbers[_LIMIT] = 0, limit
        if self.board.wins[self.side] and self.board.worth[self.side, move] >= WINS:
            return _WON - 1, 1
        _put(self.lines, self.board, self.side, move, FIRST_MARK + self.side)
        score = -_search(self.lines, self.board, 1 - self.side, depth, -_WON, -found, 1, self.tried)
        _put(self.lines, self.board, self.side, move, EMPTY)
        visited = int(self.board.numbers[_VISITED])
        return (None if visited > limit else int(score)), visited


@kernel
def _put(lines, board, side, cell, content):  # type: ignore[no-untyped-def]
    """Put a mark of a side on a cell, or remove it if `content` is EMPTY."""
    change = -1 if content == EMPTY else 1
    other = 1 - side
    board.marks[cell] = content
    board.numbers[_EMPTY_CELLS] -= change
    for entry in range(lines.first[cell], lines.first[cell + 1]):
        number = lines.line[entry]
        own, theirs = board.counts[side, number], board.counts[other, number]
        board.counts[side, number] = own + change
        if theirs == 0:
            _add(lines, board, side, number, own, -1)
            _add(lines, board, side, number, own + change, 1)
        if own == 0:
            _add(lines, board, other, number, theirs, -1)
        elif own + change == 0:
            _add(lines, board, other, number, theirs, 1)


@kernel
def _add(lines, board, side, number, marks, sign):  # type: ignore[no-untyped-def]
    """Add a line's worth to a side that has `marks` marks on it and the other none (sign 1), or remove it (-1)."""
    board.standing[side] += sign * lines.values[marks]
    board.wins[side] += sign * (marks == lines.cells.shape[1] - 1)
    for place in range(lines.cells.shape[1]):
        board.worth[side, lines.cells[number, place]] += sign * lines.weights[marks]


@kernel
def _candidates(lines, board, side, depth, cells):  # type: ignore[no-untyped-def]
    """Write the moves to search into `cells`, in descending order of worth, equal ones in board order.

    Returns how many there are.
    """
    count, other = 0, 1 - side
    winning, forced = board.wins[side] > 0, board.wins[other] > 0
    room = min(cells.size, WIDTH if depth > 0 else _BRANCHES)
    for cell in range(board.marks.size):
        if board.marks[cell] != EMPTY:
            continue
        own, theirs = board.worth[side, cell], board.worth[other, cell]
        if winning:
            wanted = own >= WINS
        elif forced:
            wanted = theirs >= WINS
        else:
            wanted = depth > 0 or own >= THREATS
        if not wanted:
            continue
        worth = 2 * own + theirs
        at = min(count, room - 1)
        if count == room and _worth(board, side, cells[at]) >= worth:
            continue
        while at > 0 and _worth(board, side, cells[at - 1]) < worth:
            cells[at] = cells[at - 1]
            at -= 1
        cells[at] = cell
        count = min(count + 1, room)
    return count


@kernel
def _worth(board, side, cell):  # type: ignore[no-untyped-def]
    """The sort key of moves: a side's own threats come before those of the other side."""
    return 2 * board.worth[side, cell] + board.worth[1 - side, cell]


@kernel
def _search(lines, board, side, depth, alpha, beta, ply, tried):  # type: ignore[no-untyped-def]
    """The score of a position for the side to move, with the contract of `minimax.alpha_beta`, after `ply` moves."""
    board.numbers[_VISITED] += 1
    if board.wins[side] > 0:
        return np.int64(_WON - ply - 1)
    if board.numbers[_EMPTY_CELLS] == 0:
        return np.int64(0) if lines.full == _DRAW else np.int64(_WON - ply) * (1 if lines.full == 1 + side else -1)
    forced = board.wins[1 - side] > 0
    best = np.int64(-_WON)
    if depth <= 0 and not forced:
        best = 3 * board.standing[side] - 2 * board.standing[1 - side]
        if best >= beta or depth <= -_CHAIN:
            return best
    left = depth if forced else depth - 1
    for number in range(_candidates(lines, board, side, 1 if forced else depth, tried[ply])):
        cell = tried[ply, number]
        _put(lines, board, side, cell, FIRST_MARK + side)
        score = -_search(lines, board, 1 - side, left, -beta, -max(alpha, best), ply + 1, tried)
        _put(lines, board, side, cell, EMPTY)
        if board.numbers[_VISITED] > board.numbers[_LIMIT]:
            return best
        if score > best:
            best = score
            if best >= beta:
                break
    return best
