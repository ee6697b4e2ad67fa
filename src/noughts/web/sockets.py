"""One client on a WebSocket: its messages are read, and messages are sent to it, until it leaves.

If a client is slow, only the latest message of each key waits for it, so memory stays bounded.
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
    """A client that was accepted."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self._outbox: dict[object, Callable[[], Awaitable[None]]] = {}
        self._news = asyncio.Event()

    def put(self, key: object, send: Callable[[], Awaitable[None]]) -> None:
        """Have `send` called as soon as what was put before is sent; what waits under this key is dropped."""
        self._outbox.pop(key, None)
        self._outbox[key] = send
        self._news.set()

    async def send(self, message: dict[str, Any]) -> None:
        """Send JSON, in which models of pydantic may stand."""
        await self.socket.send_text(json.dumps(message, default=lambda answer: answer.model_dump(mode="json")))

    async def serve(self, read: Callable[[Message], None]) -> None:
        """Call `read` with each message, and send what is put, until the client leaves."""
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
