"""The best moves of many positions together: the best root moves of `minimax`, without its other results.

`minimax` returns to Python after each root move, which takes longer than a shallow search itself. Here a kernel loops
over the moves and the positions, so that agents with many positions to decide are about ten times as fast.
"""

from collections.abc import Sequence

import numpy as np

from noughts.positions import EMPTY, Position
from noughts.positions.kernels import SECOND_SHIFT, Columns, new_board, set_up, tables, undo
from noughts.positions.numba_kernel import kernel
from noughts.search.minimax import INFINITE, NODES, SCORE, begin, go_on, new_stack
from noughts.search.patterns import PatternTable

SLICE_NODES = 200_000
"""Positions visited between two checks for Ctrl-C."""
_NUMBER, _MOVE, _INSIDE, _BEST, _WORTH = 0, 1, 2, 3, 4


def best_moves(positions: Sequence[Position], depth: int, evaluator: PatternTable) -> list[tuple[int, ...]]:
    """Return, for each position, every move with the best score by `minimax` to this depth, by cell index.

    Args:
        positions: Positions of one game, none of them over.
        depth: Plies, 1 or more.
        evaluator: Evaluates unfinished positions at the horizon.
    """
    if not positions:
        return []
    rules = positions[0].rules
    if depth < 1 or any(position.is_over or position.rules != rules for position in positions):
        raise ValueError(f"depth={depth}: search at least 1 ply, in positions of one game that are not over")
    columns, best = Columns.of(positions), np.zeros((len(positions), rules.size), np.int8)
    stack = new_stack(min(depth, rules.size))
    at = np.array([0, -1, 0, 0, 0], np.int64)
    table, board = tables(rules), new_board(rules)
    while not _search_all(table, board, evaluator.by_line(rules), stack, depth, columns, best, at, SLICE_NODES):
        pass  # returns to Python between slices, so that Ctrl-C works
    return [tuple(row.nonzero()[0].tolist()) for row in best]


@kernel
def board_worth(board, scores):  # type: ignore[no-untyped-def]
    """`PatternTable.__call__` for a board: its evaluation from the first player's point of view."""
    total = np.int64(0)
    for line in range(board.codes.size):
        first, second = board.codes[line] & 0xFFFFFFFF, board.codes[line] >> SECOND_SHIFT
        if first == 0 or second == 0:
            ring = scores.ring[line]
            total += scores.scores[ring, 0, first] + scores.scores[ring, 1, second]
    return total


@kernel
def _search_all(tables, board, scores, stack, depth, columns, all_best, at, budget):  # type: ignore[no-untyped-def]
    """Continue the search from `at`, for about `budget` visited positions; return whether all is done.

    Sets each best move to 1 in `all_best`, int8 [positions, size].
    """
    visited = 0
    while at[_NUMBER] < columns.ply.size:
        number = at[_NUMBER]
        best = all_best[number]
        if at[_MOVE] < 0:
            set_up(tables, board, columns.cells[number], columns.closed[number], columns.ply[number], 0)
            at[_MOVE], at[_INSIDE], at[_BEST], at[_WORTH] = 0, 0, -np.int64(INFINITE), board_worth(board, scores)
        while at[_MOVE] < best.size:
            move = at[_MOVE]
            if at[_INSIDE] == 0:
                if board.cells[move] != EMPTY or board.closed[tables.board_of[move]] == 1:
                    at[_MOVE] += 1
                    continue
                if visited >= budget:
                    return False
                # The window starts at best - 1, so that a move of equal score comes out exact and joins the tie.
                beta = np.int64(INFINITE) if at[_BEST] == -np.int64(INFINITE) else 1 - at[_BEST]
                begin(tables, board, scores, stack, move, -np.int64(INFINITE), beta, at[_WORTH])
                at[_INSIDE] = 1
            if not go_on(tables, board, scores, stack, min(depth, board.cells.size), budget):
                return False
            undo(tables, board, move)
            visited += stack.state[NODES]
            score = -stack.state[SCORE]
            if score > at[_BEST]:
                at[_BEST] = score
                for other in range(move):
                    best[other] = 0
            if score == at[_BEST]:
                best[move] = 1
            at[_INSIDE] = 0
            at[_MOVE] += 1
        at[_NUMBER] += 1
        at[_MOVE] = -1
    return True
