"""The models of workers' answers to the page. OpenAPI describes them for other clients."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AliasPath, BaseModel, BeforeValidator, Field

from noughts.puzzles import Grade, Puzzle
from noughts.rules import Rules
from noughts.search import Kind, SearchResult
from noughts.search.trace import Formula, Judge, Trace
from noughts.web.boards import OutcomeName, PositionAnswer, Square
from noughts.web.presets import game_name

_SHOWN_NODES = 200  # the most nodes of a tree in an answer


class MoveResultAnswer(BaseModel, from_attributes=True):
    """The result for one legal move."""

    move: Square
    visits: int
    value: float | None = Field(description="From -1 to 1 for the side to move; None if nothing is proved.")
    kind: Literal["exact", "lower", "upper", "estimate"]
    distance: int | None = Field(description="Plies to the end of the game, where proved.")
    prior: float | None = Field(description="A network's policy, if one was asked.")


class Result(BaseModel, from_attributes=True):
    """The result of a search or a solver, with the best moves first."""

    move: Square
    value: float | None
    kind: Literal["exact", "lower", "upper", "estimate"]
    moves: list[MoveResultAnswer] = Field(validation_alias="ranked")
    principal_variation: list[Square]
    nodes: int
    distance: int | None


class AgentMoveAnswer(BaseModel):
    """An agent's move, the position after it, and the agent's analysis, if it has one."""

    move: str
    position: PositionAnswer
    result: Result | None


class TreeNode(BaseModel, from_attributes=True):
    """A node of a search tree. Values are for the side that made the move to it."""

    moves: list[Square] = Field(description="From the root.")
    visits: int = Field(description="N, how many simulations went through it.")
    total: float = Field(description="W, the sum of their results.")
    mean: float = Field(description="Q, their mean.")
    score: float | None = Field(description="The number by which selection compares it; None for the root.")
    prior: float | None = Field(description="P, a network's policy before any search; None without one.")
    worth: float | None = Field(description="A network's evaluation when it was added; None without one.")


class Steps(BaseModel, from_attributes=True):
    """The state of a search after some simulations, and the last simulation: a `Trace`."""

    formula: Formula = Field(description="The formula of selection.")
    judge: Judge = Field(description="How new positions are evaluated.")
    simulations: int
    budget: int = Field(description="The number that the agent makes for a move.")
    move: Square | None = Field(description="The move that it would play now.")
    select: list[Square] = Field(description="The moves that the last simulation chose.")
    expand: Square | None
    rollout: list[Square] = Field(description="The moves of its random game; none if a network judged.")
    outcome: Annotated[OutcomeName, BeforeValidator(str)] = Field(description="Of the random game; else ongoing.")
    path: list[TreeNode] = Field(description="The nodes that it went through.")
    gained: list[float] = Field(description="What it added to W of each of them.")
    tried: list[TreeNode] = Field(description="The moves from here, the most visited first.")
    nodes: list[TreeNode] = Field(description="The root, and the nodes visited most.")


class PuzzleAnswer(BaseModel, from_attributes=True):
    """A position in which few moves are correct, with squares by name."""

    id: str
    rules: Annotated[str, BeforeValidator(str)]
    name: Annotated[str, BeforeValidator(game_name)] = Field(
        validation_alias=AliasPath("rules"), description="Of the game, for people."
    )
    moves: list[Square]
    value: Literal[1, 0] = Field(description="Of the position for the side to move: 1 it wins, 0 it holds a draw.")
    otherwise: Literal[0, -1] | None = Field(description="The best value that any other move gets, if it is known.")
    solutions: list[Square]
    plies: int | None = Field(description="Until it is won, both sides playing as well as can be; None in draws.")
    line: list[Square] = Field(description="How it goes on, the solution first.")
    grade: Grade


def show_result(rules: Rules, found: SearchResult, proves: bool) -> dict[str, Any]:
    """Return a `Result` as a dict. If the agent proves its values (`proves`), estimates become None, because they are unproved."""
    shown = Result.model_validate(found, context=rules).model_dump()
    for part in (shown, *shown["moves"]):
        if proves and part["kind"] == Kind.ESTIMATE:
            part["value"] = None
    return shown


def show_trace(rules: Rules, found: Trace) -> Steps:
    """Return a trace for the page, with the most visited nodes only."""
    nodes = (found.nodes[0], *found.most_visited(_SHOWN_NODES))
    tried = tuple(sorted(found.tried, key=lambda node: -node.visits))
    return Steps.model_validate(replace(found, nodes=nodes, tried=tried), context=rules)


def show_puzzle(puzzle: Puzzle) -> PuzzleAnswer:
    """Return a puzzle for the page."""
    return PuzzleAnswer.model_validate(puzzle, context=puzzle.rules)
