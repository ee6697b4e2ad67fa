"""`Client`: reads messages from a WebSocket, and sends messages, until the client disconnects.

For a slow client only the latest message of each key is queued, so memory stays bounded.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from fastapi import WebSocket
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect


class Client:
    """A client on an accepted WebSocket."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self._outbox: dict[object, Callable[[], Awaitable[None]]] = {}
        self._news = asyncio.Event()

    def put(self, key: object, send: Callable[[], Awaitable[None]]) -> None:
        """Queue `send`, to be called after earlier messages. It replaces a queued message with the same key."""
        self._outbox.pop(key, None)
        self._outbox[key] = send
        self._news.set()

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message as JSON. It may contain pydantic models."""
        await self.socket.send_text(json.dumps(message, default=lambda answer: answer.model_dump(mode="json")))

    async def serve(self, read: Callable[[Message], None]) -> None:
        """Call `read` with each message, and send queued ones, until the client disconnects."""
        sender = asyncio.create_task(self._send_all())
        try:
            while (message := await self.socket.receive())["type"] != "websocket.disconnect":
                read(message)
        except WebSocketDisconnect:
            pass
        finally:
            sender.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await sender

    async def _send_all(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._outbox:
                await self._outbox.pop(next(iter(self._outbox)))()
