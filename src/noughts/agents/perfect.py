"""The perfect agent: exact play in every game that a solver covers."""

from collections.abc import Callable, Iterator
from typing import Literal

from noughts.agents.agent import Decision, OneByOne, Want
from noughts.machine.memory import GIB
from noughts.positions import Position, Rng
from noughts.rules import AgentError, SolverError
from noughts.search import Kind, MoveResult, SearchResult
from noughts.search.minimax import minimax
from noughts.search.patterns import table_2
from noughts.solvers import Budget, MoveSolution, Solution
from noughts.solvers.deepening import solve_stepwise
from noughts.solvers.solve import Truth

Ties = Literal["random", "first"]


class PerfectAgent(OneByOne):
    """Wins as soon as possible, and loses as late as possible. Of equally good moves it takes one at random, or the first.

    Results proved for one move are reused for later moves of the game. A position is settled if `nodes` suffice to
    prove its best moves. If the reused results do not settle it, a new solver tries, so every position that a new solver
    settles is settled. In others the agent takes a move that is proved optimal, if there is one; else the best by
    minimax of depth 2 among the moves not proved to be worse.
    """

    shared = False  # the move in a position that is not settled may depend on earlier results

    def __init__(self, ties: Ties, nodes: int, memory: int) -> None:
        self.ties, self.nodes, self.memory = ties, nodes, memory
        self._truth: Truth | None = None

    @property
    def symmetric(self) -> bool:
        """Whether it treats symmetric moves alike: exact values do, but ``ties=first`` does not."""
        return self.ties == "random"

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """One of the best moves. Its analysis is the exact value and distance of the position and of every move, as
        far as `nodes` allow.

        Raises:
            SolverError: no solver covers the game.
        """
        if want is Want.MOVE:
            return Decision(self._choose(position, rng, _never))
        found = self._analyse(position, rng, _never)
        return Decision(found.move, analysis=found)

    def _choose(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> int:
        best = self._best(position, expired)
        return best[rng.below(len(best))] if self.ties == "random" else best[0]

    def name_choices(self, position: Position) -> tuple[int, ...]:
        """Every move that it may choose, in a position that is settled.

        Raises:
            SolverError: no solver covers the position.
            AgentError: `nodes` do not settle it, so its move may depend on earlier requests.
        """
        solution, settled = self._ask(self._new_truth(position), position, _never)
        if not settled:
            moves = " ".join(map(position.rules.name_of, position.moves)) or "no moves"
            raise AgentError(
                f"its {self.nodes} nodes do not settle the position after {moves}: give it more with nodes="
            )
        return solution.best if self.ties == "random" else solution.best[:1]

    def analyse_stepwise(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> Iterator[SearchResult]:
        """Yield the results proved so far, then the analysis of the move."""
        if self._truth is None or self._truth.rules != position.rules:
            self._truth = self._new_truth(position)
        try:
            for found in solve_stepwise(self._truth, position, expired):
                if found.nodes > self.nodes:
                    break
                yield solution_result(found)
        except SolverError:
            pass  # `_choose` handles this
        if not expired():
            yield self._analyse(position, rng, expired)

    def _analyse(self, position: Position, rng: Rng, expired: Callable[[], bool]) -> SearchResult:
        move = self._choose(position, rng, expired)
        truth = self._truth or self._new_truth(position)
        try:
            found = truth.solve(position, Budget(self.nodes, expired), "all")
        except SolverError:
            found = _nothing(position)
        return solution_result(found, move)

    def _best(self, position: Position, expired: Callable[[], bool]) -> tuple[int, ...]:
        if self._truth is None or self._truth.rules != position.rules:
            self._truth = None
        try:
            if self._truth is not None:
                solution, settled = self._ask(self._truth, position, expired)
                if settled:
                    return solution.best
            fresh = self._new_truth(position)
            self._truth = self._truth or fresh
            solution, settled = self._ask(fresh, position, expired)
        except SolverError:
            if position.ply == 0 or not _is_covered(Position.start(position.rules), self._new_truth(position)):
                raise
            solution, settled = _nothing(position), False  # it finishes a game whose start is covered
        keeps = {found.move for found in solution.moves if found.low == solution.value}
        if settled or keeps & set(solution.best):
            return solution.best
        liked = {found.move: found for found in minimax(position, 2, table_2(position.rules), "first").moves}
        worth = {move: liked[move].value if liked[move].kind is not Kind.UPPER else -2.0 for move in solution.best}
        return tuple(move for move in solution.best if worth[move] == max(worth.values()))

    def _new_truth(self, position: Position) -> Truth:
        return Truth(position.rules, self.memory * GIB)

    def _ask(self, truth: Truth, position: Position, expired: Callable[[], bool]) -> tuple[Solution, bool]:
        """Solve a position within the budget; also return whether that settles it."""
        budget = Budget(self.nodes, expired)
        solution = truth.solve(position, budget, "best")
        return solution, solution.value is not None and not budget.exhausted


def solution_result(found: Solution, move: int | None = None) -> SearchResult:
    """A solution of a position that is not over, as a `SearchResult`, with `move` or else the first of the best moves.
    An unknown value becomes an estimate of 0."""
    move = found.best[0] if move is None else move
    moves = tuple(
        MoveResult(m.move, 0, *_value_and_kind(m.low, m.high), distance=m.span.plies if m.span else None)
        for m in found.moves
    )
    value, kind = _value_and_kind(found.low, found.high)
    return SearchResult(move, value, kind, moves, (move,), found.nodes, found.span.plies if found.span else None)


def _never() -> bool:
    """There is no time limit."""
    return False


def _is_covered(position: Position, truth: Truth) -> bool:
    try:
        truth.solver(position)
    except SolverError:
        return False
    return True


def _nothing(position: Position) -> Solution:
    """The solution without any solver: no bounds beyond -1 and 1."""
    return Solution(-1, 1, None, tuple(MoveSolution(move, -1, 1) for move in position.legal_moves), "none", 0)


def _value_and_kind(low: int, high: int) -> tuple[float, Kind]:
    """Two bounds as a value and its kind."""
    if low == high:
        return float(low), Kind.EXACT
    if (low, high) == (-1, 1):
        return 0.0, Kind.ESTIMATE
    return (float(low), Kind.LOWER) if high == 1 else (float(high), Kind.UPPER)
