"""Commands started from the page: they run one by one, stop, resume, and only the owner may start them."""

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from noughts.web.commands import Commands, _Command
from noughts.web.errors import Refused
from tests.web.serving import application, refused

pytestmark = pytest.mark.anyio
WAIT_SECONDS = 240.0
OWNER, TOKEN = "an-owner's-token", "a-token-for-tests"


async def until(client: httpx.AsyncClient, command_id: str, *states: str) -> dict[str, Any]:
    end = time.monotonic() + WAIT_SECONDS
    while True:
        answer: dict[str, Any] = (await client.get(f"/api/commands/{command_id}")).json()
        if answer["state"] in states:
            return answer
        assert time.monotonic() < end, answer
        await asyncio.sleep(0.05)


@pytest.mark.heavy
async def test_trainings_start_stop_and_resume_and_a_proof_waits(own_store: Path) -> None:
    async with application(own_store) as client:
        asked = {"task": "tic-tac-toe", "method": "es", "minutes": 50, "run": "first"}
        training = (await client.post("/api/commands/train", json=asked)).json()["id"]
        proof = {"agent": "minimax:depth=9,ties=first", "rules": "tic-tac-toe", "side": "second"}
        proving = (await client.post("/api/commands/prove", json=proof)).json()["id"]
        assert (await client.post("/api/commands/prove", json=proof)).json()["id"] == proving
        assert (await until(client, proving, "waiting"))["seconds"] == 0
        while (runs := (await client.get("/api/runs")).json())[0]["ships"] or not runs[0]["iterations"]:
            await asyncio.sleep(0.05)
        assert "already" in refused(await client.post("/api/commands/train", json=asked | {"minutes": 3}), 422)
        taken = asked | {"run": "example"}
        assert "file of weights" in refused(await client.post("/api/commands/train", json=taken), 422)
        assert (await client.delete(f"/api/commands/{training}")).status_code == 200
        stopped = await until(client, training, "stopped")
        assert stopped["words"] == "noughts train tic-tac-toe --method es --minutes 50 --run first"
        assert (stopped["run"], stopped["exit_code"]) == ("first", None)
        before = (await client.get("/api/runs")).json()[0]
        assert before["state"] == "stopped"
        proved = await until(client, proving, "finished", "failed")
        assert (proved["state"], proved["exit_code"]) == ("finished", 0), proved
        assert "proved" in proved["said"]
        resumed = (await client.post(f"/api/commands/{training}/again")).json()["id"]
        assert (await until(client, resumed, "waiting", "running"))["words"] == "noughts runs resume first"
        known = (await client.get("/api/commands")).json()
        assert known["may_start"]
        assert [each["id"] for each in known["commands"]] == [resumed, proving, training]
    kept = Commands(own_store).all()  # the server has ended, so its command is stopped
    assert [command.state for command in kept] == ["stopped", "finished", "stopped"]


async def test_only_the_owner_starts_and_stops_commands(tmp_path: Path) -> None:
    async with application(tmp_path, token=TOKEN, host="0.0.0.0", owner_token=OWNER) as client:
        assert (await client.get("/api/commands")).status_code == 403
        assert not (await client.get(f"/api/commands?token={TOKEN}")).json()["may_start"]
        for answer in (
            await client.post("/api/commands/study", json={"study": "is-minimax-perfect"}),
            await client.post("/api/commands/none/again"),
            await client.delete("/api/commands/none"),
        ):
            assert "only the owner may" in refused(answer, 403)
        assert (await client.get(f"/api/commands?token={OWNER}")).json()["may_start"]
        assert (await client.get("/api/health")).json()["token"] == TOKEN  # the owner shares addresses for guests
        assert (await client.delete("/api/commands/none")).status_code == 404  # the cookie is the owner's from now on
        assert (await client.get(f"/api/commands?token={TOKEN}")).json()["may_start"]


@pytest.mark.parametrize(
    ("what", "asked", "message"),
    [
        ("train", {"task": "tic-tac-toe", "run": "../a"}, "a name has letters"),
        ("train", {"task": "tic-tac-toe", "run": "a", "method": "python:a.py:B"}, "cannot be started here: there are"),
        ("resume", {"run": "none", "minutes": 1}, "there is no training run 'none'"),
        ("study", {"study": "python:a.py:B"}, "cannot be started here"),
        ("study", {"study": "mcts-perfect", "scale": "huge"}, "has no scale 'huge'; choose from: "),
        ("prove", {"agent": "python:a.py:B", "rules": "tic-tac-toe"}, "unknown agent 'python'"),
        ("score", {"agent": "random", "rules": "nothing"}, "nothing"),
    ],
)
async def test_impossible_commands_are_rejected_in_one_line(
    what: str, asked: dict[str, Any], message: str, client: httpx.AsyncClient
) -> None:
    answer = await client.post(f"/api/commands/{what}", json=asked)
    assert answer.status_code in (400, 404, 422)
    assert message in answer.json()["error"]
    assert (await client.get("/api/commands")).json()["commands"] == []


async def test_the_queue_is_limited_and_old_ones_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(command: _Command, turn: asyncio.Lock) -> None:
        command.keep(state="finished")

    monkeypatch.setattr(_Command, "run", run)
    monkeypatch.setattr("noughts.web.commands.MOST_KEPT", 3)

    commands = Commands(tmp_path)
    for number in range(6):
        done = commands.start(["study", "run", str(number)])
        while commands.show(done).state != "finished":
            await asyncio.sleep(0)
    assert [command.words[-1] for command in commands.all()] == ["5", "4", "3"]
    assert len(list((tmp_path / "commands").iterdir())) == 3
    await commands.close()
    with pytest.raises(Refused, match="wait for one of them"):
        commands.start(["study", "run", "7"])
