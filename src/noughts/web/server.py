"""The server process: binds a socket, and serves until Ctrl-C."""

import contextlib
import errno
import os
import secrets
import socket
import sys
import threading
import webbrowser
from dataclasses import dataclass

import uvicorn
from fastapi import FastAPI

from noughts.rules import NoughtsError
from noughts.web.safety import is_loopback

_BACKLOG = 100  # connections that wait to be accepted
_CONNECTIONS = 10_000  # high, because uvicorn never closes idle ones without requests: they would lock others out
_ADDRESS_BYTES = 1_048_576  # of a request's address and headers; the address contains a drawing's notes
_MESSAGE_BYTES = 65_536  # of a WebSocket message
_GRACE_SECONDS = 2  # for unfinished answers when the server ends


@dataclass(frozen=True, slots=True)
class Listening:
    """A bound socket, and the tokens for its visitors.

    Attributes:
        socket: The socket.
        host: The host as given.
        token: The token for other machines; None if only this one can reach the socket.
        owner_token: The owner's token; None if every visitor is the owner.
        owner_page: The part of the page that opens for the owner, for example ``#/class``.
    """

    socket: socket.socket
    host: str
    token: str | None
    owner_token: str | None = None
    owner_page: str = ""

    @property
    def address(self) -> str:
        """The full address of the page, with the token, if any."""
        return self._address(self.token)

    @property
    def owner_address(self) -> str:
        """The address for the owner, who may also start training, studies and proofs."""
        return self._address(self.owner_token) + self.owner_page

    def _address(self, token: str | None) -> str:
        name = "[" + self.host + "]" if ":" in self.host else self.host
        if self.host in ("0.0.0.0", "::"):
            name = _own_name()
        port = self.socket.getsockname()[1]
        return f"http://{name}:{port}/" + (f"?token={token}" if token else "")


def listen(host: str, port: int | None, usual: int) -> Listening:
    """Bind a socket.

    Args:
        host: A name or an address of this machine.
        port: 0 for any free port; None for `usual`, or any free port if that is taken.
        usual: The default port.

    Raises:
        NoughtsError: the socket cannot be bound.
    """
    host = host.strip("[]")
    for wanted in (usual, 0) if port is None else (port,):
        try:
            family, kind, protocol, _, place = socket.getaddrinfo(host, wanted, type=socket.SOCK_STREAM)[0]
            found = socket.socket(family, kind, protocol)
        except OSError as error:
            raise NoughtsError(f"--host {host} is no address of this machine ({error.strerror or error})") from error
        try:
            if os.name != "nt":
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(place)
            found.listen(_BACKLOG)
        except OSError as error:
            found.close()
            if port is None and wanted:
                continue
            other = "--host" if error.errno == errno.EADDRNOTAVAIL else "--port, or 0 for any"
            raise NoughtsError(
                f"{host}:{wanted} cannot be listened at ({error.strerror or error}): choose another {other}"
            ) from error
        if is_loopback(host):
            return Listening(found, host, None)
        return Listening(found, host, new_token(), new_token())
    raise AssertionError("the last port is raised for")


def run(listening: Listening, app: FastAPI, browser: bool) -> None:
    """Serve until Ctrl-C, then close the socket.

    Args:
        listening: The socket.
        app: The application to serve.
        browser: Whether to open the owner's page in a browser.
    """
    _allow_files()
    config = uvicorn.Config(
        app,
        log_level="error",  # malformed requests must not fill the log
        access_log=False,  # addresses contain the token
        limit_concurrency=_CONNECTIONS,
        ws_max_size=_MESSAGE_BYTES,
        ws_max_queue=16,
        ws_per_message_deflate=False,
        h11_max_incomplete_event_size=_ADDRESS_BYTES,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        timeout_keep_alive=30,
        backlog=_BACKLOG,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
    )
    if browser and _has_browser():
        threading.Timer(0.7, _open_browser, (listening.owner_address,)).start()
    with contextlib.closing(listening.socket):
        uvicorn.Server(config).run(sockets=[listening.socket])


def new_token() -> str:
    """Return a new random secret."""
    return secrets.token_urlsafe(24)


def _allow_files() -> None:
    """Raise this process's limit of open files and connections as far as needed or allowed; the default on macOS is low."""
    try:
        import resource
    except ImportError:  # missing on Windows, whose limit is high enough
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * _CONNECTIONS if hard == resource.RLIM_INFINITY else min(2 * _CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _own_name() -> str:
    """Return an address at which other machines can probably reach this one."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address reserved for documentation; no packet is sent
        return str(probe.getsockname()[0])
    return socket.gethostname()


def _has_browser() -> bool:
    """Whether a graphical browser can open. Without a display, a text browser would take over the terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open_browser(address: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
