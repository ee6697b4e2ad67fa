"""Alpha-beta with a table of what was proved: the solver for small boards of any rules.

Scores are whole numbers from the side to move: a win on ply n of the game, counted from the empty board, is
LONGEST - n, a loss is its negative and a draw is 0; so that fast wins and slow losses are preferred. A position tells
its own ply, so its score is the same by whichever moves it was reached. The contract of `AlphaBeta.bounds`, for a
position of true score s:

    low <= s <= high                                      always
    low >= beta  or  high <= alpha  or  low == high       unless the budget ran out
    -s' >= low                                            s' the score after the move that is returned

What is seen of a position at once, and the table of the rest, are in `alphabeta_search`.
"""

from math import comb
from typing import ClassVar

import numpy as np

from noughts.machine.memory import DEFAULT_BYTES
from noughts.positions import Position, Side
from noughts.rules import Rules, SolverError
from noughts.solvers.alphabeta_search import LONGEST, Search
from noughts.solvers.bits import WORD, words
from noughts.solvers.solution import Budget, Proof, Solver

MOST_EMPTY = 25
"""Empty cells up to which a position is tried: beyond, few can be solved."""


class AlphaBeta(Solver):
    """The solver for small boards of any rules; `solution.Solver` says what its methods promise.

    Its unit of work is a position whose moves are tried. The table starts small, and doubles while there is memory.
    """

    name: ClassVar[str] = "alpha-beta"

    def __init__(self, rules: Rules, memory: int = DEFAULT_BYTES) -> None:
        self.rules = rules
        self._memory = memory
        self._search: Search | None = None

    def refusal(self, position: Position) -> str | None:
        """Too many cells for a word, or more empty ones than can be searched."""
        if self.rules.size > WORD:
            return f"it takes games of up to {WORD} cells, and this one has {self.rules.size}"
        empty = len(position.legal_moves)
        if empty > MOST_EMPTY:
            return f"it takes up to {MOST_EMPTY} empty cells, and {empty} leave up to {positions_below(position):.1e} positions"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Bounds on the value: first whether it is a win, then whether it is a loss."""
        if position.is_over:
            return Proof.by_rules(position)
        low, high, move = self.bounds(position, 0, 1, budget)
        if low < 0 <= high:
            higher, lower, better = self.bounds(position, -1, 0, budget)
            low, high, move = max(low, higher), min(high, lower), better if higher > low else move
        return Proof((low > 0) - (low < 0), (high > 0) - (high < 0), move)

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` has the score of a win so soon."""
        enough = max(1, LONGEST - position.ply - plies)
        if side is position.to_move:
            low, high, _ = self.bounds(position, enough - 1, enough, budget)
        else:
            low, high, _ = self.bounds(position, -enough, 1 - enough, budget)
            low, high = -high, -low
        return True if low >= enough else False if high < enough else None

    def bounds(self, position: Position, alpha: int, beta: int, budget: Budget) -> tuple[int, int, int]:
        """Low and high bounds on the score, as the module's docstring says, and a move that gets the lower one.

        Args:
            position: Its game must not be over.
            alpha, beta: What is asked: whether the score is at most alpha, at least beta, or what lies between.
            budget: How much work it may cost.

        Raises:
            SolverError: the position is refused, or the memory is not there.
        """
        if reason := self.refusal(position):
            raise SolverError(f"{self.name} cannot solve this position: {reason}")
        if self._search is None:
            self._search = Search(self.rules, self._memory)
        first, second = map(np.uint64, words(position))
        return self._search(first, second, alpha, beta, budget)


def alpha_beta_reference(position: Position, alpha: int, beta: int) -> int:
    """The readable search: its result is what the kernel's bounds leave of the score between alpha and beta.

    Returns:
        r <= alpha means that the score is at most r, r >= beta that it is at least r; otherwise r is the score.
    """
    if position.is_over:
        return position.outcome.value(position.to_move) * (LONGEST - position.ply)
    best = -LONGEST
    for move in position.legal_moves:
        best = max(best, -alpha_beta_reference(position.play(move), -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def positions_below(position: Position) -> int:
    """At most how many positions can follow, symmetric ones counted apart: every way to fill some of the empty cells."""
    empty = len(position.legal_moves)
    if position.rules.marks == "shared":
        return 1 << empty
    return sum(comb(empty, marked) * comb(marked, marked // 2) for marked in range(empty + 1))
