"""What an agent with a learned model imagines: one line of moves beside the real boards, and all of its searches beside truth."""

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
    from noughts.agents.model import ImaginedPosition, ModelAgent  # which loads JAX


def imagines(agent: AgentSpec) -> bool:
    """Whether an agent is of a kind that has a model of the game. Nothing is made or imported."""
    return AGENTS.get(agent.name, CODE).imagines


def require_model(agent: AgentSpec) -> AgentSpec:
    """The same; AgentError unless it is of a kind that has a model."""
    if not imagines(agent):
        raise AgentError(
            f"agent {str(agent)!r} has no model of the game, so that it imagines nothing: give one such as mz:RUN"
        )
    return agent


def model_of(agent: AgentSpec) -> "ModelAgent":
    """The agent that a spec names; AgentError as of `require_model`."""
    return cast("ModelAgent", build_agent(require_model(agent)))


class BelievedPosition(Value):
    """One position of an imagined line.

    Attributes:
        move: The move that leads there, None for the position that is seen.
        legal: Whether that move can be made in the real game, after those before it.
        cells: What the model believes each cell to hold, numbers as in `Position.cells`; None without a decoder.
        real: What each cell really holds; None if there is no such position.
        first: Whether the model believes that the first player is to move; None if it has no such output.
        over: Whether it takes the game to be over; likewise.
        really_over: Whether the game is over; None if there is no such position.
        value: What the model takes it to be worth for the side to move.
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
    """A line of moves as it is imagined.

    Attributes:
        agent: Whose model imagines it.
        rules: Text of the game.
        positions: The position that is seen, and one for each move.
    """

    agent: str
    rules: str
    positions: tuple[BelievedPosition, ...]


class ImaginedLine(Question[BelievedLine]):
    """What an agent believes along a line of moves, of which it sees the first position alone.

    Attributes:
        agent: The agent, which has a model.
        rules: The game.
        moves: Those that lead to the position that it sees.
        line: Cells, which need not be legal moves.
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
        """Ask it.

        Raises:
            AgentError: it has no model, cannot play the game, or the position is over.
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
    """What became of imagined positions, by the number of moves from what was seen."""

    depths: dict[int, ImaginedTally]


class ImaginedBesideTruth(AboutSample, Question[ImaginedTallies]):
    """What an agent imagines when it searches from positions of one game, beside the rules.

    Attributes:
        rules, agent, piece: What is asked; see `BesideTruth`.
    """

    rules: Rules
    agent: AgentSpec
    piece: Piece

    def answer(self, needed: Sequence[Any], notes: Recorder) -> ImaginedTallies:
        """Let it search, and compare.

        Raises:
            AgentError: there is no such agent, or it has no model.
        """
        positions, truth = self.positions(self.rules, self.piece), Truth(self.rules, self.memory * GIB)
        search = model_of(self.agent).imagined_searches
        return ImaginedTallies(depths=judge_imagination(search, positions, truth.prove, self.nodes, notes))


class ImaginedJudged(AboutSample, Question[ImaginedTallies]):
    """What an agent imagines when it searches, on a task: all games together.

    Attributes:
        task, agent: The games and the agent. Of a game with few positions it searches from all of them.
        chunk: Positions in one piece of work.
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
        """What is known so far."""
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
