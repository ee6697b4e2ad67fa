"""Alpha-beta with a transposition table: the solver for small boards of any rules.

Scores are integers, for the side to move. A win on ply n of the game, counted from the empty board, is LONGEST - n, a
loss is its negative, and a draw is 0, so the search prefers fast wins and slow losses. A position determines its own
ply, so its score does not depend on the moves that led to it. The contract of `AlphaBeta.bounds`, for a position of
true score s:

    low <= s <= high                                      always
    low >= beta  or  high <= alpha  or  low == high       unless the budget ran out
    -s' >= low                                            s' is the score after the returned move

`alphabeta_search` has the static evaluation and the transposition table.
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
"""Most empty cells of a position that this solver accepts; few positions with more can be solved."""


class AlphaBeta(Solver):
    """The solver for small boards of any rules; `solution.Solver` documents its methods.

    A node is a position whose moves are tried. The table starts small, and doubles while memory allows.
    """

    name: ClassVar[str] = "alpha-beta"

    def __init__(self, rules: Rules, memory: int = DEFAULT_BYTES) -> None:
        self.rules = rules
        self._memory = memory
        self._search: Search | None = None

    def refusal(self, position: Position) -> str | None:
        """Why the solver rejects the position (too many cells for a word, or too many empty cells), or None."""
        if self.rules.size > WORD:
            return f"it takes games of up to {WORD} cells, and this one has {self.rules.size}"
        empty = len(position.legal_moves)
        if empty > MOST_EMPTY:
            return f"it takes up to {MOST_EMPTY} empty cells, and {empty} leave up to {positions_below(position):.1e} positions"
        return None

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Return bounds on the value: search for a win first, then for a loss."""
        low, high, move = self.bounds(position, 0, 1, budget)
        if low < 0 <= high:
            higher, lower, better = self.bounds(position, -1, 0, budget)
            low, high, move = max(low, higher), min(high, lower), better if higher > low else move
        return Proof((low > 0) - (low < 0), (high > 0) - (high < 0), move)

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` has at least the score of a win within `plies`."""
        enough = max(1, LONGEST - position.ply - plies)
        if side is position.to_move:
            low, high, _ = self.bounds(position, enough - 1, enough, budget)
        else:
            low, high, _ = self.bounds(position, -enough, 1 - enough, budget)
            low, high = -high, -low
        return True if low >= enough else False if high < enough else None

    def bounds(self, position: Position, alpha: int, beta: int, budget: Budget) -> tuple[int, int, int]:
        """Return the low and high bounds of the module docstring, and a move that attains the low one.

        Args:
            position: A position whose game is not over.
            alpha, beta: The search window. Scores outside it are only bounded.
            budget: How much work the search may do.

        Raises:
            SolverError: the solver rejects the position, or there is not enough memory.
        """
        if reason := self.refusal(position):
            raise SolverError(f"{self.name} cannot solve this position: {reason}")
        if self._search is None:
            self._search = Search(self.rules, self._memory)
        first, second = map(np.uint64, words(position))
        return self._search(first, second, alpha, beta, budget)


def alpha_beta_reference(position: Position, alpha: int, beta: int) -> int:
    """A readable version of the search, which agrees with the bounds of the kernel between alpha and beta.

    Returns:
        r. If r <= alpha, the score is at most r; if r >= beta, it is at least r; otherwise r is the score.
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
    """An upper bound on the positions that can follow: all ways to fill some empty cells, ignoring symmetry."""
    empty = len(position.legal_moves)
    if position.rules.marks == "shared":
        return 1 << empty
    return sum(comb(empty, marked) * comb(marked, marked // 2) for marked in range(empty + 1))
