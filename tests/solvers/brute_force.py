"""The slow and obvious truth about small games: exact value and distance of every position, by trying everything.

A position is a number: each cell that is empty at the start is a digit, 0 if it still is, 1 for the first player's
mark, 2 for the second's; with shared marks digits are 0 and 1. A move makes the number larger. So counting up meets
every position after all that lead to it, and counting down meets it after all that follow. Nothing is pruned,
merged or ordered. Tables take two bytes a number: 3x4 with own marks has 3^12 = 531,441 numbers, 4x4 has 43,046,721.

The truth reads none of the product's line tables, kernels and symmetries.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.positions import EMPTY, Position, Rng, Side
from noughts.rules import Rules
from noughts.rules.squares import Wrap
from noughts.solvers.bits import position_of, words
from noughts.solvers.solution import Budget, Proof, Solver

NO_DISTANCE = -1
"""The distance of a drawn position."""


class Truths(NamedTuple):
    """The truth about unfinished positions, one entry each; values are for the side to move."""

    first: NDArray[np.uint64]  # bit `cell` is the first player's mark; every mark with shared marks
    second: NDArray[np.uint64]  # the second player's
    value: NDArray[np.int8]  # +1, 0 or -1
    distance: NDArray[np.int16]  # plies to the end, the winner hurrying and the loser resisting; or NO_DISTANCE


def every_position(rules: Rules, start: Position | None = None) -> Truths:
    """The truth about every unfinished position that is reachable from `start`, itself included and first.

    Args:
        rules: Any game of up to 64 cells.
        start: Where play starts, the game not over; by default the empty board. With e empty cells there
            are 3^e numbers, 2^e with shared marks: up to some tens of millions are practical.
    """
    start = start or Position.start(rules)
    assert not start.is_over
    cells = np.array([cell for cell, content in enumerate(start.cells) if content == EMPTY], np.int64)
    first, second = words(start)
    found = _try_everything(
        np.array([_mask(line) for line in lines(rules)], np.uint64),
        np.array([_mask(board) for board in _boards(rules)], np.uint64),
        rules.marks == "shared",
        rules.line == "wins",
        {"draw": 0, "first": 1, "second": 2}[rules.full],
        cells,
        np.uint64(first),
        np.uint64(second),
    )
    return Truths(*found)


def lines(rules: Rules) -> list[tuple[int, ...]]:
    """Every line of k cells in a row without a brick, on every board."""
    on_one = sorted(_lines(rules.rows, rules.cols, rules.k, rules.bricks, rules.wrap))
    size = rules.rows * rules.cols
    return [tuple(board * size + cell for cell in line) for board in range(rules.boards) for line in on_one]


def _lines(rows: int, cols: int, k: int, bricks: tuple[int, ...], wrap: str = "none") -> set[tuple[int, ...]]:
    """Every line on one board, its cells ascending. For joined edges, copies of the board are tiled beside it."""
    found = set()
    copies_down, copies_right = (k if wrap in (joined, "both") else 0 for joined in ("rows", "columns"))
    for row, col in product(range(rows), range(cols)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            places = [(row + down * i, col + right * i) for i in range(k)]
            if all(
                -rows * copies_down <= r < rows * (1 + copies_down)
                and -cols * copies_right <= c < cols * (1 + copies_right)
                for r, c in places
            ):
                line = {r % rows * cols + c % cols for r, c in places}
                if len(line) == k <= max(rows, cols) and not line & set(bricks):
                    found.add(tuple(sorted(line)))
    return found


class Known:
    """The truth about each position of a game: `answers` has value and distance, by the two words of an unfinished position."""

    def __init__(self, rules: Rules) -> None:
        self.rules, truths = rules, every_position(rules)
        marks = zip(truths.first.tolist(), truths.second.tolist(), strict=True)
        answers = zip(truths.value.tolist(), truths.distance.tolist(), strict=True)
        self.answers: dict[tuple[int, int], tuple[int, int]] = dict(zip(marks, answers, strict=True))

    def __getitem__(self, position: Position) -> tuple[int, int]:
        """The value and distance, also of a finished position."""
        if position.is_over:
            return position.outcome.value(position.to_move), 0
        return self.answers[words(position)]

    def some(self, count: int, rng: Rng) -> list[Position]:
        """Unfinished positions: all if there are no more than that, otherwise drawn evenly."""
        every = list(self.answers)
        drawn = every if len(every) <= count else [every[rng.below(len(every))] for _ in range(count)]
        return [position_of(self.rules, *each) for each in drawn]


def check(solver: Solver, position: Position, value: int, distance: int) -> Proof:
    """Fail unless a solver finds this value, and who wins within how many plies; return what it proves."""
    proof = solver.prove(position, Budget())
    assert proof.value == value, f"{position.rules}\n{position}"
    for side in Side:
        wins = value == (1 if side is position.to_move else -1)
        assert solver.within(position, side, 99, Budget()) is wins
        if wins:
            assert solver.within(position, side, distance, Budget()) is True
            assert solver.within(position, side, distance - 1, Budget()) is False
    return proof


def all_games(rows: int, cols: int, wrap: Wrap = "none") -> Iterator[Rules]:
    """Every game on one board of this size and these joined edges: each k and one that is too long, no brick and every
    single one, and every setting of marks, line and full."""
    size = rows * cols
    for bricks in [(), *((cell,) for cell in range(size if size > 1 else 0))]:
        for k in range(1, max(rows, cols) + 2):
            fits = any(_lines(rows, cols, k, bricks, wrap))
            board: dict[str, Any] = {"rows": rows, "cols": cols, "k": k, "bricks": bricks, "wrap": wrap}
            for marks, line, full in product(("own", "shared"), ("wins", "loses"), ("draw", "first", "second")):
                yield Rules(**board, marks=marks, line=line, full=full, lineless=not fits)


def _boards(rules: Rules) -> list[list[int]]:
    """The cells of each board without bricks."""
    size = rules.rows * rules.cols
    free = [cell for cell in range(size) if cell not in rules.bricks]
    return [[board * size + cell for cell in free] for board in range(rules.boards)]


def _mask(cells: list[int] | tuple[int, ...]) -> int:
    return sum(1 << cell for cell in cells)


ONGOING, BY_LINE, BY_FULL_BOARD = 1, 2, 3


@njit(cache=True)
def _state(lines, boards, first, second):  # type: ignore[no-untyped-def]
    """Whether the game goes on, that is, unless every board is closed by a line or no cell is left on open ones."""
    closed, room = 0, False
    for board in boards:
        holds_line = False
        for line in lines:
            if line & board == line and (line & first == line or line & second == line):
                holds_line = True
        if holds_line:
            closed += 1
        elif board & ~(first | second) != 0:
            room = True
    return BY_LINE if closed == len(boards) else ONGOING if room else BY_FULL_BOARD


@njit(cache=True)
def _is_open(lines, boards, first, second, cell):  # type: ignore[no-untyped-def]
    """Whether the board of a cell holds no line."""
    for line in lines:
        if line & first == line or line & second == line:
            for board in boards:
                if board & line != 0 and board >> cell & np.uint64(1) != 0:
                    return False
    return True


@njit(cache=True)
def _words(number, base, cells, first, second):  # type: ignore[no-untyped-def]
    """The marks of a position, from its number and the marks at the start; and how many were added."""
    added = 0
    for cell in cells:
        digit = number % base
        number //= base
        if digit == 1:
            first |= np.uint64(1) << np.uint64(cell)
        if digit == 2:
            second |= np.uint64(1) << np.uint64(cell)
        added += digit != 0
    return first, second, added


@njit(cache=True)
def _try_everything(lines, boards, shared, line_wins, full, cells, first_start, second_start):  # type: ignore[no-untyped-def]
    """The arrays of `Truths`."""
    base = 2 if shared else 3
    numbers = base ** len(cells)
    start_ply = 0
    for cell in range(64):
        start_ply += (first_start | second_start) >> np.uint64(cell) & np.uint64(1) != 0
    states = np.zeros(numbers, np.int8)  # 0 for unreachable numbers
    states[0] = ONGOING
    ongoing = 0
    for number in range(numbers):
        if states[number] == 0:
            continue
        first, second, added = _words(number, base, cells, first_start, second_start)
        states[number] = _state(lines, boards, first, second)
        if states[number] == ONGOING:
            ongoing += 1
            second_moves = (start_ply + added) % 2 == 1
            mark, weight = 2 if second_moves and not shared else 1, 1
            for cell in cells:
                empty = number // weight % base == 0
                if empty and _is_open(lines, boards, first, second, np.uint64(cell)):
                    states[number + mark * weight] = ONGOING
                weight *= base
    scores = np.zeros(numbers, np.int8)  # for the side to move: 100 - n for a win in n plies, n - 100 for a loss
    found_first, found_second = np.empty(ongoing, np.uint64), np.empty(ongoing, np.uint64)
    value, distance = np.empty(ongoing, np.int8), np.empty(ongoing, np.int16)
    place = ongoing
    for number in range(numbers - 1, -1, -1):
        if states[number] == 0:
            continue
        first, second, added = _words(number, base, cells, first_start, second_start)
        to_move = (start_ply + added) % 2
        if states[number] == BY_LINE:
            scores[number] = -100 if line_wins else 100
        elif states[number] == BY_FULL_BOARD:
            scores[number] = 0 if full == 0 else 100 if full == to_move + 1 else -100
        else:
            best, weight = -101, 1
            mark = 2 if to_move == 1 and not shared else 1
            for cell in cells:
                empty = number // weight % base == 0
                if empty and _is_open(lines, boards, first, second, np.uint64(cell)):
                    reply = scores[number + mark * weight]
                    score = 1 - reply if reply > 0 else -1 - reply if reply < 0 else 0  # one ply nearer to 0
                    best = max(best, score)
                weight *= base
            scores[number] = best
            place -= 1
            found_first[place], found_second[place] = first, second
            value[place] = 1 if best > 0 else -1 if best < 0 else 0
            distance[place] = 100 - abs(best) if best != 0 else NO_DISTANCE
    return found_first, found_second, value, distance
