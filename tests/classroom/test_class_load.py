"""Thirty pupils at once, each a program: every move arrives quickly. For agents' speed see `tests/web/test_server_load.py`.

``NOUGHTS_CLASS_SECONDS`` is how long they play each other; ``NOUGHTS_CLASS_THINKING`` is the range of seconds that a pupil
waits before a move, from and to.
"""

import asyncio
import json
import os
import random
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from noughts.positions import Position
from noughts.rules import parse_rules
from tests.classroom.classes import ClassServer, Pupil, class_server
from tests.web.serving import tell

PUPILS = 30
SECONDS = float(os.environ.get("NOUGHTS_CLASS_SECONDS", "45"))
THINKING = tuple(map(float, os.environ.get("NOUGHTS_CLASS_THINKING", "1,3").split(",")))
"""Seconds before a move; by default, quicker than real pupils."""
RULES = "bttt(D4)"

Times = defaultdict[str, list[float]]
"""Latencies of moves in seconds, by the awaited event."""


class Client(Pupil):
    """A simulated pupil: sends requests over HTTP, and listens to the class on its socket."""

    def __init__(self, number: int, lesson: ClassServer) -> None:
        address = f"http://127.0.0.1:{lesson.server.port}"
        super().__init__(httpx.AsyncClient(base_url=address, timeout=60), f"Pupil {number}")
        self.lesson, self.rng = lesson, random.Random(number)
        self.games: dict[str, dict[str, Any]] = {}
        self.news = asyncio.Condition()

    async def join(self, times: Times) -> None:
        answer = await self.client.post("/api/class/join", json={"code": self.lesson.code, "nickname": self.id})
        assert answer.status_code == 200, answer.text
        times["joining"].append(answer.elapsed.total_seconds())

    async def listen(self) -> None:
        cookie = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        address = f"ws://127.0.0.1:{self.lesson.server.port}/api/class/live"
        async with websockets.connect(address, additional_headers={"Cookie": cookie}) as socket:
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "game":
                    async with self.news:
                        self.games[message["game"]["id"]] = message["game"]
                        self.news.notify_all()

    async def until(self, game: str, wanted: Any) -> dict[str, Any]:
        """Listen until a game satisfies the condition."""
        async with self.news:
            await asyncio.wait_for(self.news.wait_for(lambda: game in self.games and wanted(self.games[game])), 30)
            return self.games[game]


async def play_each_other(one: Client, other: Client, times: Times, until: float) -> int:
    """Two pupils play one game after another; return the number of finished games."""
    rules, ended = parse_rules(RULES), 0
    while time.monotonic() < until:
        game = await one.make(rules=RULES, begins="me")
        (await other.do(game, "take")).raise_for_status()
        now = await one.until(game, lambda found: found["state"] == "playing")
        while now["state"] == "playing" and time.monotonic() < until:
            mover, waiter = (one, other) if now["to_move"] == now["mine"] else (other, one)
            await asyncio.sleep(mover.rng.uniform(*THINKING))
            count = len(now["moves"])
            legal = Position.start(rules, tuple(map(rules.cell_of, now["moves"]))).legal_moves
            begun = time.monotonic()
            (await mover.do(game, "moves", ply=count, move=rules.name_of(mover.rng.choice(legal)))).raise_for_status()
            times["a move is answered"].append(time.monotonic() - begun)
            await waiter.until(game, lambda found, count=count: len(found["moves"]) > count)
            times["a classmate's move is seen"].append(time.monotonic() - begun)
            now = await one.until(game, lambda found, count=count: len(found["moves"]) > count)
        if now["state"] == "playing":
            (await one.do(game, "resign")).raise_for_status()
        ended += 1
    return ended


async def whole_lesson(lesson: ClassServer, times: Times) -> int:
    """The pupils join and play each other; return the number of finished games."""
    clients = [Client(number, lesson) for number in range(PUPILS)]
    await asyncio.gather(*(client.join(times) for client in clients))
    hearing = [asyncio.create_task(client.listen()) for client in clients]
    until = time.monotonic() + SECONDS
    pairs = zip(clients[::2], clients[1::2], strict=True)
    ended = sum(await asyncio.gather(*(play_each_other(one, other, times, until) for one, other in pairs)))
    for task in hearing:
        task.cancel()
    for client in clients:
        await client.client.aclose()
    return ended


@pytest.mark.slow
def test_thirty_pupils_play_each_other(tmp_path: Path) -> None:
    times: Times = defaultdict(list)
    with class_server(tmp_path) as lesson:
        with httpx.Client(base_url=lesson.teach.partition("?")[0], timeout=120) as teacher:
            teacher.get(lesson.teach.partition("#")[0])
            ended = asyncio.run(whole_lesson(lesson, times))
            rows = teacher.get("/api/class").json()["pupils"]
        late = {name: tell(name, seconds) for name, seconds in times.items()}
        print(f"{ended} games ended; the table has {len(rows)} pupils")
        assert len(rows) == PUPILS
        assert all(seconds < 1.0 for name, seconds in late.items() if name != "joining")
        assert "Error" not in lesson.server.log.read_text()
