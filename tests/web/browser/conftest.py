"""A server with content, a browser, and a page that must not write to its console."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from noughts.document.result import BoardFigure, CellValue, Row, StudyResult, Table
from noughts.store.run_folder import RunFolder, Status, training_folder
from tests.agents.runs import make_run
from tests.reports.samples import study
from tests.web.browser.steps import DESKTOP, Browser, Page, is_complaint
from tests.web.serving import Server, keep_study, server

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WAIT_MILLISECONDS = 90_000
"""Far more than a page needs on an idle machine."""
LOST_GAME = "bttt(D4) A1 C3 A2 C4 A6 C5 F7 C6"
"""The first player overlooks four in a row."""


@pytest.fixture(scope="session", autouse=True)
def _is_possible() -> None:
    """Skip these tests without a browser, before a server starts."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium to try the page in")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the server's store."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[Server]:
    """A server whose store has a study."""
    keep_study(folder / "store", _study())
    with server(folder) as found:
        yield found
        assert found.log.read_text().replace("Ctrl-C ends it", "").strip() == ""


@pytest.fixture(scope="session")
def novice(folder: Path) -> RunFolder:
    """A training run in the store that is still going on."""
    run = make_run("novice", {}, training_folder(str(folder / "store")) / "novice")
    for iteration in range(1, 5):
        run.metrics.append("iteration", iteration, 64 * iteration, float(iteration), {"policy_loss": 2.2})
    run.write_status(Status(state="running", iterations=4, positions=256, seconds=4.0))
    return run


@contextmanager
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


# Not for the whole session: while playwright runs in a thread, asyncio is not available to others.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def page(site: Server, browser: Browser) -> Iterator[Page]:
    """A new visitor's page."""
    with visitor(site, browser) as found:
        yield found


@contextmanager
def visitor(site: Server, browser: Browser, size: tuple[int, int] = DESKTOP) -> Iterator[Page]:
    """A new visitor's page. It must not write to its console or fetch anything from elsewhere."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        base_url=f"http://127.0.0.1:{site.port}",
        permissions=["clipboard-read", "clipboard-write"],
        reduced_motion="reduce",
    )
    context.set_default_timeout(WAIT_MILLISECONDS)
    found, said = context.new_page(), []
    found.on("console", lambda line: said.append(line.text) if is_complaint(line) else None)
    found.on("pageerror", lambda error: said.append(str(error)))
    found.on("request", lambda request: None if f":{site.port}/" in request.url else said.append(request.url))
    yield found
    context.close()
    assert said == []


def _study() -> StudyResult:
    """A small study with a heat map, one square of which has a lost game."""
    squares = tuple(
        CellValue(
            cell=cell, value=100.0 * (cell == 24), text="L8" if cell == 24 else "wins", game=LOST_GAME * (cell == 24)
        )
        for cell in range(49)
    )
    figure = BoardFigure(
        name="squares", title="Squares where it loses", rules="mnk(7,7,4)", values=squares, value_label="it loses"
    )
    row = Row(labels=("D4",), paper="490", ours="8", value=8.0, count=490, verdict="refuted")
    return study(
        name="is-minimax-perfect",
        title="Is depth-2 Minimax perfect?",
        question="Does it win against every reply?",
        tables=(Table(title="Squares", label_columns=("Brick",), unit="games", rows=(row,)),),
        figures=(figure,),
        findings=("It can be made to lose with the brick on D4.",),
        repeat="noughts study run is-minimax-perfect",
    )
