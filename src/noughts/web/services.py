"""`Services`: what the routes share, made once when the server starts; and the visitor who sends a request."""

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
    """What a kept game or a command is asked for by."""

    id: str


class Services:
    """What routes share while the server runs.

    Attributes:
        engine: The worker processes.
        store: Where games and studies are kept.
        commands: Those that were started from the page.
    """

    def __init__(self, engine: Engine, store: Store) -> None:
        self.engine, self.store, self.commands = engine, store, Commands(store.folder)

    async def close(self) -> None:
        """End the workers; all that was finished is kept."""
        await self.commands.close()
        self.engine.close()
        self.store.close()

    async def search(self, asked: Search, request: Request) -> Response:
        """A worker's answer, passed on unchanged."""
        text = await self.engine.ask(asked, client_of(request), request.is_disconnected)
        return Response(text, media_type="application/json")


async def services(request: Request) -> Services:
    """The server's; async, because a thread would cost more than this look-up."""
    found: Services = request.app.state.services
    return found


Shared = Annotated[Services, Depends(services)]


def client_of(request: HTTPConnection) -> str:
    """The name under which a visitor's requests are counted, for limits."""
    return visitor_of(request).client or (request.client.host if request.client else "")


def visitor_of(request: HTTPConnection) -> Visitor:
    """The visitor, whom the guard has found."""
    found: Visitor = request.scope[VISITOR]
    return found


async def owner(request: Request) -> None:
    """A dependency of routes that start work for the whole machine: Refused for a visitor who is not the owner."""
    if not visitor_of(request).is_owner:
        raise Refused(403, "only the owner may do this: use the owner's address that `noughts serve` printed")
