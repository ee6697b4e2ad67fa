"""`open_classroom`: the page with a class: its routes, its part of the page and its visitors, put beside those of the application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response

from noughts.classroom import live, routes
from noughts.classroom.qr_code import qr_text
from noughts.classroom.room import JOIN_PAGE, join_address, open_class
from noughts.classroom.school_class import SchoolClass
from noughts.classroom.visitors import ClassVisitors
from noughts.store.class_records import ClassRecords
from noughts.web.app import create_app
from noughts.web.limits import Limits
from noughts.web.page import METHODS, Files
from noughts.web.server import Listening, new_token

STATIC = Path(str(files("noughts.classroom") / "static"))
"""Where the class's part of the page is."""

_ABOUT = """

A class sends what happens in it over the WebSocket `/api/class/live`, on which nothing is asked:
`{"type": "class", "class": {...}}` whenever the class has changed, as `GET /api/class` gives it, and
`{"type": "game", "game": {...}}` for each game that one may see, at first and after each move, as `GET /api/class/games/{id}`
gives it."""

_files = Files(STATIC)
_page = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class OpenedClass:
    """A class that can be served.

    Attributes:
        app: What is to be served.
        listening: Where, with a token for the teacher alone.
        code: By which pupils join.
        joining: The address at which they do, with the code.
        qr: That address for a terminal.
    """

    app: FastAPI
    listening: Listening
    code: str
    joining: str
    qr: str


def class_code(records: ClassRecords) -> str:
    """The code of the class that goes on, or of a new one; StoreError if another server holds it."""
    class_id, kept = open_class(records)
    records.lock(class_id).release(done=True)
    return kept.code


def open_classroom(listening: Listening, code: str) -> OpenedClass:
    """The page with a class, where a socket listens; `code` is that of the class."""
    listening = replace(listening, token=None, owner_token=new_token(), owner_page="#/class")
    joining = join_address(listening.address, code)
    app = class_app(listening.host, listening.owner_token, listening.address)
    return OpenedClass(app, listening, code, joining, qr_text(joining))


def class_app(host: str, owner_token: str | None, address: str, limits: Limits | None = None) -> FastAPI:
    """The application with a class.

    Args:
        host: Where the server will be bound.
        owner_token: What the teacher knows.
        address: Of the page, as pupils reach it.
        limits: How much may be asked for.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        found = app.state.school_class = SchoolClass(app.state.services, address)
        found.games.go_on()
        try:
            yield
        finally:
            found.close()

    app = create_app(host, ClassVisitors(None, owner_token), limits)
    app.description += _ABOUT
    app.state.scripts.append("/class/class.js")
    together = APIRouter(lifespan=lifespan)
    for router in (routes.router, live.router, _page):
        together.include_router(router)
    app.include_router(together)
    return app


@_page.api_route(JOIN_PAGE, methods=METHODS)
async def join_page(request: Request) -> Response:
    """The page for those who are not in the class yet."""
    return _files.answer("join.html", request)


@_page.api_route("/class/{name:path}", methods=METHODS)
async def class_file(name: str, request: Request) -> Response:
    """A file of the class's part of the page."""
    return _files.answer(name, request)
