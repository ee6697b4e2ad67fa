"""A browser, and a page that must not write to its console."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from noughts.store.run_folder import RunFolder, Status, training_folder
from tests.agents.runs import make_run
from tests.web.browser.steps import DESKTOP, Browser, Page, is_complaint
from tests.web.serving import Server

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WAIT_MILLISECONDS = 90_000
"""Far more than a page needs on an idle machine."""


@pytest.fixture(scope="session", autouse=True)
def _is_possible() -> None:
    """Skip these tests without a browser, before a server starts."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium to try the page in")


@pytest.fixture(scope="session")
def novice(live: Server) -> RunFolder:
    """A training run in the store that is still going on."""
    run = make_run("novice", {}, training_folder(str(live.store)) / "novice")
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
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def page(live: Server, browser: Browser) -> Iterator[Page]:
    """A new visitor's page."""
    with visitor(live, browser) as found:
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
