"""One client on a WebSocket: its messages are read, and it is sent what there is to send, until it leaves."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from fastapi import WebSocket
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect


async def serve_client(
    socket: WebSocket,
    send: Callable[[], Coroutine[Any, Any, None]],
    read: Callable[[Message], Awaitable[None]],
    leave: Callable[[], None],
) -> None:
    """Serve a client that was accepted until it leaves.

    Args:
        socket: Its socket.
        send: Sends it what there is to send; cancelled at the end.
        read: Called with each message.
        leave: Called once, as soon as the client is gone.
    """
    sender = asyncio.create_task(send())
    try:
        while (message := await socket.receive())["type"] != "websocket.disconnect":
            await read(message)
    except WebSocketDisconnect:
        pass
    finally:
        leave()
        sender.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await sender
