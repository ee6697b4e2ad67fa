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


def asked_with_example(**fields: Any) -> ConfigDict:
    """The settings of a request, with an example that is answered: for readers of the API, and for tests."""
    return ConfigDict(extra="ignore", json_schema_extra={"examples": [fields]})


class Asked(BaseModel):
    """A request; unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore")


class RulesRequest(Asked):
    """Rules as text, or field by field."""

    model_config = asked_with_example(rows=4, cols=5, k=3, bricks=["A1"])

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


class PositionRequest(Asked):
    """A position as one text, or as rules and moves."""

    model_config = asked_with_example(text="tic-tac-toe B2 A1")

    text: Text | None = Field(None, description="Rules, then moves, such as `tic-tac-toe B2 A1`.")
    rules: Text | None = None
    moves: MoveNames = Field(default_factory=list)


class Note(Asked):
    """What is written into a cell of a drawing."""

    square: str = Field(max_length=12)
    text: str = Field("", max_length=12)
    shade: float | None = Field(None, ge=0, le=1, description="Of its ground, from 0 to 1; none if left out.")
    best: bool = Field(False, description="Whether there is a ring around it.")


class LineRequest(Asked):
    """A game's moves."""

    model_config = asked_with_example(rules="bttt(D4)", moves=["C3", "C4"])

    rules: Text
    moves: MoveNames = Field(default_factory=list)


class MoveRequest(LineRequest):
    """A position in which an agent is to move."""

    model_config = asked_with_example(rules="bttt(D4)", moves=["C3", "C4"], agent="mcts:sims=100", seed=7)

    agent: Text
    seed: Seed = Field(0, description="With an equal seed an agent makes the same move again.")


class StepsRequest(LineRequest):
    """A search that is watched."""

    model_config = asked_with_example(rules="tic-tac-toe", moves=["B2"], agent="mcts:sims=100", seed=7, iterations=25)

    agent: Text = Field("mcts", description="One that grows a tree, such as `mcts` or `az:RUN`.")
    seed: Seed = 0
    iterations: int = Field(0, ge=0, le=20_000, description="Simulations: no more than the agent makes for a move.")


class AgentRequest(Asked):
    """An agent's text."""

    model_config = asked_with_example(agent="minimax:depth=2")

    agent: Text


class MatchRequest(Asked):
    """Two agents and how many games."""

    model_config = asked_with_example(rules="tic-tac-toe", first="minimax:depth=2", second="random", games=2)

    rules: Text = Field(description="A game, or a task: several games of one size, such as `bttt(*)`.")
    first: Text
    second: Text
    games: int = Field(10, ge=1, le=200)
    seed: Seed = 0
    swap: bool = Field(False, description="Whether the agents take turns at moving first.")


class TrainRequest(Asked):
    """A training that is to begin."""

    model_config = asked_with_example(task="tic-tac-toe", minutes=0.1, run="second")

    task: Text = Field(description="What to learn: a game, or several of one size.")
    method: str = Field("az", max_length=100, description="How it learns: `az` is AlphaZero, `es` is evolution.")
    minutes: float = Field(5.0, gt=0, le=10_000)
    run: str = Field(max_length=100, description="What the run is called: a name that no other has.")
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0


class ResumeRequest(Asked):
    """A training run that is to go on."""

    model_config = asked_with_example(run="first", minutes=0.1)

    run: str = Field(max_length=100)
    minutes: float | None = Field(None, gt=0, le=10_000, description="So much more; as planned unless given.")


class StudyRequest(Asked):
    """A study that is to be run, or gone on with."""

    model_config = asked_with_example(study="is-minimax-perfect", scale="quick")

    study: str = Field(max_length=100)
    scale: str = Field("quick", max_length=100)
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0


class ProveRequest(Asked):
    """An agent all of whose replies are to be walked."""

    model_config = asked_with_example(agent="minimax:depth=9,ties=first", rules="tic-tac-toe", side="second")

    agent: Text
    rules: Text = Field(description="A game, or several of one size, such as `bttt(*)`.")
    side: SideName = "first"


