"""The route for what an agent's learned model believes the board to be along a line of moves, beside the real boards."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from noughts.positions import Position
from noughts.questions.imagined import BelievedLine, imagines
from noughts.rules import AgentError
from noughts.web.answers import CellName, LineRequest, MoveNames, PositionAnswer, Text, asked_with_example
from noughts.web.boards import cell_names, play, read_position, show_position
from noughts.web.errors import Refused, documented
from noughts.web.roster import read_agent
from noughts.web.services import Services, client_of, services
from noughts.web.tasks import ImaginedTask

router = APIRouter(prefix="/api")
Shared = Annotated[Services, Depends(services)]


class ImaginedRequest(LineRequest):
    """A position that an agent sees, and a line of moves that it imagines from there."""

    model_config = asked_with_example(rules="tic-tac-toe", moves=["B2"], agent="mz:first", line=["A1", "C3"])

    agent: Text = Field(description="One with a learned model, such as `mz:RUN`.")
    line: MoveNames = Field(default_factory=list, description="They need not be legal.")


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


@router.post("/imagined", responses=documented(400, 413, 415, 422, 429, 503))
async def imagined(asked: ImaginedRequest, request: Request, shared: Shared) -> ImaginedAnswer:
    """What an agent's model believes along a line of moves, of which it sees the first position alone."""
    limits = shared.limits
    seen = read_position(asked.rules, asked.moves, limits)
    agent = read_agent(asked.agent, limits)
    if not imagines(agent):
        raise AgentError(f"agent {str(agent)!r} has no model of the game, so that it imagines nothing")
    if seen.is_over:
        raise Refused(422, "the game is over: nothing is imagined from there")
    task = ImaginedTask(
        rules=seen.rules, moves=seen.moves, seed=0, agent=agent, line=tuple(map(seen.rules.cell_of, asked.line))
    )
    client = client_of(request)
    async with shared.engine.turn(client, limits.moves):
        answer = await shared.engine.ask(task, limits.move_seconds, client, request.is_disconnected)
    return _shown(BelievedLine.model_validate(answer), seen)


def _shown(found: BelievedLine, seen: Position) -> ImaginedAnswer:
    rules, shown = seen.rules, []
    moves = seen.moves
    for one in found.positions:
        if one.move is not None:
            moves = (*moves, one.move)
        wrong: list[str] = []
        if one.cells is not None and one.real is not None:
            pairs = enumerate(zip(one.cells, one.real, strict=True))
            wrong = [rules.name_of(cell) for cell, (believed, real) in pairs if believed != real]
        shown.append(
            BelievedAnswer(
                move=None if one.move is None else rules.name_of(one.move),
                legal=one.legal,
                cells=None if one.cells is None else cell_names(one.cells),
                wrong=wrong,
                over=one.over,
                value=one.value,
                real=None if one.real is None else show_position(play(rules, moves)),
            )
        )
    return ImaginedAnswer(positions=shown)
