"""The models of the API's requests and answers."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.rules.squares import Wrap
from noughts.store.records import Ending

SideName = Literal["first", "second"]
OutcomeName = Literal["ongoing", "first", "second", "draw"]
CellName = Literal["", "X", "O", "#"]
Text = Annotated[str, Field(max_length=8_000)]
MoveNames = Annotated[list[Annotated[str, Field(max_length=12)]], Field(max_length=400)]
Seed = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]


def _example(**fields: Any) -> ConfigDict:
    """The settings of a request, with an example that is answered: for readers of the API, and for tests."""
    return ConfigDict(extra="ignore", json_schema_extra={"examples": [fields]})


class _Asked(BaseModel):
    """A request; unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore")


class RulesRequest(_Asked):
    """Rules as text, or field by field."""

    model_config = _example(rows=4, cols=5, k=3, bricks=["A1"])

    text: Text | None = Field(None, description="The text form, such as `bttt(D4)`; the other fields are then ignored.")
    rows: int | None = None
    cols: int | None = None
    k: int | None = None
    bricks: MoveNames = Field(default_factory=list)
    marks: str = "own"
    line: str = "wins"
    full: str = "draw"
    boards: int = 1
    lineless: bool = Field(False, description="Must be true exactly if no line fits.")
    wrap: str = Field("none", description="Which edges are joined: none, rows (top and bottom), columns or both.")


class PositionRequest(_Asked):
    """A position as one text, or as rules and moves."""

    model_config = _example(text="tic-tac-toe B2 A1")

    text: Text | None = Field(None, description="Rules, then moves, such as `tic-tac-toe B2 A1`.")
    rules: Text | None = None
    moves: MoveNames = Field(default_factory=list)


class Note(_Asked):
    """What is written into a cell of a drawing."""

    square: str = Field(max_length=12)
    text: str = Field("", max_length=12)
    shade: float | None = Field(None, ge=0, le=1, description="Of its ground, from 0 to 1; none if left out.")
    best: bool = Field(False, description="Whether there is a ring around it.")


class LineRequest(_Asked):
    """A game's moves."""

    model_config = _example(rules="bttt(D4)", moves=["C3", "C4"])

    rules: Text
    moves: MoveNames = Field(default_factory=list)


class MoveRequest(LineRequest):
    """A position in which an agent is to move."""

    model_config = _example(rules="bttt(D4)", moves=["C3", "C4"], agent="mcts:sims=100", seed=7)

    agent: Text
    seed: Seed = Field(0, description="With an equal seed an agent makes the same move again.")


class StepsRequest(LineRequest):
    """A search that is watched."""

    model_config = _example(rules="tic-tac-toe", moves=["B2"], c=1.0, seed=7, iterations=25)

    c: float = Field(1.0, ge=0, le=1000, allow_inf_nan=False, description="The exploration constant.")
    seed: Seed = 0
    iterations: int = Field(0, ge=0, le=20_000)


class AgentRequest(_Asked):
    """An agent's text."""

    model_config = _example(agent="minimax:depth=2")

    agent: Text


class MatchRequest(_Asked):
    """Two agents and how many games."""

    model_config = _example(rules="tic-tac-toe", first="minimax:depth=2", second="random", games=2)

    rules: Text = Field(description="A game, or a task: several games of one size, such as `bttt(*)`.")
    first: Text
    second: Text
    games: int = Field(10, ge=1, le=200)
    seed: Seed = 0
    swap: bool = Field(False, description="Whether the agents take turns at moving first.")


class Health(BaseModel):
    """The server is there."""

    status: Literal["ok"]
    version: str


class PresetAnswer(BaseModel):
    """A game with a name."""

    text: str
    name: str
    sentence: str


class PositionAnswer(BaseModel):
    """A position as it is drawn: whoever draws it needs to know no rules."""

    rules: str = Field(description="The text form of the rules.")
    sentence: str = Field(description="The rules in one sentence.")
    moves: list[str]
    ply: int
    to_move: SideName
    rows: int
    cols: int
    boards: int
    marks: Literal["own", "shared"]
    k: int
    wrap: Wrap = Field(description="Which edges are joined: none, rows (top and bottom), columns or both.")
    cells: list[CellName] = Field(description="Row by row, board by board.")
    squares: list[str] = Field(description="The cells' names.")
    legal: list[str]
    closed: list[int] = Field(description="Boards that hold a line, from 0.")
    outcome: OutcomeName
    line: Literal["wins", "loses"] = Field(description="What a complete line does for who makes it.")
    winning_lines: list[list[str]]
    completing: dict[SideName, list[str]] = Field(
        description="The playable cells with which each side would complete a line if it were to move."
    )
    strokes: list[list[list[float]]] = Field(
        description="For each of these lines the strokes through it on its board, several where it goes on over a joined "
        "edge: x1, y1, x2, y2, in cells from the corner."
    )
    edges: list[list[float]] = Field(description="Dashes on the joined edges of a board, likewise.")
    last: str | None
    text: str = Field(description="Rules and moves in one text.")


