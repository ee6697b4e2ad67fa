"""Routes of a class: its pupils and how they join, the assignment, the results, the games, and the teacher's actions."""

import io
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Body, Depends, Request
from fastapi.requests import HTTPConnection
from fastapi.responses import Response

from noughts.classroom.games import read_opponent
from noughts.classroom.showing import ClassAnswer, ClassGameAnswer, ClassSeen
from noughts.classroom.values import Assignment
from noughts.web.asked import MoveNames
from noughts.web.errors import Refused
from noughts.web.pictures import PICTURE
from noughts.web.reading import RulesText, Text, play
from noughts.web.services import GameId, Id, owner, visitor_of
from noughts.web.visitors import cookie

router = APIRouter(prefix="/api/class")


async def seen(connection: HTTPConnection) -> ClassSeen:
    """The server's class, as this visitor sees it."""
    return ClassSeen(connection.app.state.school_class, visitor_of(connection))


Here = Annotated[ClassSeen, Depends(seen)]
TEACHER = [Depends(owner)]


@router.post("/join")
async def join_class(
    code: Annotated[
        str, Body(max_length=64, description="Spaces and small letters do not matter.", examples=["K7M2QX"])
    ],
    nickname: Annotated[str, Body(max_length=200, description="Is cleaned; unique in the class.", examples=["Mia"])],
    request: Request,
    response: Response,
    here: Here,
) -> GameId:
    """Join the class with its code. The answer is the pupil's id; a cookie identifies the browser from then on."""
    if here.visitor.is_owner:
        raise Refused(403, "you are the teacher here: join as a pupil in another browser, or in a private window")
    if here.visitor.client:
        return GameId(id=here.visitor.client)
    pupil, token = await here.school.room.join(code, nickname)
    response.headers["Set-Cookie"] = cookie(request.scope, token)
    return GameId(id=pupil)


@router.get("")
async def get_class(here: Here) -> ClassAnswer:
    """The class, as this visitor sees it."""
    return here.show()


@router.put("", dependencies=TEACHER)
async def close_class(closed: Annotated[bool, Body(embed=True)], here: Here) -> ClassAnswer:
    """Close or reopen the class. While it is closed, pupils have no access, and `noughts serve --class` begins a new one."""
    async with here.school.room.turn:
        await here.school.room.change_class(closed=closed)
    return here.show()


@router.delete("/pupils/{id}", dependencies=TEACHER)
async def remove_pupil(id: Id, here: Here) -> ClassAnswer:
    """Remove a pupil from the class. The pupil's games and results are kept."""
    await here.school.room.remove_pupil(id)
    return here.show()


@router.put("/assignment", dependencies=TEACHER)
async def set_assignment(here: Here, asked: Assignment | None = None) -> ClassAnswer:
    """Set the assignment for all pupils, or remove it. It replaces the previous one, whose results no longer count."""
    await here.school.assign(asked)
    return here.show()


@router.post("/assignment/begin")
async def begin_assignment(here: Here) -> GameId:
    """The pupil's game of the assignment: the unfinished one, or a new one."""
    return GameId(id=await here.school.begin(here.pupil))


@router.post("/solved")
async def solved(
    rules: Annotated[RulesText, Body(examples=["tic-tac-toe"])],
    moves: Annotated[MoveNames, Body(default_factory=list, examples=[["C3", "C2", "C1"]])],
    move: Annotated[str, Body(max_length=12, description="That solves it.", examples=["B2"])],
    here: Here,
) -> ClassAnswer:
    """Record that the pupil solved a bundled puzzle; the server checks the move."""
    await here.school.solve(here.pupil, play(rules, moves), move)
    return here.show()


@router.get(
    "/results.csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}}, dependencies=TEACHER
)
async def results_as_csv(here: Here) -> Response:
    """The table of results as a file."""
    headers = {"Content-Disposition": 'attachment; filename="noughts-class.csv"'}
    content = "\ufeff" + here.school.csv()  # a byte order mark, from which some programs detect UTF-8
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/code.svg", response_class=Response, responses=PICTURE, dependencies=TEACHER)
async def code_as_picture(here: Here) -> Response:
    """The address at which pupils join, as a QR code."""
    code, picture = segno.make_qr(here.school.room.join_address, error="m"), io.BytesIO()
    # Black on white with a margin in every theme of the page, because cameras need that.
    code.save(picture, kind="svg", scale=8, border=4, light="#fff", dark="#000")
    return Response(picture.getvalue(), media_type="image/svg+xml")


@router.post("/games")
async def make_class_game(
    rules: Annotated[RulesText, Body(examples=["tic-tac-toe"])],
    here: Here,
    begins: Annotated[Literal["me", "other", "chance"], Body()] = "chance",
    agent: Annotated[Text, Body(description="The opponent, if it is an agent.")] = "",
) -> GameId:
    """Create a game against an agent, or against the first pupil who takes the open seat by its link."""
    opponent = read_opponent(agent, rules) if agent else ""
    return GameId(id=await here.school.games.make(here.pupil, rules, opponent, begins))


@router.get("/games/{id}")
async def class_game(id: Id, here: Here) -> ClassGameAnswer:
    """A game of this pupil, or one with an open seat; any game for the teacher."""
    return here.game(id)


@router.post("/games/{id}/take")
async def take_seat(id: Id, here: Here) -> ClassGameAnswer:
    """Take the open seat of a game."""
    await here.school.games.take(id, here.pupil)
    return here.game(id)


@router.post("/games/{id}/moves")
async def move_in_class(
    id: Id,
    ply: Annotated[int, Body(ge=0, le=10_000, description="How many moves there were before.", examples=[0])],
    move: Annotated[str, Body(max_length=12, examples=["B2"])],
    here: Here,
) -> ClassGameAnswer:
    """Play a move, if it is the pupil's turn and the move is legal. A move that was sent twice is played once."""
    await here.school.games.move(id, here.pupil, ply, move)
    return here.game(id)


@router.post("/games/{id}/resign")
async def resign_game(id: Id, here: Here) -> ClassGameAnswer:
    """Resign a game, or close one that waits for a player."""
    await here.school.games.resign(id, here.pupil)
    return here.game(id)
