"""Exact values of all moves by iterative deepening, so that results can be shown while the search runs.

`Truth.solve` settles one move after another, so one hard move delays all others. This module instead repeats every
search with a growing budget: first for the values of the position and of each move, then for the length of the game. A
solver remembers what it proved with a smaller budget, so repeating a search costs little.
"""

from collections.abc import Callable, Iterator
from functools import partial

from noughts.positions import Position
from noughts.solvers.solution import Budget, MoveSolution, Solution, Span
from noughts.solvers.solve import Truth, is_found

FIRST_NODES = 1_000
"""Budget of each question in the first round."""
_GROWTH = 4
MOST_NODES = 10**9
"""Budget at which a question is given up."""


def solve_stepwise(truth: Truth, position: Position, expired: Callable[[], bool] = lambda: False) -> Iterator[Solution]:
    """What is proved so far of a position and of every move, after each question that proved more.

    It ends when everything is known: values, and distances of won and lost ones.

    Args:
        truth: The solvers of the position's game.
        position: Any position.
        expired: Called a few times a second; returns whether time is up. The iterator then ends soon.

    Raises:
        SolverError: no solver covers the position. Later positions that no solver covers stay open.
    """
    if position.is_over:
        yield truth.solve(position)
        return
    known = _KnownMoves(truth, position)
    of_moves = [partial(known.ask_move, move) for move in position.legal_moves]
    asked: list[Callable[[Budget], None]] = [known.ask_value, *of_moves, known.ask_span, known.ask_soonest]
    nodes = FIRST_NODES
    last = None
    while nodes <= MOST_NODES:
        for ask in asked:
            ask(Budget(nodes, expired))
            solution = known.solution()
            if (
                last is None
                or solution.moves != last.moves
                or solution.value != last.value
                or solution.span != last.span
            ):
                yield solution
                last = solution
            if expired():
                return
        if known.complete:
            return
        nodes *= _GROWTH


class _KnownMoves:
    """Everything known about a position and its moves."""

    def __init__(self, truth: Truth, position: Position) -> None:
        self.truth, self.position = truth, position
        self.solver = truth.solver(position)
        self.low, self.high = -1, 1
        self.span: Span | None = None
        self.moves = {move: MoveSolution(move, -1, 1) for move in position.legal_moves}
        self.spent = 0

    @property
    def complete(self) -> bool:
        """Whether no question is left."""
        return all(is_found(move, with_span=True) for move in self.moves.values())

    def solution(self) -> Solution:
        """The current state. No move is worth more than the position, and the best is worth as much."""
        low = max(self.low, *(move.low for move in self.moves.values()))
        high = min(self.high, max(move.high for move in self.moves.values()))
        moves = tuple(
            MoveSolution(move.move, move.low, min(move.high, high), move.span) for move in self.moves.values()
        )
        return Solution(low, high, self._span_from_moves(low, high), moves, self.solver.name, self.spent)

    def ask_value(self, budget: Budget) -> None:
        """Search for the value of the position."""
        if self.low < self.high:
            proof = self.truth.prove(self.position, budget)
            self.low, self.high = max(self.low, proof.low), min(self.high, proof.high)
            if proof.move is not None:
                found = self.moves[proof.move]
                self.moves[proof.move] = MoveSolution(found.move, max(found.low, proof.low), found.high, found.span)
            self.spent += budget.spent

    def ask_span(self, budget: Budget) -> None:
        """How long a win of the side to move takes; the length of a loss follows from its moves."""
        if self.solution().value == 1 and (self.span is None or self.span.plies is None):
            self.span = self.truth.span(self.position, self.position.to_move, budget)
            self.spent += budget.spent

    def ask_soonest(self, budget: Budget) -> None:
        """Search for a move that wins as soon as the position does, unless one is known."""
        if self.span is not None and self.span.plies is not None and self.solution().span != self.span:
            move = self.truth.winning_move(self.position, self.span.plies, budget)
            if move is not None:
                self.moves[move] = MoveSolution(move, 1, 1, self.span)
            self.spent += budget.spent

    def ask_move(self, move: int, budget: Budget) -> None:
        """Search for the value of one move, or once it is known, for how long the game lasts after it."""
        found = self.moves[move]
        found = MoveSolution(move, found.low, min(found.high, self.high), found.span)
        self.moves[move] = self.truth.find_value(self.position, found, budget, with_span=found.value is not None)
        self.spent += budget.spent

    def _span_from_moves(self, low: int, high: int) -> Span | None:
        """Of the position: a win lasts no longer than that of a known move, and a loss as long as its moves do."""
        spans = [move.span for move in self.moves.values() if move.value == low and move.span is not None]
        if low < high or low == 0:
            return None
        if low == 1:
            ends = [span.high for span in spans if span.high is not None]
            return None if self.span is None else Span(self.span.low, min(ends, default=None))
        if len(spans) < len(self.moves):
            return None
        ends = [span.high for span in spans if span.high is not None]
        return Span(max(span.low for span in spans), max(ends) if len(ends) == len(spans) else None)
