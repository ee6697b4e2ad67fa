"""Several boards at once: 3x3 Notakto and other small boards, any number of them, by the quotient of one board.

A position is the sum of its boards: a move is made on one of them, a board with a line is closed and offers no
more, and the game ends when the last one closes. A living board has an empty cell, since a full one would hold a
line; so the side to move has a move as long as the game goes on, `full` cannot matter, and the side that cannot
move any more has won if lines lose, and lost if they win. That is misere and normal play of a sum, and a monoid
tells who wins it: `quotient_monoid` says how it is found from the moves alone, and proved. The product of the
elements of the boards is the element of the position; closed boards multiply by 1.

Positions of one board that offer the same are the same game: those of equal options are given one number, so
that 3x3 Notakto has 18 games, the closed board among them.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import ClassVar

from noughts.positions import EMPTY, FIRST_MARK, Position, Side
from noughts.rules import Rules, SolverError, line_table
from noughts.solvers.quotient_monoid import MOST_ELEMENTS, MOST_SUMS, Monoid, Sum, learn, moves
from noughts.solvers.solution import Budget, Proof, Solver

MOST_CELLS = 16
"""Playable cells that one board may have: each of its 2^16 positions becomes a game."""

_MOST_LENGTHS = 200_000  # sums tried for one length: about a second for each 80,000
_BYTES_OF_LENGTH = 300  # a sum in a dictionary


@dataclass(frozen=True)
class BoardGames:
    """The games that one board can be.

    Attributes:
        cells: The playable cells of one board.
        game: ``game[marks]``, bit i for a mark on ``cells[i]``: the number of that position's game; 0 with a line.
        options: ``options[g]``: the games that a move in game g leads to, each of a lower number.
    """

    cells: tuple[int, ...]
    game: tuple[int, ...]
    options: tuple[frozenset[int], ...]

    def of(self, board: bytes) -> int:
        """The game that a board is, from what its cells hold."""
        return self.game[sum(1 << i for i, cell in enumerate(self.cells) if board[cell] == FIRST_MARK)]

    def reachable(self, games: Sum) -> set[int]:
        """These games and all that moves in them can lead to."""
        found = set(games)
        todo = list(found)
        for game in todo:  # it grows as we go
            new = self.options[game] - found
            found |= new
            todo.extend(new)
        return found


@lru_cache(maxsize=64)
def board_games(rules: Rules) -> BoardGames:
    """The games of one board, full boards first: every position comes after those that a move leads to."""
    cells = tuple(cell for cell in range(rules.board_size) if cell not in rules.bricks)
    on_one = [line for line in line_table(rules).cells if line[0] < rules.board_size]
    lines = [sum(1 << cells.index(cell) for cell in line) for line in on_one]
    game = [0] * (1 << len(cells))
    number: dict[frozenset[int], int] = {frozenset(): 0}
    for marks in range(len(game) - 1, -1, -1):
        if not any(marks & line == line for line in lines):
            after = frozenset(game[marks | 1 << i] for i in range(len(cells)) if not marks >> i & 1)
            game[marks] = number.setdefault(after, len(number))
    return BoardGames(cells, tuple(game), tuple(number))


@lru_cache(maxsize=64)
def board_quotient(rules: Rules) -> Monoid | None:
    """The quotient of all sums of boards of this kind; None if none was found within the limits of `quotient_monoid`.

    For 3x3 Notakto it takes hundredths of a second; a board without one is given up after some seconds. Kept.
    """
    return learn(board_games(rules).options, misere=rules.line == "loses")


class Quotient(Solver):
    """Solves any number of small boards at once, each position by a few products."""

    name: ClassVar[str] = "quotient"

    def __init__(self, rules: Rules, memory_bytes: int) -> None:
        self.rules = rules
        self.memory = memory_bytes
        self._board = rules if rules.boards == 1 else rules.model_copy(update={"boards": 1, "full": "draw"})
        self._lengths: dict[Sum, int] = {(): 0}

    def refusal(self, position: Position) -> str | None:
        """Why the position is not covered, in words; None if it is.

        The first question about a kind of board looks for its quotient: a few hundredths to a few seconds.
        """
        if self.rules.boards == 1 or self.rules.lineless:
            return "it solves several boards at once, with lines"
        if (cells := self.rules.board_size - len(self.rules.bricks)) > MOST_CELLS:
            return f"one board has {cells} playable cells, and it takes at most {MOST_CELLS}"
        if board_quotient(self._board) is None:
            return f"no quotient of its board was found with {MOST_ELEMENTS} elements and {MOST_SUMS:,} sums"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """The value and a move that attains it; SolverError if the position is refused. Costs no nodes."""
        if position.is_over:
            return Proof.by_rules(position)
        quotient = self._require(position)
        games, size = board_games(self._board), self.rules.board_size
        boards = [position.cells[start : start + size] for start in range(0, self.rules.size, size)]
        elements = [quotient.element[games.of(board)] for board in boards]

        def times(q: int, r: int) -> int:
            return quotient.product[q][r]

        before = list(accumulate(elements, times, initial=0))  # before[b]: of the boards up to b, without it
        if quotient.lost[before[-1]]:
            return Proof(-1, -1, position.legal_moves[0])
        behind = list(accumulate(reversed(elements), times, initial=0))[-2::-1]  # behind[b]: of those after b
        for number, board in enumerate(boards):
            others = times(before[number], behind[number])
            for cell in games.cells if games.of(board) else ():
                if board[cell] == EMPTY:
                    after = games.of(board[:cell] + bytes((FIRST_MARK,)) + board[cell + 1 :])
                    if quotient.lost[times(others, quotient.element[after])]:
                        return Proof(1, 1, number * size + cell)
        raise AssertionError("a won sum has a move to a lost one: that was proved when the quotient was made")

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can win within so many plies, tried on all sums that can follow. A node is such a sum.

        None if the budget ran out; and of more than six or so living boards where `side` wins some day.
        """
        self._require(position)
        games, size = board_games(self._board), self.rules.board_size
        boards = [games.of(position.cells[start : start + size]) for start in range(0, self.rules.size, size)]
        living = tuple(sorted(game for game in boards if game))
        if living not in self._lengths:
            sums = comb(len(games.reachable(living) | {0}) - 1 + len(living), len(living))
            if sums > min(_MOST_LENGTHS, self.memory // _BYTES_OF_LENGTH):
                value = self.prove(position, budget).value
                return None if (value == 1) == (side is position.to_move) else False
            if len(self._lengths) + sums > _MOST_LENGTHS:
                self._lengths = {(): 0}
            if not self._find_length(living, budget):
                return None
        length = self._lengths[living]
        last_to_move = position.to_move if length % 2 else position.to_move.other
        winner = last_to_move if self.rules.line == "wins" else last_to_move.other
        return side is winner and length <= plies

    def _find_length(self, games: Sum, budget: Budget) -> bool:
        """Find how long a sum lasts, the winner hurrying and the loser resisting; whether the budget sufficed.

        The last move is the winner's where lines win, and the loser's where they lose: so the length modulo 2 says
        which options are lost for the side to move.
        """
        lengths, options = self._lengths, board_games(self._board).options
        lost = 0 if self.rules.line == "wins" else 1
        todo = [games]
        while todo:
            here = todo[-1]
            if here in lengths:
                todo.pop()
                continue
            if budget.exhausted:
                return False
            after = list(moves(here, options))
            unknown = [reached for reached in after if reached not in lengths]
            if unknown:
                todo.extend(unknown)
                continue
            lasting = [lengths[reached] for reached in after]
            lengths[here] = 1 + min((length for length in lasting if length % 2 == lost), default=max(lasting))
            budget.spend(1)
        return True

    def _require(self, position: Position) -> Monoid:
        """The quotient; SolverError if the position is refused."""
        quotient = board_quotient(self._board) if self.refusal(position) is None else None
        if quotient is None:
            raise SolverError(f"quotient does not cover {self.rules}: {self.refusal(position)}")
        return quotient
