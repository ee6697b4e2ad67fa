"""The WebSocket of analyses: many at once on one socket, each streamed step by step, each stopped when it is asked for.

A message that is not understood is answered by an error, and the socket stays open. If a client is slow, only the latest
step of each analysis and ply is kept for it, so memory stays bounded.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import APIRouter, WebSocket
from pydantic import ValidationError

from noughts.rules import NoughtsError
from noughts.web.asked import AnalysisRequest
from noughts.web.engine import Event
from noughts.web.errors import Refused, refused
from noughts.web.services import Services, client_of
from noughts.web.sockets import serve_client

router = APIRouter()

_LONGEST_ID = 100


@router.websocket("/api/analysis")
async def analysis(socket: WebSocket) -> None:
    """Serve one client until it leaves."""
    await socket.accept()
    desk = _Desk(socket, socket.app.state.services)
    await serve_client(socket, desk.send, desk.read, desk.close)


@dataclass
class _Analysis:
    """One that is at work: how it is ended, and what it said last.

    An agent tells each ply of a whole game once, so its last one waits for the end of the analysis.
    """

    id: str
    final_ply: int | None
    last: dict[str, Any]
    leave: Callable[[], None] = field(default=lambda: None)


class _Desk:
    """What one client asked for."""

    def __init__(self, socket: WebSocket, services: Services) -> None:
        self._socket, self._services = socket, services
        self._at_work: dict[str, _Analysis] = {}
        self._outbox: OrderedDict[object, dict[str, Any]] = OrderedDict()
        self._news = asyncio.Event()

    async def read(self, message: Any) -> None:
        """Do what a message asks for, or say why not."""
        id = None
        try:
            asked = json.loads(message.get("text") or "null")
            id = asked.get("id") if isinstance(asked, dict) else None
            if not isinstance(id, str) or not 1 <= len(id) <= _LONGEST_ID:
                id = None
                raise Refused(422, f"a message is one JSON object, with an id of 1 to {_LONGEST_ID} characters")
            if asked.get("type") == "stop":
                if id in self._at_work:
                    self._at_work[id].leave()
            else:
                self._begin(id, AnalysisRequest.model_validate(asked))
        except ValidationError as error:
            self._complain(id, refused(error))
        except NoughtsError as error:
            self._complain(id, error)
        except (ValueError, RecursionError):
            self._complain(id, Refused(422, "a message is one JSON object, as text"))

    async def send(self) -> None:
        """Send the steps as they come, until the socket closes."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._outbox:
                _, message = self._outbox.popitem(last=False)
                await self._socket.send_text(json.dumps(message))

    def close(self) -> None:
        """Stop everything."""
        for at_work in list(self._at_work.values()):
            at_work.leave()

    def _begin(self, id: str, asked: AnalysisRequest) -> None:
        if id in self._at_work:
            raise Refused(422, f"an analysis {id!r} is at work already: stop it, or choose another id")
        ply = asked.position.ply
        final_ply = ply if asked.of_game and asked.agent is not None else None
        nothing = {"ply": 0 if asked.of_game else ply, "seconds": 0.0, "result": None, "bounds": None}
        at_work = self._at_work[id] = _Analysis(id, final_ply, nothing)
        try:
            at_work.leave = self._services.engine.start(asked, partial(self._hear, at_work), client_of(self._socket))
        except NoughtsError:
            del self._at_work[id]
            raise

    def _hear(self, at_work: _Analysis, event: Event) -> None:
        if self._at_work.get(at_work.id) is not at_work:
            return
        if event.kind == "step":
            at_work.last = json.loads(event.text)
            if at_work.final_ply is None or at_work.last["ply"] < at_work.final_ply:
                self._put(at_work, done=False)
            return
        del self._at_work[at_work.id]
        if event.kind == "failed" and event.error is not None:
            self._complain(at_work.id, event.error)
        else:  # what was found until then stays
            self._put(at_work, done=True)

    def _put(self, at_work: _Analysis, done: bool) -> None:
        message = {"type": "step", "id": at_work.id, "done": done, **at_work.last}
        self._enqueue((at_work.id, at_work.last["ply"]), message)

    def _complain(self, id: str | None, error: NoughtsError) -> None:
        message = {"type": "error", "id": id, "error": " ".join(str(error).split())}
        self._enqueue((id, "error"), message)

    def _enqueue(self, key: object, message: dict[str, Any]) -> None:
        self._outbox.pop(key, None)
        self._outbox[key] = message
        self._news.set()
