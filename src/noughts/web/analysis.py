"""The WebSocket of analyses: one socket streams the steps of several analyses, and stops each on request.

A malformed message gets an error, and the socket stays open. For each analysis and ply only the latest step is sent.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import APIRouter, WebSocket
from pydantic import ValidationError

from noughts.rules import NoughtsError
from noughts.web.asked import AnalysisRequest
from noughts.web.engine import Stopped, Update
from noughts.web.errors import Refused, refused
from noughts.web.services import Services, client_of
from noughts.web.sockets import Client

router = APIRouter()

_LONGEST_ID = 100


@router.websocket("/api/analysis")
async def analysis(socket: WebSocket) -> None:
    """Serve one client until it disconnects."""
    await socket.accept()
    desk = _Desk(Client(socket), socket.app.state.services)
    try:
        await desk.client.serve(desk.read)
    finally:
        desk.close()


@dataclass
class _Analysis:
    """A running analysis: its latest step, and the function that stops it."""

    id: str
    last: dict[str, Any]
    leave: Callable[[], None] = field(default=lambda: None)


class _Desk:
    """The analyses of one client."""

    def __init__(self, client: Client, services: Services) -> None:
        self.client, self._services = client, services
        self._at_work: dict[str, _Analysis] = {}

    def read(self, message: Any) -> None:
        """Start or stop an analysis as the message requests, or send an error."""
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

    def close(self) -> None:
        for at_work in list(self._at_work.values()):
            at_work.leave()

    def _begin(self, id: str, asked: AnalysisRequest) -> None:
        if id in self._at_work:
            raise Refused(422, f"an analysis {id!r} is at work already: stop it, or choose another id")
        ply = 0 if asked.of_game else asked.position.ply
        at_work = _Analysis(id, {"ply": ply, "seconds": 0.0, "result": None, "bounds": None})
        self._at_work[id] = at_work
        try:
            at_work.leave = self._services.engine.start(
                asked, partial(self._receive, at_work), client_of(self.client.socket)
            )
        except NoughtsError:
            del self._at_work[id]
            raise

    def _receive(self, at_work: _Analysis, update: Update) -> None:
        if self._at_work.get(at_work.id) is not at_work:
            return
        if isinstance(update, str):
            at_work.last = json.loads(update)
            self._put(at_work, done=False)
            return
        del self._at_work[at_work.id]
        if update is None or isinstance(update, Stopped):  # the latest result is sent again as the final one
            self._put(at_work, done=True)
        else:
            self._complain(at_work.id, update)

    def _put(self, at_work: _Analysis, done: bool) -> None:
        message = {"type": "step", "id": at_work.id, "done": done, **at_work.last}
        self.client.put((at_work.id, at_work.last["ply"]), partial(self.client.send, message))

    def _complain(self, id: str | None, error: NoughtsError) -> None:
        message = {"type": "error", "id": id, "error": " ".join(str(error).split())}
        self.client.put((id, "error"), partial(self.client.send, message))
