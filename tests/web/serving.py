"""Servers for the tests: a complete one in a separate process, and the application alone, without workers."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import psutil
import websockets
from fastapi import FastAPI

from noughts.document.result import StudyResult
from noughts.store.results import Store
from noughts.web.app import create_app
from noughts.web.engine import Engine
from noughts.web.services import Services
from noughts.web.visitors import Visitors

START_SECONDS = 180.0


@dataclass
class Server:
    """A running `noughts serve`: its printed address, and the file with its standard error."""

    process: "subprocess.Popen[str]"
    address: str
    log: Path

    @property
    def port(self) -> int:
        return int(re.findall(r":(\d+)/", self.address)[0])

    @property
    def store(self) -> Path:
        return self.log.parent / "store"

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=120)


class Say:
    """A socket for requests and answers."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket = socket

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        found = json.loads(await asyncio.wait_for(self.socket.recv(), 60))
        assert isinstance(found, dict)
        return found


@asynccontextmanager
async def talk(found: Server, **options: Any) -> AsyncIterator[Say]:
    async with websockets.connect(f"ws://127.0.0.1:{found.port}/api/analysis", **options) as socket:
        yield Say(socket)


async def last(say: Say, **message: Any) -> list[dict[str, Any]]:
    """Send a request, and collect all answers."""
    await say.send(**message)
    heard = [await say.hear()]
    while heard[-1]["type"] == "step" and not heard[-1]["done"]:
        heard.append(await say.hear())
    return heard


def tell(name: str, times: list[float]) -> float:
    """Print how many seconds something took, each time; return the 99th percentile."""
    times = sorted(times)
    late = times[min(len(times) - 1, int(len(times) * 0.99))]
    median, most = times[len(times) // 2], times[-1]
    print(f"{name}: {len(times)}, median {median:.3f} s, 99 % within {late:.3f} s, most {most:.3f} s")
    return late


def refused(answer: httpx.Response, status: int) -> str:
    """The one line that explains an answer with this status."""
    assert (answer.status_code, list(answer.json())) == (status, ["error"]), answer.text
    error: str = answer.json()["error"]
    assert "\n" not in error
    return error


@contextmanager
def server(folder: Path, *options: str) -> Iterator[Server]:
    """`noughts serve` with a store in a folder."""
    environment = os.environ | {"NOUGHTS_STORE": str(folder / "store"), "PYTHONUNBUFFERED": "1"}
    log = folder / f"server-{time.monotonic_ns()}.log"
    command = [sys.executable, "-W", "error", "-m", "noughts", "serve", "--port", "0", "--no-browser", *options]
    with open(log, "w") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "noughts is at http://" in line, log.read_text()
        found = Server(process, line.split()[-1], log)
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with found.client() as client:
                    client.get("/api/health")
                break
            except httpx.TransportError:
                assert time.monotonic() < deadline, log.read_text()
                assert process.poll() is None, log.read_text()
                time.sleep(0.05)
        yield found
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()


def ended(found: Server, by: signal.Signals) -> int:
    """The exit code of a server that a signal ends, with all of its workers."""
    workers = psutil.Process(found.process.pid).children(recursive=True)
    found.process.send_signal(by)
    code = found.process.wait(30)
    assert not psutil.wait_procs(workers, timeout=5)[1]
    return code


def keep_study(place: Path, result: StudyResult) -> str:
    """Save a study's result in a store; return the id of its run."""
    with Store.open(str(place)) as store, store.begin("study", result.name, {"scale": "quick"}, 0) as run:
        run.finish(result.to_json())
        return run.id


@cache
def _app(host: str, token: str | None, owner_token: str | None) -> FastAPI:
    """Made once, because its routes take a quarter of a second; its state is each test's own."""
    return create_app(host, Visitors(token, owner_token))


def application(
    place: Path, token: str | None = None, host: str = "127.0.0.1", owner_token: str | None = None
) -> AbstractAsyncContextManager[httpx.AsyncClient]:
    return without_process(_app(host, token, owner_token), place)


@asynccontextmanager
async def without_process(app: FastAPI, place: Path) -> AsyncIterator[httpx.AsyncClient]:
    """An application alone, with a store in a folder; workers only start when needed."""
    app.state.services = Services(Engine(cores=1, warm=False), Store.open(str(place)))
    transport = httpx.ASGITransport(app=app)
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8400") as client:
            yield client
    finally:
        await app.state.services.close()
