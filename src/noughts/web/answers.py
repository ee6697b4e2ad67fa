"""What workers answer, in the shapes that the page is given; programs that ask find them described in OpenAPI."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, Field

from noughts.positions import Outcome, Position
from noughts.puzzles import Grade, Puzzle
from noughts.puzzles.puzzle import PANEL
from noughts.questions.imagined import BelievedLine
from noughts.rules import Rules, format_rules
from noughts.search import Kind, SearchResult
from noughts.search.trace import Formula, Judge, Trace, VisitedNode
from noughts.web.boards import CellName, PositionAnswer, cell_names, show_position
from noughts.web.presets import game_name
from noughts.web.reading import play

_SHOWN_NODES = 200  # of a tree


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


class TreeNode(BaseModel):
    """A node of a search tree; values are those of the side that moved into it."""

    moves: list[str] = Field(description="From the root.")
    visits: int = Field(description="N, how many simulations went through it.")
    total: float = Field(description="W, the sum of their results.")
    mean: float = Field(description="Q, their mean.")
    score: float | None = Field(description="What selection compares it by; None for the root.")
    prior: float | None = Field(description="P, a network's policy before any search; None without one.")
    worth: float | None = Field(description="What a network said of it when it was added; None without one.")


class Tried(TreeNode):
    """A move from the root."""

    move: str


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

    formula: Formula = Field(description="By what it chooses its way down.")
    judge: Judge = Field(description="Who says what a new position is worth.")
    iterations: int
    budget: int = Field(description="How many the agent makes for a move.")
    move: str | None = Field(description="What it would play now.")
    root: TreeNode
    trace: TraceAnswer | None = Field(description="None before the first simulation.")
    children: list[Tried] = Field(description="The moves from here, the most visited first.")
    tree: list[TreeNode] = Field(description="The nodes visited most.")


class BelievedAnswer(BaseModel):
    """One position of an imagined line, and the real one."""

    move: str | None = Field(description="The move that leads there; None for the position that is seen.")
    legal: bool = Field(description="Whether it can be made in the real game, after those before it.")
    cells: list[CellName] | None = Field(description="What each cell is believed to hold; None without a decoder.")
    wrong: list[str] = Field(description="Cells that are believed to hold something else than they do.")
    over: bool | None = Field(description="Whether the game is believed to be over; None if the model cannot say.")
    value: float = Field(description="What it is believed to be worth, from -1 to 1 for the side to move.")
    real: PositionAnswer | None = Field(description="None if there is no such position.")


class ImaginedAnswer(BaseModel):
    """A line as a model imagines it, the position that it sees first."""

    positions: list[BelievedAnswer]


class PuzzleAnswer(BaseModel):
    """A position in which few moves are right; squares by name."""

    id: str
    rules: str
    name: str = Field(description="Of the game, for people.")
    moves: list[str]
    value: Literal[1, 0] = Field(description="Of the position for the side to move: 1 it wins, 0 it holds a draw.")
    otherwise: Literal[0, -1] | None = Field(description="The best value that any other move gets, if it is known.")
    solutions: list[str]
    plies: int | None = Field(description="Until it is won, both sides playing as well as can be; None in draws.")
    line: list[str] = Field(description="How it goes on, the solution first.")
    grade: Grade
    missed: dict[str, float] = Field(description="For each agent that was asked, the share of times that it missed it.")


def names_of(rules: Rules, cells: Iterable[int]) -> list[str]:
    """Squares by name."""
    return [rules.name_of(cell) for cell in cells]


def show_result(rules: Rules, found: SearchResult, proves: bool) -> dict[str, Any]:
    """A `Result` as a dict. An agent that proves has no estimates: it knows nothing of what is not proved."""
    shown = found.to_dict(rules)
    for part in (shown, *shown["moves"]):
        if proves and part["kind"] == Kind.ESTIMATE:
            part["value"] = None
    return shown


def show_trace(rules: Rules, found: Trace) -> Steps:
    """A search after some simulations."""
    path = zip(found.path, found.gained, strict=True)
    trace = TraceAnswer(
        select=names_of(rules, found.select),
        expand=None if found.expand is None else rules.name_of(found.expand),
        rollout=names_of(rules, found.rollout),
        outcome=None if found.outcome is Outcome.ONGOING else str(found.outcome),
        path=[WalkedNode(gained=gained, **_numbers(rules, node)) for node, gained in path],
    )
    tried = sorted(found.tried, key=lambda node: -node.visits)
    return Steps(
        formula=found.formula,
        judge=found.judge,
        iterations=found.simulations,
        budget=found.budget,
        move=None if found.move is None else rules.name_of(found.move),
        root=TreeNode(**_numbers(rules, found.nodes[0])),
        trace=trace if found.simulations else None,
        children=[Tried(move=rules.name_of(node.moves[-1]), **_numbers(rules, node)) for node in tried],
        tree=[TreeNode(**_numbers(rules, node)) for node in found.most_visited(_SHOWN_NODES)],
    )


def show_believed(seen: Position, found: BelievedLine) -> ImaginedAnswer:
    """A line as a model imagines it, beside the real positions."""
    shown, moves = [], seen.moves
    for one in found.positions:
        moves = moves if one.move is None else (*moves, one.move)
        pairs = enumerate(zip(one.cells or (), one.real or (), strict=False))  # neither has cells, or one has none
        shown.append(
            BelievedAnswer(
                move=None if one.move is None else seen.rules.name_of(one.move),
                legal=one.legal,
                cells=None if one.cells is None else cell_names(one.cells),
                wrong=names_of(seen.rules, (cell for cell, (believed, real) in pairs if believed != real)),
                over=one.over,
                value=one.value,
                real=None if one.real is None else show_position(play(seen.rules, moves)),
            )
        )
    return ImaginedAnswer(positions=shown)


def show_puzzle(puzzle: Puzzle) -> PuzzleAnswer:
    """A puzzle."""
    rules = puzzle.rules
    return PuzzleAnswer(
        id=puzzle.id,
        rules=format_rules(rules),
        name=game_name(rules),
        moves=names_of(rules, puzzle.moves),
        value=puzzle.value,
        otherwise=puzzle.otherwise,
        solutions=names_of(rules, puzzle.solutions),
        plies=puzzle.plies,
        line=names_of(rules, puzzle.line),
        grade=puzzle.grade,
        missed=dict(zip(PANEL, puzzle.missed, strict=True)),
    )


def _numbers(rules: Rules, node: VisitedNode) -> dict[str, Any]:
    numbers = {name: getattr(node, name) for name in ("visits", "total", "mean", "score", "prior", "worth")}
    return {"moves": names_of(rules, node.moves), **numbers}
