"""The actions and observations of a visitor that the tests share."""

from typing import TYPE_CHECKING

PHONE, DESKTOP = (360, 740), (1280, 900)
LARGEST_SHARE = 1.001  # of the width, which rounding may exceed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Route, WebSocketRoute
else:  # without playwright, the tests are skipped
    Browser = ConsoleMessage = Locator = Page = Route = WebSocketRoute = object

__all__ = ["Browser", "Page", "Route", "WebSocketRoute"]


def is_complaint(line: ConsoleMessage) -> bool:
    """Whether a console message reports a fault of the page, and not a busy machine that draws it some seconds late."""
    return line.type in ("error", "warning") and "preloaded using link preload but not used" not in line.text


def cell(page: Page, square: str) -> Locator:
    return page.locator(f'main .cell[data-square="{square}"]').first


def play(page: Page, square: str) -> None:
    """Choose a square once it is available."""
    page.locator(f'main .cell.open[data-square="{square}"]').first.click()


def wait_for_marks(page: Page, count: int) -> None:
    """Wait until this number of cells of the first board have a mark."""
    page.wait_for_function(
        "count => document.querySelector('noughts-board')?.querySelectorAll('.holds-X, .holds-O').length === count",
        arg=count,
    )


def overlay(page: Page, kind: str) -> None:
    if not page.locator(f'input[type=radio][value="{kind}"]').count():
        page.get_by_role("button", name="More to show").click()
    page.check(f'input[type=radio][value="{kind}"]', force=True)


def texts(page: Page) -> dict[str, str]:
    """The texts of the overlay, by square."""
    return dict(
        page.eval_on_selector_all(
            "main noughts-board:first-of-type .cell:has(.text)",
            "cells => cells.map(cell => [cell.dataset.square, cell.querySelector('.text').textContent])",
        )
    )


def look(page: Page, size: tuple[int, int], scheme: str) -> None:
    """Nothing overflows at this size, and axe finds nothing in this colour scheme."""
    from axe_playwright_python.sync_playwright import Axe

    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    wide = page.evaluate("() => document.documentElement.scrollWidth / document.documentElement.clientWidth")
    assert wide <= LARGEST_SHARE
    # The page's policy forbids added scripts, so axe is evaluated from outside.
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then(results => results.violations)")
    said = [f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary'][:300]}" for one in found]
    assert said == [], (size, scheme)
