"""Alpha-beta minimax to any depth, with any evaluator.

Depth 2 with Table 2 is the Brick Tic-Tac-Toe paper's Minimax (its equations 2 and 3). Scores are integers, for the
side to move. A win in n plies is WIN - n, so the search prefers fast wins and slow losses, and any win
outranks any evaluation. The contract of `alpha_beta`, for a position of true score s (to this depth):

    result r <= alpha   means  s <= r        (an upper bound)
    result r >= beta    means  s >= r        (a lower bound)
    otherwise           r == s
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions import EMPTY, Position, Rng
from noughts.positions.kernels import (
    OUTCOME,
    PLY,
    SECOND_SHIFT,
    GameTables,
    MutableBoard,
    board_at,
    play,
    tables,
    undo,
)
from noughts.positions.numba_kernel import kernel
from noughts.search.patterns import Evaluator, PatternTable
from noughts.search.result import Kind, MoveResult, SearchResult, require_unfinished

WIN = 1 << 62
INFINITE = WIN + 1
_WON = WIN - 100_000  # no game is that long, so every score beyond is a forced win or loss
SLICE_NODES = 50_000
"""Positions visited between two checks for Ctrl-C and of the time."""

Ties = Literal["first", "random"]
Searched = tuple[int, int, tuple[int, ...]]
"""Score for the side to move, positions visited, principal variation."""


def minimax(
    position: Position, depth: int, evaluator: Evaluator, ties: Ties = "random", rng: Rng | None = None
) -> SearchResult:
    """Search `depth` plies ahead, with the kernel if the evaluator is a `PatternTable`.

    Args:
        position: The root; its game must not be over.
        depth: Plies, 1 or more.
        evaluator: Evaluates unfinished positions at the horizon.
        ties: Among moves of equal score take the ``first`` by cell index, or one at ``random``.
        rng: Needed for random ties.

    Returns:
        Every move with its score: exact to this depth if it equals the best, otherwise an upper bound.
    """
    if isinstance(evaluator, PatternTable):
        return _search_root(position, depth, _Kernel(position, evaluator, depth), evaluator.unit, ties, rng)
    return minimax_reference(position, depth, evaluator, ties, rng)


def minimax_stepwise(
    position: Position,
    depth: int,
    evaluator: PatternTable,
    ties: Ties,
    rng: Rng | None,
    expired: Callable[[], bool],
) -> Iterator[SearchResult]:
    """Yield the results of depth 1, 2 and so on; the last is that of `minimax`, unless time was up before.

    Args:
        position, depth, evaluator, ties, rng: As in `minimax`.
        expired: Called every few hundredths of a second; returns whether time is up.
    """
    for plies in range(1, depth + 1):
        kernel = _Kernel(position, evaluator, plies, expired)
        last = plies == depth
        try:
            yield _search_root(position, plies, kernel, evaluator.unit, ties if last else "first", rng)
        except TimeoutError:
            return


def minimax_reference(
    position: Position, depth: int, evaluator: Evaluator, ties: Ties = "random", rng: Rng | None = None
) -> SearchResult:
    """The same result by the readable search."""

    def below(move: int, alpha: int, beta: int) -> Searched:
        return alpha_beta(position.play(move), depth - 1, evaluator, alpha, beta, 1)

    unit = float(getattr(evaluator, "unit", 1.0))
    return _search_root(position, depth, below, unit, ties, rng)


def alpha_beta(
    position: Position, depth: int, evaluator: Evaluator, alpha: int = -INFINITE, beta: int = INFINITE, ply: int = 0
) -> Searched:
    """Search one position, with the contract in the module docstring. `ply` counts from the root."""
    side = position.to_move
    if position.is_over:
        return position.outcome.value(side) * (WIN - ply), 1, ()
    if depth == 0:
        worth = evaluator(position)
        return (worth if side == 0 else -worth), 1, ()
    best, nodes = -INFINITE, 1
    line: tuple[int, ...] = ()
    for move in position.legal_moves:
        reply, searched, reply_line = alpha_beta(position.play(move), depth - 1, evaluator, -beta, -alpha, ply + 1)
        nodes += searched
        if -reply > best:
            best, line = -reply, (move, *reply_line)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, nodes, line


def one_of_equal(moves: Sequence[int], ties: Ties, rng: Rng | None) -> int:
    """Return the move that Minimax plays among equal best moves: the first by cell index, or one at random."""
    if ties == "first":
        return moves[0]
    if rng is None:
        raise ValueError("ties=random needs a generator")
    return moves[rng.below(len(moves))]


def _search_root(
    position: Position,
    depth: int,
    below: Callable[[int, int, int], Searched],
    unit: float,
    ties: Ties,
    rng: Rng | None,
) -> SearchResult:
    """Search each move precisely enough to separate the best moves from worse ones."""
    require_unfinished(position)
    if depth < 1:
        raise ValueError(f"depth={depth}: search at least 1 ply")
    complete = depth >= len(position.legal_moves)
    best, nodes = -INFINITE, 1
    scores: dict[int, tuple[int, int]] = {}
    lines: dict[int, tuple[int, ...]] = {}
    for move in position.legal_moves:
        # The window starts at best - 1, so that a move of equal score comes out exact and joins the tie.
        reply, searched, line = below(move, -INFINITE, INFINITE if best == -INFINITE else 1 - best)
        scores[move], lines[move] = (-reply, searched), (move, *line)
        best = max(best, -reply)
        nodes += searched
    equal = [move for move, (score, _) in scores.items() if score == best]
    chosen = one_of_equal(equal, ties, rng)

    def kind(score: int) -> Kind:
        if score < best:
            return Kind.UPPER
        return Kind.EXACT if complete or abs(score) > _WON else Kind.ESTIMATE

    moves = tuple(MoveResult(m, visits, _value(score, unit), kind(score)) for m, (score, visits) in scores.items())
    return SearchResult(chosen, _value(best, unit), kind(best), moves, lines[chosen], nodes)


def _value(score: int, unit: float) -> float:
    """A score as a value in [-1, 1]; evaluations stay strictly inside, however large they are."""
    if abs(score) > _WON:
        return 1.0 if score > 0 else -1.0
    return max(-0.999999, min(0.999999, score * unit))


class Stack(NamedTuple):
    """The path from the root of a search, one entry per ply, so that a search can pause and resume."""

    move: NDArray[np.int64]  # [depth + 2] the current move
    alpha: NDArray[np.int64]  # [depth + 2]
    beta: NDArray[np.int64]  # [depth + 2]
    best: NDArray[np.int64]  # [depth + 2]
    worth: NDArray[np.int64]  # [depth + 2] evaluation, for the first player
    line: NDArray[np.int64]  # [depth + 2, depth + 2] principal variation from each ply
    length: NDArray[np.int64]  # [depth + 2] its length
    state: NDArray[np.int64]  # [4] current ply, positions visited, score on return, whether entering


_PLY, NODES, SCORE, _ENTERING = 0, 1, 2, 3
"""Indices of `Stack.state`."""


def new_stack(depth: int) -> Stack:
    """Create a stack for a search of that depth."""
    room = depth + 2
    return Stack(
        move=np.zeros(room, np.int64),
        alpha=np.zeros(room, np.int64),
        beta=np.zeros(room, np.int64),
        best=np.zeros(room, np.int64),
        worth=np.zeros(room, np.int64),
        line=np.zeros((room, room), np.int64),
        length=np.zeros(room, np.int64),
        state=np.zeros(4, np.int64),
    )


class _Kernel:
    """Searches the position below each root move with compiled code."""

    def __init__(
        self, position: Position, evaluator: PatternTable, depth: int, expired: Callable[[], bool] = lambda: False
    ) -> None:
        self.expired = expired
        self.tables: GameTables = tables(position.rules)
        self.board: MutableBoard = board_at(position)
        self.scores = evaluator.by_line(position.rules)
        self.depth = min(depth, len(position.legal_moves))
        self.start_worth = evaluator(position)
        self.stack = new_stack(self.depth)
        self.left = SLICE_NODES  # left of the slice, which spans moves: many may have few positions below

    def __call__(self, move: int, alpha: int, beta: int) -> Searched:
        stack = self.stack
        begin(self.tables, self.board, self.scores, stack, move, alpha, beta, self.start_worth)
        before = 0
        while not go_on(self.tables, self.board, self.scores, stack, self.depth, self.left):
            before = int(stack.state[NODES])
            self._look()
        undo(self.tables, self.board, move)
        self.left -= int(stack.state[NODES]) - before
        if self.left <= 0:
            self._look()
        line = tuple(int(cell) for cell in stack.line[1, : stack.length[1]])
        return int(stack.state[SCORE]), int(stack.state[NODES]), line

    def _look(self) -> None:
        """Return to Python between two slices, so that Ctrl-C works; TimeoutError if time is up."""
        self.left = SLICE_NODES
        if self.expired():
            raise TimeoutError


@kernel
def _line_scores(tables, board, scores, cell):  # type: ignore[no-untyped-def]
    """The sum of the scores of the lines through a cell."""
    total = np.int64(0)
    for entry in range(tables.first[cell], tables.first[cell + 1]):
        line = tables.line[entry]
        code, ring = board.codes[line], scores.ring[line]
        first, second = code & 0xFFFFFFFF, code >> SECOND_SHIFT
        if second == 0:
            total += scores.scores[ring, 0, first]
        elif first == 0:
            total += scores.scores[ring, 1, second]
    return total


@kernel
def _advance(tables, board, scores, stack, ply, cell):  # type: ignore[no-untyped-def]
    """Play a move and update the evaluation for the next ply."""
    before = _line_scores(tables, board, scores, cell)
    play(tables, board, cell)
    stack.worth[ply + 1] = stack.worth[ply] - before + _line_scores(tables, board, scores, cell)


@kernel
def begin(tables, board, scores, stack, move, alpha, beta, start_worth):  # type: ignore[no-untyped-def]
    """Enter the position after a root move."""
    stack.worth[0] = start_worth
    _advance(tables, board, scores, stack, 0, move)
    stack.alpha[1], stack.beta[1] = alpha, beta
    stack.state[_PLY], stack.state[NODES], stack.state[_ENTERING] = 1, 0, 1


@kernel
def go_on(tables, board, scores, stack, depth, budget):  # type: ignore[no-untyped-def]
    """Run `alpha_beta`, with its recursion unrolled onto `stack`; return whether it is done."""
    ply, nodes, entering = stack.state[_PLY], stack.state[NODES], stack.state[_ENTERING]
    end = nodes + budget
    while nodes < end:
        returned = False
        if entering == 1:
            nodes += 1
            stack.length[ply] = 0
            outcome = board.counts[OUTCOME]
            side = board.counts[PLY] & 1
            if outcome != 0:
                sign = 0 if outcome == 3 else 1 if outcome == side + 1 else -1
                score = sign * (np.int64(WIN) - ply)
                returned = True
            elif ply == depth:
                score = stack.worth[ply] if side == 0 else -stack.worth[ply]
                returned = True
            else:
                stack.best[ply] = -np.int64(INFINITE)
                stack.move[ply] = -1
                entering = 0
        if not returned:
            cell = stack.move[ply] + 1
            if stack.alpha[ply] >= stack.beta[ply]:
                cell = board.cells.size
            while cell < board.cells.size and (board.cells[cell] != EMPTY or board.closed[tables.board_of[cell]] == 1):
                cell += 1
            if cell < board.cells.size:
                stack.move[ply] = cell
                _advance(tables, board, scores, stack, ply, cell)
                stack.alpha[ply + 1] = -stack.beta[ply]
                stack.beta[ply + 1] = -stack.alpha[ply]
                ply += 1
                entering = 1
                continue
            score = stack.best[ply]
        # The position at `ply` has its score: pass it to its parent.
        if ply == 1:
            stack.state[SCORE], stack.state[NODES] = score, nodes
            return True
        ply -= 1
        entering = 0
        cell = stack.move[ply]
        undo(tables, board, cell)
        if -score > stack.best[ply]:
            stack.best[ply] = -score
            stack.line[ply, 0] = cell
            for i in range(stack.length[ply + 1]):
                stack.line[ply, i + 1] = stack.line[ply + 1, i]
            stack.length[ply] = stack.length[ply + 1] + 1
        stack.alpha[ply] = max(stack.alpha[ply], stack.best[ply])
    stack.state[_PLY], stack.state[NODES], stack.state[_ENTERING] = ply, nodes, entering
    return False
