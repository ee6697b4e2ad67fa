"""`SolvedPiece`: what is proved about some positions of one game and each of their moves.

Positions are cut into pieces of neighbours, those with fewer moves first, as they take longest. The positions of a piece
share what one solver proves, and nothing with other pieces, so that the answer is the same for any number of workers.
"""

import time
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from noughts.machine import Recorder
from noughts.machine.memory import GIB
from noughts.positions import Position
from noughts.questions.question import SOLVING, Question
from noughts.questions.solved import ALLOWED, compile_solvers
from noughts.rules import Rules, SolverError, Value
from noughts.solvers.solution import Budget, MoveSolution, Solution
from noughts.solvers.solve import Truth

Moves = tuple[int, ...]
"""Cell indices, the first player's first."""

PIECE = 16
"""How many positions share one solver's tables."""

REFUSED = "none"
"""The solver of a solution that no solver found: its bounds are those of every position."""


class Solutions(Value):
    """Solutions of some positions, in their order.

    Attributes:
        refusal: Why no solver covers the first of those that none covers; empty if there are none.
    """

    found: tuple[Solution, ...]
    refusal: str = ""


class SolvedPiece(Question[Solutions]):
    """Positions of one game that share one solver's tables.

    Attributes:
        rules: Their game.
        played: The moves that lead to each.
        distances: Whether to find how long games last, too, after every move.
        nodes: Work for each position and its moves together, in the solver's unit; None for any amount.
        seconds: Time for each; None for any. What is decided then depends on the machine.
        memory: GiB that each solver's tables may take, in each worker.
    """

    error_type: ClassVar = SolverError
    called: ClassVar = "question"
    allowed: ClassVar = ALLOWED
    packages: ClassVar[tuple[str, ...]] = SOLVING

    rules: Rules
    played: tuple[Moves, ...]
    distances: bool = False
    nodes: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    memory: Annotated[int, Field(ge=1)] = 1

    def answer(self, needed: Sequence[Any], notes: Recorder) -> Solutions:
        """Solve them, one after another.

        Raises:
            SolverError: memory is short.
        """
        compile_solvers(self.rules)
        truth, found, refusal = Truth(self.rules, self.memory * GIB), list[Solution](), ""
        for number, moves in enumerate(self.played):
            position = Position.start(self.rules, moves)
            budget = self._budget(notes, f"solving {self.rules}: position {number + 1} of {len(self.played)}")
            if position.is_over or (reason := _refusal(truth, position)) is None:
                found.append(truth.solve(position, budget, "all" if self.distances else "none"))
            else:
                refusal = refusal or reason
                unknown = tuple(MoveSolution(move, -1, 1) for move in position.legal_moves)
                found.append(Solution(-1, 1, None, unknown, REFUSED, 0))
        return Solutions(found=tuple(found), refusal=refusal)

    def checked(self, answer: Solutions) -> Solutions:
        """SolverError unless there is a solution of each position."""
        if len(answer.found) != len(self.played):
            raise SolverError("there are no solutions of all positions")
        return answer

    def _budget(self, notes: Recorder, note: str) -> Budget:
        """Of one position."""
        end = None if self.seconds is None else time.monotonic() + self.seconds

        def expired() -> bool:
            notes.note(note)
            return end is not None and time.monotonic() >= end

        return Budget(self.nodes, expired)


def pieces_of(played: Iterable[Moves]) -> list[tuple[Moves, ...]]:
    """Positions, each once, cut into pieces that do not depend on their order; those with the fewest moves made first."""
    each = sorted(set(played), key=lambda moves: (len(moves), moves))
    return [tuple(each[start : start + PIECE]) for start in range(0, len(each), PIECE)]


def _refusal(truth: Truth, position: Position) -> str | None:
    """Why no solver covers a position; None if one does."""
    try:
        truth.solver(position)
    except SolverError as error:
        return str(error)
    return None
