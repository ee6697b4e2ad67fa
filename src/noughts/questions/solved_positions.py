"""`SolvedPositions`: what is proved about each of many positions of one game and each of its moves.

The positions are cut into pieces of neighbours, those with fewer moves first, as they take longest. The positions of a piece
share what its solver proves, and nobody else's, so that the answer is the same for any number of workers.
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from noughts.machine import Recorder
from noughts.machine.memory import GIB
from noughts.positions import Position
from noughts.questions.question import SOLVING, Question
from noughts.questions.solved import compile_solvers
from noughts.rules import Rules, SolverError, Value
from noughts.solvers.solution import Budget, MoveSolution, Solution
from noughts.solvers.solve import Truth

Moves = tuple[int, ...]
"""Cell indices, the first player's first."""

REFUSED = "none"
"""The solver of a solution that no solver found: its bounds are those of every position."""


class Solutions(Value):
    """Solutions of some positions, in their order.

    Attributes:
        refusal: Why no solver covers the first of those that none covers; empty if there are none.
    """

    found: tuple[Solution, ...]
    refusal: str = ""


class AboutPositions(Value):
    """Of which positions it is asked, and with how much effort.

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
    allowed: ClassVar = {
        "nodes": "a whole number above 0",
        "seconds": "a number above 0",
        "memory": "a whole number of GiB above 0",
        "piece": "a whole number above 0",
    }
    packages: ClassVar[tuple[str, ...]] = SOLVING

    rules: Rules
    played: tuple[Moves, ...]
    distances: bool = False
    nodes: Annotated[int, Field(ge=1)] | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    memory: Annotated[int, Field(ge=1)] = 1


class SolvedPiece(AboutPositions, Question[Solutions]):
    """Positions that share one solver's tables."""

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


class SolvedPosition(NamedTuple):
    """What is proved of a position.

    Attributes:
        moves: Those that lead to it.
    """

    moves: Moves
    solution: Solution


class PositionValues(Value):
    """What is proved of many positions.

    Attributes:
        found: Of those of which something is known, in the order of the question.
        refusal: Why no solver covers one of those that none covers; empty if there are none.
    """

    found: tuple[SolvedPosition, ...]
    refusal: str = ""


class SolvedPositions(AboutPositions, Question[PositionValues]):
    """What is proved about many positions of one game.

    Attributes:
        piece: How many of them share one solver's tables.
    """

    counted: ClassVar[Literal[True]] = True

    piece: int = Field(default=16, ge=1)

    def needs(self) -> Sequence[SolvedPiece]:
        """The pieces, those with the fewest moves made first."""
        return _pieces(self)

    def answer(self, needed: Sequence[Solutions | None], notes: Recorder) -> PositionValues:
        """What is known, of each position."""
        known: dict[Moves, Solution] = {}
        refusals: list[str] = []
        for asked, answer in zip(self.needs(), needed, strict=True):
            if answer is not None:
                known |= zip(asked.played, answer.found, strict=True)
                refusals += filter(None, [answer.refusal])
        found = tuple(SolvedPosition(moves, known[moves]) for moves in self.played if moves in known)
        return PositionValues(found=found, refusal=next(iter(refusals), ""))


@lru_cache(maxsize=64)
def _pieces(asked: SolvedPositions) -> tuple[SolvedPiece, ...]:
    each = sorted(dict.fromkeys(asked.played), key=lambda moves: (len(moves), moves))
    shared = {name: getattr(asked, name) for name in AboutPositions.model_fields}
    return tuple(
        SolvedPiece(**shared | {"played": tuple(each[start : start + asked.piece])})
        for start in range(0, len(each), asked.piece)
    )


def _refusal(truth: Truth, position: Position) -> str | None:
    """Why no solver covers a position; None if one does."""
    try:
        truth.solver(position)
    except SolverError as error:
        return str(error)
    return None
