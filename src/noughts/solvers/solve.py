"""`Truth`: exact values of positions of one game, from the first solver that covers the position.

To add a solver: write a class with the methods of `Solver` in a module of this package, and add it to `_solvers`, before
the solvers that it should take precedence over.
"""

from typing import Literal

from noughts.machine.memory import DEFAULT_BYTES
from noughts.positions import Position, Side
from noughts.positions.given import require_position
from noughts.rules import NoughtsError, Rules, SolverError, read_rules
from noughts.solvers.book import Book, marks_of
from noughts.solvers.solution import NOTHING, Budget, MoveSolution, Proof, Solution, Solver, Span

Distances = Literal["none", "best", "all"]

_LEAST_SHARE = 1_000
"""Least work for each move when the moves share the rest of a budget."""


class Truth:
    """Exact values of one game's positions. It caches proved values, so later calls may be faster.

    Args:
        rules: The game, or its text.
        memory: Bytes that each solver's tables may take.
        book: Values proved earlier, which `prove` returns without proving them; None to prove everything.

    Methods raise NoughtsError for anything but a position of this game. Finished positions may be of any game.
    """

    def __init__(self, rules: Rules | str, memory: int = DEFAULT_BYTES, book: Book | None = None) -> None:
        self.rules, self.book = read_rules(rules), book or {}
        self.solvers = _solvers(self.rules, memory)

    def solver(self, position: Position) -> Solver:
        """Return the first solver that covers a position.

        Raises:
            SolverError: no solver does; the message gives the reason of the solver for such games.
            NoughtsError: the position is of another game.
        """
        self._require_own(position)
        reasons = {}
        for solver in self.solvers:
            reason = solver.refusal(position)
            if reason is None:
                return solver
            reasons[solver.name] = reason
        played = " ".join(map(self.rules.name_of, position.moves)) if position.ply <= 3 else f"{position.ply} moves"
        where = f"{self.rules}{' after ' + played if played else ''}"
        nearest = _nearest(self.rules)
        raise SolverError(f"no solver covers {where}. {nearest}: {reasons[nearest]}")

    def prove(self, position: Position, budget: Budget | None = None) -> Proof:
        """Return bounds on the value of a position, and a move that attains the lower one."""
        if require_position(position).is_over:
            return Proof.by_rules(position)
        self._require_own(position)
        return self.book.get(marks_of(position.moves)) or self.solver(position).prove(position, budget or Budget())

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can force a win within `plies`; None if that was not settled, or no solver covers the position."""
        if position.is_over:
            return position.outcome.value(side) == 1
        if plies <= 0:
            return False
        try:
            return self.solver(position).within(position, side, plies, budget)
        except SolverError:
            return None

    def winning_move(self, position: Position, plies: int | None, budget: Budget) -> int | None:
        """Return a move that forces a win for the side to move, within `plies` if given."""
        return None if position.is_over else self.solver(position).winning_move(position, plies, budget)

    def span(self, position: Position, side: Side, budget: Budget | None = None) -> Span:
        """Return how long the win of `side` takes, after `prove` found it.

        Raises:
            ValueError: that side does not win.
        """
        budget, open_from = budget or Budget(), None
        for plies in range(self.rules.size + 1):
            within = self.within(position, side, plies, budget)
            if within:
                return Span(plies if open_from is None else open_from, plies)
            if within is None and open_from is None:
                open_from = plies
                if budget.exhausted or not self.within(position, side, self.rules.size, budget):
                    break  # this solver has no bound at all
        if open_from is None:
            raise ValueError(f"the {side} player does not win: there is no length of its win")
        return Span(open_from, None)

    def solve(self, position: Position, budget: Budget | None = None, distances: Distances = "none") -> Solution:
        """Return bounds on the value of a position and of its moves.

        Args:
            position: Any position of the game.
            budget: For everything together, spent in the order of the next argument. If its nodes are limited, the
                position takes at most half of them unless `distances` is ``best``, and its moves share the rest.
            distances: ``none`` finds the value of the position, then of each move. ``best`` finds, in a won position,
                a winning move and then the fastest ones; in a lost one, how long each move lasts; in others the value
                of each move. ``all`` then finds everything else about every move.

        Raises:
            SolverError: no solver covers the position. Later positions that no solver covers stay open.
        """
        budget = budget or Budget()
        if require_position(position).is_over:
            value = position.outcome.value(position.to_move)
            return Solution(value, value, Span(0, 0) if value else None, (), "the rules", 0, self.rules)
        before, solver = budget.spent, self.solver(position)
        proof = self._prove_first(solver, position, budget, alone=distances == "best")
        moves = {move: MoveSolution(move, -1, proof.high) for move in position.legal_moves}
        if proof.move is not None:
            moves[proof.move] = MoveSolution(proof.move, proof.low, proof.high)
        span = None
        if distances != "none" and proof.value == 1:
            if proof.move is None:
                self._find_values(position, moves, budget, enough=1)
            span = self.span(position, position.to_move, budget)
            self._find_soonest(position, span, moves, budget)
            if span.plies is None and not budget.exhausted:  # no solver has its length: all that win are equal
                self._find_values(position, moves, budget)
        elif distances != "none" and proof.value == -1:
            self._find_latest(position, moves, budget)
            found = [move.span for move in moves.values() if move.span is not None]
            ends = [span.high for span in found if span.high is not None]
            span = Span(max(span.low for span in found), max(ends) if len(ends) == len(moves) else None)
        if distances != "best" or not proof.value:
            self._find_values(position, moves, budget, with_spans=distances == "all")
        low = max(proof.low, *(move.low for move in moves.values()))
        high = min(proof.high, max(move.high for move in moves.values()))
        return Solution(low, high, span, tuple(moves.values()), solver.name, budget.spent - before, self.rules)

    def find_value(self, position: Position, known: MoveSolution, budget: Budget, with_span: bool) -> MoveSolution:
        """Return what is known of a move after more work: on its value, and if that is known and `with_span`, on its span."""
        child = position.play(known.move)
        if known.value is None:
            reply = self._prove_reply(child, budget)
            known = MoveSolution(known.move, max(known.low, -reply.high), min(known.high, -reply.low), known.span)
        if with_span and known.value and (known.span is None or known.span.plies is None):
            winner = position.to_move if known.value == 1 else position.to_move.other
            known = MoveSolution(known.move, known.low, known.high, self.span(child, winner, budget).from_before())
        return known

    def _require_own(self, position: Position) -> None:
        """Raise NoughtsError for a position of another game, because solvers would misread its cells."""
        if position.rules is not self.rules and position.rules != self.rules:
            raise NoughtsError(f"the position is of {position.rules}, and this is about {self.rules} alone")

    def _find_soonest(self, position: Position, span: Span, moves: dict[int, MoveSolution], budget: Budget) -> None:
        """Mark the moves that win in the fewest plies, as far as these are known."""
        if span.high is None:
            return
        for move in moves:
            if self.within(position.play(move), position.to_move, span.high - 1, budget):
                moves[move] = MoveSolution(move, 1, 1, span)

    def _find_latest(self, position: Position, moves: dict[int, MoveSolution], budget: Budget) -> None:
        """Find how long each losing move lasts; deepened together, so that a budget that runs out has separated the short
        ones from the long ones."""
        moves |= {move: MoveSolution(move, -1, -1, Span(1, None)) for move in moves}
        children = {move: position.play(move) for move in moves}
        plies = 0
        while children:
            for move, child in list(children.items()):
                within = self.within(child, position.to_move.other, plies, budget)
                moves[move] = MoveSolution(move, -1, -1, Span(plies, plies if within else None).from_before())
                if within is not False:
                    del children[move]
            plies += 1

    def _find_values(
        self,
        position: Position,
        moves: dict[int, MoveSolution],
        budget: Budget,
        with_spans: bool = False,
        enough: int = 2,
    ) -> None:
        """Complete the bounds of each move, until one is worth `enough`.

        In each round every open move gets an equal fraction of the budget left, so that a hard move does not keep easy
        ones from being decided.
        """
        open_moves = list(moves)
        while open_moves:
            spent = budget.spent
            share = None if budget.nodes is None else max(_LEAST_SHARE, (budget.nodes - spent) // len(open_moves))
            for move in open_moves:
                part = budget if share is None else budget.part(share)
                known = moves[move] = self.find_value(position, moves[move], part, with_spans)
                if part is not budget:
                    budget.spend(part.spent)
                if known.low >= enough:
                    return
            if budget.exhausted or budget.spent == spent:
                return
            open_moves = [move for move in open_moves if not is_found(moves[move], with_spans)]

    def _prove_first(self, solver: Solver, position: Position, budget: Budget, alone: bool) -> Proof:
        """Bound the value of the position, with half of a limited budget unless `alone`.

        Where that is not enough, its moves may decide it: they share the other half.
        """
        if alone or budget.nodes is None:
            return solver.prove(position, budget)
        half = budget.part((budget.nodes - budget.spent + 1) // 2)
        proof = solver.prove(position, half)
        budget.spend(half.spent)
        return proof

    def _prove_reply(self, position: Position, budget: Budget) -> Proof:
        """Bounds on a later position; none if no solver covers it, or the budget is spent."""
        if budget.exhausted and not position.is_over:
            return NOTHING
        try:
            return self.prove(position, budget)
        except SolverError:
            return NOTHING


def is_found(move: MoveSolution, with_span: bool) -> bool:
    """Whether nothing more can be found about a move."""
    return move.value is not None and not (with_span and move.value and (move.span is None or move.span.plies is None))


def _nearest(rules: Rules) -> str:
    """The name of the solver that would accept the game if it were smaller, or if there were more memory."""
    if rules.lineless or (rules.marks == "own" and rules.boards == 1):
        return "alpha-beta"
    return "quotient" if rules.boards > 1 else "retrograde"


def _solvers(rules: Rules, memory: int) -> list[Solver]:
    """The solvers in order of precedence. The first call loads array libraries."""
    from noughts.solvers.alphabeta import AlphaBeta
    from noughts.solvers.fours import Fours
    from noughts.solvers.pairing import Pairing
    from noughts.solvers.proof_number import ProofNumber
    from noughts.solvers.quotient import Quotient
    from noughts.solvers.retrograde import Retrograde
    from noughts.solvers.short_lines import ShortLines

    return [
        Pairing(rules, memory),
        Quotient(rules, memory),
        Retrograde(rules, memory),
        ProofNumber(rules, memory),
        AlphaBeta(rules, memory),
        Fours(rules, memory),
        ShortLines(rules, memory),
    ]
