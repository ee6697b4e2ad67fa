"""The application: its routes, its workers and its guard, put together."""

import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from noughts import __version__
from noughts.store.results import Store
from noughts.web import analysis, games, matching, play, runs, studies
from noughts.web.engine import Engine
from noughts.web.errors import Refused, add_error_answers, documented
from noughts.web.limits import Limits
from noughts.web.safety import LOOPBACK, Guard
from noughts.web.services import Services

STATIC = Path(str(files("noughts.web") / "static"))
"""The page itself."""

_ABOUT = """Games of k in a row: positions, agents' moves, exact truth, stored games, studies and training runs.

Squares are named as on the board (`D4`); values are from the side to move, +1 won, 0 drawn, -1 lost. Every refusal is
`{"error": "one line"}`. Analyses stream over the WebSocket `/api/analysis`: send
`{"type": "analyse", "id": "a1", "rules": "bttt(D4)", "moves": [], "agent": "mcts:sims=100000", "seconds": 10}` (or
`"type": "exact"`, or `"game"` for every position of a game), receive
`{"type": "step", "id": "a1", "ply": 0, "done": false, "seconds": 0.1, "result": {...}}`, stop with
`{"type": "stop", "id": "a1"}`."""


def create_app(host: str = LOOPBACK[0], token: str | None = None, limits: Limits | None = None) -> FastAPI:
    """The application, on the store that the environment names.

    Args:
        host: Where the server will be bound.
        token: What those who ask must know; needed where others than this machine can ask.
        limits: How much may be asked for.
    """
    limits = limits or Limits()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.services = Services(limits, Engine(), Store.open())
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
    for module in (play, games, studies, runs, matching, analysis):
        app.include_router(module.router)
    mimetypes.add_type("text/javascript", ".js")  # some systems say otherwise, and browsers then refuse modules
    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        index = STATIC / "index.html"
        if not index.is_file():
            raise Refused(404, "the page was not installed with the server; the API is under /api")
        return FileResponse(index)

    app.add_middleware(Guard, host=host, token=token, limits=limits)
    return app
