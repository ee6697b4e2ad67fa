"""Thirty pupils at once, six of them or all in browsers: every move comes soon, and nobody sees or changes another's games.

``NOUGHTS_CLASS_SECONDS`` is for how long they play each other, and then an agent; ``NOUGHTS_CLASS_BROWSERS`` how many browsers there are
in the lesson that has browsers alone, an even number: fewer than thirty where a machine holds no more; ``NOUGHTS_CLASS_THINKING`` for how
long a pupil looks at the board before a move, from and to.
"""

import asyncio
import contextlib
import json
import os
import random
import shutil
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from noughts.positions import Position
from noughts.rules import parse_rules
from tests.classroom.classes import ClassServer, class_server
from tests.web.test_server_routes import document, node

ALL_BROWSERS = int(os.environ.get("NOUGHTS_CLASS_BROWSERS", "30"))
SECONDS = float(os.environ.get("NOUGHTS_CLASS_SECONDS", "45"))
"""For which they play each other, and then an agent."""
THINKING = tuple(map(float, os.environ.get("NOUGHTS_CLASS_THINKING", "1,3").split(",")))
"""Seconds before a move; unless told otherwise, quicker than pupils are."""
AGENT = "mcts:sims=1000"
RULES = "bttt(D4)"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Times:
    """How long moves took, in seconds."""

    def __init__(self) -> None:
        self.all: dict[str, list[float]] = {}

    def add(self, name: str, seconds: float) -> None:
        self.all.setdefault(name, []).append(seconds)

    def tell(self) -> None:
        for name, times in self.all.items():
            times.sort()
            late = self.late(name)
            print(
                f"{name}: {len(times)}, median {times[len(times) // 2]:.3f} s, 99 % within {late:.3f} s, most {times[-1]:.3f} s"
            )

    def late(self, name: str) -> float:
        times = sorted(self.all[name])
        return times[min(len(times) - 1, int(len(times) * 0.99))]


class Client:
    """A pupil who is a program: asks over HTTP, and hears the class over its socket."""

    def __init__(self, number: int, lesson: ClassServer) -> None:
        self.number, self.lesson = number, lesson
        self.rng = random.Random(number)
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{lesson.server.port}", timeout=60)
        self.games: dict[str, dict[str, Any]] = {}
        self.news = asyncio.Condition()
        self.id = ""
        self.saved = ""

    async def join(self, times: Times) -> None:
        begun = time.monotonic()
        asked = {"code": self.lesson.code, "nickname": f"Pupil {self.number}"}
        answer = await self.http.post("/api/class/join", json=asked)
        assert answer.status_code == 200, answer.text
        self.id = answer.json()["id"]
        times.add("joining", time.monotonic() - begun)

    async def listen(self) -> None:
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = f"ws://127.0.0.1:{self.lesson.server.port}/api/class/live"
        async with websockets.connect(address, additional_headers={"Cookie": cookie}) as socket:
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "game":
                    async with self.news:
                        self.games[message["game"]["id"]] = message["game"]
                        self.news.notify_all()

    async def until(self, game: str, wanted: Any) -> dict[str, Any]:
        """Hear of a game until it is as wanted."""
        async with self.news:
            await asyncio.wait_for(self.news.wait_for(lambda: game in self.games and wanted(self.games[game])), 30)
            return self.games[game]

    async def post(self, path: str, **asked: Any) -> dict[str, Any]:
        answer = await self.http.post(f"/api/class/{path}", json=asked or None)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def move(self, game: str, moves: list[str], times: Times) -> None:
        rules = parse_rules(RULES)
        legal = Position.start(rules, tuple(map(rules.cell_of, moves))).legal_moves
        begun = time.monotonic()
        await self.post(f"games/{game}/moves", ply=len(moves), move=rules.name_of(self.rng.choice(legal)))
        times.add("a move is answered", time.monotonic() - begun)

    async def think(self) -> None:
        await asyncio.sleep(self.rng.uniform(*THINKING))


