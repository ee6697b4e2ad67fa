"""The value of every position of a playthrough, from proofs and from what they imply for neighbouring positions.

A position is worth at least as much as the move played in it, so neighbouring positions of a playthrough bound each other:
if the position after a move is lost, the position before it is won, and every move from a lost position leads to a won
one. The search runs from the end backwards, because late positions are quick to solve and bound the earlier ones. It
repeats each proof with a growing budget until everything is known or time is up.
"""

from collections.abc import Callable, Iterator, Sequence

from noughts.positions import Position
from noughts.rules import SolverError
from noughts.solvers.deepening import FIRST_NODES, MOST_NODES, solve_stepwise
from noughts.solvers.solution import Budget, MoveSolution, Solution
from noughts.solvers.solve import Truth

_GROWTH = 4
_VALUES_SHARE = 0.5
"""Fraction of all the time for the values, before the search turns to the mistakes that they reveal."""
_LOOK_SHARE = 0.3
"""Fraction of the time left that one position may take while values are still open."""

Expired = Callable[[], bool]


class PlaythroughTruth:
    """Everything known about each position of one playthrough; `work` finds out more."""

    def __init__(self, truth: Truth, positions: Sequence[Position]) -> None:
        """Start with no more than the rules give.

        Args:
            truth: The solvers of the game.
            positions: Each follows the one before by one move. The first may be any position, the last may be terminal.
        """
        self.truth, self.positions = truth, tuple(positions)
        count = len(self.positions)
        self._low, self._high = [-1] * count, [1] * count
        self._proved: list[list[MoveSolution]] = [[] for _ in range(count)]
        self._solutions: list[Solution | None] = [None] * count
        self._lines: list[tuple[int, ...]] = [()] * count
        self._changed: dict[int, None] = {}
        self._refused: set[int] = set()  # no solver covers these
        self._seen: set[int] = set()  # nothing is left to find out about these
        last = self.positions[-1]
        if last.is_over:
            value = last.outcome.value(last.to_move)
            self._learn(count - 1, value, value)

    def __getitem__(self, index: int) -> tuple[Solution, tuple[int, ...]]:
        """Everything known about a position, by its index: its bounds and those of its moves, and its best line.

        The solution has no moves if none is known that attains the value. In the line the winner wins as fast as
        possible, and the loser resists as long; it is empty if not known.
        """
        return self._solution(index), self._lines[index]

    def __len__(self) -> int:
        """How many positions there are."""
        return len(self.positions)

    @property
    def open(self) -> tuple[int, ...]:
        """Indices of the positions whose value is not known."""
        return tuple(index for index in range(len(self)) if self._low[index] < self._high[index])

    @property
    def mistakes(self) -> tuple[int, ...]:
        """Indices of the positions in which a mistake was proved, last first."""
        pairs = reversed(range(len(self) - 1))
        return tuple(index for index in pairs if self._low[index] > -self._low[index + 1])

    def work(self, seconds: float, clock: Callable[[], float], stopped: Expired) -> Iterator[int]:
        """Find out more until everything is known or time is up; yield a position's index whenever more is known about it.

        First come the values, then everything about the positions before and after mistakes, then about the others. The
        remaining time goes to values that are still open.

        Args:
            seconds: For everything.
            clock: The time, in seconds.
            stopped: Called a few times a second: whether the answer is no longer wanted.

        Raises:
            SolverError: no solver covers any position of the playthrough.
        """
        end = clock() + seconds
        yield from self._news()

        def until(moment: float) -> Expired:
            return lambda: stopped() or clock() > moment

        nodes = FIRST_NODES
        for moment in (clock() + seconds * _VALUES_SHARE, end):
            while self.open and nodes <= MOST_NODES and not until(moment)():
                yield from self._prove_values(nodes, until(moment))
                nodes *= _GROWTH
            for index in self._unseen():
                if until(end)():
                    return
                share = end if moment == end else clock() + (end - clock()) * _LOOK_SHARE
                yield from self._look(index, until(share))

    def _prove_values(self, nodes: int, expired: Expired) -> Iterator[int]:
        """Try once to prove the value of every open position, from the end backwards."""
        for index in reversed(self.open):
            if expired():
                return
            if index in self._refused or self._low[index] == self._high[index]:
                continue
            try:
                proof = self.truth.prove(self.positions[index], Budget(nodes, expired))
            except SolverError:
                self._refused.add(index)
                if len(self._refused) == len(self) - self.positions[-1].is_over:
                    raise
                continue
            if proof.move is not None:
                self._proved[index].append(MoveSolution(proof.move, proof.low, proof.high))
            self._learn(index, proof.low, proof.high)
            yield from self._news()

    def _unseen(self) -> list[int]:
        """The positions that are not fully known: those beside mistakes first, then from the end backwards."""
        beside = [place for index in self.mistakes for place in (index, index + 1)]
        order = dict.fromkeys([*beside, *reversed(range(len(self)))])
        return [index for index in order if not (self.positions[index].is_over or index in self._seen | self._refused)]

    def _look(self, index: int, expired: Expired) -> Iterator[int]:
        """Find the best line from a position, and then everything about each of its moves."""
        position = self.positions[index]
        if self._low[index] == self._high[index] != 0 and not self._is_whole(index):
            found = best_line(self.truth, position, expired)
            if len(found) > len(self._lines[index]):
                self._lines[index] = found
                self._changed[index] = None
                yield from self._news()
        for solution in solve_stepwise(self.truth, position, expired):
            self._solutions[index] = solution
            self._changed[index] = None
            self._learn(index, solution.low, solution.high)
            yield from self._news()
        if not expired():
            self._seen.add(index)

    def _is_whole(self, index: int) -> bool:
        """Whether the line from a position reaches the end of the game; a line cut off by time is extended later."""
        position = self.positions[index]
        for move in self._lines[index]:
            position = position.play(move)
        return position.is_over

    def _learn(self, index: int, low: int, high: int) -> None:
        """Take bounds of one position, and what follows from them for its neighbours, and theirs."""
        pending = [(index, low, high)]
        while pending:
            index, low, high = pending.pop()
            low, high = max(low, self._low[index]), min(high, self._high[index])
            if (low, high) == (self._low[index], self._high[index]):
                continue
            self._low[index], self._high[index] = low, high
            self._changed[index] = None
            for beside in (index - 1, index + 1):  # the values of two neighbours add up to 0 or more
                if 0 <= beside < len(self):
                    pending.append((beside, -high, 1))

    def _solution(self, index: int) -> Solution:
        position, low, high = self.positions[index], self._low[index], self._high[index]
        full = self._solutions[index]
        asked = () if full is None else full.moves
        known_of_moves = [*asked, *self._proved[index]]
        if index + 1 < len(self):
            played = self.positions[index + 1].moves[-1]
            known_of_moves.append(MoveSolution(played, -self._high[index + 1], -self._low[index + 1]))
        moves = {move: MoveSolution(move, -1, high) for move in position.legal_moves}
        for found in known_of_moves:
            known = moves[found.move]
            moves[found.move] = MoveSolution(
                found.move, max(known.low, found.low), min(known.high, found.high), known.span or found.span
            )
        if low == high and not any(found.low == low for found in moves.values()):
            return Solution(low, high, None, (), "", 0)
        span, solver, nodes = (None, "", 0) if full is None else (full.span, full.solver, full.nodes)
        return Solution(low, high, span, tuple(moves.values()), solver, nodes)

    def _news(self) -> Iterator[int]:
        """The positions about which more is known than when they were last yielded."""
        changed, self._changed = self._changed, {}
        yield from changed


