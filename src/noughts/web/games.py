"""Routes for saved games: trees of moves with analyses, which survive a restart of the server. Visitors see only their own."""

import json
from collections.abc import Sequence

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from noughts.store.saved_games import SavedGame
from noughts.web.documents import GameRequest, read_document
from noughts.web.errors import Refused
from noughts.web.services import GameId, Id, Shared, visitor_of

router = APIRouter(prefix="/api/games")

_MOST_OF_GUEST = 500  # saved games of each visitor except the owner


class GameInfo(BaseModel):
    """A saved game in a list."""

    id: str
    name: str
    rules: str
    plies: int
    updated: str


class GameAnswer(GameRequest):
    """A saved game."""

    id: str


_SCHEMA = GameRequest.model_json_schema(ref_template="#/components/schemas/{model}")
del _SCHEMA["$defs"]  # the models of answers already add them to the components
_BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": _SCHEMA}}}}
"""The schema of a request's body, for OpenAPI. FastAPI cannot parse bodies that nest this deep, so this module does."""


@router.get("", response_model=list[GameInfo])
def list_games(request: Request, shared: Shared) -> Sequence[SavedGame]:
    """This visitor's saved games, the latest first."""
    return shared.store.saved_games.list(visitor_of(request).keeper)


@router.post("", openapi_extra=_BODY)
async def keep_game(request: Request, shared: Shared) -> GameId:
    """Save a game."""
    games, body, keeper = shared.store.saved_games, await _body(request), visitor_of(request).keeper

    def keep() -> str:
        found = read_document(body)
        if keeper and games.count(keeper) >= _MOST_OF_GUEST:
            raise Refused(422, f"{_MOST_OF_GUEST} games are saved, the most for a guest: remove some first")
        return games.add(*found, keeper)

    return GameId(id=await run_in_threadpool(keep))


@router.get("/{id}", response_class=Response, responses={200: {"model": GameAnswer}})
def get_game(id: Id, request: Request, shared: Shared) -> Response:
    """A saved game."""
    game = shared.store.saved_games.get(id, visitor_of(request).keeper)
    if game is None:
        raise _no_game(id)
    text = f'{{"id":{json.dumps(id)},"name":{json.dumps(game.name)},"game":{game.document}}}'
    return Response(text, media_type="application/json")


@router.put("/{id}", openapi_extra=_BODY)
async def replace_game(id: Id, request: Request, shared: Shared) -> GameId:
    """Replace a saved game."""
    games, body, keeper = shared.store.saved_games, await _body(request), visitor_of(request).keeper
    if not await run_in_threadpool(lambda: games.replace(id, *read_document(body), keeper)):
        raise _no_game(id)
    return GameId(id=id)


@router.delete("/{id}")
def remove_game(id: Id, request: Request, shared: Shared) -> GameId:
    """Delete a saved game."""
    if not shared.store.saved_games.remove(id, visitor_of(request).keeper):
        raise _no_game(id)
    return GameId(id=id)


async def _body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "send a game as application/json")
    return await request.body()


def _no_game(id: str) -> Refused:
    return Refused(404, f"there is no saved game {id!r}")
