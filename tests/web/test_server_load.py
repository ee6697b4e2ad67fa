"""Latencies on an idle machine; and many games at once, for long: memory use stays constant."""

import asyncio
import contextlib
import os
import random
import socket
import time
from pathlib import Path

import httpx
import psutil
import pytest

from tests.web.conftest import warm
from tests.web.serving import Server, server, talk, tell

GAMES = 100
SQUARES = [f"{row}{col}" for row in "ABCDEFG" for col in range(1, 8) if (row, col) != ("D", 4)]
MINUTES = float(os.environ.get("NOUGHTS_LOAD_MINUTES", "10"))


async def play_games(found: Server, seconds: float) -> list[float]:
    """Play this number of games at once, restarting each finished one; return the seconds of each move."""
    times: list[float] = []
    until = time.monotonic() + seconds
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{found.port}", timeout=60, limits=httpx.Limits(max_connections=GAMES)
    ) as client:

        async def game(number: int) -> None:
            rng = random.Random(number)
            moves: list[str] = []
            while time.monotonic() < until:
                body = {"rules": "bttt(D4)", "moves": moves, "agent": "mcts:sims=100", "seed": rng.randrange(2**32)}
                answer = await client.post("/api/move", json=body)
                times.append(answer.elapsed.total_seconds())
                assert answer.status_code == 200, answer.text
                position = answer.json()["position"]
                moves = [*position["moves"]]
                if position["outcome"] == "ongoing":
                    moves.append(rng.choice(position["legal"]))  # a person, who needs a moment
                    text = " ".join(["bttt(D4)", *moves])
                    position = (await client.post("/api/position", json={"text": text})).json()
                await asyncio.sleep(rng.uniform(0.0, 1.0))
                if position["outcome"] != "ongoing":
                    moves = []

        await asyncio.gather(*(game(number) for number in range(GAMES)))
    return times


def memory(found: Server) -> int:
    """Private bytes of the server and its workers."""
    processes = [psutil.Process(found.process.pid), *psutil.Process(found.process.pid).children(recursive=True)]
    return sum(process.memory_full_info().uss for process in processes)


@pytest.mark.slow
def test_moves_and_exact_values_are_quick(tmp_path: Path) -> None:
    with server(tmp_path) as found:
        warm(found)
        body = {"rules": "bttt(D4)", "moves": ["A1", "B2"], "agent": "mcts:sims=1000"}
        with found.client() as client:
            answers = [client.post("/api/move", json=body | {"seed": seed}).raise_for_status() for seed in range(50)]
        times = sorted(answer.elapsed.total_seconds() for answer in answers)
        print(f"a move: median {times[25]:.3f} s, most {times[-1]:.3f} s")
        assert times[25] < 0.1

        async def exact(moves: list[str]) -> float:
            async with talk(found) as say:
                begun = time.monotonic()
                await say.send(type="exact", id="e", rules="bttt(D4)", moves=moves, seconds=20)
                while sum(move["kind"] == "exact" for move in (await say.hear())["result"]["moves"]) < 10:
                    pass
                return time.monotonic() - begun

        rng = random.Random(5)
        waits = [asyncio.run(exact(rng.sample(SQUARES, 4))) for _ in range(10)]
        print(f"exact values of ten moves after 4 plies: most {max(waits):.2f} s")
        assert max(waits) < 2.0


@pytest.mark.slow
def test_a_hundred_games_at_once(tmp_path: Path) -> None:
    with server(tmp_path) as found:
        asyncio.run(play_games(found, 15))  # all workers have come up
        before = memory(found)
        times = asyncio.run(play_games(found, 60 * MINUTES))
        after = memory(found)
        late = tell("moves", times)
        print(f"memory {before / 2**20:.0f} MiB before, {after / 2**20:.0f} MiB after")
        assert late < 1.0
        assert after < before * 1.05 + 20 * 2**20
        assert "Error" not in found.log.read_text()