def best_line(
    truth: Truth, position: Position, expired: Expired = lambda: False, nodes: int | None = None
) -> tuple[int, ...]:
    """Return the best line from a won or lost position: the winner wins as fast as possible, the loser resists longest.

    Of equally good moves the first is taken, one that stops a line before others. It ends with the game, or before where time
    is up, where a move takes more than so many of a solver's nodes, or where the value is a draw.

    Raises:
        SolverError: no solver covers the position.
    """
    moves: list[int] = []
    while not position.is_over and not expired():
        budget = Budget(nodes, expired)
        solution = truth.solve(position, budget, "best")
        if not solution.value or budget.exhausted:
            break
        stops = position.completing_cells(position.to_move.other) if position.rules.line == "wins" else ()
        moves.append(next((move for move in solution.best if move in stops), solution.best[0]))
        position = position.play(moves[-1])
    return tuple(moves)


def drawing_line(
    truth: Truth, position: Position, expired: Expired = lambda: False, nodes: int | None = None
) -> tuple[int, ...]:
    """Return moves from a drawn position with which both sides hold the draw, to the end or as far as is proved.

    Raises:
        SolverError: no solver covers the position.
    """
    moves: list[int] = []
    while not position.is_over and not expired():
        proof = truth.prove(position, Budget(nodes, expired))
        if proof.value != 0 or proof.move is None:
            break
        moves.append(proof.move)
        position = position.play(proof.move)
    return tuple(moves)
