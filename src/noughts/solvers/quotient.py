"""Several boards at once: 3x3 Notakto and other small boards, any number of them, by the quotient of one board.

A position is the sum of its boards. A move is made on one of them, a line closes its board, and the game ends when
the last board closes. An open board has an empty cell, because a full one would contain a line. So the side to move
always has a move until the game ends, and `full` has no effect. A side that cannot move has won if lines lose, and lost
if they win. These are misere and normal play of a sum, and a monoid determines the winner: `quotient_monoid` explains
how it is found and proved from the moves alone. The element of a position is the product of the elements of its
boards; closed boards multiply by 1.

Positions of one board with equal options are the same game and get the same number, so 3x3 Notakto has 18 games,
including the closed board.
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
"""Most playable cells of one board: each of its 2^16 positions becomes a game."""

_MOST_LENGTHS = 200_000  # most sums to search for one length: about a second per 80,000
_BYTES_OF_LENGTH = 300  # a sum in a dictionary


@dataclass(frozen=True)
class BoardGames:
    """The games that positions of one board are.

    Attributes:
        cells: The playable cells of one board.
        game: ``game[marks]``, bit i for a mark on ``cells[i]``: the number of that position's game; 0 with a line.
        options: ``options[g]``: the games that a move in game g leads to, each with a lower number.
    """

    cells: tuple[int, ...]
    game: tuple[int, ...]
    options: tuple[frozenset[int], ...]

    def of(self, board: bytes) -> int:
        """The game of a board, from the contents of its cells."""
        return self.game[sum(1 << i for i, cell in enumerate(self.cells) if board[cell] == FIRST_MARK)]

    def reachable(self, games: Sum) -> set[int]:
        """These games and all games that can follow them."""
        found = set(games)
        todo = list(found)
        for game in todo:  # the loop extends it
            new = self.options[game] - found
            found |= new
            todo.extend(new)
        return found


@lru_cache(maxsize=64)
def board_games(rules: Rules) -> BoardGames:
    """Find the games of one board, full boards first, so that every position comes after those it leads to."""
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
    """Return the quotient of all sums of such boards; None if none was found within the limits of `quotient_monoid`.

    It takes hundredths of a second for 3x3 Notakto; the search gives up after some seconds. The result is cached.
    """
    return learn(board_games(rules).options, misere=rules.line == "loses")


class Quotient(Solver):
    """Solves any number of small boards at once, each position with a few products."""

    name: ClassVar[str] = "quotient"

    def __init__(self, rules: Rules, memory_bytes: int) -> None:
        self.rules = rules
        self.memory = memory_bytes
        self._board = rules if rules.boards == 1 else rules.model_copy(update={"boards": 1, "full": "draw"})
        self._lengths: dict[Sum, int] = {(): 0}

    def refusal(self, position: Position) -> str | None:
        """Why the solver rejects the position; None if it does not.

        The first call for a kind of board searches for its quotient, which takes hundredths of a second to seconds.
        """
        if self.rules.boards == 1 or self.rules.lineless:
            return "it solves several boards at once, with lines"
        if (cells := self.rules.board_size - len(self.rules.bricks)) > MOST_CELLS:
            return f"one board has {cells} playable cells, and it takes at most {MOST_CELLS}"
        if board_quotient(self._board) is None:
            return f"no quotient of its board was found with {MOST_ELEMENTS} elements and {MOST_SUMS:,} sums"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Return the value and a move that attains it, at no cost; raise SolverError if it rejects the position."""
        quotient = self._require(position)
        games, size = board_games(self._board), self.rules.board_size
        boards = [position.cells[start : start + size] for start in range(0, self.rules.size, size)]
        elements = [quotient.element[games.of(board)] for board in boards]

        def times(q: int, r: int) -> int:
            return quotient.product[q][r]

        before = list(accumulate(elements, times, initial=0))  # before[b]: the product of the boards before b
        if quotient.lost[before[-1]]:
            return Proof(-1, -1, position.legal_moves[0])
        behind = list(accumulate(reversed(elements), times, initial=0))[-2::-1]  # behind[b]: of the boards after b
        for number, board in enumerate(boards):
            others = times(before[number], behind[number])
            for cell in games.cells if games.of(board) else ():
                if board[cell] == EMPTY:
                    after = games.of(board[:cell] + bytes((FIRST_MARK,)) + board[cell + 1 :])
                    if quotient.lost[times(others, quotient.element[after])]:
                        return Proof(1, 1, number * size + cell)
        raise AssertionError("a won sum has a move to a lost one: that was proved when the quotient was made")

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can win within `plies`, by searching all sums that can follow. A node is such a sum.

        None if the budget ran out, or if `side` wins but more than about six boards are open.
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
        """Find the length of a sum under fastest wins and longest resistance; return whether the budget sufficed.

        The winner makes the last move if lines win, and the loser if they lose. So the parity of the length shows
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
        """The quotient; raise SolverError if the solver rejects the position."""
        quotient = board_quotient(self._board) if self.refusal(position) is None else None
        if quotient is None:
            raise SolverError(f"quotient does not cover {self.rules}: {self.refusal(position)}")
        return quotient
