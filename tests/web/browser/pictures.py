"""Takes the pictures of the page in the README and the guides: ``uv run python -m tests.web.browser.pictures``.

It starts a server and a browser, acts as a visitor, and writes `docs/images/page-*.png`.
"""

import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from noughts.puzzles.shipped import shipped_puzzles
from noughts.rules import parse_rules
from tests.web.browser.conftest import WAIT_MILLISECONDS, chromium
from tests.web.browser.steps import Browser, Page, play
from tests.web.conftest import LOST_GAME
from tests.web.serving import server

IMAGES = Path(__file__).parents[3] / "docs" / "images"
DESKTOP, PHONE = (1280, 860), (390, 844)


def open_page(browser: Browser, address: str, size: tuple[int, int] = DESKTOP, *, dark: bool = False) -> Page:
    """Open a page of a new visitor."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        device_scale_factor=1 if size == DESKTOP else 2,
    )
    page.set_default_timeout(WAIT_MILLISECONDS)
    page.goto(address)
    return page


def save(page: Page, name: str) -> None:
    """Save the visible page without the focus ring."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(1_500)
    page.screenshot(path=str(IMAGES / f"page-{name}.png"))
    print(IMAGES / f"page-{name}.png")


def analyse(browser: Browser, site: str) -> None:
    """A lost game whose mistake is found."""
    rules, *moves = LOST_GAME.split()
    page = open_page(browser, f"{site}#/analyse?rules={quote(rules)}&moves={'+'.join(moves)}&find=mistake")
    page.wait_for_selector(".lesson h2")
    page.wait_for_selector(".progress-row", state="hidden", timeout=300_000)
    page.set_viewport_size({"width": 1280, "height": 1080})  # down to the value over the game
    save(page, "analyse")


def learn(browser: Browser, site: str) -> None:
    """A puzzle on a phone, with a wrong attempt."""
    puzzle = next(each for each in shipped_puzzles()[parse_rules("bttt(D4)")] if each.grade == "medium")
    moves = "+".join(map(puzzle.rules.name_of, puzzle.moves))
    address = f"{site}#/learn/puzzle?rules={quote(str(puzzle.rules))}&moves={moves}"
    page = open_page(browser, address, dark=True)
    page.wait_for_selector("main .cell.open")
    wrong = next(
        square
        for square in page.eval_on_selector_all("main .cell.open", "cells => cells.map(cell => cell.dataset.square)")
        if square not in map(puzzle.rules.name_of, puzzle.solutions)
    )
    play(page, wrong)
    page.wait_for_timeout(5_000)
    save(page, "learn")


def main() -> None:
    """Write all pictures, or the named ones."""
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as found, chromium() as browser:
        for take in (analyse, learn):
            if not sys.argv[1:] or take.__name__ in sys.argv[1:]:
                take(browser, found.address)


if __name__ == "__main__":
    main()
