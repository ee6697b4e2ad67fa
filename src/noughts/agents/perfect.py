"""The agent that knows: exact play in every game that a solver covers."""

from typing import Literal

from noughts.positions import Position, Rng
from noughts.search import Kind, MoveResult, SearchResult
from noughts.search.minimax import minimax
from noughts.search.patterns import table_2
from noughts.solvers import Budget, Solution
from noughts.solvers.memory import GIB
from noughts.solvers.solve import Distances, Truth

Ties = Literal["random", "first"]


class PerfectAgent:
    """Wins as soon as can be, and loses as late; of moves that are equally good it takes one at random or the first.

    What was proved for one move is kept for the next ones of the game. Where `nodes` do not suffice to decide a
    position, it takes the move that minimax of depth 2 likes best among those not proved to be worse than others.
    """

    def __init__(self, ties: Ties, nodes: int, memory: int) -> None:
        self.ties, self.nodes, self.memory = ties, nodes, memory
        self._truth: Truth | None = None

    def choose(self, position: Position, rng: Rng) -> int:
        """One of the best moves; SolverError if no solver covers the position."""
        return self._pick(position, self._solve(position, "best"), rng)

    def choices(self, position: Position) -> tuple[int, ...]:
        """Every move it may choose."""
        best = self._best(position, self._solve(position, "best"))
        return best if self.ties == "random" else best[:1]

    def analyse(self, position: Position, rng: Rng) -> SearchResult:
        """The exact value and distance of the position and of every move, as far as `nodes` go."""
        solution = self._solve(position, "all")
        move = self._pick(position, solution, rng)
        moves = tuple(
            MoveResult(
                found.move,
                0,
                *_value_and_kind(found.low, found.high),
                distance=found.span.plies if found.span else None,
            )
            for found in solution.moves
        )
        return SearchResult(
            move,
            *_value_and_kind(solution.low, solution.high),
            moves,
            (move,),
            solution.nodes,
            solution.span.plies if solution.span else None,
        )

    def _solve(self, position: Position, distances: Distances) -> Solution:
        if self._truth is None or self._truth.rules != position.rules:
            self._truth = Truth(position.rules, self.memory * GIB)
        return self._truth.solve(position, Budget(self.nodes), distances)

    def _pick(self, position: Position, solution: Solution, rng: Rng) -> int:
        best = self._best(position, solution)
        return best[rng.below(len(best))] if self.ties == "random" else best[0]

    def _best(self, position: Position, solution: Solution) -> tuple[int, ...]:
        if solution.value is not None or len(solution.best) == 1:
            return solution.best
        liked = minimax(position, 2, table_2(position.rules), "first").moves
        value = {found.move: found.value if found.kind is not Kind.UPPER else -2.0 for found in liked}
        most = max(value[move] for move in solution.best)
        return tuple(move for move in solution.best if value[move] == most)


def _value_and_kind(low: int, high: int) -> tuple[float, Kind]:
    """Two bounds as a value and how it is meant."""
    if low == high:
        return float(low), Kind.EXACT
    if (low, high) == (-1, 1):
        return 0.0, Kind.ESTIMATE
    return (float(low), Kind.LOWER) if high == 1 else (float(high), Kind.UPPER)
