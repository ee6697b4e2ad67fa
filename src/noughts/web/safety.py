"""`Guard`: checks who may send requests and how large they are, and adds security headers to every answer.

It wraps all routes, for HTTP and WebSocket. It rejects requests from other pages in the same browser by the Host header
(against DNS rebinding), the Origin header, and Sec-Fetch-Site. From other machines `Visitors` admits only requests with
the token in the address; a cookie then keeps it.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.web.errors import Refused, refusal
from noughts.web.visitors import VISITOR, Visitors

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
_BODY_BYTES = 65_536
_GAME_BYTES = 4_194_304  # for a game to save


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that is bound to the host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """An ASGI application that wraps another one.

    Args:
        app: The wrapped application.
        host: The host that the server binds.
        visitors: Recognises who sends a request.
    """

    def __init__(self, app: ASGIApp, host: str, visitors: Visitors) -> None:
        self._app, self._visitors = app, visitors
        self._hosts = {*LOOPBACK, host.strip("[]").lower(), socket.gethostname().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        set_cookie = None

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, scope["path"], set_cookie)
            await send(message)

        try:
            self._require_our_page(scope)
            _require_small(scope)
            scope[VISITOR], set_cookie = self._visitors.recognise(scope)
            instead = None if scope[VISITOR].is_admitted else self._visitors.answer_stranger(scope)
        except Refused as error:
            await _refuse(error, scope, receive, guarded)
        else:
            await (instead or self._app)(scope, receive, guarded)

    def _require_our_page(self, scope: Scope) -> None:
        """Raise Refused unless the request comes from our page, or from no page."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_our_host(host):
            raise Refused(403, f"host {host[:100]!r} is not this server")
        origin = headers.get("origin")
        if origin is not None and _host_of(origin) != host.lower():
            raise Refused(403, f"origin {origin[:100]!r} is another page")
        unsafe = scope["type"] == "websocket" or scope["method"] not in _SAFE or scope["path"].startswith("/api")
        if unsafe and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Refused(403, "the request comes from another page")

    def _is_our_host(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if name in self._hosts:
                return True
            ipaddress.ip_address(name)  # an address, so no DNS rebinding
        except ValueError:
            return False
        return not self._visitors.all_are_owner


def _require_small(scope: Scope) -> None:
    """Raise Refused if a request's body is too large, or has no Content-Length."""
    headers = Headers(scope=scope)
    most = _GAME_BYTES if scope["path"].startswith("/api/games") else _BODY_BYTES
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers or not length.isdecimal() or int(length) > most:
        raise Refused(413, f"a body of {length[:20]} bytes is too large: {most} are allowed, named by Content-Length")


async def _refuse(error: Refused, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})  # the browser reports it as status 403
        return
    answer = refusal(error)
    if not scope["path"].startswith("/api"):  # a person reads it, who opened the page itself
        answer = Response(str(error), answer.status_code, media_type="text/plain")
    await answer(scope, receive, send)


def _host_of(origin: str) -> str | None:
    """Return the host and port of an origin, as in a Host header; None if it is not the address of a page."""
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
