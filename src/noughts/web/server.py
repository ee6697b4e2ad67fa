"""The server as a process: where it listens, and its life until Ctrl-C."""

import contextlib
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

_BACKLOG = 100  # connections that are accepted in one go
_CONNECTIONS = 10_000  # idle ones count, and uvicorn closes none that never asks: few would lock others out
_ADDRESS_BYTES = 1_048_576  # of a request's address and headers: a drawing's notes stand there
_MESSAGE_BYTES = 65_536  # on a socket
_GRACE_SECONDS = 2  # for answers that are on their way when the server ends


@dataclass(frozen=True, slots=True)
class Listening:
    """A socket that is bound.

    Attributes:
        socket: The socket.
        host: As given.
        token: For other machines; None if only this one can reach the socket.
        owner_token: For the owner alone; None if every visitor is the owner.
        owner_page: Where on the page the owner begins, such as ``#/class``.
    """

    socket: socket.socket
    host: str
    token: str | None
    owner_token: str | None = None
    owner_page: str = ""

    @property
    def address(self) -> str:
        """The whole address of the page, with the token if there is one."""
        return self._address(self.token)

    @property
    def owner_address(self) -> str:
        """The address with which trainings, studies and proofs may be started, too."""
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
        port: 0 for any free one; None for `usual`, or any free one if that is taken.
        usual: The default port.

    Raises:
        NoughtsError: it cannot be bound.
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
            raise NoughtsError(
                f"{host}:{wanted} cannot be listened at ({error.strerror or error}): choose another --port, or 0 for any"
            ) from error
        if is_loopback(host):
            return Listening(found, host, None)
        return Listening(found, host, new_token(), new_token())
    raise AssertionError("the last port is raised for")


def run(listening: Listening, app: FastAPI, browser: bool) -> None:
    """Serve until Ctrl-C; then the socket is closed.

    Args:
        listening: The socket.
        app: What is served there.
        browser: Whether the owner's page is opened in a browser.
    """
    _allow_files()
    config = uvicorn.Config(
        app,
        log_level="error",  # nonsense is answered, and fills no log
        access_log=False,  # addresses hold the token
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
    """A secret that cannot be guessed."""
    return secrets.token_urlsafe(24)


def _allow_files() -> None:
    """Let this process open as many files and connections as it needs, or as it may; macOS allows few unless asked."""
    try:
        import resource
    except ImportError:  # not there on Windows, which allows enough
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * _CONNECTIONS if hard == resource.RLIM_INFINITY else min(2 * _CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _own_name() -> str:
    """An address at which other machines may find this one."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address kept for examples; nothing is sent
        return str(probe.getsockname()[0])
    return socket.gethostname()


def _has_browser() -> bool:
    """Whether a browser has a window: without a display a text browser would take over the terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open_browser(address: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
