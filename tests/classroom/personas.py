"""What tasks cost: ``uv run python -m tests.classroom.personas`` does each as a visitor would, and prints a table.

A click is a press on a button, a link or a cell; what is typed is not counted. Seconds end when the result is on the screen.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.classroom.classes import ClassServer, class_server
from tests.classroom.test_browser import join
from tests.web.browser.conftest import CHROMIUM, LOST_GAME
from tests.web.browser.steps import wait_for_marks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 300_000  # milliseconds
CELL = "main .cell.open"
RULES, *MOVES = LOST_GAME.split()
GAME = f"rules={RULES}&moves={'+'.join(MOVES)}&first=human&second=mcts"


@contextmanager
def task(name: str) -> Iterator[Callable[["Page", str], None]]:
    """Gives what clicks the first thing that a selector finds, and prints how often it did so, in how many seconds."""
    clicked, begun = [], time.monotonic()

    def click(page: "Page", selector: str) -> None:
        page.locator(selector).first.click()
        clicked.append(selector)

    yield click
    print(f"| {name} | {len(clicked)} | {time.monotonic() - begun:.1f} |", flush=True)


def go(page: "Page", address: str) -> None:
    """Open a page as a new visitor does."""
    page.goto("about:blank")
    page.goto(address)


def play_and_learn(page: "Page", site: str) -> None:
    with task("first move from home, answered") as click:
        go(page, site)
        click(page, CELL)
        wait_for_marks(page, 2)
    with task("first move from home by New game with its defaults, answered") as click:
        go(page, site)
        click(page, "text=New game")
        click(page, "text=Start the game")
        click(page, CELL)
        wait_for_marks(page, 2)
    go(page, f"{site}play?{GAME}")
    with task("why did I lose: the mistake is named") as click:
        click(page, "text=See where it went wrong")
        page.wait_for_selector(".lesson h2:has-text('move')")
    with task("first puzzle, from home") as click:
        go(page, site)
        click(page, ".doors a:has-text('Learn')")
        click(page, ".learn-doors a:has-text('Today’s five')")
        page.wait_for_selector(".training .cell.open")
    go(page, site)
    page.wait_for_selector(CELL)
    tabs = 0
    while not page.evaluate("document.activeElement.matches('main .cell')"):
        page.keyboard.press("Tab")
        tabs += 1
    with task(f"by keyboard alone, from home: {tabs} Tabs, an arrow, Enter, answered"):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        wait_for_marks(page, 2)


def research(page: "Page", other: "Page", site: str, file: Path) -> None:
    with task("a study’s page, from home") as click:
        go(page, site)
        click(page, "a:has-text('Research')")
        click(page, "a:has-text('The Brick Tic-Tac-Toe tournament')")
        page.wait_for_selector(".finding h2")
    go(page, f"{site}analyse?{GAME}")
    with task("a file saved, in Analyse") as click:
        click(page, "summary:has-text('Save, open, export')")
        with page.expect_download() as saved:
            click(page, "text=Save as JSON")
        saved.value.save_as(file)
    go(other, f"{site}analyse")
    with task("opened in another browser, in Analyse") as click:
        with other.expect_file_chooser() as chooser:
            click(other, "text=Open a file")
        chooser.value.set_files(file)
        wait_for_marks(other, len(MOVES))
    go(page, f"{site}studies")
    with task("1 minute of training begun, from Research") as click:
        click(page, "a:has-text('Trainings')")
        click(page, "summary:has-text('Train a network')")
        page.get_by_label("Minutes, on all cores").fill("1")
        click(page, "text=Start the training")
        page.wait_for_selector(".progress-row")
    with task("its first measure, on the same page"):
        page.wait_for_selector(".run-strength .curve-end")
    with task("proved on both sides, on the same page"):
        page.wait_for_selector(".seal >> nth=1")
    print(*(" ".join(each.split()) for each in page.locator(".seal").all_inner_texts()), sep="\n")
    with task("played against, answered") as click:
        click(page, "text=Play against it")
        click(page, CELL)
        wait_for_marks(page, 2)


def class_together(lesson: ClassServer, pupils: "list[Page]") -> None:
    with task("three pupils join: a nickname and a press each"):
        for name, pupil in zip(("Anna", "Ben", "Carla"), pupils, strict=True):
            join(pupil, lesson.join, name)
    anna, ben, _ = pupils
    with task("an invitation made: its link is there to send") as click:
        click(anna, "text=Make a link for a classmate")
        link = anna.get_by_label("Address").input_value()
    with task("the link opened, and both playing") as click:
        ben.goto(link)
        click(ben, "button:has-text('Play')")
        for page in (anna, ben):
            page.wait_for_selector("h1:has-text('move')")


def main() -> None:
    """Do all tasks, each visitor in a browser that has seen nothing."""
    from playwright.sync_api import sync_playwright

    def new(browser: "Browser") -> "Page":
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(PATIENCE)
        return context.new_page()

    with tempfile.TemporaryDirectory() as folder, class_server(Path(folder)) as lesson, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        one, other, *pupils = [new(browser) for _ in range(5)]
        for page in (one, other):
            page.goto(lesson.teach)  # with the token of the machine's owner
        site = f"http://127.0.0.1:{lesson.server.port}/#/"
        print("| task | clicks | seconds |\n|---|---|---|")
        class_together(lesson, pupils)
        play_and_learn(one, site)
        research(one, other, site, Path(folder) / "game.json")


if __name__ == "__main__":
    main()
