"""What the workers of the page are asked, as values: a move, an analysis, the analysis of a game, a search step by step,
a puzzle, what a model believes.

They are apart from `jobs`, which carries them out, because the server needs no array library to ask.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, TypeAdapter

from noughts.agents import AgentSpec
from noughts.puzzles import Grade
from noughts.rules import Rules, Value


class _PositionTask(Value):
    """Something about a position.

    Attributes:
        rules: The game.
        moves: Cell indices, in order; legal.
        seed: Every random draw comes from it.
        each_step_counts: Whether each step says something else, and not better what the one before said.
    """

    each_step_counts: ClassVar[bool] = False

    rules: Rules
    moves: tuple[int, ...]
    seed: int

    @property
    def named(self) -> str:
        """Who is asked, in words; empty for truth."""
        agent = getattr(self, "agent", None)
        return "" if agent is None else str(agent)


class MoveTask(_PositionTask):
    """Which move does an agent make?

    Attributes:
        agent: Who is to move.
        seconds: When they are over, it makes the best move that it knows.
    """

    kind: Literal["move"] = "move"
    agent: AgentSpec
    seconds: float


class AnalysisTask(_PositionTask):
    """What does an agent think of a position?

    Attributes:
        agent: None for truth itself.
        seconds: It may take.
    """

    kind: Literal["analysis"] = "analysis"
    agent: AgentSpec | None
    seconds: float


class GameAnalysisTask(_PositionTask):
    """What does an agent think of every position of a game, from the empty board to the one after all moves?

    Attributes:
        agent: None for truth itself.
        seconds: It may take for each position.
    """

    each_step_counts: ClassVar[bool] = True

    kind: Literal["game"] = "game"
    agent: AgentSpec | None
    seconds: float


class TraceTask(_PositionTask):
    """What does an agent's search look like after some simulations?

    Attributes:
        agent: One that grows a tree.
        iterations: How many.
    """

    kind: Literal["trace"] = "trace"
    agent: AgentSpec
    iterations: int


class PuzzleTask(_PositionTask):
    """Which puzzle is a position, or can be made of a game?

    Attributes:
        make: Whether one is to be made, of any position; else the one after `moves` is meant.
        grade: Of one that is to be made; None for any.
        seconds: No more games are tried after so many.
    """

    kind: Literal["puzzle"] = "puzzle"
    make: bool
    grade: Grade | None
    seconds: float


class ImaginedTask(_PositionTask):
    """What does an agent's model believe along a line of moves?

    Attributes:
        agent: One that has a model.
        line: Cells; they need not be legal.
    """

    kind: Literal["imagined"] = "imagined"
    agent: AgentSpec
    line: tuple[int, ...]


SearchTask = MoveTask | AnalysisTask | GameAnalysisTask | TraceTask | PuzzleTask | ImaginedTask

_TASKS: TypeAdapter[SearchTask] = TypeAdapter(Annotated[SearchTask, Field(discriminator="kind")])


def read_task_text(text: str) -> SearchTask:
    """The task that its `to_json` wrote."""
    return _TASKS.validate_json(text)
