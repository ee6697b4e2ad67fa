"""Routes for games that are kept: trees of moves with their analyses, which outlive the server. Each visitor has own ones."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from noughts.store.saved_games import SavedGame
from noughts.web.documents import SavedDocument, read_document
from noughts.web.errors import Refused, documented
from noughts.web.services import GameId, Shared, visitor_of

router = APIRouter(prefix="/api/games")

EXAMPLE_GAME = "example"
"""The id of the game with notes that ships, so that the first visitor finds one. A test proves what it says of each position."""
_EXAMPLE_NAME = "Two mistakes on 4x4, with notes"
Id = Annotated[str, Path(max_length=64)]

_MOST_OF_GUEST = 500  # games that each visitor but the owner may keep

_EXAMPLE: dict[str, Any] = {
    "name": "A first game",
    "game": {
        "format": "noughts-game",
        "version": 1,
        "rules": "tic-tac-toe",
        "players": {"first": "human", "second": "minimax:depth=2"},
        "seed": 7,
        "tree": {"move": None, "analysis": {}, "children": [{"move": "B2", "analysis": {}, "children": []}]},
    },
}


class GameInfo(BaseModel):
    """A game that is kept."""

    id: str
    name: str
    rules: str
    plies: int
    updated: str


class GameRequest(BaseModel):
    """A game that is to be kept."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    name: str = Field(min_length=1, max_length=200)
    game: SavedDocument


class GameAnswer(GameRequest):
    """A kept game."""

    id: str


def _body_schema() -> dict[str, Any]:
    """The schema of a request's body, for OpenAPI. FastAPI cannot read bodies nested so deep, so they are read here."""
    schema = GameRequest.model_json_schema(ref_template="#/components/schemas/{model}")
    del schema["$defs"]  # the answers' models put them among the components
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


_BODY = _body_schema()


@router.get("", response_model=list[GameInfo], responses=documented(503))
def list_games(request: Request, shared: Shared) -> Sequence[SavedGame]:
    """The games that the visitor who asks has kept, the latest first."""
    return shared.store.saved_games.list(visitor_of(request).keeper)


@router.post("", responses=documented(400, 413, 415, 422, 429, 503), openapi_extra=_BODY)
async def keep_game(request: Request, shared: Shared) -> GameId:
    """Keep a game."""
    games, body, keeper = shared.store.saved_games, await _body(request), visitor_of(request).keeper

    def keep() -> str:
        found = read_document(body)
        if keeper and games.count(keeper) >= _MOST_OF_GUEST:
            raise Refused(429, f"{_MOST_OF_GUEST} games are saved, the most for a guest: remove some first")
        return games.add(*found, keeper)

    return GameId(id=await run_in_threadpool(keep))


@router.get("/{id}", response_class=Response, responses=documented(404, 422, 503) | {200: {"model": GameAnswer}})
def get_game(id: Id, request: Request, shared: Shared) -> Response:
    """A kept game, or the one with notes that ships, `example`."""
    name, document = _EXAMPLE_NAME, _example_game()
    if id != EXAMPLE_GAME:
        game = shared.store.saved_games.get(id, visitor_of(request).keeper)
        if game is None:
            raise _no_game(id)
        name, document = game.name, game.document
    text = f'{{"id":{json.dumps(id)},"name":{json.dumps(name)},"game":{document}}}'
    return Response(text, media_type="application/json")


@router.put("/{id}", responses=documented(400, 404, 413, 415, 422, 503), openapi_extra=_BODY)
async def replace_game(id: Id, request: Request, shared: Shared) -> GameId:
    """Put another state of a game in the place of a kept one."""
    games, body, keeper = shared.store.saved_games, await _body(request), visitor_of(request).keeper
    if not await run_in_threadpool(lambda: games.replace(id, *read_document(body), keeper)):
        raise _no_game(id)
    return GameId(id=id)


@router.delete("/{id}", responses=documented(404, 422, 503))
def remove_game(id: Id, request: Request, shared: Shared) -> GameId:
    """Remove a kept game."""
    if not shared.store.saved_games.remove(id, visitor_of(request).keeper):
        raise _no_game(id)
    return GameId(id=id)


async def _body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "send a game as application/json")
    return await request.body()


@cache
def _example_game() -> str:
    return files("noughts.web").joinpath("example-game.json").read_text("utf-8")


def _no_game(id: str) -> Refused:
    return Refused(404, f"there is no saved game {id!r}")