class RulesAnswer(BaseModel):
    """Rules in every form."""

    text: str
    sentence: str
    fields: dict[str, Any]
    start: PositionAnswer


class LineAnswer(BaseModel):
    """The positions of a game, from the empty board on."""

    positions: list[PositionAnswer]


class AgentOption(BaseModel):
    """What may be set about an agent."""

    name: str
    allowed: str
    default: str | None = Field(description="None if it must be given.")
    about: str
    choices: list[str] | None = Field(description="All that may be chosen; None for numbers and texts.")


class AgentTarget(BaseModel):
    """A training run that an agent can play with."""

    text: str
    about: str


class AgentAnswer(BaseModel):
    """A kind of agent."""

    name: str
    about: str
    target: str | None = Field(description="What stands first after the colon, in words.")
    options: list[AgentOption]
    targets: list[AgentTarget] | None


class AgentText(BaseModel):
    """An agent's canonical text."""

    agent: str


class MoveResultAnswer(BaseModel):
    """What was found about one legal move."""

    move: str
    visits: int
    value: float | None = Field(description="From -1 to 1 for the side to move; None if nothing is proved.")
    kind: Literal["exact", "lower", "upper", "estimate"]
    distance: int | None = Field(description="Plies to the end of the game, where proved.")
    prior: float | None = Field(description="A network's policy, if one was asked.")


class Result(BaseModel):
    """What a search or a solver found; moves are the best first."""

    move: str
    value: float | None
    kind: Literal["exact", "lower", "upper", "estimate"]
    moves: list[MoveResultAnswer]
    principal_variation: list[str]
    nodes: int
    distance: int | None


class AgentMoveAnswer(BaseModel):
    """An agent's move, the position after it, and what it thought, if it can say."""

    move: str
    position: PositionAnswer
    result: Result | None


class NodeAnswer(BaseModel):
    """A node of a search tree."""

    move: str | None = Field(description="The move into it; None for the root.")
    visits: int
    total: float = Field(description="Sum of results for the side that moved into it.")
    mean: float
    bound: float | None = Field(description="Its upper confidence bound; None for the root.")


class Tried(NodeAnswer):
    """A move from the root that was tried."""

    move: str


class TreeNode(BaseModel):
    """A node of a search tree by its moves from the root."""

    moves: list[str]
    visits: int
    mean: float
    bound: float | None


class TraceAnswer(BaseModel):
    """What one iteration did."""

    select: list[str]
    expand: str | None
    simulate: list[str]
    outcome: Literal["first", "second", "draw"]
    path: list[NodeAnswer]


class Steps(BaseModel):
    """Monte-Carlo tree search after some iterations, and what the last one did."""

    iterations: int
    root: NodeAnswer
    trace: TraceAnswer | None = Field(description="None before the first iteration.")
    children: list[Tried]
    tree: list[TreeNode]


class GameInfo(BaseModel):
    """A game that is kept."""

    id: str
    name: str
    rules: str
    plies: int
    updated: str


class GameId(BaseModel):
    """What a kept game is asked for by."""

    id: str


class ScoreAnswer(BaseModel):
    """Games counted from the point of view of the first agent named."""

    games: int = Field(description="Games that were won, drawn or lost.")
    wins: int
    draws: int
    losses: int
    errors: int = Field(description="Games that were broken off.")
    share: float | None = Field(description="Of wins among the games; None if there are none.")
    low: float | None = Field(description="Lower end of its 95% interval.")
    high: float | None


class MatchRow(ScoreAnswer):
    """A row of a match's table."""

    label: str
    agent: str


class MatchByGame(ScoreAnswer):
    """How one game of the task was played."""

    rules: str
    square: str | None = Field(description="The brick's, where the games differ in the place of one brick alone.")
    lost: str | None = Field(
        description="The first that the first agent lost, as rules and moves; None if there is none."
    )


class MatchRecord(BaseModel):
    """A game as it was played."""

    first: str
    second: str
    ending: Ending
    error: str
    text: str = Field(description="Rules and moves in one text.")


class MatchAnswer(BaseModel):
    """How a match stands."""

    id: str
    state: Literal["running", "finished", "stopped", "failed"]
    done: int
    total: int
    rules: str = Field(description="The task's text.")
    first: str
    second: str
    error: str
    table: list[MatchRow]
    by_game: list[MatchByGame] = Field(description="Those of which something was played, in the order of the task.")
    records: list[MatchRecord]


class RunSummary(BaseModel):
    """A training run."""

    name: str
    method: str
    task: str
    state: str
    iterations: int
    positions: int
    seconds: float
