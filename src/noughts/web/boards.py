"""The description of positions and rules for the page, which draws boards without an implementation of the rules."""

from functools import lru_cache
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, Field, ValidationInfo

from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.positions import Position, Side
from noughts.reports.strokes import edge_strokes, line_strokes
from noughts.rules import Rules, describe_rules, format_game, format_rules
from noughts.rules.squares import Wrap

OutcomeName = Literal["ongoing", "first", "second", "draw"]
CellName = Literal["", "X", "O", "#"]

_OUTCOMES: tuple[OutcomeName, ...] = get_args(OutcomeName)  # indexed by `Outcome`
_CELLS: tuple[CellName, ...] = get_args(CellName)  # indexed by content, as positions.SYMBOLS, except for empty cells


def _named(cell: Any, seen: ValidationInfo) -> Any:
    return cell if seen.context is None else seen.context.name_of(cell)


Square = Annotated[str, BeforeValidator(_named)]
"""A square by name. When a model is made from a value of the library, the field is a cell, and the context is the rules."""


class PositionAnswer(BaseModel):
    """A position with everything that a drawing needs."""

    rules: str = Field(description="The text form of the rules.")
    sentence: str = Field(description="The rules in one sentence.")
    moves: list[str]
    ply: int
    to_move: Player
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
    full: Literal["draw", "first", "second"] = Field(description="Who wins on a full board without a line.")
    winning_lines: list[list[str]]
    completing: dict[Player, list[str]] = Field(
        description="The playable cells with which each side would complete a line if it were to move."
    )
    forking: dict[Player, list[str]] = Field(
        description="Those with which it would threaten to complete lines on two cells at once."
    )
    strokes: list[list[list[float]]] = Field(
        description="For each of these lines the strokes through it on its board, several where it goes on over a joined "
        "edge: x1, y1, x2, y2, in cells from the corner."
    )
    edges: list[list[float]] = Field(description="Dashes on the joined edges of a board, likewise.")
    last: str | None
    text: str = Field(description="Rules and moves in one text.")


@lru_cache(maxsize=256)
def _squares(rules: Rules) -> tuple[str, ...]:
    return tuple(map(rules.name_of, range(rules.size)))


def show_position(position: Position) -> PositionAnswer:
    """Return the description of a position for the page."""
    rules, names, lines = position.rules, _squares(position.rules), position.winning_lines()
    return PositionAnswer.model_construct(
        rules=format_rules(rules),
        sentence=describe_rules(rules),
        moves=[names[move] for move in position.moves],
        ply=position.ply,
        to_move=SIDES[position.to_move],
        rows=rules.rows,
        cols=rules.cols,
        boards=rules.boards,
        marks=rules.marks,
        k=rules.k,
        wrap=rules.wrap,
        cells=[_CELLS[content] for content in position.cells],
        squares=list(names),
        legal=[names[move] for move in position.legal_moves],
        closed=sorted(position.closed),
        outcome=_OUTCOMES[position.outcome],
        line=rules.line,
        full=rules.full,
        winning_lines=[[names[cell] for cell in line] for line in lines],
        forking={SIDES[side]: [names[cell] for cell in position.forking_cells(side)] for side in Side},
        completing={SIDES[side]: [names[cell] for cell in position.completing_cells(side)] for side in Side},
        strokes=[[list(stroke) for stroke in line_strokes(rules, line)] for line in lines],
        edges=[list(stroke) for stroke in edge_strokes(rules)],
        last=names[position.moves[-1]] if position.moves else None,
        text=format_game(rules, position.moves),
    )
