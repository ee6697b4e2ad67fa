"""The WebSocket of analyses: one socket streams the steps of several analyses, and stops each on request.

A malformed message gets an error, and the socket stays open. For each analysis and ply only the latest step is sent.
"""

import json
from collections.abc import Callable
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


class _Desk:
    """The analyses of one client."""

    def __init__(self, client: Client, services: Services) -> None:
        self.client, self._services = client, services
        self._at_work: dict[str, Callable[[], None]] = {}  # by id, what stops each

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
                    self._at_work[id]()
            else:
                self._begin(id, AnalysisRequest.model_validate(asked))
        except ValidationError as error:
            self._complain(id, refused(error))
        except NoughtsError as error:
            self._complain(id, error)
        except (ValueError, RecursionError):
            self._complain(id, Refused(422, "a message is one JSON object, as text"))

    def close(self) -> None:
        for leave in list(self._at_work.values()):
            leave()

    def _begin(self, id: str, asked: AnalysisRequest) -> None:
        if id in self._at_work:
            raise Refused(422, f"an analysis {id!r} is at work already: stop it, or choose another id")
        ply = 0 if asked.of_game else asked.position.ply
        last: dict[str, Any] = {"ply": ply, "seconds": 0.0, "result": None, "bounds": None}
        ended = False

        def receive(update: Update) -> None:
            nonlocal last, ended
            if ended:  # the end of a stopped search may come twice
                return
            if isinstance(update, str):
                last = json.loads(update)
            else:
                ended = True
                del self._at_work[id]
            if update is None or isinstance(update, str | Stopped):  # the latest step is sent again as the final one
                message = {"type": "step", "id": id, "done": ended, **last}
                self.client.put((id, last["ply"]), partial(self.client.send, message))
            else:
                self._complain(id, update)

        self._at_work[id] = self._services.engine.start(asked, receive, client_of(self.client.socket))

    def _complain(self, id: str | None, error: NoughtsError) -> None:
        message = {"type": "error", "id": id, "error": " ".join(str(error).split())}
        self.client.put((id, "error"), partial(self.client.send, message))
