"""The WebSocket of a class: each visitor in it hears what happens in it, as it happens. Nothing is asked on it."""

import asyncio
from contextlib import suppress
from functools import partial

from fastapi import APIRouter, WebSocket

from noughts.classroom.school_class import SchoolClass, class_of
from noughts.classroom.showing import games_of, show_class, show_game
from noughts.web.errors import Refused
from noughts.web.services import visitor_of
from noughts.web.sockets import Client
from noughts.web.visitors import Visitor

router = APIRouter()

_CALM_SECONDS = 0.2  # until the class is sent after a change: when a lesson begins, all come at once
_ENDED = 4000  # the code with which a socket is closed that is not to come back


@router.websocket("/api/class/live")
async def live(socket: WebSocket) -> None:
    """Serve one visitor until it leaves."""
    await socket.accept()
    listener = _Listener(Client(socket), class_of(socket), visitor_of(socket))
    try:
        await listener.client.serve(lambda message: None)
    finally:
        listener.leave()


class _Listener:
    """One open page of a visitor."""

    def __init__(self, client: Client, found: SchoolClass, visitor: Visitor) -> None:
        self.client, self._found, self._visitor, self._pupil = client, found, visitor, visitor.client
        self._calm: asyncio.TimerHandle | None = None  # at its end the class is sent
        client.put("", self._send_class)
        for game_id in games_of(found, visitor):
            client.put(game_id, partial(self._send_game, game_id))
        found.room.listeners.append(self._hear)
        if self._pupil:
            found.room.come(self._pupil)

    def leave(self) -> None:
        """It hears no more."""
        self._found.room.listeners.remove(self._hear)
        if self._pupil:
            self._found.room.come(self._pupil, -1)

    def _hear(self, game_id: str) -> None:
        """Something has changed; a game that is no business of the visitor's is not even noted."""
        if not game_id:
            if self._calm is None:
                self._calm = asyncio.get_running_loop().call_later(_CALM_SECONDS, self.client.put, "", self._send_class)
        elif self._visitor.is_owner or self._found.games.all[game_id].seat_of(self._pupil) is not None:
            self.client.put(game_id, partial(self._send_game, game_id))

    async def _send_game(self, game_id: str) -> None:
        with suppress(Refused):  # none of its business any more
            await self.client.send({"type": "game", "game": show_game(self._found, game_id, self._visitor)})

    async def _send_class(self) -> None:
        room, self._calm = self._found.room, None
        if self._pupil and (room.kept.closed or room.pupils[self._pupil].removed):
            await self.client.socket.close(_ENDED, "you are not in the class any more")
        else:
            await self.client.send({"type": "class", "class": show_class(self._found, self._visitor)})
