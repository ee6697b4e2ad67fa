"""No third-party code runs for guests and pupils: neither in the routes, nor in the workers behind them."""

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from noughts.agents import AGENTS
from noughts.machine.plugins import SHUT
from noughts.web.app import create_app
from noughts.web.engine import Engine
from noughts.web.visitors import Visitors
from tests.web.serving import application

pytestmark = pytest.mark.anyio
TOKEN = "a-token-for-tests"
RULES = "tic-tac-toe"


def _texts(file: Path) -> list[str]:
    """Agents with code in each of their options, also inside another agent; and in the place of their target."""
    code = f"python:{file}:E"
    texts = [code]
    for kind in AGENTS.values():
        start = f"{kind.name}:x," if kind.target else f"{kind.name}:"
        texts += [f"{start}{option.name}={code}" for option in kind.options]
        texts += [f"{kind.name}:{code}"] if kind.target else []
    return [*texts, *(f"omniscient:inside=({text})" for text in texts)]


async def require_refused(client: httpx.AsyncClient, file: Path, in_class: bool) -> None:
    missing = file.with_name("none.py")
    texts = list(zip(_texts(file), _texts(missing), strict=True))
    asked_with: tuple[tuple[str, dict[str, Any], list[tuple[str, str]]], ...] = (
        ("/api/agent", {}, texts),
        # These parse an agent by `AgentText`, as that one does.
        ("/api/move", {"rules": RULES, "moves": []}, texts[:1]),
        ("/api/steps", {"rules": RULES, "moves": []}, texts[:1]),
        ("/api/imagined", {"rules": RULES, "moves": [], "line": []}, texts[:1]),
        *([("/api/class/games", {"rules": RULES}, texts[:1])] if in_class else []),
    )
    for path, body, tried in asked_with:
        for pair in tried:
            said = []
            for agent in pair:
                answer = await client.post(path, json=body | {"agent": agent})
                assert answer.status_code == 422, (path, agent, answer.text)
                error = answer.json()["error"]
                assert not re.search("Input should|is missing", error), (path, error)  # otherwise nothing is tested
                said.append(error.replace(str(file), "FILE").replace(str(missing), "FILE"))
            assert said[0] == said[1]
    for path, body in (
        ("/api/commands/train", {"task": RULES, "run": "a", "method": f"python:{file}:E"}),
        ("/api/commands/study", {"study": f"python:{file}:E"}),
        ("/api/commands/prove", {"agent": f"python:{file}:E", "rules": RULES}),
    ):
        assert (await client.post(path, json=body)).status_code == 403
    answer = await client.get(f"/api/studies/{quote(f'python:{file}:E', safe='')}")
    assert answer.status_code == 404
    assert not file.with_name("ran").exists()


def make_code(folder: Path) -> Path:
    """Code that creates a file `ran` beside it when it is loaded."""
    mark = str(folder / "ran")
    (folder / "evil.py").write_text(f"open({mark!r}, 'a').close()\nE = lambda rules: lambda position: 0\n")
    return folder / "evil.py"


@pytest.mark.heavy
async def test_a_guest_s_requests_run_no_foreign_code(tmp_path: Path) -> None:
    file = make_code(tmp_path)
    async with application(tmp_path / "store", TOKEN, "0.0.0.0", owner_token="mine") as client:
        assert (await client.get(f"/?token={TOKEN}")).status_code in (200, 303, 307)
        await require_refused(client, file, in_class=False)


@pytest.mark.parametrize("others", [False, True])
async def test_the_loader_is_shut_if_other_machines_can_connect(
    others: bool, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`tests/library/test_shut.py` tests the effect on workers."""
    made: list[bool] = []

    def make() -> Engine:
        made.append(SHUT in os.environ)  # before any worker is started
        return Engine(cores=1, warm=False)

    monkeypatch.setattr("noughts.web.app.Engine", make)

    app = create_app("0.0.0.0", Visitors(TOKEN, "mine")) if others else create_app()
    async with app.router.lifespan_context(app):
        pass
    assert made == [others]
