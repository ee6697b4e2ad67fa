"""The web application with a class: it adds routes, a part of the page, and visitors to `create_app`."""

import contextlib
import io
from collections.abc import AsyncIterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import segno
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import FileResponse, RedirectResponse, Response
from starlette.types import Scope

from noughts.classroom import live, routes
from noughts.classroom.room import join_address, open_class
from noughts.classroom.school_class import SchoolClass
from noughts.store.results import Store
from noughts.web.app import create_app
from noughts.web.errors import Refused
from noughts.web.page import METHODS, add_files
from noughts.web.server import Listening, new_token
from noughts.web.services import visitor_of
from noughts.web.visitors import Visitor, Visitors, kept_by_browser

STATIC = Path(str(files("noughts.classroom") / "static"))
"""The folder of the class's part of the page."""

JOIN_PAGE = "/join"  # for visitors who have not joined yet

_OPEN = (JOIN_PAGE, "/api/class/join")
_OPEN_FOLDERS = ("/static/", "/class/")
_ABOUT = """

A class sends `{"type": "class", "class": {...}}` and `{"type": "game", "game": {...}}` over the WebSocket `/api/class/live`, at first and
whenever one has changed, as `GET /api/class` and `GET /api/class/games/{id}` give them. Nothing is asked on it."""


def open_classroom(listening: Listening) -> tuple[FastAPI, Listening, list[str]]:
    """Return the application for a socket, the socket with a token for the teacher only, and lines to print for the teacher.

    Raises:
        StoreError: the store that the environment names is unreadable, or another server runs its class.
    """
    listening = replace(listening, token=None, owner_token=new_token(), owner_page="#/class")
    try:
        with Store.open() as store:
            class_id, kept = open_class(store.class_records)
            store.class_records.lock(class_id).release(done=True)
    except BaseException:
        listening.socket.close()
        raise
    joining, picture = join_address(listening.address, kept.code), io.StringIO()
    segno.make_qr(joining, error="l").terminal(out=picture, compact=True, border=2)
    lines = [
        f"pupils join at {joining}",
        f"or there with the code {kept.code}",
        picture.getvalue(),
        f"yours alone, to teach: {listening.owner_address}",
    ]
    return class_app(listening.host, listening.owner_token, listening.address), listening, lines


def class_app(host: str, owner_token: str | None, address: str) -> FastAPI:
    """Make the application with a class.

    Args:
        host: The host that the server will bind.
        owner_token: The teacher's token.
        address: The page's address for pupils.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        found = app.state.school_class = SchoolClass(app.state.services, address)
        with contextlib.closing(found):
            yield

    app = create_app(host, ClassVisitors(None, owner_token))
    app.description += _ABOUT
    app.state.scripts.append("/class/class.js")
    together = APIRouter(lifespan=lifespan)
    for router in (routes.router, live.router):
        together.include_router(router)
    app.include_router(together)
    add_files(app, "/class", STATIC)

    @app.api_route(JOIN_PAGE, methods=METHODS, include_in_schema=False)
    async def join_page(request: Request) -> Response:
        """The page for visitors who have not joined yet; others are redirected to the main page."""
        return RedirectResponse("/", 307) if visitor_of(request).is_admitted else FileResponse(STATIC / "join.html")

    return app


class ClassVisitors(Visitors):
    """The teacher, who is the owner; pupils, recognised by their cookie; and strangers, who only see how to join."""

    def recognise(self, scope: Scope) -> tuple[Visitor, str | None]:
        """See `Visitors`. The `client` of a pupil is the pupil's id; it is empty for other visitors.

        A pupil's browser stays the pupil's, whatever address it opens.
        """
        room = scope["app"].state.school_class.room
        if (pupil := room.who_has(kept_by_browser(scope))) is not None:
            return Visitor(keeper=f"class-{room.id}-{pupil}", client=pupil), None
        return super().recognise(scope)

    def answer_stranger(self, scope: Scope) -> Response | None:
        """See `Visitors`. A stranger who opens the page is redirected to the page for joining, which explains a removal."""
        path = scope["path"]
        if scope["type"] == "http" and path == "/" and scope["method"] in METHODS:
            removed = scope["app"].state.school_class.room.who_has(kept_by_browser(scope), removed=True)
            return RedirectResponse(JOIN_PAGE + "?removed" * (removed is not None), 307)
        if path in _OPEN or path.startswith(_OPEN_FOLDERS):
            return None
        raise Refused(403, f"this is a class: open {JOIN_PAGE} at this address, and join it first")
