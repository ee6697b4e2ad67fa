"""Types for solvers: the budget that they are given, and the proofs and solutions that they return.

A proof has two bounds on a value. They are equal if the value is known, and differ if the budget ran out first.
A guess is never returned as a value. All values are for the side to move: +1, 0 or -1.
"""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Protocol

from pydantic import Field

from noughts.positions import Position, Side
from noughts.rules import Rules
from noughts.rules.text import counted, name_cell, worth_text
from noughts.showing import Shown


class Budget:
    """How much work a search may do; several searches can share one budget.

    Args:
        nodes: Positions to expand in all searches together; None for no limit.
        expired: Called a few times a second; returns whether time is up, because solvers read no clock.
    """

    def __init__(self, nodes: int | None = None, expired: Callable[[], bool] = lambda: False) -> None:
        self.nodes = nodes
        self.spent = 0
        self._expired = expired

    @property
    def exhausted(self) -> bool:
        """Whether no more work may be done."""
        return (self.nodes is not None and self.spent >= self.nodes) or self._expired()

    def spend(self, nodes: int) -> None:
        """Count work as done."""
        self.spent += nodes

    def part(self, nodes: int) -> "Budget":
        """A separate budget of `nodes`, or the nodes left if fewer; call `spend` here with what it used."""
        return Budget(self.portion(nodes), self._expired)

    def portion(self, most: int) -> int:
        """How many nodes to expand before checking the budget again: at most `most`."""
        return most if self.nodes is None else max(0, min(most, self.nodes - self.spent))


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proved about one position.

    Attributes:
        low, high: Bounds on its value for the side to move, -1 to +1; equal when the value is exact.
        move: A legal move that attains at least `low`; None if the game is over or no such move is known.
    """

    low: int
    high: int
    move: int | None = None

    @classmethod
    def by_rules(cls, position: Position) -> "Proof":
        """The result of a finished game."""
        value = position.outcome.value(position.to_move)
        return cls(value, value)

    @property
    def value(self) -> int | None:
        """The exact value, or None while it is not proved."""
        return self.low if self.low == self.high else None


NOTHING = Proof(-1, 1)
"""The bounds that hold for every position."""


@dataclass(frozen=True, slots=True)
class Span:
    """Bounds on how many plies a won or lost position lasts under fastest wins and longest resistance.

    Attributes:
        low, high: Fewest and most plies to the end of the game; `high` is None if no bound was proved.
    """

    low: int
    high: int | None

    @property
    def plies(self) -> int | None:
        """The exact distance, or None while it is not proved."""
        return self.low if self.low == self.high else None

    def from_before(self) -> "Span":
        """The same span, counted from before the move that led here."""
        return Span(self.low + 1, None if self.high is None else self.high + 1)


class Solver(Protocol):
    """Proves values of the positions of one game, and may cache them.

    Created from the rules and the number of bytes for its tables, which it allocates only on first use. Equal calls in
    equal order give equal answers.
    """

    name: ClassVar[str]

    def refusal(self, position: Position) -> str | None:
        """Why this solver rejects a position, as the end of a sentence; None if it accepts it. Fast."""
        ...

    def prove(self, position: Position, budget: Budget) -> Proof:
        """Return bounds on the value of a position whose game is not over; `Truth` answers for finished ones.

        Raises:
            SolverError: the solver rejects the position, or there is not enough memory.
        """
        ...

    def within(self, position: Position, side: Side, plies: int, budget: Budget) -> bool | None:
        """Whether `side` can force a win within `plies` from `position`, whose game is not over.

        False if it cannot win at all. None if the budget ran out first, or the solver cannot decide. Errors as `prove`.
        """
        ...

    def winning_move(self, position: Position, plies: int | None, budget: Budget) -> int | None:
        """Return a move that forces a win for the side to move, within `plies` if given; None if none is known.

        The default tries each move. Solvers with a faster way override it.
        """
        if plies is None:
            proof = self.prove(position, budget)
            return proof.move if proof.low == 1 else None
        for move in position.legal_moves:
            child = position.play(move)
            if child.is_over:
                if child.outcome.value(position.to_move) == 1:
                    return move
            elif plies > 1 and self.refusal(child) is None and self.within(child, position.to_move, plies - 1, budget):
                return move
        return None


@dataclass(frozen=True, slots=True)
class MoveSolution:
    """The proved bounds of one legal move.

    Attributes:
        move: Cell index.
        low, high: Bounds on its value for the side that plays it.
        span: Plies from before the move to the end, if requested and if the move is proved to win or lose.
    """

    move: int
    low: int
    high: int
    span: Span | None = None

    @property
    def value(self) -> int | None:
        """The exact value, or None while it is not proved."""
        return self.low if self.low == self.high else None


@dataclass(frozen=True, slots=True)
class Solution(Shown):
    """Everything proved about a position and its moves.

    Attributes:
        low, high: Bounds on its value for the side to move.
        span: Plies to the end, if requested and if the position is proved won or lost.
        moves: Every legal move, by cell index.
        solver: Name of the solver that proved the position's value.
        nodes: Work done, in that solver's unit.
        rules: The game, whose squares name the moves when it is shown; None if unknown. Comparisons ignore
            it, and it is not saved.
    """

    low: int
    high: int
    span: Span | None
    moves: tuple[MoveSolution, ...]
    solver: str
    nodes: int
    rules: Annotated[Rules | None, Field(exclude=True)] = dataclasses.field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        """Describe the value for the side to move, or its bounds, and those of the moves."""
        moves = ", ".join(
            f"{name_cell(self.rules, move.move)} {worth_text(move.low, move.high)}" for move in self.moves
        )
        plies = None if self.span is None else self.span.plies
        value = worth_text(self.low, self.high) + ("" if plies is None else f" in {counted(plies, 'ply', 'plies')}")
        return f"{value}; {moves}" if moves else value

    @property
    def value(self) -> int | None:
        """The exact value, or None while it is not proved."""
        return self.low if self.low == self.high else None

    @property
    def optimal(self) -> tuple[int, ...]:
        """Moves proved optimal, by cell index; complete only if every move is decided."""
        return tuple(move.move for move in self.moves if move.low == self.high)

    @property
    def best(self) -> tuple[int, ...]:
        """Moves to play: the optimal moves that win soonest or lose latest, as far as is known.

        If the value is not known, the moves with the greatest bounds.
        """
        return tuple(move.move for move in self.moves if _merit(move) == max(map(_merit, self.moves)))


def _merit(move: MoveSolution) -> tuple[int, int, float]:
    """A sort key: greater for better moves."""
    haste = 0.0
    if move.value == 1:
        haste = -math.inf if move.span is None or move.span.high is None else -move.span.high
    elif move.value == -1 and move.span is not None:
        haste = move.span.low
    return move.low, move.high, haste
