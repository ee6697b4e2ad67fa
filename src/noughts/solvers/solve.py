"""`Truth`: exact answers about one game, from whichever solver covers the position.

To add a solver: write a class with the three methods of `Solver` in a module of this package, and add one line to
`SOLVERS`, before those that should only be asked where it refuses.
"""

import importlib
from collections.abc import Sequence

from noughts.positions import Position
from noughts.rules import Rules, SolverError, format_rules
from noughts.solvers.memory import DEFAULT_BYTES
from noughts.solvers.solution import Budget, MoveSolution, Proof, Solution, Solver, Span

SOLVERS = (
    "noughts.solvers.pairing:Pairing",
    "noughts.solvers.quotient:Quotient",
    "noughts.solvers.retrograde:Retrograde",
    "noughts.solvers.proof_number:ProofNumber",
    "noughts.solvers.alphabeta:AlphaBeta",
)
"""In the order in which they are asked whether they cover a position."""


class Truth:
    """Exact answers about one game. What was proved is kept, so later questions may be quicker.

    Args:
        rules: The game.
        memory: Bytes that each solver's tables may take.
    """

    def __init__(self, rules: Rules, memory: int = DEFAULT_BYTES) -> None:
        self.rules = rules
        self.solvers: list[Solver] = []
        for name in SOLVERS:
            module, _, cls = name.partition(":")
            self.solvers.append(getattr(importlib.import_module(module), cls)(rules, memory))

    def solver(self, position: Position) -> Solver:
        """The first solver that covers a position.

        Raises:
            SolverError: none does; the message says why not, solver by solver.
        """
        reasons = []
        for solver in self.solvers:
            reason = solver.refusal(position)
            if reason is None:
                return solver
            reasons.append(f"{solver.name}: {reason}")
        played = " ".join(map(self.rules.name_of, position.moves))
        where = f"{format_rules(self.rules)}{' after ' + played if played else ''}"
        raise SolverError(f"no solver covers {where}. {'; '.join(reasons)}")

    def prove(self, position: Position, budget: Budget | None = None) -> Proof:
        """Bounds on the value of a position, and a move that gets the lower one."""
        if position.is_over:
            value = position.outcome.value(position.to_move)
            return Proof(value, value)
        return self.solver(position).prove(position, budget or Budget())

    def span(self, position: Position, budget: Budget | None = None) -> Span:
        """How long a position lasts that `prove` found won or lost: deepened ply by ply until it is known."""
        if position.is_over:
            return Span(0, 0)
        (span,) = self._spans([position], budget or Budget())
        return span

    def solve(self, position: Position, budget: Budget | None = None, distance: bool = False) -> Solution:
        """Bounds on the value of a position and of each of its moves.

        Args:
            position: Any position of the game.
            budget: For all of it together; the position itself comes first, then its moves, then distances.
            distance: Also find how long a won or lost position lasts, after each move.
        """
        budget = budget or Budget()
        if position.is_over:
            value = position.outcome.value(position.to_move)
            return Solution(value, value, Span(0, 0) if value else None, (), "the rules", 0)
        before, solver = budget.spent, self.solver(position)
        proof = solver.prove(position, budget)
        children = {move: position.play(move) for move in position.legal_moves}
        bounds = {}
        for move, child in children.items():
            if proof.value == -1 or (move == proof.move and proof.value is not None):
                bounds[move] = (proof.low, proof.high)
            else:
                reply = self.prove(child, budget)
                bounds[move] = (-reply.high, min(-reply.low, proof.high))
        low = max(proof.low, *(low for low, _ in bounds.values()))
        high = min(proof.high, max(high for _, high in bounds.values()))
        span, spans = None, dict.fromkeys(children, None)  # type: dict[int, Span | None]
        if distance:
            decided = [move for move in children if bounds[move] in {(1, 1), (-1, -1)}]
            found = self._spans([children[move] for move in decided], budget)
            spans |= {move: _longer(span) for move, span in zip(decided, found, strict=True)}
            if low == high != 0:
                span = _of_best(low, [(bounds[move], spans[move]) for move in children])
        moves = tuple(MoveSolution(move, *bounds[move], spans[move]) for move in children)
        return Solution(low, high, span, moves, solver.name, budget.spent - before)

    def _spans(self, positions: Sequence[Position], budget: Budget) -> list[Span]:
        """The spans of positions that are won or lost. All are deepened together, so that a budget that runs out
        has still told the short ones from the long ones."""
        spans = [Span(0, 0) if position.is_over else Span(1, None) for position in positions]
        open_ = [number for number, position in enumerate(positions) if not position.is_over]
        plies = 1
        while open_:
            for number in list(open_):
                within = self.solver(positions[number]).within(positions[number], plies, budget)
                if within is None:
                    open_.remove(number)
                elif within:
                    spans[number] = Span(plies, plies)
                    open_.remove(number)
                else:
                    spans[number] = Span(plies + 1, None)
            plies += 1
        return spans


def _longer(span: Span) -> Span:
    """The same span, seen from before the move."""
    return Span(span.low + 1, None if span.high is None else span.high + 1)


def _of_best(value: int, moves: Sequence[tuple[tuple[int, int], Span | None]]) -> Span:
    """The span of a position of that value, from those of its moves: the winner takes the least, the loser the most."""
    if value == -1:
        spans = [span for _, span in moves if span is not None]
        highs = [span.high for span in spans]
        return Span(max(span.low for span in spans), None if None in highs else max(h for h in highs if h is not None))
    might_win = [span or Span(1, None) for (_, high), span in moves if high == 1]
    highs = [span.high for (low, _), span in moves if low == 1 and span is not None]
    known = [high for high in highs if high is not None]
    return Span(min(span.low for span in might_win), min(known) if known else None)
