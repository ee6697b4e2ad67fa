"""Routes for learning: puzzles that ship, the day's, new ones, lessons, opponents; and the page's files, packed."""

import asyncio
import gzip
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest

from noughts.web.examples import EXAMPLE_RUN, STUDIES
from noughts.web.opponents import opponents
from noughts.web.page import STATIC
from tests.web.serving import application

Use = Callable[[httpx.AsyncClient], Coroutine[Any, Any, None]]


def use(place: Path, what: Use) -> None:
    async def run() -> None:
        async with application(place) as client:
            await what(client)

    asyncio.run(run())


def test_puzzles_ship_and_are_found_by_game_and_grade(tmp_path: Path) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        games = (await client.get("/api/puzzles")).json()
        tic = next(game for game in games if game["rules"] == "tic-tac-toe")
        some = (await client.get("/api/puzzles/set", params={"rules": "tic-tac-toe", "grade": "hard"})).json()
        assert len(some) == tic["grades"]["hard"] > 0
        assert {puzzle["grade"] for puzzle in some} == {"hard"}
        every = (await client.get("/api/puzzles/set", params={"rules": "tic-tac-toe"})).json()
        assert len(every) == sum(tic["grades"].values())
        assert (await client.get("/api/puzzles/set", params={"rules": "gomoku"})).json() == []
        assert (await client.get("/api/puzzles/set", params={"rules": "chess"})).status_code == 422

    use(tmp_path, check)


def test_the_days_puzzles(tmp_path: Path) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        first, again = [(await client.get("/api/puzzles/daily?day=2026-11-22")).json() for _ in range(2)]
        assert first == again
        assert len(first) == 5
        for day in ("", "tomorrow", "2026-13-01"):
            assert (await client.get("/api/puzzles/daily", params={"day": day})).status_code == 422

    use(tmp_path, check)


def test_a_position_is_the_puzzle_that_it_is(tmp_path: Path) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        shipped = (await client.get("/api/puzzles/set", params={"rules": "notakto(4)"})).json()[0]
        asked = {"rules": "notakto(4)", "moves": shipped["moves"]}
        assert (await client.post("/api/puzzles/at", json=asked)).json() == shipped
        made = await client.post("/api/puzzles/at", json={"rules": "tic-tac-toe", "moves": ["A1"]})
        assert (made.json()["solutions"], made.json()["value"]) == (["B2"], 0)
        none = await client.post("/api/puzzles/at", json={"rules": "tic-tac-toe", "moves": []})
        assert none.status_code == 422
        assert "no puzzle" in none.json()["error"]
        over = {"rules": "tic-tac-toe", "moves": ["A1", "B1", "A2", "B2", "A3"]}
        assert "over" in (await client.post("/api/puzzles/at", json=over)).json()["error"]

    use(tmp_path, check)


def test_a_puzzle_is_made_of_other_rules(tmp_path: Path) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        asked = {"rules": "mnk(3,4,3)", "seed": 3}
        made, again = [(await client.post("/api/puzzles/make", json=asked)).json() for _ in range(2)]
        assert made == again
        assert made["rules"] == "mnk(3,4,3)"
        assert made["line"][0] in made["solutions"]
        refused = await client.post("/api/puzzles/make", json={"rules": "gomoku"})
        assert refused.status_code == 422
        assert "no solver covers" in refused.json()["error"]

    use(tmp_path, check)


def test_lessons_and_opponents(tmp_path: Path) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        lessons = (await client.get("/api/lessons")).json()
        assert [lesson["id"] for lesson in lessons][:3] == ["line", "stop", "fork"]
        assert lessons[0]["steps"][0]["answers"] == ["C3"]
        found = (await client.get("/api/opponents")).json()
        for opponent in found:
            asked = await client.post("/api/agent", json={"agent": opponent["agent"]})
            assert asked.json()["agent"] == opponent["agent"]

    use(tmp_path, check)


def test_a_run_ships_whose_network_plays(tmp_path: Path) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        (listed,) = (await client.get("/api/runs")).json()
        run = (await client.get(f"/api/runs/{listed['name']}")).json()
        assert run["ships"]
        assert (run["task"], run["iterations"], run["weights"]) == ("bttt(D4)", 53, [53])
        asked = await client.post("/api/agent", json={"agent": run["agent"]})
        assert asked.json()["agent"].startswith("az:example@")

    use(tmp_path, check)


def test_a_study_ships_until_the_store_has_its_own(tmp_path: Path) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        studies = {study["name"]: study for study in (await client.get("/api/studies")).json()}
        for name in STUDIES:
            assert [run["id"] for run in studies[name]["runs"]] == [EXAMPLE_RUN]
            found = (await client.get(f"/api/studies/{name}")).json()
            assert found["tables"]
            assert found["run"]["id"] == EXAMPLE_RUN
            for figure in found["figures"]:
                assert (await client.get(figure["svg"])).status_code == 200
            assert (await client.get(f"/api/studies/{name}/page")).status_code == 200
        exact = (await client.get("/api/studies/exact-values")).json()
        assert any(figure["heatmap"] for figure in exact["figures"])

    use(tmp_path, check)


def test_opponents_stand_in_the_order_of_their_strength() -> None:
    accuracies = [opponent.accuracy for opponent in opponents()]
    assert accuracies == sorted(accuracies)
    assert opponents()[0].agent == "random"
    assert opponents()[-1].strength == "perfect"
    assert all(0 < share <= 1 for opponent in opponents() for share in opponent.by_game.values())


@pytest.mark.parametrize(
    ("accepts", "packed"),
    [("gzip, br", True), ("*", True), ("GZIP;q=0.5", True), ("br", False), ("gzip;q=0", False), ("", False)],
)
def test_files_are_packed_for_those_who_take_it(tmp_path: Path, accepts: str, packed: bool) -> None:
    async def check(client: httpx.AsyncClient) -> None:
        answer = await client.get("/static/main.js", headers={"Accept-Encoding": accepts})
        assert (answer.headers.get("content-encoding") == "gzip") is packed
        assert answer.content == (STATIC / "main.js").read_bytes()  # unpacked by the client
        assert answer.headers["vary"] == "Accept-Encoding"

    use(tmp_path, check)


def test_the_first_page_is_small() -> None:
    """All that the front page loads, packed: what `index.html` names, and what that imports."""
    waiting, seen = ["index.html"], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        path = STATIC / name
        if path.suffix not in (".html", ".js"):
            continue
        text = path.read_text()
        waiting += re.findall(r'(?:src|href)="/static/([^"#]+)', text)
        for inner in re.findall(r'(?m)^(?:import|\} from)[^"\n]*"(\.[^"]+)"', text):
            waiting.append((path.parent / inner).resolve().relative_to(STATIC.resolve()).as_posix())
    assert "areas/home.js" in seen
    assert "parts/board.js" in seen
    assert sum(len(gzip.compress((STATIC / name).read_bytes())) for name in seen) < 120_000
