"""Routes for games that are kept: trees of moves with their analyses, which outlive the server. Everybody has own ones."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from noughts.web.answers import GameId, GameInfo
from noughts.web.documents import SavedDocument, read_document, write_document
from noughts.web.errors import Refused, documented
from noughts.web.example_game import EXAMPLE_GAME, NAME, example_game
from noughts.web.services import Services, services, visitor_of

router = APIRouter(prefix="/api/games")
Shared = Annotated[Services, Depends(services)]
Id = Annotated[str, Path(max_length=64)]


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


class GameRequest(BaseModel):
    """A game that is to be kept."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    name: str = Field(min_length=1, max_length=200)
    game: SavedDocument


class GameAnswer(BaseModel):
    """A kept game."""

    id: str
    name: str
    game: SavedDocument


def _body_schema() -> dict[str, Any]:
    """The schema of a request's body, for OpenAPI. FastAPI cannot read bodies nested so deep, so they are read here."""
    schema = GameRequest.model_json_schema(ref_template="#/components/schemas/{model}")
    del schema["$defs"]  # the answers' models put them among the components
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


_BODY = _body_schema()


@router.get("", responses=documented(503))
def list_games(request: Request, shared: Shared) -> list[GameInfo]:
    """The games that are kept by whoever asks, the latest first."""
    return [
        GameInfo(id=game.id, name=game.name, rules=game.rules, plies=game.plies, updated=game.updated)
        for game in shared.store.saved_games.list(visitor_of(request).keeper)
    ]


@router.post("", responses=documented(400, 413, 415, 422, 429, 503), openapi_extra=_BODY)
async def keep_game(request: Request, shared: Shared) -> GameId:
    """Keep a game."""
    body = await _body(request)
    keeper = visitor_of(request).keeper

    def keep() -> str:
        found = read_document(body, shared.limits)
        _require_room(shared, keeper)
        return shared.store.saved_games.add(found.name, found.rules, found.plies, found.text, keeper)

    return GameId(id=await run_in_threadpool(keep))


@router.get("/{id}", response_class=Response, responses=documented(404, 422, 503) | {200: {"model": GameAnswer}})
def get_game(id: Id, request: Request, shared: Shared) -> Response:
    """A kept game, or the one with notes that ships, `example`."""
    if id == EXAMPLE_GAME:
        return Response(write_document(id, NAME, example_game()), media_type="application/json")
    game = shared.store.saved_games.get(id, visitor_of(request).keeper)
    if game is None:
        raise _no_game(id)
    return Response(write_document(game.id, game.name, game.document), media_type="application/json")


@router.put("/{id}", responses=documented(400, 404, 413, 415, 422, 503), openapi_extra=_BODY)
async def replace_game(id: Id, request: Request, shared: Shared) -> GameId:
    """Put another state of a game in the place of a kept one."""
    body = await _body(request)
    keeper = visitor_of(request).keeper

    def replace() -> None:
        found = read_document(body, shared.limits)
        if not shared.store.saved_games.replace(id, found.name, found.rules, found.plies, found.text, keeper):
            raise _no_game(id)

    await run_in_threadpool(replace)
    return GameId(id=id)


@router.delete("/{id}", responses=documented(404, 422, 503))
def remove_game(id: Id, request: Request, shared: Shared) -> GameId:
    """Remove a kept game."""
    if not shared.store.saved_games.remove(id, visitor_of(request).keeper):
        raise _no_game(id)
    return GameId(id=id)


def _require_room(shared: Services, keeper: str) -> None:
    """Refused if no more games can be kept for somebody; the owner is not kept out by others."""
    games, limits = shared.store.saved_games, shared.limits
    most = limits.guest_games if keeper else limits.games
    if games.count(keeper) >= most:
        raise Refused(429, f"{most} games are kept: remove some first")
    if keeper and games.count_of_guests() >= limits.games:
        raise Refused(429, f"{limits.games} games are kept for all visitors: remove some first")


async def _body(request: Request) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "send a game as application/json")
    return await request.body()


def _no_game(id: str) -> Refused:
    return Refused(404, f"no game {id!r} is kept here")