class ScoreRequest(Asked):
    """An agent that is to be compared with exact truth."""

    model_config = asked_with_example(agent="minimax:depth=2", rules="tic-tac-toe")

    agent: Text
    rules: Text = Field(description="A game, or several of one size, such as `bttt(*)`.")


class Health(BaseModel):
    """The server is there."""

    status: Literal["ok"]
    version: str
    scripts: list[str] = Field(
        description="Modules that the page loads besides its own; each adds something by its `begin`."
    )


class PresetAnswer(BaseModel):
    """A game with a name."""

    text: str
    name: str
    sentence: str
    sample: list[str] = Field(description="Moves into the middle of a game, to be drawn.")


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
    forking: dict[SideName, list[str]] = Field(
        description="Those with which it would threaten to complete lines on two cells at once."
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
    imagines: bool = Field(description="Whether it has a learned model of the game, whose beliefs can be shown.")
    traces: bool = Field(description="Whether it grows a tree that can be watched.")


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


class NodeNumbers(BaseModel):
    """What is known of a node of a search tree; values are those of the side that moved into it."""

    visits: int = Field(description="N, how many simulations went through it.")
    total: float = Field(description="W, the sum of their results.")
    mean: float = Field(description="Q, their mean.")
    score: float | None = Field(description="What selection compares it by; None for the root.")
    prior: float | None = Field(description="P, a network's policy before any search; None without one.")
    worth: float | None = Field(description="What a network said of it when it was added; None without one.")


class Tried(NodeNumbers):
    """A move from the root."""

    move: str


class TreeNode(NodeNumbers):
    """A node of a search tree by its moves from the root."""

    moves: list[str]


class WalkedNode(TreeNode):
    """A node that the last simulation went through."""

    gained: float = Field(description="What it added to W.")


class TraceAnswer(BaseModel):
    """What one simulation did."""

    select: list[str]
    expand: str | None
    rollout: list[str] = Field(description="The moves of the random game; none if a network judged.")
    outcome: Literal["first", "second", "draw"] | None = Field(description="Of the random game.")
    path: list[WalkedNode]


class Steps(BaseModel):
    """A search after some simulations, and what the last one did."""

    formula: Literal["ucb1", "gumbel", "puct", "muzero"] = Field(description="By what it chooses its way down.")
    judge: Literal["rollout", "network"] = Field(description="Who says what a new position is worth.")
    iterations: int
    budget: int = Field(description="How many the agent makes for a move.")
    move: str | None = Field(description="What it would play now.")
    root: TreeNode
    trace: TraceAnswer | None = Field(description="None before the first simulation.")
    children: list[Tried] = Field(description="The moves from here, the most visited first.")
    tree: list[TreeNode] = Field(description="The nodes visited most.")


class GameInfo(BaseModel):
    """A game that is kept."""

    id: str
    name: str
    rules: str
    plies: int
    updated: str


class GameId(BaseModel):
    """What a kept game, a match or a command is asked for by."""

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
    ships: bool = Field(description="Whether it ships with noughts, so that it cannot go on.")


class CommandAnswer(BaseModel):
    """A command that was started from the page."""

    id: str
    words: str = Field(description="What does the same in a terminal.")
    kind: str = Field(description="`train`, `study`, `prove` or `score`.")
    run: str = Field(description="The training run that it makes or goes on with; empty for none.")
    state: Literal["waiting", "running", "finished", "failed", "stopped"]
    asked: str
    seconds: float = Field(description="For how long it has run.")
    exit_code: int | None
    last: str = Field(description="The last line that it said.")
    said: str = Field(description="The end of all that it said; empty in a list.")


class CommandList(BaseModel):
    """The commands that were started from the page, the latest first."""

    may_start: bool = Field(description="Whether whoever asks may start and stop commands.")
    commands: list[CommandAnswer]
