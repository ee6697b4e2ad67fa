"""Wins by continuous fours (VCF): solves some positions on boards too large for the other solvers, such as gomoku.

With k in a row to win, a *four* is a move after which its player lacks one cell of some line, whatever k is: four of five in
gomoku. The opponent must take that cell, unless it completes a line itself. So each four of a chain has a single
reply, and an exhaustive search of all chains is cheap:

    a cell completes a line                                      won
    the opponent could complete lines at two cells               lost; with one, only a move there can be right
    a four after which two cells complete a line                 won
    a four after which one cell does                             as the position after the reply, by the same rules

A position is lost if its only right move lets the opponent win so, or if every move does. The solver rejects all other
positions, because a quiet move may win or hold there. So every answer is exact, but most positions have none.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from noughts.positions import EMPTY, FIRST_MARK, Position, Side
from noughts.positions.kernels import tables
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, SolverError, line_table
from noughts.solvers.solution import Budget, Proof, Solver

_LEAST_LINE = 3
_MOST_FOURS = 16
"""Most fours in a chain."""
_NODES = 4_000
"""Positions to search for a chain of at most a given number of fours, before the solver gives up."""
_BYTES_EACH = 1_000
"""Approximate memory of a cached position."""


class Fours(Solver):
    """Solves positions that are won or lost by continuous fours."""

    name: ClassVar[str] = "fours"

    def __init__(self, rules: Rules, memory_bytes: int) -> None:
        self.rules = rules
        self._applies = rules.marks == "own" and rules.line == "wins" and rules.k >= _LEAST_LINE
        most = max(1, memory_bytes // _BYTES_EACH // 2)
        self._chain = lru_cache(maxsize=most)(self._find_chain)
        self._loss = lru_cache(maxsize=most)(self._find_loss)
        self._unspent = 0  # work not charged to a budget yet

    @property
    def kept(self) -> int:
        """The number of cached answers."""
        return self._chain.cache_info().currsize + self._loss.cache_info().currsize

    def refusal(self, position: Position) -> str | None:
        """Why the solver rejects the position; None if it does not."""
        if not self._applies:
            return f"it solves games in which {_LEAST_LINE} or more own marks in a row win"
        if not position.is_over and self.win(position) is None and self._loss(position) is None:
            return "neither side wins by moves that leave a single reply"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Return the value and a move that attains it; raise SolverError if the solver rejects the position."""
        self._require(position)
        budget.spend(self._unspent)
        self._unspent = 0
        if (win := self.win(position)) is not None:
            _, move = win
            return Proof(1, 1, move)
        threats = position.completing_cells(position.to_move.other)
        return Proof(-1, -1, (threats or position.legal_moves)[0])

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can win within `plies`; raise SolverError if the solver rejects the position.

        A win in fewer than four plies is a win by fours. For more plies, return None if fours do not win within
        them, because a quiet move might.
        """
        self._require(position)
        win = self.win(position)
        if (win is not None) != (side is position.to_move) or plies <= 0:
            return False
        known = self._loss(position) if win is None else win[0]
        if known is not None and known <= plies:
            return True
        if win is not None:
            return None if plies > 4 else False
        threats = position.completing_cells(side)
        if not threats:
            return None if plies > 5 else False
        return self.within(position.play(threats[0]), side, plies - 1, budget)

    def win(self, position: Position) -> tuple[int, int] | None:
        """Plies until the side to move wins by the shortest chain of fours, and its first move; None if none was found."""
        return self._chain(position.cells, position.to_move)

    def _find_loss(self, position: Position) -> int | None:
        """Plies until the side to move, which has no chain itself, has lost; None if fours do not decide it."""
        other = position.to_move.other
        threats = position.completing_cells(other)
        if len(threats) > 1:
            return 2
        moves: Sequence[int] = threats
        if not threats:
            chain = self._chain(position.cells, other)
            if chain is None:
                return None
            moves = self._defences(position, chain[1])
        longest = 0
        for move in moves:
            reply = position.play(move)
            win = None if reply.is_over else self.win(reply)
            if win is None:
                return None
            longest = max(longest, 1 + win[0])
        return longest

    def _require(self, position: Position) -> None:
        if (reason := self.refusal(position)) is not None:
            raise SolverError(f"fours do not decide {self.rules}: {reason}")

    def _defences(self, position: Position, begins: int) -> list[int]:
        """Every move, those nearest to the start of the opponent's chain first, because they are likeliest to stop it."""
        cols = self.rules.cols

        def distance(move: int) -> int:
            return max(abs(move // cols - begins // cols), abs(move % cols - begins % cols))

        return sorted(position.legal_moves, key=distance)

    def _find_chain(self, cells: bytes, attacker: Side) -> tuple[int, int] | None:
        """As `win`, for the attacker to move."""
        lines, game = _cells_of_lines(self.rules), tables(self.rules)
        marks = np.frombuffer(cells, np.uint8).copy()
        counts = np.zeros((2, len(lines)), np.int16)
        stack = np.zeros((_MOST_FOURS + 1, 4), np.int16)
        own, theirs = FIRST_MARK + attacker, FIRST_MARK + attacker.other
        for fours in range(_MOST_FOURS + 1):
            move, nodes, cut = _search(lines, game.first, game.line, marks, counts, stack, own, theirs, fours, _NODES)
            self._unspent += nodes
            if move >= 0:
                return 2 * fours + 1, move
            if not cut or nodes > _NODES:
                break
        return None


@lru_cache(maxsize=64)
def _cells_of_lines(rules: Rules) -> NDArray[np.int16]:
    """int16 [lines, k]: the cells of each line."""
    lines = line_table(rules).cells
    return np.array(lines, np.int16).reshape(len(lines), rules.k)


_NEXT, _MOVE, _REPLY, _ONLY = range(4)
"""Fields of a stack entry: the next cell to try, the four, the reply to it, and the only cell allowed, or -1."""


@kernel
def _search(lines, first, line, marks, counts, stack, own, theirs, most, limit):  # type: ignore[no-untyped-def]
    """Search for a win by at most `most` fours, from a position in which no line is complete.

    Args:
        lines: int16 [lines, k], the cells of each line.
        first, line: As in `GameTables`.
        marks: uint8 [cells], the content of each cell; unchanged if no win is found.
        counts: int16 [2, lines], scratch: the attacker's and the defender's marks on each line.
        stack: int16 [most + 1 or more, 4], scratch.
        own, theirs: The cell content that stands for a mark of the attacker, and of the defender.
        most: Most fours.
        limit: Most positions to search.

    Returns:
        The first move, or -1; the number of positions searched, which exceeds `limit` if the search gave up; whether some
        chain was cut off at `most` fours.
    """
    width = lines.shape[1]
    for number in range(lines.shape[0]):
        counts[0, number] = counts[1, number] = 0
        for place in range(width):
            held = marks[lines[number, place]]
            if held == own:
                counts[0, number] += 1
            elif held != EMPTY:
                counts[1, number] += 1
    depth, nodes, entering, cut = 0, 0, True, False
    while depth >= 0:
        if entering:
            nodes += 1
            if nodes > limit:
                return -1, nodes, cut
            entering = False
            wins, only, two = -1, -1, False
            for number in range(lines.shape[0]):
                if counts[1, number] == 0 and counts[0, number] == width - 1:
                    wins = _open_cell(lines, marks, number)
                elif counts[0, number] == 0 and counts[1, number] == width - 1:
                    cell = _open_cell(lines, marks, number)
                    two = two or (only >= 0 and cell >= 0 and cell != only)
                    only = max(only, cell)
            if wins >= 0:
                return wins if depth == 0 else stack[0, _MOVE], nodes, cut
            cut = cut or (depth == most and not two)
            stack[depth, _ONLY] = only
            stack[depth, _NEXT] = marks.size if two or depth == most else 0
        cell = stack[depth, _NEXT]
        if cell >= marks.size:
            depth -= 1
            if depth >= 0:
                _mark(first, line, marks, counts, 1, stack[depth, _REPLY], EMPTY)
                _mark(first, line, marks, counts, 0, stack[depth, _MOVE], EMPTY)
            continue
        stack[depth, _NEXT] = cell + 1
        if marks[cell] != EMPTY or (stack[depth, _ONLY] >= 0 and cell != stack[depth, _ONLY]):
            continue
        reply, two = -1, False
        for entry in range(first[cell], first[cell + 1]):
            number = line[entry]
            if counts[1, number] == 0 and counts[0, number] == width - 2:
                for at in range(width):
                    left = lines[number, at]
                    if left != cell and marks[left] == EMPTY:
                        two = two or (reply >= 0 and left != reply)
                        reply = left
        if two:
            return cell if depth == 0 else stack[0, _MOVE], nodes, cut
        if reply >= 0:
            stack[depth, _MOVE], stack[depth, _REPLY] = cell, reply
            _mark(first, line, marks, counts, 0, cell, own)
            _mark(first, line, marks, counts, 1, reply, theirs)
            depth += 1
            entering = True
    return -1, nodes, cut


@kernel
def _mark(first, line, marks, counts, player, cell, content):  # type: ignore[no-untyped-def]
    """Put a mark of the attacker (player 0) or the defender (1) on a cell, or remove it if `content` is EMPTY."""
    marks[cell] = content
    change = -1 if content == EMPTY else 1
    for entry in range(first[cell], first[cell + 1]):
        counts[player, line[entry]] += change


@kernel
def _open_cell(lines, marks, number):  # type: ignore[no-untyped-def]
    """An empty cell of a line, or -1."""
    for place in range(lines.shape[1]):
        if marks[lines[number, place]] == EMPTY:
            return lines[number, place]
    return -1
