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

from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.positions import EMPTY, FIRST_MARK, Position, Side
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


class _LinesThroughCells(NamedTuple):
    """The lines of a game, and the lines through each cell."""

    cells: NDArray[np.int16]  # [lines, k]
    through: NDArray[np.int16]  # [cells, most] the lines through each cell, padded with -1


class ChainOfFours(NamedTuple):
    """The shortest chain of fours found in a position.

    Attributes:
        fours: The number of fours; 0 if a line can be completed at once; None if no chain was found.
        move: Its first move, or -1.
    """

    fours: int | None
    move: int

    @property
    def plies(self) -> int | None:
        """Plies until the win; None if no chain was found."""
        return None if self.fours is None else 2 * self.fours + 1


_NO_CHAIN = ChainOfFours(None, -1)


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
        if not position.is_over and self.win(position).fours is None and self._loss(position) is None:
            return "neither side wins by moves that leave a single reply"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Return the value and a move that attains it; raise SolverError if the solver rejects the position."""
        if position.is_over:
            return Proof.by_rules(position)
        self._require(position)
        budget.spend(self._unspent)
        self._unspent = 0
        win = self.win(position)
        if win.fours is not None:
            return Proof(1, 1, win.move)
        threats = position.completing_cells(position.to_move.other)
        return Proof(-1, -1, (threats or position.legal_moves)[0])

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can win within `plies`; raise SolverError if the solver rejects the position.

        A win in fewer than four plies is a win by fours. For more plies, return None if fours do not win within
        them, because a quiet move might.
        """
        self._require(position)
        wins = self.win(position).plies
        if (wins is not None) != (side is position.to_move) or plies <= 0:
            return False
        known = self._loss(position) if wins is None else wins
        if known is not None and known <= plies:
            return True
        if wins is not None:
            return None if plies > 4 else False
        threats = position.completing_cells(side)
        if not threats:
            return None if plies > 5 else False
        return self.within(position.play(threats[0]), side, plies - 1, budget)

    def win(self, position: Position) -> ChainOfFours:
        """The shortest chain of fours with which the side to move wins, if one was found."""
        return self._chain(position.cells, position.to_move)

    def _find_loss(self, position: Position) -> int | None:
        """Plies until the side to move, which has no chain itself, has lost; None if fours do not decide it."""
        other = position.to_move.other
        threats = position.completing_cells(other)
        if len(threats) > 1:
            return 2
        if not threats and self._chain(position.cells, other).fours is None:
            return None
        longest = 0
        for move in threats or self._defences(position):
            reply = position.play(move)
            plies = None if reply.is_over else self.win(reply).plies
            if plies is None:
                return None
            longest = max(longest, 1 + plies)
        return longest

    def _require(self, position: Position) -> None:
        if (reason := self.refusal(position)) is not None:
            raise SolverError(f"fours do not decide {self.rules}: {reason}")

    def _defences(self, position: Position) -> list[int]:
        """Every move, those nearest to the start of the opponent's chain first, because they are likeliest to stop it."""
        begins = self._chain(position.cells, position.to_move.other).move
        cols = self.rules.cols

        def distance(move: int) -> int:
            return max(abs(move // cols - begins // cols), abs(move % cols - begins % cols))

        return sorted(position.legal_moves, key=distance)

    def _find_chain(self, cells: bytes, attacker: Side) -> ChainOfFours:
        """The shortest chain of fours with which the attacker, to move, wins."""
        lines = _lines(self.rules)
        marks = np.frombuffer(cells, np.uint8).copy()
        counts = np.zeros((2, len(lines.cells)), np.int16)
        stack = np.zeros((_MOST_FOURS + 1, 4), np.int16)
        own, theirs = FIRST_MARK + attacker, FIRST_MARK + attacker.other
        for fours in range(_MOST_FOURS + 1):
            move, nodes, cut = _search(lines.cells, lines.through, marks, counts, stack, own, theirs, fours, _NODES)
            self._unspent += nodes
            if move >= 0:
                return ChainOfFours(fours, move)
            if not cut or nodes > _NODES:
                break
        return _NO_CHAIN


@lru_cache(maxsize=64)
def _lines(rules: Rules) -> _LinesThroughCells:
    table = line_table(rules)
    most = max(map(len, table.through), default=0)
    through = np.full((rules.size, max(1, most)), -1, np.int16)
    for cell, pairs in enumerate(table.through):
        through[cell, : len(pairs)] = [line for line, _ in pairs]
    return _LinesThroughCells(np.array(table.cells, np.int16).reshape(len(table.cells), rules.k), through)


_NEXT, _MOVE, _REPLY, _ONLY = range(4)
"""Fields of a stack entry: the next cell to try, the four, the reply to it, and the only cell allowed, or -1."""


@kernel
def _search(lines, through, marks, counts, stack, own, theirs, most, limit):  # type: ignore[no-untyped-def]
    """Search for a win by at most `most` fours, from a position in which no line is complete.

    Args:
        lines, through: As in `_LinesThroughCells`.
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
                _mark(through, marks, counts, 1, stack[depth, _REPLY], EMPTY)
                _mark(through, marks, counts, 0, stack[depth, _MOVE], EMPTY)
            continue
        stack[depth, _NEXT] = cell + 1
        if marks[cell] != EMPTY or (stack[depth, _ONLY] >= 0 and cell != stack[depth, _ONLY]):
            continue
        reply, two = -1, False
        for place in range(through.shape[1]):
            number = through[cell, place]
            if number >= 0 and counts[1, number] == 0 and counts[0, number] == width - 2:
                for at in range(width):
                    left = lines[number, at]
                    if left != cell and marks[left] == EMPTY:
                        two = two or (reply >= 0 and left != reply)
                        reply = left
        if two:
            return cell if depth == 0 else stack[0, _MOVE], nodes, cut
        if reply >= 0:
            stack[depth, _MOVE], stack[depth, _REPLY] = cell, reply
            _mark(through, marks, counts, 0, cell, own)
            _mark(through, marks, counts, 1, reply, theirs)
            depth += 1
            entering = True
    return -1, nodes, cut


@kernel
def _mark(through, marks, counts, player, cell, content):  # type: ignore[no-untyped-def]
    """Put a mark of the attacker (player 0) or the defender (1) on a cell, or remove it if `content` is EMPTY."""
    marks[cell] = content
    change = -1 if content == EMPTY else 1
    for place in range(through.shape[1]):
        number = through[cell, place]
        if number >= 0:
            counts[player, number] += change


@kernel
def _open_cell(lines, marks, number):  # type: ignore[no-untyped-def]
    """An empty cell of a line, or -1."""
    for place in range(lines.shape[1]):
        if marks[lines[number, place]] == EMPTY:
            return lines[number, place]
    return -1
