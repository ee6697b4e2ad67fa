"""The WebSocket of a class: it sends each visitor what changes in the class. Messages to it are ignored."""

import asyncio
from contextlib import suppress
from functools import partial

from fastapi import APIRouter, WebSocket

from noughts.classroom.routes import Here
from noughts.web.errors import Refused
from noughts.web.sockets import Client

router = APIRouter()

_CALM_SECONDS = 0.2  # until the class is sent after a change: when a lesson begins, all come at once
_ENDED = 4000  # the code with which a socket is closed that is not to come back


@router.websocket("/api/class/live")
async def live(socket: WebSocket, here: Here) -> None:
    """Serve one open page of a visitor until it leaves."""
    await socket.accept()
    client, room, pupil = Client(socket), here.school.room, here.visitor.client
    calm: asyncio.TimerHandle | None = None  # at its end the class is sent

    async def send_game(game_id: str) -> None:
        with suppress(Refused):  # none of the visitor's business any more
            await client.send({"type": "game", "game": here.game(game_id)})

    async def send_class() -> None:
        nonlocal calm
        calm = None
        if pupil and (room.kept.closed or room.pupils[pupil].removed):
            await socket.close(_ENDED, "you are not in the class any more")
        else:
            await client.send({"type": "class", "class": here.show()})

    def changed(game_id: str) -> None:
        nonlocal calm
        if not game_id:
            calm = calm or asyncio.get_running_loop().call_later(_CALM_SECONDS, client.put, "", send_class)
        elif here.visitor.is_owner or here.school.games.all[game_id].seat_of(pupil) is not None:
            client.put(game_id, partial(send_game, game_id))

    client.put("", send_class)
    for game_id in here.games():
        client.put(game_id, partial(send_game, game_id))
    room.listeners.append(changed)
    room.come(pupil)
    try:
        await client.serve(lambda message: None)
    finally:
        room.listeners.remove(changed)
        room.come(pupil, -1)
