"""The WebSocket of a class: each visitor in it hears what happens in it, as it happens.

Nothing is asked on it. If a client is slow, only the latest state of each game is kept for it, so memory stays bounded.
"""

import asyncio
import json
from contextlib import suppress

from fastapi import APIRouter, WebSocket
from starlette.types import Message

from noughts.classroom.school_class import SchoolClass, class_of
from noughts.classroom.showing import games_of, show_class, show_game
from noughts.web.errors import Refused
from noughts.web.services import visitor_of
from noughts.web.sockets import serve_client
from noughts.web.visitors import Visitor

router = APIRouter()

_CLASS = ""  # stands for the class among the ids of games
_CALM_SECONDS = 0.2  # between two states of the class: when a lesson begins, all come at once
_ENDED = 4000  # the code with which a socket is closed that is not to come back


@router.websocket("/api/class/live")
async def live(socket: WebSocket) -> None:
    """Serve one visitor until it leaves."""
    await socket.accept()
    listener = _Listener(socket, class_of(socket), visitor_of(socket))

    async def hear(message: Message) -> None:
        """What the client sends is not looked at."""

    await serve_client(socket, listener.send, hear, listener.leave)


class _Listener:
    """One open page of a visitor, and what it has yet to hear."""

    def __init__(self, socket: WebSocket, found: SchoolClass, visitor: Visitor) -> None:
        self._socket, self._found, self._visitor, self._pupil = socket, found, visitor, visitor.client
        self._waiting: dict[str, None] = dict.fromkeys([_CLASS, *games_of(found, visitor)])
        self._news = asyncio.Event()
        self._news.set()
        self._calm_until = 0.0
        found.room.listeners.append(self._hear)
        if self._pupil:
            found.room.come(self._pupil)

    def leave(self) -> None:
        """It hears no more."""
        self._found.room.listeners.remove(self._hear)
        if self._pupil:
            self._found.room.come(self._pupil, -1)

    async def send(self) -> None:
        """Send what has changed, until the socket closes."""
        loop = asyncio.get_running_loop()
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                game_id = next(iter(self._waiting))
                del self._waiting[game_id]
                if game_id:
                    with suppress(Refused):  # none of its business any more
                        await self._send(type="game", game=show_game(self._found, game_id, self._visitor))
                elif (wait := self._calm_until - loop.time()) > 0:
                    loop.call_later(wait, self._hear, _CLASS)  # games go before
                    if not self._waiting:
                        break
                else:
                    self._calm_until = loop.time() + _CALM_SECONDS
                    await self._send_class()

    async def _send_class(self) -> None:
        room = self._found.room
        if self._pupil and (room.kept.closed or room.pupils[self._pupil].removed):
            await self._socket.close(_ENDED, "you are not in the class any more")
            return
        await self._send(type="class", **{"class": show_class(self._found, self._visitor)})

    async def _send(self, **message: object) -> None:
        await self._socket.send_text(json.dumps(message, default=lambda answer: answer.model_dump(mode="json")))

    def _hear(self, game_id: str) -> None:
        """Something has changed; a game that is no business of the visitor's is not even noted."""
        if game_id and not self._visitor.is_owner and self._found.games.all[game_id].seat_of(self._pupil) is None:
            return
        self._waiting[game_id] = None
        self._news.set()
