"""`Guard`: who may talk to the server, how much at once, and what every answer forbids the browser to do.

It stands before all routes, for HTTP and WebSocket alike. A page from elsewhere that the same browser has open is kept
out by the Host header (against names that are made to point here), the Origin header, and Sec-Fetch-Site. Off this
machine only those are let in whom `Visitors` knows, by the token in the address, which then stays in a cookie.
"""

import ipaddress
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from fastapi.responses import Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException

from noughts.web.errors import Refused, refusal, refusal_page
from noughts.web.limits import Limits
from noughts.web.visitors import VISITOR, Visitors

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'; object-src 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "SAMEORIGIN",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_SAFE = ("GET", "HEAD", "OPTIONS")
_BIG = "/api/games"  # where games are kept, which may be larger than other requests


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that is bound there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """An ASGI application around another one.

    Args:
        app: The routes.
        host: Where the server is bound.
        visitors: Who may ask.
        limits: How much may be asked for.
    """

    def __init__(self, app: App, host: str, visitors: Visitors, limits: Limits) -> None:
        self._app, self._visitors, self._limits = app, visitors, limits
        self._hosts = {*LOOPBACK, host.strip("[]").lower(), socket.gethostname().lower()}
        self._requests = 0
        self._sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            self._require_our_page(scope)
            scope[VISITOR], set_cookie = self._visitors.recognise(scope, Headers(scope=scope))
            instead = None if scope[VISITOR].is_admitted else self._visitors.answer_stranger(scope)
            if scope["type"] == "websocket":
                await self._socket(scope, receive, send)
            else:
                await self._request(instead or self._app, scope, receive, send, set_cookie)
        except Refused as error:
            await self._refuse(error, scope, receive, send)

    def _require_our_page(self, scope: Scope) -> None:
        """Refused unless the request comes from our page, or from no page."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_our_host(host):
            raise Refused(403, f"host {host[:100]!r} is not this server")
        origin = headers.get("origin")
        if origin is not None and urlsplit_host(origin) != host.lower():
            raise Refused(403, f"origin {origin[:100]!r} is another page")
        unsafe = scope["type"] == "websocket" or scope["method"] not in _SAFE or scope["path"].startswith("/api")
        if unsafe and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Refused(403, "the request comes from another page")

    def _is_our_host(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._hosts:
            return True
        if self._visitors.all_are_owner:
            return False
        try:
            ipaddress.ip_address(name)  # no name, so none that was made to point here
        except ValueError:
            return False
        return True

    async def _request(self, app: App, scope: Scope, receive: Receive, send: Send, set_cookie: str | None) -> None:
        most = self._limits.game_body if scope["path"].startswith(_BIG) else self._limits.body
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            raise Refused(413, f"a body of {length[:20]} bytes is too large: {most} are allowed")
        if self._requests >= self._limits.requests:
            raise Refused(503, "the server is busy: try again in a moment", retry=1)
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                if size > most:
                    # Of this kind, because FastAPI takes any other for a body that cannot be read.
                    raise HTTPException(413, f"a body of more than {most} bytes is too large")
            return message

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, scope["path"], set_cookie)
            await send(message)

        self._requests += 1
        try:
            await app(scope, counted, guarded)
        finally:
            self._requests -= 1

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope["client"][0] if scope.get("client") else ""
        if sum(self._sockets.values()) >= self._limits.sockets or self._sockets[client] >= self._limits.client_sockets:
            raise Refused(429, "too many connections are open: close one", retry=5)
        self._sockets[client] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets[client] -= 1
            if not self._sockets[client]:
                del self._sockets[client]

    async def _refuse(self, error: Refused, scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and not scope["path"].startswith("/api")
        is_page = is_page and "text/html" in Headers(scope=scope).get("accept", "")
        answer = (refusal_page if is_page else refusal)(error.status, str(error), error.retry)
        if scope["type"] == "websocket":
            if "websocket.http.response" in scope.get("extensions", {}):
                await receive()  # the request to connect
                await _send_socket_refusal(answer, send)
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": str(error)[:100]})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, scope["path"], None)
            await send(message)

        await answer(scope, receive, guarded)


def urlsplit_host(origin: str) -> str | None:
    """Host and port of an origin, as a Host header writes them; None if it is no address of a page."""
    try:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            return None
        return parts.netloc.lower()
    except ValueError:
        return None


def _add_headers(message: Message, path: str, set_cookie: str | None) -> None:
    headers = MutableHeaders(raw=message["headers"])
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store" if path.startswith("/api") else "no-cache")
    if set_cookie is not None:
        headers.append("Set-Cookie", set_cookie)
    message["headers"] = headers.raw


async def _send_socket_refusal(answer: Response, send: Send) -> None:
    headers = [(name, value) for name, value in answer.raw_headers]
    await send({"type": "websocket.http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": bytes(answer.body)})
