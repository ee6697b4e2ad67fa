"""A class for the tests: the application with a class, its teacher, and pupils who join it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from noughts.classroom.opening import class_app
from noughts.classroom.school_class import SchoolClass
from tests.web.serving import Server, server, without_process

OWNER_TOKEN = "a-teacher-s-token"
ADDRESS = "http://127.0.0.1:8400/"


@cache
def school_app() -> FastAPI:
    """Made once, because its routes take a quarter of a second; its state is each school's own."""
    return class_app("0.0.0.0", OWNER_TOKEN, ADDRESS)


class School:
    """A running class: `teacher` sends requests as its teacher, `nobody` as a visitor who has not joined."""

    def __init__(self, teacher: httpx.AsyncClient, open_clients: AsyncExitStack) -> None:
        self.teacher = teacher
        self._open = open_clients
        self.nobody = self.stranger()

    def stranger(self) -> httpx.AsyncClient:
        """A new browser without cookies."""
        client = httpx.AsyncClient(transport=self.teacher._transport, base_url=ADDRESS.rstrip("/"))
        self._open.push_async_callback(client.aclose)
        return client

    async def code(self) -> str:
        found = (await self.teacher.get("/api/class")).json()["code"]
        assert isinstance(found, str)
        return found

    async def join(self, nickname: str) -> "Pupil":
        """A pupil with a separate browser."""
        client = self.stranger()
        answer = await client.post("/api/class/join", json={"code": await self.code(), "nickname": nickname})
        assert answer.status_code == 200, answer.text
        return Pupil(client, answer.json()["id"])


class Pupil:
    def __init__(self, client: httpx.AsyncClient, id: str) -> None:
        self.client, self.id = client, id

    async def make(self, **asked: Any) -> str:
        """Make a game; return its id."""
        answer = await self.client.post("/api/class/games", json={"rules": "tic-tac-toe", **asked})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    async def game(self, game: str) -> dict[str, Any]:
        answer = await self.client.get(f"/api/class/games/{game}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def do(self, game: str, what: str, **asked: Any) -> httpx.Response:
        """Send an action for a game: take, moves or resign."""
        return await self.client.post(f"/api/class/games/{game}/{what}", json=asked or None)

    async def play(self, game: str, square: str) -> httpx.Response:
        """Move in the current position."""
        return await self.do(game, "moves", ply=len((await self.game(game))["moves"]), move=square)


@asynccontextmanager
async def school(place: Path) -> AsyncIterator[School]:
    """A server with a class, with a store in a folder."""
    app = school_app()
    async with without_process(app, place) as teacher, AsyncExitStack() as clients:
        with closing(SchoolClass(app.state.services, ADDRESS)) as app.state.school_class:
            assert (await teacher.get(f"/api/class?token={OWNER_TOKEN}")).json()["me"] == ""
            yield School(teacher, clients)


@dataclass
class ClassServer:
    """A running `noughts serve --class`: the class code, and the addresses for pupils and the teacher."""

    server: Server
    code: str
    join: str
    teach: str


@contextmanager
def class_server(folder: Path) -> Iterator[ClassServer]:
    """A server with a class, only reachable from this machine, with a store in a folder."""
    with server(folder, "--class", "--host", "127.0.0.1") as found:
        assert found.process.stdout is not None
        said: list[str] = []
        while not said or "yours alone" not in said[-1]:
            said.append(found.process.stdout.readline())
            assert said[-1], found.log.read_text()
        yield ClassServer(found, said[1].split()[-1], said[0].split()[-1], said[-1].split()[-1])
