"""The application: it combines the routes, the workers and the guard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

import anyio.to_thread
from fastapi import FastAPI

from noughts import __version__
from noughts.machine.plugins import shut
from noughts.store.results import Store
from noughts.web import analysis, commanding, findings, games, learning, play, runs, studies
from noughts.web.engine import Engine
from noughts.web.errors import ERRORS, REFUSALS, answer_error
from noughts.web.page import add_files, add_page
from noughts.web.safety import LOOPBACK, Guard
from noughts.web.services import Services
from noughts.web.visitors import Visitors

_THREADS = 4  # for routes that read the disk; more threads would only wait for each other

_ABOUT = """Games of k in a row: positions, agents' moves, exact truth, stored games, studies and training runs.

Squares are named as on the board (`D4`); values are from the side to move, +1 won, 0 drawn, -1 lost. Every refusal is
`{"error": "one line"}`. Analyses stream over the WebSocket `/api/analysis`: send
`{"type": "analyse", "id": "a1", "rules": "bttt(D4)", "moves": [], "agent": "mcts:sims=100000", "seconds": 10}` (or
`"type": "exact"`, or `"game"` for every position of a game), receive
`{"type": "step", "id": "a1", "ply": 0, "done": false, "seconds": 0.1, "result": {...}}`, stop with
`{"type": "stop", "id": "a1"}`."""


def create_app(host: str = LOOPBACK[0], visitors: Visitors | None = None) -> FastAPI:
    """Make the application, on the store that the environment names.

    Args:
        host: The host that the server will bind.
        visitors: Who may send requests; by default only this machine.
    """
    visitors = visitors or Visitors()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
        with nullcontext() if visitors.all_are_owner else shut():  # before any worker is started
            app.state.services = Services(Engine(), Store.open())
            try:
                yield
            finally:
                await app.state.services.close()

    app = FastAPI(
        title="noughts",
        version=__version__,
        description=_ABOUT,
        openapi_url="/api/openapi.json",
        docs_url=None,  # it would load files from other hosts
        redoc_url=None,
        responses=REFUSALS,
        exception_handlers=dict.fromkeys(ERRORS, answer_error),
        lifespan=lifespan,
    )
    for module in (play, learning, games, studies, findings, runs, commanding, analysis):
        app.include_router(module.router)
    add_page(app)
    add_files(app, findings.PICTURES, findings.FOLDER)
    app.add_middleware(Guard, host=host, visitors=visitors)
    app.state.scripts, app.state.token = [], visitors.token
    return app
