"""Routes for games: presets, rules, positions, lines, agents, an agent's move, and a search watched step by step."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response

from noughts import __version__
from noughts.agents import AGENTS
from noughts.rules import AgentError, Rules, describe_rules, format_rules, parse_rules
from noughts.web.answers import (
    AgentAnswer,
    AgentMoveAnswer,
    AgentRequest,
    AgentText,
    Health,
    LineAnswer,
    LineRequest,
    MoveRequest,
    PositionAnswer,
    PositionRequest,
    PresetAnswer,
    Result,
    RulesAnswer,
    RulesRequest,
    Steps,
    StepsRequest,
    Text,
)
from noughts.web.boards import (
    play,
    read_fields,
    read_notes,
    read_position,
    read_rules,
    read_text,
    show_position,
    show_rules,
)
from noughts.web.errors import Refused, documented
from noughts.web.pictures import board_picture
from noughts.web.roster import read_agent
from noughts.web.services import Services, client_of, services
from noughts.web.tasks import MoveTask, TraceTask

router = APIRouter(prefix="/api")
Shared = Annotated[Services, Depends(services)]

_PRESETS = (
    ("tic-tac-toe", "Tic-tac-toe", "B2 A1 C3 A3 A2"),
    ("misere-tic-tac-toe", "Misère tic-tac-toe", "B2 A1 C3 A2"),
    ("bttt(D4)", "Brick Tic-Tac-Toe, brick on D4", "C3 D3 C4 C5 B4 E4 D5 B3 E6 A2"),
    ("bttt(E5)", "Brick Tic-Tac-Toe, brick on E5", "D4 D3 C4 E4 E3 C5 F2 G1 B5"),
    ("notakto(3)", "Notakto, 3x3", "B2 A1 C2"),
    ("notakto(4)", "Notakto, 4x4", "A1 C2 D2 B1 A4 C3"),
    ("notakto(5)", "Notakto, 5x5", "C3 A1 B4 E2 D1 A3 C5"),
    ("notakto(3,boards=3)", "Notakto on three boards", "1.B2 2.A1 1.A3 3.B2 1.C1 2.C2"),
    ("mnk(4,4,3)", "Three in a row on 4x4", "B2 C3 B3 B1 C2"),
    ("mnk(5,6,4)", "Four in a row on 5x6", "C3 C4 B4 D2 D4 B3 E4"),
    ("gomoku", "Gomoku, 15x15", "H8 H9 G9 G8 F10 I7 J8 H10 F8 I9 E9"),
)


def game_name(rules: Rules) -> str:
    """What a game is called for people; its text if it has no name."""
    return next((name for text, name, _ in _PRESETS if parse_rules(text) == rules), format_rules(rules))


@router.get("/health")
async def health(request: Request) -> Health:
    """Whether the server is there."""
    return Health(status="ok", version=__version__, scripts=request.app.state.scripts)


@router.get("/presets")
async def presets() -> list[PresetAnswer]:
    """Games with names."""
    found = []
    for text, name, moves in _PRESETS:
        rules = parse_rules(text)
        found.append(
            PresetAnswer(text=format_rules(rules), name=name, sentence=describe_rules(rules), sample=moves.split())
        )
    return found


@router.post("/rules", responses=documented(400, 413, 415, 422))
def rules(asked: RulesRequest, shared: Shared) -> RulesAnswer:
    """Rules in every form: text, words, fields, and the empty board."""
    return show_rules(read_fields(asked, shared.limits))


@router.post("/position", responses=documented(400, 413, 415, 422))
async def position(asked: PositionRequest, shared: Shared) -> PositionAnswer:
    """A position as it is drawn."""
    return show_position(read_text(asked, shared.limits))


@router.post("/line", responses=documented(400, 413, 415, 422))
def line(asked: LineRequest, shared: Shared) -> LineAnswer:
    """The positions of a game, from the empty board on."""
    rules = read_rules(asked.rules, shared.limits)
    cells = tuple(map(rules.cell_of, asked.moves))
    position = play(rules, ())
    positions = [position]
    for cell in cells:
        position = position.play(cell)
        positions.append(position)
    return LineAnswer.model_construct(positions=[show_position(found) for found in positions])


@router.get(
    "/board.svg", response_class=Response, responses=documented(422) | {200: {"content": {"image/svg+xml": {}}}}
)
def board(
    shared: Shared,
    text: Annotated[Text, Query(description="Rules, then moves.", examples=["bttt(D4) C3 C4"])],
    theme: Literal["light", "dark"] = "light",
    notes: Annotated[str, Query(description="JSON: a list of what is written into cells.", max_length=40_000)] = "[]",
) -> Response:
    """A position as a drawing."""
    found = read_text(PositionRequest(text=text), shared.limits)
    return board_picture(found, read_notes(notes), dark=theme == "dark")


@router.get("/agents", responses=documented(503))
async def agents(shared: Shared) -> list[AgentAnswer]:
    """The agents that may play here, with their options."""
    return await shared.roster.agents()


@router.post("/agent", responses=documented(400, 413, 415, 422))
def agent(asked: AgentRequest, shared: Shared) -> AgentText:
    """The canonical text of an agent."""
    return AgentText(agent=str(read_agent(asked.agent, shared.limits)))


@router.post("/move", responses=documented(400, 413, 415, 422, 429, 503))
async def move(asked: MoveRequest, request: Request, shared: Shared) -> AgentMoveAnswer:
    """An agent's move."""
    found = read_position(asked.rules, asked.moves, shared.limits)
    if found.is_over:
        raise Refused(422, "the game is over: nobody is to move")
    limits = shared.limits
    task = MoveTask(
        rules=found.rules,
        moves=found.moves,
        seed=asked.seed,
        agent=read_agent(asked.agent, limits),
        seconds=limits.move_seconds,
    )
    client = client_of(request)
    async with shared.engine.turn(client, limits.moves):
        answer = await shared.engine.ask(task, limits.move_seconds, client, request.is_disconnected)
    after = found.play(answer["move"])
    name = found.rules.name_of(answer["move"])
    result = None if answer["result"] is None else Result.model_validate(answer["result"])
    return AgentMoveAnswer.model_construct(move=name, position=show_position(after), result=result)


@router.post("/steps", responses=documented(400, 413, 415, 422, 429, 503))
async def steps(asked: StepsRequest, request: Request, shared: Shared) -> Steps:
    """An agent's search after so many simulations, and what the last one did."""
    limits = shared.limits
    found = read_position(asked.rules, asked.moves, limits)
    if found.is_over:
        raise Refused(422, "the game is over: there is nothing to search for")
    agent = read_agent(asked.agent, limits)
    if not AGENTS[agent.name].traces:
        watched = " or ".join(kind.name for kind in AGENTS.values() if kind.traces)
        raise AgentError(f"agent {str(agent)!r} grows no tree that can be watched: give one of the kind {watched}")
    task = TraceTask(rules=found.rules, moves=found.moves, seed=asked.seed, agent=agent, iterations=asked.iterations)
    client = client_of(request)
    async with shared.engine.turn(client, limits.moves):
        answer = await shared.engine.ask(task, limits.move_seconds, client, request.is_disconnected)
    return Steps.model_validate(answer)
