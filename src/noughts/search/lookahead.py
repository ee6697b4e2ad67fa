"""One-ply search: a network evaluates the position after each legal move, and the best move is played.

BetaZero by CMA-ES searches no deeper. Moves whose values are within a tolerance of the best count as equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noughts.networks.value_network import ValueNetwork, evaluate, room
from noughts.positions import Position
from noughts.positions.kernels import PLY, Columns, new_board, play, set_up, tables, undo
from noughts.positions.numba_kernel import kernel
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK
from noughts.search.result import Kind, MoveResult, SearchResult


@dataclass(frozen=True)
class LookAhead:
    """A network, and the tolerance within which values count as equal."""

    network: ValueNetwork
    tolerance: float

    def worths(self, positions: Sequence[Position]) -> NDArray[np.float64]:
        """Return the value of each move for the side to move, [positions, size]; NaN for cells that cannot be played.

        Args:
            positions: Positions of one game, none of them over.
        """
        rules, columns = positions[0].rules, Columns.of(positions)
        found = np.full((len(positions), rules.size), np.nan)
        widths = np.array(self.network.widths, np.int64)
        _value_all(
            tables(rules), new_board(rules), widths, self.network.parameters, columns,
            *room(self.network.widths), found,
        )  # fmt: skip
        return found

    def choices(self, positions: Sequence[Position]) -> list[tuple[int, ...]]:
        """Return the moves that are equal to the best, ascending, for each position of one game."""
        if not positions:
            return []
        worths = self.worths(positions)
        best = np.nanmax(worths, axis=1, keepdims=True)
        return [tuple(np.flatnonzero(row).tolist()) for row in best - worths <= self.tolerance]

    def search(self, position: Position, move: int) -> SearchResult:
        """Return the full result of a position in which `move`, one of the choices, is played."""
        worths = self.worths([position])[0]
        moves = tuple(MoveResult(cell, 1, float(worths[cell])) for cell in position.legal_moves)
        return SearchResult(move, float(worths[move]), Kind.ESTIMATE, moves, (move,), len(moves))


@kernel
def is_free(tables, board, cell):  # type: ignore[no-untyped-def]
    """Whether a cell is legal, if the game is not over."""
    return board.cells[cell] == EMPTY and board.closed[tables.board_of[cell]] == 0


@kernel
def look(tables, board, active):  # type: ignore[no-untyped-def]
    """Write `networks.value_network.active_inputs` into `active`; return how many there are."""
    size = board.cells.size
    mine = FIRST_MARK if tables.shared else FIRST_MARK + 1 - (board.counts[PLY] & 1)
    count = 0
    for half in range(2):
        for cell in range(size):
            content = board.cells[cell]
            if content == EMPTY:
                held = board.closed.size > 1 and board.closed[tables.board_of[cell]] == 1
            elif content == BRICK:
                held = True
            else:
                held = (content == mine) == (half == 0)
            if held:
                active[count] = half * size + cell
                count += 1
    return count


@kernel
def value_moves(tables, board, widths, parameters, active, layer, sums, worth):  # type: ignore[no-untyped-def]
    """Write the value of each legal move into `worth`, [size], and return the best value; `board` is unchanged."""
    best = -np.inf
    for cell in range(board.cells.size):
        if is_free(tables, board, cell):
            play(tables, board, cell)
            worth[cell] = evaluate(widths, parameters, active, look(tables, board, active), layer, sums)
            best = max(best, worth[cell])
            undo(tables, board, cell)
    return best


@kernel
def _value_all(tables, board, widths, parameters, columns, active, layer, sums, found):  # type: ignore[no-untyped-def]
    for number in range(columns.ply.size):
        set_up(tables, board, columns.cells[number], columns.closed[number], columns.ply[number], 0)
        value_moves(tables, board, widths, parameters, active, layer, sums, found[number])
