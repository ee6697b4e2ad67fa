"""The WebSocket of a class. It sends each visitor the changes in the class, and ignores messages from visitors."""

import asyncio
from contextlib import suppress
from functools import partial

from fastapi import APIRouter, WebSocket

from noughts.classroom.routes import Here
from noughts.web.errors import Refused
from noughts.web.sockets import Client

router = APIRouter()

_CALM_SECONDS = 0.2  # delay between a change and sending it, because many pupils join at once when a lesson begins
_ENDED = 4000  # close code: the client must not reconnect


@router.websocket("/api/class/live")
async def live(socket: WebSocket, here: Here) -> None:
    """Serve one open page of a visitor until it disconnects."""
    await socket.accept()
    client, room, pupil = Client(socket), here.school.room, here.visitor.client
    calm: asyncio.TimerHandle | None = None  # sends the class when it expires

    async def send_game(game_id: str) -> None:
        with suppress(Refused):  # the visitor may no longer see this game
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
