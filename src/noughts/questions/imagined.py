"""Compare what an agent's learned model predicts with the real game: along one line of moves, and in all of its searches."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

from pydantic import Field, model_validator

from noughts.agents import AgentSpec, build_agent
from noughts.agents.kinds import AGENTS, CODE
from noughts.examine.imagining import ImaginedTally, judge_imagination
from noughts.machine import Recorder
from noughts.machine.memory import GIB
from noughts.positions import Position
from noughts.questions.question import PLAYING, Question
from noughts.questions.sampled import AboutSample, Piece
from noughts.rules import AgentError, Rules, Task, Value
from noughts.solvers.solve import Truth

if TYPE_CHECKING:
    from noughts.agents.model import ImaginedPosition, ModelAgent  # loads JAX


def imagines(agent: AgentSpec) -> bool:
    """Whether the agent's kind has a model of the game. This builds and imports nothing."""
    return AGENTS.get(agent.name, CODE).imagines


def require_model(agent: AgentSpec) -> AgentSpec:
    """Return the agent; AgentError unless its kind has a model of the game."""
    if not imagines(agent):
        raise AgentError(
            f"agent {str(agent)!r} has no model of the game, so that it imagines nothing: give one such as mz:RUN"
        )
    return agent


def model_of(agent: AgentSpec) -> "ModelAgent":
    """Build the agent of a spec; AgentError as for `require_model`."""
    return cast("ModelAgent", build_agent(require_model(agent)))


class BelievedPosition(Value):
    """One position of an imagined line.

    Attributes:
        move: The move that leads there; None for the position that the model observes.
        legal: Whether that move is legal in the real game, after those before it.
        cells: The model's prediction of each cell, with numbers as in `Position.cells`; None without a decoder.
        real: The real cells; None after an illegal move.
        first: The model's prediction whether the first player is to move; None if it has no such output.
        over: The model's prediction whether the game is over; None if it has no such output.
        really_over: Whether the game is really over; None after an illegal move.
        value: The model's value for the side to move.
    """

    move: int | None
    legal: bool
    cells: tuple[int, ...] | None
    real: tuple[int, ...] | None
    first: bool | None
    over: bool | None
    really_over: bool | None
    value: float


class BelievedLine(Value):
    """A line of moves as the model predicts it.

    Attributes:
        agent: The text of the agent with the model.
        rules: The text of the game.
        positions: The position that the model observes, and one for each move.
    """

    agent: str
    rules: str
    positions: tuple[BelievedPosition, ...]


class ImaginedLine(Question[BelievedLine]):
    """Predict the positions along a line of moves, of which the model observes only the first.

    Attributes:
        agent: An agent with a model.
        rules: The game.
        moves: The moves that lead to the observed position.
        line: The moves from there, as cell indices; they need not be legal.
    """

    packages: ClassVar = PLAYING
    error_type: ClassVar = AgentError
    called: ClassVar = "imagined line"

    agent: AgentSpec
    rules: Rules
    moves: tuple[int, ...] = ()
    line: tuple[int, ...] = ()

    @model_validator(mode="after")
    def _is_on_the_board(self) -> Self:
        for cell in self.line:
            if not 0 <= cell < self.rules.size:
                raise ValueError(f"cell {cell} is not allowed: {self.rules} has cells from 0 to {self.rules.size - 1}")
        return self

    def answer(self, needed: Sequence[Any], notes: Recorder) -> BelievedLine:
        """Run the model along the line.

        Raises:
            AgentError: the agent has no model, cannot play the game, or the observed position is terminal.
        """
        agent, seen = model_of(self.agent), Position.start(self.rules, self.moves)
        if seen.is_over:
            raise AgentError(f"{self.rules} is over after these moves: nothing is imagined from there")
        believed = agent.imagined_line(seen, self.line)
        found, real = list[BelievedPosition](), list[Position | None]([seen])
        for ply, one in enumerate(believed):
            move = self.line[ply - 1] if ply else None
            legal = True
            if move is not None:
                before = real[-1]
                legal = before is not None and before.is_legal(move)
                real.append(before.play(move) if legal and before is not None else None)
            found.append(_beside(one, move, legal, real[-1]))
        return BelievedLine(agent=str(self.agent), rules=str(self.rules), positions=tuple(found))


def _beside(one: "ImaginedPosition", move: int | None, legal: bool, real: Position | None) -> BelievedPosition:
    return BelievedPosition(
        move=move,
        legal=legal,
        cells=None if one.cells is None else tuple(one.cells),
        real=None if real is None else tuple(real.cells),
        first=one.first,
        over=one.over,
        really_over=None if real is None else real.is_over,
        value=one.value,
    )


class ImaginedTallies(Value):
    """The counts of imagined positions, by the number of moves from the observed position."""

    depths: dict[int, ImaginedTally]


class ImaginedBesideTruth(AboutSample, Question[ImaginedTallies]):
    """Compare the imagined positions in an agent's searches with the rules and exact values, in one game.

    Attributes:
        rules, agent, piece: The game, the agent and the positions, as in `BesideTruth`.
    """

    rules: Rules
    agent: AgentSpec
    piece: Piece

    def answer(self, needed: Sequence[Any], notes: Recorder) -> ImaginedTallies:
        """Search from each position, and compare.

        Raises:
            AgentError: there is no such agent, or it has no model.
        """
        positions, truth = self.positions(self.rules, self.piece), Truth(self.rules, self.memory * GIB)
        search = model_of(self.agent).imagined_searches
        return ImaginedTallies(depths=judge_imagination(search, positions, truth.prove, self.nodes, notes))


class ImaginedJudged(AboutSample, Question[ImaginedTallies]):
    """Compare the imagined positions in an agent's searches on a task; the counts are for all games together.

    Attributes:
        task, agent: The games and the agent. In a small game it searches from all positions.
        chunk: The number of positions in a piece.
    """

    called: ClassVar = "evaluation of imagined positions"
    counted: ClassVar[Literal[True]] = True

    task: Task
    agent: AgentSpec
    all_up_to: int = Field(default=1000, ge=0, le=1_000_000)
    nodes: int | None = Field(default=100_000, ge=1, le=10**12)
    chunk: int = Field(default=64, ge=1, le=1_000_000)

    def needs(self) -> Sequence[ImaginedBesideTruth]:
        """The pieces, game by game and in the order of plies."""
        return [piece for rules in self.task.rules for piece in _pieces(self, rules)]

    def answer(self, needed: Sequence[ImaginedTallies | None], notes: Recorder) -> ImaginedTallies:
        """Add up the answers so far."""
        found: dict[int, ImaginedTally] = {}
        for answer in needed:
            for depth, tally in answer.depths.items() if answer is not None else ():
                found[depth] = found.get(depth, ImaginedTally()) + tally
        return ImaginedTallies(depths=dict(sorted(found.items())))


@lru_cache(maxsize=1024)
def _pieces(judged: ImaginedJudged, rules: Rules) -> tuple[ImaginedBesideTruth, ...]:
    fields = {name: getattr(judged, name) for name in (*AboutSample.model_fields, "agent")}
    return tuple(
        ImaginedBesideTruth(rules=rules, piece=piece, **fields) for piece in judged.pieces(rules, judged.chunk)
    )
