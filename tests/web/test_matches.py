"""Matches on the page: the same questions as anywhere else, answered once, by commands that can be stopped."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from noughts.agents import parse_agent
from noughts.play.score import Score
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.played import MatchResult, Played
from noughts.rules import parse_task
from noughts.web.commands import _Command
from noughts.web.services import Services
from tests.web.serving import application


class Use:
    """The matches of a server, asked over HTTP."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.services: Services = client._transport.app.state.services  # type: ignore[attr-defined]

    async def start(self, status: int = 200, **asked: object) -> dict[str, Any]:
        """The answer to a match that is to begin."""
        answer = await self.client.post("/api/matches", json={**MATCH, **asked})
        assert answer.status_code == status, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def show(self, id: str) -> dict[str, Any]:
        """How a match stands."""
        found: dict[str, Any] = (await self.client.get(f"/api/matches/{id}")).json()
        return found

    async def end_of(self, id: str) -> dict[str, Any]:
        """How a match stands when it is no longer at work."""
        deadline = time.monotonic() + 240
        while (found := await self.show(id))["state"] == "running":
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)
        return found


def run(
    place: Path, monkeypatch: pytest.MonkeyPatch, check: Callable[[Use], Coroutine[Any, Any, None]], **options: Any
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(place))

    async def whole() -> None:
        async with application(place, **options) as client:
            await check(Use(client))

    asyncio.run(whole())


async def work(command: _Command) -> None:
    """In the place of a process: goes on until it is stopped."""
    while not command.stopping:
        await asyncio.sleep(0.01)
    command.keep(state="stopped")


def match(task: str = "tic-tac-toe", a: str = "random", b: str = "minimax:depth=1", games: int = 6) -> Played:
    return Played(task=parse_task(task), a=parse_agent(a), b=parse_agent(b), games=games, moves_first="turns", seed=3)


MATCH = {"rules": "tic-tac-toe", "first": "random", "second": "minimax:depth=1", "games": 6, "seed": 3, "swap": True}
"""The same as `match()` asks."""
ENDLESS = {"rules": "bttt(D4)", "first": "minimax:depth=40", "second": "minimax:depth=40"}
"""Not one move of it is made while a test lasts."""


