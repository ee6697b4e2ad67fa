"""What an agent's model believes, as the page asks for it: as programs are told it, and refused where there is no model."""

from pathlib import Path

import httpx
import pytest

from noughts.library.imagining import imagine
from noughts.rules import parse_rules
from tests.agents.model_runs import GAME, make_model_run
from tests.web.serving import application

pytestmark = pytest.mark.anyio
AGENT = "mz:believer,sims=0"


@pytest.mark.heavy
async def test_a_line_is_believed_as_programs_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    make_model_run("believer", decoder="probe")
    asked: dict[str, object] = {"rules": GAME, "moves": ["A1"], "agent": AGENT, "line": ["B2", "B2", "A2"]}

    async with application(tmp_path / "store") as client:
        answer = await client.post("/api/imagined", json=asked)
        assert answer.status_code == 200, answer.text
        _compare(answer.json()["positions"])
        for wrong, message in (
            ({"agent": "minimax:depth=2"}, "has no model of the game"),
            ({"moves": ["A1", "B2", "A3", "B1"]}, "the game is over"),
            ({"line": ["C9"]}, "C9"),
            ({"agent": "mz:nobody"}, "nobody"),
        ):
            await _refused(client, asked | wrong, message)
        kinds = {kind["name"]: kind["imagines"] for kind in (await client.get("/api/agents")).json()}
        assert kinds["mz"]
        assert not kinds["mcts"]


async def _refused(client: httpx.AsyncClient, asked: dict[str, object], message: str) -> None:
    answer = await client.post("/api/imagined", json=asked)
    assert answer.status_code == 422
    assert message in answer.json()["error"]


def _compare(shown: list[dict[str, object]]) -> None:
    told = imagine(AGENT, parse_rules(GAME), "A1", "B2 B2 A2")
    for one, known in zip(shown, told.model_dump(mode="json")["positions"], strict=True):
        assert one.pop("value") == pytest.approx(known.pop("value"), abs=1e-5)
        assert one == known
    assert [one["legal"] for one in shown] == [True, True, False, False]
