"""`SolvedPiece`: solve some positions of one game and each of their moves.

Positions are cut into pieces of similar ones, those with fewer moves first, because they take longest. The positions of a
piece share one solver's tables, and pieces share nothing, so that the answer is the same for any number of workers.
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
"""The number of positions that share one solver's tables."""

REFUSED = "none"
"""The solver's name in the solution of a position that no solver covers; its bounds are -1 and 1."""


class Solutions(Value):
    """The solutions of some positions, in order.

    Attributes:
        refusal: Why no solver covers the first position that none covers; empty if all are covered.
    """

    found: tuple[Solution, ...]
    refusal: str = ""


class SolvedPiece(Question[Solutions]):
    """Solve positions of one game that share one solver's tables.

    Attributes:
        rules: The game.
        played: The moves that lead to each position.
        distances: Whether to find also how long games last after every move.
        nodes: The limit of work for each position and its moves together, in the solver's unit; None for no limit.
        seconds: The time limit for each; None for no limit. With a limit, the result depends on the machine.
        memory: The limit of GiB for the tables of each solver, in each worker.
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
        """Solve the positions one after another.

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
        """The answer; SolverError unless it has a solution for each position."""
        if len(answer.found) != len(self.played):
            raise SolverError("there are no solutions of all positions")
        return answer

    def _budget(self, notes: Recorder, note: str) -> Budget:
        end = None if self.seconds is None else time.monotonic() + self.seconds

        def expired() -> bool:
            notes.note(note)
            return end is not None and time.monotonic() >= end

        return Budget(self.nodes, expired)


def pieces_of(played: Iterable[Moves]) -> list[tuple[Moves, ...]]:
    """Cut positions, each once, into pieces that do not depend on their order; those after the fewest moves come first."""
    each = sorted(set(played), key=lambda moves: (len(moves), moves))
    return [tuple(each[start : start + PIECE]) for start in range(0, len(each), PIECE)]


def _refusal(truth: Truth, position: Position) -> str | None:
    """Why no solver covers a position; None if one does."""
    try:
        truth.solver(position)
    except SolverError as error:
        return str(error)
    return None
