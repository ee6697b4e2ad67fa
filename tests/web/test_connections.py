"""Connections that say nothing, and a log that stays short."""

import asyncio
import contextlib
import logging
import socket
import time
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from noughts.web.connections import FewLines, counted_connections
from noughts.web.limits import Limits
from tests.web.serving import server

SILENT = 700


@pytest.mark.heavy
def test_many_silent_connections_keep_nobody_out(tmp_path: Path) -> None:
    with server(tmp_path) as found:
        silent = []
        for number in range(SILENT):
            connection = socket.create_connection(("127.0.0.1", found.port), timeout=5)
            if number % 2:
                connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127")
            silent.append(connection)
        with found.client() as client:
            for _ in range(5):
                begun = time.monotonic()
                assert client.get("/api/health").status_code == 200
                assert time.monotonic() - begun < 1
        silent[0].settimeout(5)
        assert silent[0].recv(1) in (b"", b"H")  # it made room for others
        for connection in silent:
            connection.close()
        assert found.log.stat().st_size < 10_000


@pytest.mark.heavy
@pytest.mark.parametrize("name", [b"Sec-WebSocket-Key", b"Sec-WebSocket-Protocol", b"Origin", b"X"])
def test_a_handshake_with_bytes_that_are_no_text_is_refused(tmp_path: Path, name: bytes) -> None:
    head = {
        b"Host": b"127.0.0.1", b"Upgrade": b"websocket", b"Connection": b"Upgrade", b"Sec-WebSocket-Version": b"13",
        b"Sec-WebSocket-Key": b"dGhlIHNhbXBsZSBub25jZQ==", name: b"\xff",
    }  # fmt: skip
    with server(tmp_path) as found:
        with socket.create_connection(("127.0.0.1", found.port), timeout=30) as connection:
            lines = [b"GET /api/analysis HTTP/1.1", *(b"%s: %s" % item for item in head.items()), b"", b""]
            connection.sendall(b"\r\n".join(lines))
            assert connection.recv(100).startswith(b"HTTP/1.1 400")
        assert "Traceback" not in found.log.read_text()


def test_a_request_that_does_not_arrive_is_given_up() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    async def check() -> None:
        config = uvicorn.Config(app, http=counted_connections(Limits(request_seconds=0.4)), lifespan="off")
        config.load()
        state, loop = ServerState(), asyncio.get_running_loop()
        made: Any = config.http_protocol_class
        server = await loop.create_server(lambda: made(config=config, server_state=state, app_state={}), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)).startswith(b"HTTP/1.1 200")
        slow_reader, slow_writer = await asyncio.open_connection("127.0.0.1", port)
        slow_writer.write(b"GET / HTTP/1.1\r\n")
        begun = time.monotonic()
        with contextlib.suppress(ConnectionResetError):
            assert await asyncio.wait_for(slow_reader.read(), 5) == b""
        assert 0.3 < time.monotonic() - begun < 4
        writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")  # one that was quick is still open
        assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)).startswith(b"HTTP/1.1 200")
        for stream in (writer, slow_writer):
            stream.close()
        server.close()

    asyncio.run(check())


def test_a_log_lets_few_lines_through_and_says_how_many_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("noughts.web.connections.time.monotonic", lambda: now[0])
    lines = FewLines(most=3)

    def record(text: str) -> logging.LogRecord:
        return logging.LogRecord("asyncio", logging.ERROR, "", 0, text, None, (ValueError, ValueError(), None))

    first, second = record("oh"), record("oh")
    assert lines.filter(first)
    assert first.exc_info is not None
    assert lines.filter(second)
    assert second.exc_info is None  # one traceback is enough
    assert lines.filter(record("ah"))
    assert not any(lines.filter(record(str(number))) for number in range(50))
    now[0] += 60
    later = record("still there")
    assert lines.filter(later)
    assert later.getMessage() == "still there (50 lines were left out)"
