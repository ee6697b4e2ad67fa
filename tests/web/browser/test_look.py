"""Appearance and accessibility: phones, both themes, and the first paint."""

from collections.abc import Iterator

import pytest

from noughts.store.run_folder import RunFolder
from tests.web.browser.conftest import visitor
from tests.web.browser.steps import DESKTOP, PHONE, Browser, Page, look, overlay, wait_for_marks
from tests.web.serving import Server

pytestmark = pytest.mark.heavy

AREAS = {
    "home": ("/#/home", ".gallery svg"),
    "learn": ("/#/learn", ".puzzle-game svg"),
    "puzzles": ("/#/learn/puzzles?rules=bttt(D4)&grade=hard", ".training .cell"),
    "mistake": ("/#/learn/mistake?rules=tic-tac-toe&moves=A1+B2+A2+A3+B1+C1&second=1", "main .cell"),
    "daily": ("/#/learn/daily?day=2026-11-22", ".training .cell"),
    "lesson": ("/#/learn/lesson/fork", ".training .cell"),
    "practise": ("/#/learn/practise", ".empty"),
    "new": ("/#/new", ".card"),
    "play": ("/#/play?rules=bttt(D4)&moves=C3+E5+C4&first=human&second=human", ".cell.open"),
    "analyse": ("/#/analyse?rules=tic-tac-toe&moves=A1+B2+A2", ".ranked tr.best"),
    "minds": ("/#/minds?rules=tic-tac-toe&moves=A1+B2+A2", ".headline:has-text('A')"),
    "search": ("/#/search?rules=tic-tac-toe&moves=A1+B2&n=20", ".children tbody tr"),
    "studies": ("/#/studies", ".study-card"),
    "study": ("/#/studies/is-minimax-perfect", ".heatmap"),
    "finding": ("/#/studies/bttt-tournament", ".finding table"),
    "shipped": ("/#/runs?run=example", ".run-game .cell.holds-X"),
    "runs": ("/#/runs", "a:has-text('novice')"),
    "run": ("/#/runs?run=novice", ".progress-row"),
}


@pytest.fixture(scope="module")
def walker(live: Server, browser: Browser) -> Iterator[Page]:
    """The page of a visitor who goes from area to area, so that it and axe are loaded only once."""
    with visitor(live, browser) as found:
        yield found


@pytest.mark.parametrize("area", AREAS)
def test_every_area_fits_a_phone_and_is_accessible(walker: Page, novice: RunFolder, area: str) -> None:
    """Nothing overflows, and axe finds nothing: on a phone in the light, on a desktop in the dark theme."""
    address, there = AREAS[area]
    walker.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    with novice.locked():  # as a training process does
        walker.goto(address)
        walker.wait_for_selector(there)
        look(walker, PHONE, "light")
        look(walker, DESKTOP, "dark")


def test_the_chosen_theme_is_saved(page: Page) -> None:
    page.goto("/")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.keyboard.press("t")
    assert page.evaluate(ground) != light
    page.reload()
    assert page.evaluate(ground) != light


def test_a_game_of_several_boards(page: Page) -> None:
    page.goto("/#/play?rules=notakto(3,boards=3)&moves=1.A1+1.B2+1.C3&first=human&second=human")
    page.wait_for_selector(".face.closed")
    assert page.get_by_role("grid").count() == 3
    assert page.get_by_role("grid", name="Board 1, closed").count() == 1
    page.locator('.cell[data-square="2.A3"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.square") == "3.A1"
    page.keyboard.press("Enter")
    page.wait_for_selector('.cell.holds-X[data-square="3.A1"]')


def test_a_large_board_has_no_small_numbers(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/#/analyse?rules=mnk(12,12,5)&moves=F6+F7+G6")
    page.wait_for_selector(".large .cell.open")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 361
    overlay(page, "visits")
    page.wait_for_selector(".large .cell.best .text", state="visible")
    page.wait_for_selector(".large .cell.shown:not(.best) .text", state="hidden")
    page.locator(".large .cell.open").first.click()
    page.wait_for_function("() => document.querySelectorAll('.large .holds-O').length === 2")


def test_a_small_cell_needs_a_second_touch(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/#/play?rules=mnk(12,12,5)&first=human&second=human")
    touch = "cell => cell.dispatchEvent(new PointerEvent('click', { pointerType: 'touch', bubbles: true }))"
    for square in ("F6", "F7"):
        page.wait_for_selector(f".cell.open[data-square={square}]")
        page.eval_on_selector(f".cell[data-square={square}]", touch)
        page.wait_for_selector(f".cell.pending[data-square={square}]")
    assert page.locator(".cell.pending").count() == 1
    assert page.locator(".large .holds-X").count() == 0
    page.eval_on_selector(".cell[data-square=F7]", touch)
    page.wait_for_selector(".cell.holds-X[data-square=F7]")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.eval_on_selector(".cell[data-square=F6]", touch)  # is large enough here
    page.wait_for_selector(".cell.holds-O[data-square=F6]")


def test_the_page_goes_on_after_requests_that_failed(page: Page) -> None:
    page.goto("/#/play?rules=tic-tac-toe&first=human&second=human")
    page.wait_for_selector(".cell.open")
    page.evaluate("() => { window.kept = window.fetch; window.fetch = () => Promise.reject(new TypeError('gone')); }")
    page.locator(".cell.open").first.click()
    page.wait_for_selector(".slip-error:has-text('noughts serve')")
    page.evaluate("() => { window.fetch = window.kept; }")
    page.get_by_role("button", name="Undo").click()
    wait_for_marks(page, 0)
