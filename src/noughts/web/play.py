"""Routes for games: presets, rules, positions, lines, agents, an agent's move, a search watched step by step, and what a model imagines."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from noughts import __version__
from noughts.questions.imagined import BelievedLine
from noughts.web.answers import AgentMoveAnswer, Steps
from noughts.web.asked import (
    Asked,
    ImaginedRequest,
    LineRequest,
    MoveRequest,
    PositionRequest,
    RulesRequest,
    StepsRequest,
    asked_with_example,
)
from noughts.web.boards import PositionAnswer, RulesAnswer, show_position, show_rules
from noughts.web.pictures import PICTURE, board_picture
from noughts.web.presets import PresetAnswer, presets
from noughts.web.reading import AgentText, Text, play, read_position
from noughts.web.roster import AgentAnswer, agents
from noughts.web.services import Shared

router = APIRouter(prefix="/api")


class Health(BaseModel):
    """The server is there."""

    status: Literal["ok"]
    version: str
    scripts: list[str] = Field(
        description="Modules that the page loads besides its own; each adds something by its `begin`."
    )


class AgentRequest(Asked):
    """An agent's text; the answer is its canonical one."""

    model_config = asked_with_example(agent="minimax:depth=2")

    agent: AgentText


@router.get("/health")
async def health(request: Request) -> Health:
    """Whether the server is there."""
    return Health(status="ok", version=__version__, scripts=request.app.state.scripts)


@router.get("/presets")
async def get_presets() -> list[PresetAnswer]:
    """Games with names."""
    return presets()


@router.post("/rules")
def rules(asked: RulesRequest) -> RulesAnswer:
    """Rules in every form: text, words, fields, and the empty board."""
    return show_rules(asked.rules())


@router.post("/position")
async def position(asked: PositionRequest) -> PositionAnswer:
    """A position as it is drawn."""
    return show_position(read_position(asked.text))


@router.post("/line")
def line(asked: LineRequest) -> list[PositionAnswer]:
    """The positions of a game, from the empty board on."""
    found = play(asked.rules, ())
    shown = [show_position(found)]
    for cell in asked.position.moves:
        found = found.play(cell)
        shown.append(show_position(found))
    return shown


@router.get("/board.svg", response_class=Response, responses=PICTURE)
def board(
    text: Annotated[Text, Query(description="Rules, then moves.", examples=["bttt(D4) C3 C4"])],
    theme: Literal["light", "dark"] = "light",
    notes: Annotated[str, Query(description="JSON: a list of what is written into cells.", max_length=40_000)] = "[]",
) -> Response:
    """A position as a drawing."""
    return board_picture(read_position(text), notes, dark=theme == "dark")


@router.get("/agents")
def get_agents() -> list[AgentAnswer]:
    """The agents that may play here, with their options."""
    return agents()


@router.post("/agent")
async def agent(asked: AgentRequest) -> AgentRequest:
    """The canonical text of an agent."""
    return asked


@router.post("/move", response_model=AgentMoveAnswer)
async def move(asked: MoveRequest, request: Request, shared: Shared) -> Response:
    """An agent's move."""
    return await shared.search(asked, request)


@router.post("/steps", response_model=Steps)
async def steps(asked: StepsRequest, request: Request, shared: Shared) -> Response:
    """An agent's search after so many simulations, and what the last one did."""
    return await shared.search(asked, request)


@router.post("/imagined", response_model=BelievedLine)
async def imagined(asked: ImaginedRequest, request: Request, shared: Shared) -> Response:
    """What an agent's model believes along a line of moves, of which it sees the first position alone."""
    return await shared.search(asked, request)
