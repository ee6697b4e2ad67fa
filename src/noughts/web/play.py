"""Routes for games: presets, positions, lines, agents, their moves, searches step by step, and a model's predictions."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated, Literal

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from noughts import __version__
from noughts.agents import AGENTS
from noughts.agents.trained import EXAMPLE, EXAMPLE_KIND, pinned
from noughts.questions.imagined import BelievedLine
from noughts.rules import StoreError
from noughts.store.run_folder import RunFolder, is_name, list_runs
from noughts.web.answers import AgentMoveAnswer, Steps
from noughts.web.asked import ImaginedRequest, LineRequest, MoveRequest, StepsRequest
from noughts.web.boards import PositionAnswer, show_position
from noughts.web.pictures import PICTURE, board_picture
from noughts.web.presets import PresetAnswer, presets
from noughts.web.reading import AgentText, Text, offered_agents, play, read_position
from noughts.web.services import Shared

router = APIRouter(prefix="/api")


class Health(BaseModel):
    """The state of the server."""

    status: Literal["ok"]
    version: str
    scripts: list[str] = Field(
        description="Modules that the page loads besides its own; each adds something by its `begin`."
    )
    token: str | None = Field(
        description="The guests' token, which shared addresses contain; null if there are no guests."
    )


class AgentOption(BaseModel, from_attributes=True):
    """An option of an agent."""

    name: str
    allowed: str
    default: str | None = Field(description="None if it must be given.")
    about: str
    choices: list[str] = Field(description="All that may be chosen; empty for numbers and texts.")


class AgentAnswer(BaseModel, from_attributes=True):
    """A kind of agent."""

    name: str
    about: str
    target: str | None = Field(description="What stands first after the colon, in words.")
    options: list[AgentOption]
    targets: list[str] | None = Field(
        None, description="The training runs that it can play with, if it plays with one."
    )
    imagines: bool = Field(description="Whether it has a learned model of the game, whose beliefs can be shown.")
    traces: bool = Field(description="Whether it grows a tree that can be watched.")


@router.get("/health")
async def health(request: Request) -> Health:
    """Check that the server is running."""
    state = request.app.state
    return Health(status="ok", version=__version__, scripts=state.scripts, token=state.token)


@router.get("/presets")
async def get_presets() -> list[PresetAnswer]:
    """The named games."""
    return presets()


@router.post("/position")
async def position(
    text: Annotated[
        Text,
        Body(
            embed=True,
            description="Rules; of a position then moves, such as `tic-tac-toe B2 A1`.",
            examples=["mnk(4,5,3,bricks=A1)"],
        ),
    ],
) -> PositionAnswer:
    """A position with everything that a drawing needs; rules without moves give the empty board."""
    return show_position(read_position(text))


@router.post("/line")
def line(asked: LineRequest) -> list[PositionAnswer]:
    """The positions of a game, from the empty board."""
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
def agents() -> list[AgentAnswer]:
    """The kinds of agents, with the training runs that are on disk."""
    runs, found = list_runs(), [AgentAnswer.model_validate(AGENTS[name]) for name in offered_agents()]
    for kind in found:
        if kind.target is not None:
            kind.targets = [pinned(EXAMPLE)] * (kind.name == EXAMPLE_KIND) + _targets(kind.name, runs)
    return found


@router.post("/agent")
async def agent(agent: Annotated[AgentText, Body(embed=True, examples=["minimax:depth=2"])]) -> str:
    """The canonical text of an agent."""
    return str(agent)


@router.post("/move", response_model=AgentMoveAnswer)
async def move(asked: MoveRequest, request: Request, shared: Shared) -> Response:
    """An agent's move."""
    return await shared.search(asked, request)


@router.post("/steps", response_model=Steps)
async def steps(asked: StepsRequest, request: Request, shared: Shared) -> Response:
    """An agent's search after a number of simulations, and the path of the last one."""
    return await shared.search(asked, request)


@router.post("/imagined", response_model=BelievedLine)
async def imagined(asked: ImaginedRequest, request: Request, shared: Shared) -> Response:
    """The predictions of an agent's model along a line of moves. The model observes only the first position."""
    return await shared.search(asked, request)


def _targets(kind: str, runs: Iterable[RunFolder]) -> list[str]:
    """Return the store's runs whose method makes agents of a kind, at their last iteration. Unreadable runs are omitted."""
    found = []
    for run in runs:
        with suppress(StoreError):
            if run.description.method == kind and is_name(run.folder.name) and (iterations := run.iterations()):
                found.append(f"{run.folder.name}@{iterations[-1]}")
    return found
