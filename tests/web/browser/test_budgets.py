"""The cost of a first visit: bytes over the wire, and the time to the first paint."""

import statistics

import pytest

from tests.web.browser.steps import Browser, Page
from tests.web.serving import Server

pytestmark = pytest.mark.heavy

BYTES = 120_000
SECONDS = 0.3
VISITS = 5


def first_visit(browser: Browser, live: Server) -> Page:
    """The front page, in a browser with an empty cache."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"http://127.0.0.1:{live.port}/")
    page.wait_for_selector(".gallery svg")
    page.wait_for_load_state("networkidle")
    return page


def test_the_front_page_is_small(browser: Browser, live: Server) -> None:
    """All transferred bytes, compressed and with headers, until nothing more arrives."""
    page = first_visit(browser, live)
    sizes: dict[str, int] = page.evaluate(
        """() => Object.fromEntries(
            [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
                .map(({ name, transferSize }) => [new URL(name).pathname, transferSize]))"""
    )
    page.context.close()
    assert len(sizes) > 10
    assert all(sizes.values()), "something came out of a cache"
    total = sum(sizes.values())
    print(f"{total:,} bytes in {len(sizes)} files; the largest {sorted(sizes.items(), key=lambda one: -one[1])[:5]}")
    assert total < BYTES


@pytest.mark.slow
def test_the_first_paint_is_quick(browser: Browser, live: Server) -> None:
    """The median of some first visits. Slow, because it needs a quiet machine."""
    first_visit(browser, live).context.close()  # the server has cached its files
    painted = []
    for _ in range(VISITS):
        page = first_visit(browser, live)
        entries = page.evaluate("() => performance.getEntriesByName('first-contentful-paint').map(it => it.startTime)")
        painted.append(entries[0] / 1000)
        page.context.close()
    median = statistics.median(painted)
    told = ", ".join(f"{seconds:.3f}" for seconds in painted)
    print(f"first contentful paint: median {median:.2f} s of {VISITS} visits: {told}")
    assert median < SECONDS
