"""No third-party code runs for guests and pupils: neither from the texts of requests, nor in the workers behind them."""

import os
from pathlib import Path
from urllib.parse import quote

import pytest

from noughts.agents import AGENTS
from noughts.machine.plugins import SHUT
from noughts.rules import AgentError
from noughts.web.app import create_app
from noughts.web.engine import Engine
from noughts.web.reading import read_agent
from noughts.web.visitors import Visitors
from tests.web.serving import application, refused

pytestmark = pytest.mark.anyio
TOKEN = "a-token-for-tests"
GAME = {"rules": "tic-tac-toe", "moves": []}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Code that creates a file `ran` beside it when it is loaded."""
    mark = str(tmp_path / "ran")
    (tmp_path / "evil.py").write_text(f"open({mark!r}, 'a').close()\nE = lambda rules: lambda position: 0\n")
    return tmp_path / "evil.py"


def _texts(file: Path) -> list[str]:
    """Agents with code in each of their options, also inside another agent; and in the place of their target."""
    code = f"python:{file}:E"
    texts = [code]
    for kind in AGENTS.values():
        start = f"{kind.name}:x," if kind.target else f"{kind.name}:"
        texts += [f"{start}{option.name}={code}" for option in kind.options]
        texts += [f"{kind.name}:{code}"] if kind.target else []
    return [*texts, *(f"omniscient:inside=({text})" for text in texts)]


def test_no_agent_s_text_loads_code_or_reveals_whether_its_file_exists(file: Path) -> None:
    missing = file.with_name("none.py")
    for texts in zip(_texts(file), _texts(missing), strict=True):
        said = []
        for text in texts:
            with pytest.raises(AgentError) as error:
                read_agent(text)
            said.append(str(error.value).replace(str(file), "FILE").replace(str(missing), "FILE"))
        assert said[0] == said[1]
    assert not file.with_name("ran").exists()


async def test_a_guest_s_requests_run_no_foreign_code(file: Path, tmp_path: Path) -> None:
    code = f"python:{file}:E"
    async with application(tmp_path / "store", TOKEN, "0.0.0.0", owner_token="mine") as client:
        assert (await client.get(f"/?token={TOKEN}")).status_code in (200, 303, 307)
        for path, asked, status, message in (
            ("agent", {"agent": code}, 422, "unknown agent 'python'"),
            ("move", GAME | {"agent": code}, 422, "unknown agent 'python'"),
            ("steps", GAME | {"agent": code}, 422, "unknown agent 'python'"),
            ("imagined", GAME | {"line": [], "agent": code}, 422, "unknown agent 'python'"),
            ("commands/train", {"task": "tic-tac-toe", "run": "a", "method": code}, 403, "only the owner"),
            ("commands/study", {"study": code}, 403, "only the owner"),
            ("commands/prove", {"agent": code, "rules": "tic-tac-toe"}, 403, "only the owner"),
        ):
            assert message in refused(await client.post(f"/api/{path}", json=asked), status)
        assert (await client.get(f"/api/studies/{quote(code, safe='')}")).status_code == 404
    assert not file.with_name("ran").exists()


@pytest.mark.parametrize("others", [False, True])
async def test_other_machines_shut_the_loader(others: bool, own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