async def play_each_other(one: Client, other: Client, times: Times, until: float) -> int:
    """Games between two, one after another; gives how many ended."""
    ended = 0
    while time.monotonic() < until:
        game = (await one.post("games", rules=RULES, begins="me"))["id"]
        await other.post(f"games/{game}/take")
        now = await one.until(game, lambda found: found["state"] == "playing")
        while now["state"] == "playing" and time.monotonic() < until:
            mover, waiter = (one, other) if now["to_move"] == now["mine"] else (other, one)
            await mover.think()
            count = len(now["moves"])
            begun = time.monotonic()
            await mover.move(game, now["moves"], times)
            await waiter.until(game, lambda found, count=count: len(found["moves"]) > count)
            times.add("a classmate's move is seen", time.monotonic() - begun)
            now = await one.until(game, lambda found, count=count: len(found["moves"]) > count)
        if now["state"] == "playing":
            await one.post(f"games/{game}/resign")
        ended += 1
    return ended


async def play_an_agent(one: Client, times: Times, until: float) -> int:
    """Games with an agent, one after another; gives how many ended."""
    ended = 0
    while time.monotonic() < until:
        game = (await one.post("games", rules=RULES, begins="me", agent=AGENT))["id"]
        now = await one.until(game, lambda found: found["state"] == "playing")
        while now["state"] == "playing" and time.monotonic() < until:
            await one.think()
            count = len(now["moves"])
            begun = time.monotonic()
            await one.move(game, now["moves"], times)
            now = await one.until(
                game, lambda found, count=count: len(found["moves"]) > count + 1 or found["state"] == "ended"
            )
            if len(now["moves"]) > count + 1:
                times.add("an agent's move is seen", time.monotonic() - begun)
        if now["state"] == "playing":
            await one.post(f"games/{game}/resign")
        ended += 1
    return ended


_MARKS = "document.querySelectorAll('main .holds-X, main .holds-O').length"
_ENDED = "document.querySelector('main h1')?.textContent.startsWith('You ')"


async def marks(page: Any) -> int:
    return int(await page.evaluate(f"() => {_MARKS}"))


async def wait_for_marks(page: Any, count: int, or_the_end: bool = False) -> None:
    """Until the board has so many marks; the page tells when it changes, and nothing is asked of it at each frame."""
    done = f"{_MARKS} >= count" + (f" || {_ENDED}" if or_the_end else "")
    told = page.evaluate(
        f"""count => new Promise(resolve => {{
            const look = () => ({done}) && (watch.disconnect(), resolve());
            const watch = new MutationObserver(look);
            watch.observe(document.body, {{ subtree: true, childList: true, attributes: true, characterData: true }});
            look();
        }})""",
        count,
    )
    await asyncio.wait_for(told, 60)


async def join_in_browser(page: Any, lesson: ClassServer, number: int) -> None:
    await page.goto(lesson.join)
    await page.get_by_label("Nickname").fill(f"Browser {number}")
    await page.get_by_role("button", name="Join").click()
    await page.wait_for_selector("pupil-room")
    await page.locator("select").first.select_option(RULES)
    await page.get_by_label("me", exact=True).check(force=True)


async def browsers_play_each_other(one: Any, other: Any, times: Times, until: float) -> None:
    """A game between two browsers: from the click on one board to the mark on the other."""
    await one.get_by_role("button", name="Make a link for a classmate").click()
    await other.goto(await one.get_by_label("Address").input_value())
    await other.get_by_role("button", name="Play", exact=True).click()
    count = 0
    await one.wait_for_selector("main .cell.open")
    while time.monotonic() < until:
        mover, waiter = (one, other) if count % 2 == 0 else (other, one)
        await asyncio.sleep(random.uniform(*THINKING))
        square = mover.locator("main .cell.open").first
        if not await square.count():
            break  # it is over
        begun = time.monotonic()
        await square.click()
        count += 1
        await wait_for_marks(waiter, count)
        times.add("from a click to the other browser's board", time.monotonic() - begun)
        await asyncio.sleep(0.2)


async def browser_plays_an_agent(page: Any, times: Times, until: float) -> None:
    await page.goto(page.url.partition("#")[0] + "#/class")
    await page.wait_for_selector("pupil-room")
    await page.locator("select").first.select_option(RULES)
    await page.get_by_label("me", exact=True).check(force=True)
    await page.get_by_label("Opponent").select_option(AGENT)
    await page.get_by_role("button", name="Play the program").click()
    await page.wait_for_selector("class-game .cell.open")
    while time.monotonic() < until:
        await asyncio.sleep(random.uniform(*THINKING))
        square = page.locator("main .cell.open").first
        if not await square.count():
            break
        before = await marks(page)
        begun = time.monotonic()
        await square.click()
        await wait_for_marks(page, before + 2, or_the_end=True)
        times.add("from a click to the agent's move on the board", time.monotonic() - begun)


