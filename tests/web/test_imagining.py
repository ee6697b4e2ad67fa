"""What an agent's model imagines, as the page requests it: equal to the Python function, and rejected without a model."""

import httpx
import pytest

from noughts.library.imagining import imagine
from noughts.rules import parse_rules
from tests.agents.model_runs import GAME, make_model_run

pytestmark = pytest.mark.anyio
AGENT = "mz:believer,sims=0"


@pytest.mark.heavy
async def test_an_imagined_line_equals_the_python_functions(client: httpx.AsyncClient) -> None:
    make_model_run("believer", decoder="probe")
    asked: dict[str, object] = {"rules": GAME, "moves": ["A1"], "agent": AGENT, "line": ["B2", "B2", "A2"]}
    told = imagine(AGENT, parse_rules(GAME), "A1", "B2 B2 A2").model_dump(mode="json")["positions"]
    answer = await client.post("/api/imagined", json=asked)
    assert answer.status_code == 200, answer.text
    shown = answer.json()["positions"]
    for one, known in zip(shown, told, strict=True):
        assert one.pop("value") == pytest.approx(known.pop("value"), abs=1e-5)
        assert one == known
    assert [one["legal"] for one in shown] == [True, True, False, False]
    for wrong, message in (
        ({"agent": "minimax:depth=2"}, "has no model of the game"),
        ({"moves": ["A1", "B2", "A3", "B1"]}, "the game is over"),
        ({"line": ["C9"]}, "C9"),
    ):
        refused = await client.post("/api/imagined", json=asked | wrong)
        assert refused.status_code == 422
        assert message in refused.json()["error"]
    kinds = {kind["name"]: kind["imagines"] for kind in (await client.get("/api/agents")).json()}
    assert kinds["mz"]
    assert not kinds["mcts"]
