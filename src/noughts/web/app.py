"""The application: its routes, its workers and its guard, put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

import anyio.to_thread
from fastapi import FastAPI

from noughts import __version__
from noughts.machine.plugins import shut
from noughts.store.results import Store
from noughts.web import (
    analysis,
    class_games_routes,
    class_live,
    class_routes,
    commanding,
    games,
    imagining,
    learning,
    matching,
    page,
    play,
    runs,
    studies,
)
from noughts.web.engine import Engine
from noughts.web.errors import add_error_answers, documented
from noughts.web.limits import Limits
from noughts.web.safety import LOOPBACK, Guard
from noughts.web.services import Services

_THREADS = 4  # for routes that read the disk: more of them would only wait for each other

_ABOUT = """Games of k in a row: positions, agents' moves, exact truth, stored games, studies and training runs.

Squares are named as on the board (`D4`); values are from the side to move, +1 won, 0 drawn, -1 lost. Every refusal is
`{"error": "one line"}`. Analyses stream over the WebSocket `/api/analysis`: send
`{"type": "analyse", "id": "a1", "rules": "bttt(D4)", "moves": [], "agent": "mcts:sims=100000", "seconds": 10}` (or
`"type": "exact"`, or `"game"` for every position of a game), receive
`{"type": "step", "id": "a1", "ply": 0, "done": false, "seconds": 0.1, "result": {...}}`, stop with
`{"type": "stop", "id": "a1"}`.

A class is told what happens in it over the WebSocket `/api/class/live`, on which nothing is asked:
`{"type": "class", "class": {...}}` whenever the class has changed, as `GET /api/class` gives it, and
`{"type": "game", "game": {...}}` for each game that one may see, at first and after each move, as `GET /api/class/games/{id}`
gives it."""


def create_app(
    host: str = LOOPBACK[0],
    token: str | None = None,
    limits: Limits | None = None,
    owner_token: str | None = None,
    class_address: str | None = None,
) -> FastAPI:
    """The application, on the store that the environment names.

    Args:
        host: Where the server will be bound.
        token: What those who ask must know; needed where others than this machine can ask.
        limits: How much may be asked for.
        owner_token: What the owner knows instead, who may start trainings, studies and proofs.
        class_address: Of the page, as the pupils of a class reach it; None for no class.
    """
    limits = limits or Limits()
    in_class = class_address is not None
    only_this_machine = token is None and owner_token is None and not in_class

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
        with nullcontext() if only_this_machine else shut():  # before any worker is started
            app.state.services = Services(limits, Engine(), Store.open(), class_address)
            if app.state.services.school_class is not None:
                app.state.services.school_class.go_on()
            try:
                yield
            finally:
                app.state.services.close()

    app = FastAPI(
        title="noughts",
        version=__version__,
        description=_ABOUT,
        openapi_url="/api/openapi.json",
        docs_url=None,  # their assets would come from elsewhere
        redoc_url=None,
        responses=documented(403, 503),
        lifespan=lifespan,
    )
    add_error_answers(app)
    talking = (play, imagining, learning, games, studies, runs, matching, commanding, class_routes, class_games_routes)
    for module in (page, *talking, analysis, class_live):
        app.include_router(module.router)
    app.add_middleware(Guard, host=host, token=token, limits=limits, owner_token=owner_token, in_class=in_class)
    return app