async def try_what_is_not_allowed(one: Client, other: Client) -> None:
    """Another one's saved games and games in the class, which are not there for oneself."""
    asked = {"name": "mine", "game": document("tic-tac-toe", node("B2"))}
    saved = f"/api/games/{other.saved}"
    answers = [await one.http.get(saved), await one.http.put(saved, json=asked), await one.http.delete(saved)]
    assert [answer.status_code for answer in answers] == [404] * 3
    assert [game["id"] for game in (await one.http.get("/api/games")).json()] == [one.saved]
    for game in other.games.values():
        if one.id in (game["first"]["id"], game["second"]["id"]):
            continue
        assert (await one.http.get(f"/api/class/games/{game['id']}")).status_code == 404
        for what, more in (("take", None), ("moves", {"ply": len(game["moves"]), "move": "A1"}), ("resign", None)):
            answer = await one.http.post(f"/api/class/games/{game['id']}/{what}", json=more)
            assert answer.status_code in (403, 422), answer.text
    assert all(one.id in (game["first"]["id"], game["second"]["id"]) for game in one.games.values())


async def whole_lesson(lesson: ClassServer, times: Times, client_count: int, browser_count: int) -> int:
    """They join, play each other and an agent; gives how many games of the clients ended."""
    from playwright.async_api import async_playwright

    clients = [Client(number, lesson) for number in range(client_count)]
    async with contextlib.AsyncExitStack() as stack:
        driver = await stack.enter_async_context(async_playwright())
        chromium = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        pages = [await (await chromium.new_context(reduced_motion="reduce")).new_page() for _ in range(browser_count)]
        await asyncio.gather(*(client.join(times) for client in clients))
        for page in pages:
            page.set_default_timeout(60_000)
        await asyncio.gather(*(join_in_browser(page, lesson, number) for number, page in enumerate(pages)))
        hearing = [asyncio.create_task(client.listen()) for client in clients]
        for client in clients:
            asked = {"name": "mine", "game": document("tic-tac-toe", node("B2"))}
            client.saved = (await client.http.post("/api/games", json=asked)).json()["id"]
        until = time.monotonic() + SECONDS
        pairs = list(zip(clients[::2], clients[1::2], strict=True))
        pages_play = [
            browsers_play_each_other(pages[n], pages[n + 1], times, until) for n in range(0, browser_count, 2)
        ]
        clients_play = asyncio.gather(*(play_each_other(one, other, times, until) for one, other in pairs))
        await asyncio.gather(*pages_play)
        ended = sum(await clients_play)
        until = time.monotonic() + SECONDS
        clients_play = asyncio.gather(*(play_an_agent(client, times, until) for client in clients))
        await asyncio.gather(*(browser_plays_an_agent(page, times, until) for page in pages))
        ended += sum(await clients_play)
        for one, other in zip(clients, clients[1:] + clients[:1], strict=True):
            await try_what_is_not_allowed(one, other)
        for task in hearing:
            task.cancel()
        for client in clients:
            await client.http.aclose()
        await chromium.close()
    return ended


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium to try the page in")
@pytest.mark.parametrize(("clients", "browsers"), [(24, 6), (0, ALL_BROWSERS)])
def test_thirty_pupils_play_each_other_and_an_agent(tmp_path: Path, clients: int, browsers: int) -> None:
    times = Times()
    with class_server(tmp_path) as lesson:
        with httpx.Client(base_url=lesson.teach.partition("?")[0], timeout=120) as teacher:
            teacher.get(lesson.teach.partition("#")[0])
            for _ in range(3):  # all workers have come up
                teacher.post("/api/move", json={"rules": RULES, "agent": AGENT})
            ended = asyncio.run(whole_lesson(lesson, times, clients, browsers))
            rows = teacher.get("/api/class").json()["results"]
        print(f"\n{clients} programs and {browsers} browsers")
        times.tell()
        print(f"{ended} games of the programs ended; the table has {len(rows)} pupils")
        assert len(rows) == clients + browsers
        for name in times.all:
            if name != "joining":
                assert times.late(name) < 1.0, name
        assert "Error" not in lesson.server.log.read_text()
