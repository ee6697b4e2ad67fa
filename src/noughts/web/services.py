"""`Services`: objects that all routes share, created when the server starts; and the visitor of a request."""

from typing import Annotated

from fastapi import Depends, Path, Request
from fastapi.requests import HTTPConnection
from fastapi.responses import Response
from pydantic import BaseModel

from noughts.store.results import Store
from noughts.web.asked import Search
from noughts.web.commands import Commands
from noughts.web.engine import Engine
from noughts.web.errors import Refused
from noughts.web.visitors import VISITOR, Visitor

Id = Annotated[str, Path(max_length=64)]


class GameId(BaseModel):
    """The id of a saved game, of a game in a class, of a pupil or of a command."""

    id: str


class Services:
    """The objects that routes share while the server runs.

    Attributes:
        engine: The worker processes.
        store: The store of games and studies.
        commands: The commands that were started from the page.
    """

    def __init__(self, engine: Engine, store: Store) -> None:
        self.engine, self.store, self.commands = engine, store, Commands(store.folder)

    async def close(self) -> None:
        """Stop the commands and workers. Finished results are kept."""
        await self.commands.close()
        self.engine.close()
        self.store.close()

    async def search(self, asked: Search, request: Request) -> Response:
        """Run a search in a worker, and return its answer unchanged."""
        text = await self.engine.ask(asked, client_of(request), request.is_disconnected)
        return Response(text, media_type="application/json")


async def services(request: Request) -> Services:
    """Return the server's services. The function is async because FastAPI would otherwise run it in a thread, which costs more."""
    found: Services = request.app.state.services
    return found


Shared = Annotated[Services, Depends(services)]


def client_of(request: HTTPConnection) -> str:
    """Return the name under which a visitor's requests are counted, for limits."""
    return visitor_of(request).client or (request.client.host if request.client else "")


def visitor_of(request: HTTPConnection) -> Visitor:
    """Return the visitor, whom the guard recognised."""
    found: Visitor = request.scope[VISITOR]
    return found


async def owner(request: Request) -> None:
    """Raise Refused unless the visitor is the owner. A dependency of routes that start work for the whole machine."""
    if not visitor_of(request).is_owner:
        raise Refused(403, "only the owner may do this: use the owner's address that `noughts serve` printed")
