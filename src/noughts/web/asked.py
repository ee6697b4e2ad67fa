"""Requests for positions and searches. A worker gets a search as the request itself, so that there is no second form of it."""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from noughts.agents import AGENTS
from noughts.positions import Position
from noughts.puzzles import Grade
from noughts.questions.imagined import require_model
from noughts.rules import AgentError
from noughts.web.reading import AgentText, RulesText, cells_of, play, read_agent

MOVE_SECONDS = 60.0
"""After them an agent makes its best move so far."""
PUZZLE_SECONDS = 20.0
"""After them no more games are tried for a puzzle."""

MoveNames = Annotated[list[Annotated[str, Field(max_length=12)]], Field(max_length=400)]
Seed = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]


def with_example(**fields: Any) -> ConfigDict:
    """The settings of a request, with an example that is answered: for readers of the API, and for tests."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


class LineRequest(BaseModel):
    """A game's moves; as in all requests, unknown fields are ignored."""

    model_config = with_example(rules="bttt(D4)", moves=["C3", "C4"])

    rules: RulesText
    moves: MoveNames = Field(default_factory=list)

    @property
    def position(self) -> Position:
        """The position after these moves; IllegalMoveError if one of them is not legal."""
        return play(self.rules, self.moves)


class OpenRequest(LineRequest):
    """A position in which the game goes on."""

    @model_validator(mode="after")
    def _goes_on(self) -> Self:
        if self.position.is_over:
            raise ValueError("the game is over: nothing is searched for there")
        return self


class MoveRequest(OpenRequest):
    """A position in which an agent is to move."""

    model_config = with_example(rules="bttt(D4)", moves=["C3", "C4"], agent="mcts:sims=100", seed=7)

    agent: AgentText
    seed: Seed = Field(0, description="With an equal seed an agent makes the same move again.")


class StepsRequest(OpenRequest):
    """A search that is watched."""

    model_config = with_example(rules="tic-tac-toe", moves=["B2"], agent="mcts:sims=100", seed=7, iterations=25)

    agent: AgentText = Field(
        default_factory=lambda: read_agent("mcts"), description="One that grows a tree, such as `mcts` or `az:RUN`."
    )
    seed: Seed = 0
    iterations: int = Field(0, ge=0, le=20_000, description="Simulations: no more than the agent makes for a move.")

    @model_validator(mode="after")
    def _can_be_watched(self) -> Self:
        if not AGENTS[self.agent.name].traces:
            watched = " or ".join(kind.name for kind in AGENTS.values() if kind.traces)
            raise AgentError(
                f"agent {str(self.agent)!r} grows no tree that can be watched: give one of the kind {watched}"
            )
        return self


class ImaginedRequest(OpenRequest):
    """A position that an agent sees, and a line of moves that it imagines from there."""

    model_config = with_example(rules="tic-tac-toe", moves=["B2"], agent="mz:first", line=["A1", "C3"])

    agent: AgentText = Field(description="One with a learned model, such as `mz:RUN`.")
    line: MoveNames = Field(default_factory=list, description="They need not be legal.")

    @model_validator(mode="after")
    def _can_be_imagined(self) -> Self:
        _ = require_model(self.agent)
        _ = cells_of(self.rules, self.line)
        return self


class PuzzlePlace(OpenRequest):
    """A position that may be a puzzle."""

    model_config = with_example(rules="tic-tac-toe", moves=["A1"])


class PuzzleRequest(BaseModel):
    """A puzzle that is to be made."""

    model_config = with_example(rules="tic-tac-toe", seed=7)

    rules: RulesText
    seed: Seed = 0
    grade: Grade | None = None


class AnalysisRequest(LineRequest):
    """What is a position worth, or, of the type `game`, every position of a game? To an agent, or, without one, in truth."""

    type: Literal["analyse", "exact", "game"]
    agent: AgentText | None = None
    seed: Seed = 0
    seconds: float = Field(600.0, gt=0, le=600, allow_inf_nan=False, description="For each position.")

    @property
    def of_game(self) -> bool:
        """Whether every position of the game is meant."""
        return self.type == "game"

    @model_validator(mode="after")
    def _can_be_analysed(self) -> Self:
        if self.position.is_over and not self.of_game:
            raise ValueError("the game is over: there is nothing to analyse")
        return self


Search = MoveRequest | StepsRequest | ImaginedRequest | PuzzlePlace | PuzzleRequest | AnalysisRequest
"""What a worker does; each is written as the name of its class and its JSON."""

_SEARCHES = {kind.__name__: kind for kind in get_args(Search)}


def write_search(asked: Search) -> str:
    """A search as text: equal ones have equal texts."""
    return f"{type(asked).__name__} {asked.model_dump_json()}"


def read_search(text: str) -> Search:
    """The search that `write_search` wrote; as it was checked then, and what it names may be gone since."""
    name, _, fields = text.partition(" ")
    found: Search = _SEARCHES[name].model_validate_json(fields)
    return found