@pytest.mark.heavy
def test_a_match_on_every_square_is_told_square_by_square(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        asked = {"rules": "mnk(3,3,2,bricks=*)", "games": 36}
        id = (await use.start(**asked))["id"]
        found = await use.end_of(id)
        assert (found["state"], found["done"], found["total"]) == ("finished", 36, 36)
        squares = [game["square"] for game in found["by_game"]]
        assert squares == ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"]
        for game in found["by_game"]:
            assert game["rules"] == f"mnk(3,3,2,bricks={game['square']})"
            assert (game["games"], game["errors"]) == (4, 0)
            assert (game["lost"] is not None) == (game["losses"] > 0)
            assert game["lost"] is None or game["lost"] in {record["text"] for record in found["records"]}
            assert game["share"] == game["wins"] / 4
        whole = found["table"][-1]
        assert sum(game["wins"] for game in found["by_game"]) == whole["wins"]
        assert sum(game["losses"] for game in found["by_game"]) == whole["losses"] > 0
        assert (await use.start(**asked))["id"] == id  # it is finished: nothing is begun
        assert use.services.commands.all() == []  # matches are listed elsewhere

    run(tmp_path, monkeypatch, check)


@pytest.mark.heavy
def test_what_was_asked_elsewhere_is_found_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        played = match()
        with use.services.store.begin("study", "of another kind", {}, 0) as elsewhere:
            answers = Answers(elsewhere)
            list(carry_out([played], answers, 0))
        found = await use.end_of((await use.start())["id"])
        assert (found["state"], found["error"], found["done"]) == ("finished", "", 6)
        rules = parse_task("tic-tac-toe").rules[0]
        assert [record["text"].split()[1:] for record in found["records"]] == [
            [rules.name_of(move) for move in record.moves] for record in played.records(answers)
        ]

    run(tmp_path, monkeypatch, check)


@pytest.mark.heavy
def test_games_that_differ_in_more_than_a_brick_have_no_square(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        found = await use.end_of((await use.start(rules="mnk(3,3,3,line=wins|loses)", games=4))["id"])
        assert [(game["rules"], game["square"], game["games"]) for game in found["by_game"]] == [
            ("tic-tac-toe", None, 2),
            ("misere-tic-tac-toe", None, 2),
        ]

    run(tmp_path, monkeypatch, check)


@pytest.mark.heavy
def test_a_match_is_stopped_in_the_middle_of_a_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        def children() -> list[psutil.Process]:
            return [each for each in psutil.Process().children(recursive=True) if each not in before]

        before = psutil.Process().children(recursive=True)  # of other tests
        id = (await use.start(**ENDLESS))["id"]
        assert (await use.start(**ENDLESS))["id"] == id
        deadline = time.monotonic() + 120
        while len(children()) < 2:  # the command, and its worker
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)
        assert (await use.show(id))["state"] == "running"
        begun = children()
        assert (await use.client.delete(f"/api/matches/{id}")).status_code == 200
        assert (await use.show(id))["state"] == "stopped"
        assert not psutil.wait_procs(begun, timeout=5)[1]
        assert (await use.start(**ENDLESS))["id"] == id

    run(tmp_path, monkeypatch, check)


def test_a_match_that_fails_shows_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(command: _Command) -> None:
        command._log.write_text("error: the disk is full\n")
        command.keep(state="failed")

    monkeypatch.setattr(_Command, "run", fail)

    async def check(use: Use) -> None:
        failed = await use.end_of((await use.start())["id"])
        assert (failed["state"], failed["error"], failed["done"]) == ("failed", "the disk is full", 0)

    run(tmp_path, monkeypatch, check)


def test_guests_have_one_match_at_a_time_and_stop_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Command, "run", work)

    async def check(use: Use) -> None:
        def browser() -> httpx.AsyncClient:
            return httpx.AsyncClient(transport=use.client._transport, base_url=use.client.base_url)

        async with browser() as mia, browser() as ben, browser() as owner:
            for client, token in ((mia, "shared"), (ben, "shared"), (owner, "mine")):
                await client.get(f"/?token={token}")
            id = (await mia.post("/api/matches", json=MATCH)).json()["id"]
            again = await mia.post("/api/matches", json={**MATCH, "games": 2})
            assert (again.status_code, "a match of yours is at work" in again.text) == (429, True)
            assert (await ben.post("/api/matches", json=MATCH)).json()["id"] == id  # the same, for both
            refused = await ben.delete(f"/api/matches/{id}")
            assert (refused.status_code, "another visitor" in refused.text) == (403, True)
            assert (await mia.delete(f"/api/matches/{id}")).status_code == 200
            assert (await mia.get(f"/api/matches/{id}")).json()["state"] == "stopped"
            assert (await mia.post("/api/matches", json=MATCH)).json()["id"] == id
            assert (await owner.delete(f"/api/matches/{id}")).status_code == 200

    run(tmp_path, monkeypatch, check, token="shared", owner_token="mine", host="0.0.0.0")


def test_what_a_finished_match_found_stays_when_its_games_are_no_longer_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = MatchResult(a="random", b="minimax:depth=1", a_first=Score(wins=1, losses=5), distinct=6)

    async def check(use: Use) -> None:
        with use.services.store.begin("match", "old", {"question": match().model_dump(mode="json")}, 3) as kept:
            kept.finish(result.to_json())
        found = await use.show(kept.id)
        assert (found["state"], found["done"], found["records"]) == ("finished", 6, [])
        assert (found["table"][-1]["wins"], found["table"][-1]["losses"]) == (1, 5)

    run(tmp_path, monkeypatch, check)


def test_a_match_of_another_version_is_refused_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check(use: Use) -> None:
        with use.services.store.begin("match", "old", {"rules": "tic-tac-toe"}, 3) as kept:
            pass
        answer = await use.client.get(f"/api/matches/{kept.id}")
        assert answer.status_code == 404
        assert "another version of noughts: start it again" in answer.json()["error"]

    run(tmp_path, monkeypatch, check)
