"""The WebSocket of a class: who is in it is told what happens in it, as it happens.

Nothing is asked on it. If a client is slow, only the latest state of each game is kept for it, so memory stays bounded.
"""

import asyncio
import json
from contextlib import suppress

from fastapi import APIRouter, WebSocket
from starlette.types import Message

from noughts.web.class_showing import NO_CLASS, games_of, show_class, show_game
from noughts.web.errors import Refused
from noughts.web.school_class import SchoolClass
from noughts.web.services import Services, visitor_of
from noughts.web.sockets import serve_client
from noughts.web.visitors import Visitor

router = APIRouter()

_CLASS = ""  # stands for the class among the ids of games
_CALM_SECONDS = 0.2  # between two states of the class: when a lesson begins, all come at once
_ENDED = 4000  # the code with which a socket is closed that is not to come back


@router.websocket("/api/class/live")
async def live(socket: WebSocket) -> None:
    """Tell one visitor until it leaves."""
    await socket.accept()
    services: Services = socket.app.state.services
    if services.school_class is None:
        await socket.close(_ENDED, NO_CLASS)
        return
    listener = _Listener(socket, services.school_class, visitor_of(socket))

    async def hear(message: Message) -> None:
        """What is said on it is not looked at."""

    await serve_client(socket, listener.send, hear, listener.leave)


class _Listener:
    """Somebody who is told."""

    def __init__(self, socket: WebSocket, found: SchoolClass, visitor: Visitor) -> None:
        self._socket, self._found, self._visitor = socket, found, visitor
        self._token = found.room.pupils[visitor.pupil].token if visitor.pupil else ""  # its hash
        self._waiting: dict[str, None] = dict.fromkeys([_CLASS, *games_of(found, visitor)])
        self._news = asyncio.Event()
        self._news.set()
        self._calm_until = 0.0
        found.room.listeners.append(self._hear)
        if visitor.pupil:
            found.room.come(visitor.pupil)

    def leave(self) -> None:
        """It hears no more."""
        self._found.room.listeners.remove(self._hear)
        if self._visitor.pupil:
            self._found.room.go(self._visitor.pupil)

    async def send(self) -> None:
        """Send what there is to tell, until the socket closes."""
        loop = asyncio.get_running_loop()
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                game_id = next(iter(self._waiting))
                del self._waiting[game_id]
                if game_id:
                    await self._send_game(game_id)
                elif (wait := self._calm_until - loop.time()) > 0:
                    loop.call_later(wait, self._hear, _CLASS)  # games go before
                    if not self._waiting:
                        break
                else:
                    self._calm_until = loop.time() + _CALM_SECONDS
                    await self._send_class()

    async def _send_class(self) -> None:
        pupil, room = self._visitor.pupil, self._found.room
        if pupil and (room.is_closed or room.pupils[pupil].removed or room.pupils[pupil].token != self._token):
            await self._socket.close(_ENDED, "you are not in the class any more")
            return
        answer = show_class(self._found, self._visitor)
        await self._send({"type": "class", "class": answer.model_dump(mode="json")})

    async def _send_game(self, game_id: str) -> None:
        with suppress(Refused):  # none of its business any more
            answer = show_game(self._found, game_id, self._visitor)
            await self._send({"type": "game", "game": answer.model_dump(mode="json")})

    async def _send(self, message: dict[str, object]) -> None:
        await self._socket.send_text(json.dumps(message))

    def _hear(self, game_id: str) -> None:
        """Something has changed; a game that is no business of the visitor's is not even noted."""
        if game_id and not self._visitor.is_owner:
            game = self._found.games.all[game_id]
            if game.seat_of(self._visitor.pupil) is None and game.invited != self._visitor.pupil:
                return
        self._waiting[game_id] = None
        self._news.set()