@pytest.mark.slow
def test_greedy_clients_do_not_slow_others(tmp_path: Path) -> None:
    """Six clients send as many requests as they can, each from its own address; a seventh plays."""

    async def greedy(found: Server, number: int, until: float) -> int:
        transport = httpx.AsyncHTTPTransport(
            local_address=f"127.0.0.{number + 2}", limits=httpx.Limits(max_connections=30)
        )
        asked = 0
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{found.port}", timeout=70, transport=transport
        ) as client:

            async def ask(kind: int) -> None:
                nonlocal asked
                agents = ("mcts:sims=2000000", "mcts:sims=1999999", "minimax:depth=9", "mcts:sims=200")
                while time.monotonic() < until:
                    asked += 1
                    body = {"rules": "mnk(19,19,5)", "agent": agents[kind % 4], "seed": asked}
                    with contextlib.suppress(httpx.HTTPError):
                        await client.post("/api/move", json=body, timeout=max(0.1, until - time.monotonic()))

            await asyncio.gather(*(ask(kind) for kind in range(20)))
        return asked

    async def modest(found: Server, until: float) -> list[float]:
        times: list[float] = []
        await asyncio.sleep(3)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{found.port}", timeout=60) as client:
            while time.monotonic() < until:
                body = {"rules": "bttt(D4)", "moves": ["A1", "B2"], "agent": "mcts:sims=300", "seed": len(times)}
                answer = await client.post("/api/move", json=body)
                times.append(answer.elapsed.total_seconds())
                assert answer.status_code == 200
                await asyncio.sleep(0.1)
        return times

    async def everybody(found: Server) -> list[float]:
        until = time.monotonic() + 60
        others = asyncio.gather(*(greedy(found, number, until) for number in range(6)))
        times = await modest(found, until)
        assert min(await others) > 0
        return times

    with server(tmp_path) as found:
        warm(found)
        times = asyncio.run(everybody(found))
        late = tell("moves beside six greedy clients", times)
        assert len(times) >= 40
        assert late < 1.0
        assert found.log.stat().st_size < 100_000


@pytest.mark.slow
def test_thirty_exact_values_at_once_are_all_answered(tmp_path: Path) -> None:
    async def bounds(found: Server, moves: list[str], address: str) -> float:
        async with talk(found, local_addr=(address, 0)) as say:
            begun = time.monotonic()
            await say.send(type="exact", id="e", rules="bttt(D4)", moves=moves, seconds=60)
            while (await say.hear())["result"] is None:
                pass
            return time.monotonic() - begun

    async def thirty(found: Server, lines: list[list[str]]) -> list[float]:
        waits = await asyncio.gather(*(bounds(found, line, f"127.0.0.{2 + i}") for i, line in enumerate(lines)))
        return sorted(waits)

    rng = random.Random(6)
    with server(tmp_path) as found:
        warm(found)
        shared = asyncio.run(thirty(found, [["A1", "B2"]] * 30))
        different = asyncio.run(thirty(found, [rng.sample(SQUARES, 2) for _ in range(30)]))
        print(f"30 clients, one position: all within {shared[-1]:.2f} s; 30 positions: within {different[-1]:.2f} s")
        assert shared[-1] < 5
        assert different[-1] < 20


@pytest.mark.slow
def test_fifteen_hundred_idle_connections_block_nobody(tmp_path: Path) -> None:
    with server(tmp_path) as found, contextlib.ExitStack() as idle:
        for _ in range(1_500):
            idle.enter_context(socket.create_connection(("127.0.0.1", found.port), timeout=10))
        with found.client() as client:
            answers = [client.get("/api/health").raise_for_status() for _ in range(20)]
        times = sorted(answer.elapsed.total_seconds() for answer in answers)
        print(f"beside 1,500 idle connections: at most {times[-1]:.3f} s; log of {found.log.stat().st_size} bytes")
        assert times[-1] < 1
        assert found.log.stat().st_size < 100_000
