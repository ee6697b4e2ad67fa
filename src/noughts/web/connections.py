"""Connections: how many there may be, for how long one may say nothing, and a log that nobody can flood.

All of this comes before a request is read, so before its token is asked for. Where there are too many, the one that has
been silent longest makes room, and whoever has something to ask is served.
"""

import asyncio
import logging
import time
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from noughts.web.limits import Limits

_LOGGERS = ("uvicorn.error", "asyncio")


class Connections:
    """Those of one server that are open, without those that became WebSockets, which the `Guard` counts.

    Attributes:
        most: Of all clients.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.most = min(limits.connections, _files() // 2)
        self._open: Counter[str] = Counter()
        self._silent: dict[_Connection, None] = {}  # of which no request is at work, the longest silent first

    def enter(self, connection: "_Connection") -> bool:
        """Count it in; whether there is room for it."""
        if self._open[connection.address] >= self._limits.client_connections:
            if not self._make_room(connection.address):
                return False
        elif self._open.total() >= self.most and not self._make_room(self._open.most_common(1)[0][0]):
            return False
        self._open[connection.address] += 1
        self.fall_silent(connection)
        return True

    def leave(self, connection: "_Connection") -> None:
        """Count it out."""
        self._silent.pop(connection, None)
        self._open[connection.address] -= 1
        if not self._open[connection.address]:
            del self._open[connection.address]

    def fall_silent(self, connection: "_Connection") -> None:
        """It owes us a request, or the rest of one."""
        self._silent.setdefault(connection)

    def speak(self, connection: "_Connection") -> None:
        """Its request is read whole."""
        self._silent.pop(connection, None)

    def _make_room(self, address: str) -> bool:
        """Close the connection of this address that has been silent longest; whether there was one."""
        oldest = next((connection for connection in self._silent if connection.address == address), None)
        if oldest is None:
            return False
        oldest.close()
        return True


class _Connection(H11Protocol):
    """A connection that is counted, and closed if it says nothing for too long."""

    counter: Connections
    seconds: float

    address = ""
    _counted = False
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else ""
        self.transport = transport
        if not self.counter.enter(self):
            transport.abort()
            return
        self._counted = True
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._counted:
            self._forget()
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._counted:
            return
        super().data_received(data)
        if self._counted:
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
                self._wait()
            else:
                self._heard()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._counted:
            self.counter.fall_silent(self)  # for how long, the server's own limit says

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        if not all(
            value.isascii() for _, value in event.headers
        ):  # which the WebSocket library takes for text, and fails
            self.send_400_response("headers of a WebSocket are ASCII")
            return
        self._forget()
        self._counted = False
        super().handle_websocket_upgrade(event)

    def close(self) -> None:
        """Close it, whatever it was about to say."""
        self._forget()
        self._counted = False
        H11Protocol.connection_lost(self, ConnectionAbortedError())
        self.transport.abort()

    def _wait(self) -> None:
        self.counter.fall_silent(self)
        if self._timer is None:
            self._timer = self.loop.call_later(self.seconds, self.close)

    def _heard(self) -> None:
        self.counter.speak(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _forget(self) -> None:
        self._heard()
        self.counter.leave(self)


def counted_connections(limits: Limits) -> type[H11Protocol]:
    """The protocol of a server whose connections are counted."""
    attributes = {"counter": Connections(limits), "seconds": limits.request_seconds}
    return type("CountedConnection", (_Connection,), attributes)


class FewLines(logging.Filter):
    """Lets so many records through in each minute, without their tracebacks after the first, and says how many it left out.

    Args:
        most: Records a minute.
    """

    def __init__(self, most: int = 20) -> None:
        super().__init__()
        self._most, self._count, self._since, self._left_out = most, 0, time.monotonic(), 0
        self._seen: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        now = time.monotonic()
        if now - self._since >= 60:
            self._since, self._count = now, 0
        if self._count >= self._most:
            self._left_out += 1
            return False
        self._count += 1
        if self._left_out:
            record.msg, record.args = f"{record.getMessage()} ({self._left_out} lines were left out)", None
            self._left_out = 0
        kind = str(record.msg)[:200]
        if record.exc_info and kind in self._seen:
            record.exc_info = None
        if len(self._seen) < 1000:
            self._seen.add(kind)
        return True


def keep_logs_short() -> None:
    """Let nobody outside fill the disk with what the server says of connections."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(found, FewLines) for found in logger.filters):
            logger.addFilter(FewLines())


def _files() -> int:
    """How many files and connections this process may have open."""
    try:
        import resource
    except ImportError:  # not there on Windows
        return 1024
    soft: Any = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 1 << 20 if soft == resource.RLIM_INFINITY else int(soft)
