"""Requests for positions and searches. Workers receive the request itself, so there is only one format."""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from noughts.agents import AGENTS
from noughts.positions import Position
from noughts.puzzles import Grade
from noughts.questions.imagined import require_model
from noughts.rules import AgentError
from noughts.web.reading import AgentText, RulesText, cells_of, play, read_agent

MOVE_SECONDS = 60.0
"""The time limit of an agent's move. Then it plays its best move so far."""
PUZZLE_SECONDS = 20.0
"""The time limit for finding a puzzle. Then no more games are tried."""

MoveNames = Annotated[list[Annotated[str, Field(max_length=12)]], Field(max_length=400)]
Seed = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]


def with_example(**fields: Any) -> ConfigDict:
    """Return a model's settings with a valid example, for readers of the API and for tests."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


class LineRequest(BaseModel):
    """The moves of a game. As in all requests, unknown fields are ignored."""

    model_config = with_example(rules="bttt(D4)", moves=["C3", "C4"])

    rules: RulesText
    moves: MoveNames = Field(default_factory=list)

    @property
    def position(self) -> Position:
        """The position after these moves. Raises IllegalMoveError if one of them is illegal."""
        return play(self.rules, self.moves)


class OpenRequest(LineRequest):
    """A position that is not terminal."""

    @model_validator(mode="after")
    def _goes_on(self) -> Self:
        if self.position.is_over:
            raise ValueError("the game is over: nothing is searched for there")
        return self


class MoveRequest(OpenRequest):
    """A position, and the agent that moves in it."""

    model_config = with_example(rules="bttt(D4)", moves=["C3", "C4"], agent="mcts:sims=100", seed=7)

    agent: AgentText
    seed: Seed = Field(0, description="With an equal seed an agent makes the same move again.")


class StepsRequest(OpenRequest):
    """A search to be shown after a number of simulations."""

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
    """A position that the agent observes, and a line of moves that its model predicts from there."""

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
    """A request for a new puzzle."""

    model_config = with_example(rules="tic-tac-toe", seed=7)

    rules: RulesText
    seed: Seed = 0
    grade: Grade | None = None


class AnalysisRequest(LineRequest):
    """A request to analyse a position, or each position of a game (`game`), by an agent, or by a solver if none is given."""

    type: Literal["analyse", "exact", "game"]
    agent: AgentText | None = None
    seed: Seed = 0
    seconds: float = Field(600.0, gt=0, le=600, allow_inf_nan=False, description="For each position.")

    @property
    def of_game(self) -> bool:
        """Whether to analyse every position of the game."""
        return self.type == "game"

    @model_validator(mode="after")
    def _can_be_analysed(self) -> Self:
        if self.position.is_over and not self.of_game:
            raise ValueError("the game is over: there is nothing to analyse")
        return self


Search = MoveRequest | StepsRequest | ImaginedRequest | PuzzlePlace | PuzzleRequest | AnalysisRequest
"""The jobs of workers. Each is sent as the name of its class and its JSON."""

_SEARCHES = {kind.__name__: kind for kind in get_args(Search)}


def write_search(asked: Search) -> str:
    """Return a search as text. Equal searches have equal texts."""
    return f"{type(asked).__name__} {asked.model_dump_json()}"


def read_search(text: str) -> Search:
    """Read a search that `write_search` wrote. Validates it again, because a run that it names may have been removed since."""
    name, _, fields = text.partition(" ")
    found: Search = _SEARCHES[name].model_validate_json(fields)
    return found
