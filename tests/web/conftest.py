"""The application alone, new for each test, and a server that all tests of the API and of the page share."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from noughts.document.result import BoardFigure, CellValue
from noughts.web.commands import KeptCommand
from tests.agents.runs import make_model_run, make_run
from tests.reports.samples import study as sample_result
from tests.web.serving import Server, application, ended, keep_study, last, server, talk

STUDY = "mcts-perfect"
COMMAND = "20240101-000000"
LOST_GAME = "bttt(D4) A1 C3 A2 C4 A6 C5 F7 C6"
"""The first player overlooks four in a row. The heat map of a study links to it."""


@pytest.fixture
async def client(own_store: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application alone, with an empty store."""
    async with application(own_store) as found:
        yield found


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose store has some of everything, which Ctrl-C ends. Starting one takes many seconds of a core."""
    folder = tmp_path_factory.mktemp("live")
    squares = [CellValue(cell=cell, value=0.0, text="wins") for cell in range(49)]
    squares[24] = CellValue(cell=24, value=100.0, text="L8", game=LOST_GAME)
    heatmap = BoardFigure(
        name="squares", title="Squares", rules="mnk(7,7,4)", values=tuple(squares), value_label="it loses"
    )
    keep_study(folder / "store", sample_result(name=STUDY))
    keep_study(folder / "store", sample_result(name="is-minimax-perfect", figures=(heatmap,)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_STORE", str(folder / "store"))
        metrics = make_run("mine", {}).metrics
        metrics.append("iteration", 1, 10, 0.5, {"loss": 1.0})
        metrics.sync()
        make_model_run("first", "tic-tac-toe", decoder="probe")
    (folder / "store" / "commands").mkdir()
    kept = KeptCommand(arguments=("study", "run", STUDY), state="stopped", asked="2024-01-01T00:00:00+00:00")
    (folder / "store" / "commands" / f"{COMMAND}.json").write_text(kept.to_json())
    with server(folder) as found:
        warm(found)
        yield found
        with found.client() as client:
            answer = client.post("/api/move", json={"rules": "tic-tac-toe", "agent": "mcts:sims=100"})
            assert answer.json()["position"]["ply"] == 1
        assert ended(found, signal.SIGINT) == 130  # Ctrl-C
        assert " ".join(found.log.read_text().split()) == "Ctrl-C ends it stopped"


def warm(found: Server) -> None:
    """Wait until the server's workers have started."""
    with found.client() as client:
        for _ in range(3):
            client.post("/api/move", json={"rules": "tic-tac-toe", "agent": "mcts:sims=10"})

    async def think() -> None:
        async with talk(found) as say:
            await last(say, type="exact", id="warm", rules="bttt(D4)", moves=["A1", "B1", "A2", "B2", "A3", "B3"])

    asyncio.run(think())
