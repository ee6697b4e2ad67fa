"""How it looks and how it is read: phones, both themes, accessibility, and the first paint."""

from typing import TYPE_CHECKING

import pytest

from noughts.store.run_folder import RunFolder
from tests.web.browser.steps import wait_for_marks

if TYPE_CHECKING:
    from playwright.sync_api import Page

AREAS = {
    "new": ("/#/new", ".card"),
    "play": ("/#/play?rules=bttt(D4)&moves=C3+E5+C4&first=human&second=human", ".cell.open"),
    "analyse": ("/#/analyse?rules=tic-tac-toe&moves=A1+B2+A2", ".ranked tr.best"),
    "minds": ("/#/minds?rules=tic-tac-toe&moves=A1+B2+A2", ".differences tbody tr"),
    "search": ("/#/search?rules=tic-tac-toe&moves=A1+B2&n=20", ".children tbody tr"),
    "studies": ("/#/studies/is-minimax-perfect", ".heatmap"),
    "runs": ("/#/runs?run=novice", ".curve"),
    "match": ("/#/match", "agent-picker select"),
}
LARGEST_SHARE = 1.001  # of the width, which rounding may exceed


@pytest.mark.parametrize("area", AREAS)
def test_every_area_on_a_phone_and_for_everybody(page: "Page", novice: RunFolder, area: str) -> None:
    """At 360 pixels nothing sticks out; axe finds nothing serious, light or dark."""
    from axe_playwright_python.sync_playwright import Axe

    address, there = AREAS[area]
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address)
    page.wait_for_selector(there)
    wide = page.evaluate("() => document.documentElement.scrollWidth / document.documentElement.clientWidth")
    assert wide <= LARGEST_SHARE
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        # The policy of the page lets no script be added to it: axe is evaluated from outside.
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        grave = [
            f"{each['id']}: {each['nodes'][0]['html'][:200]} {each['nodes'][0]['failureSummary'][:300]}"
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert grave == [], theme


def test_the_theme_is_chosen_and_kept(page: "Page") -> None:
    page.goto("/")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(ground) != light
    page.reload()
    assert page.evaluate(ground) != light


def test_the_first_paint_is_quick(page: "Page") -> None:
    """Under a second when nothing else is at work; here with room for a busy machine."""
    page.goto("/")  # the server has read its files once
    page.reload()
    page.wait_for_selector("h1")
    painted = page.evaluate(
        "() => performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)"
    )
    assert painted
    assert painted[0] < 5000


def test_a_board_of_several_boards(page: "Page") -> None:
    page.goto("/#/play?rules=notakto(3,boards=3)&moves=1.A1+1.B2+1.C3&first=human&second=human")
    page.wait_for_selector(".face.closed")
    assert page.get_by_role("grid").count() == 3
    assert page.get_by_role("grid", name="Board 1, closed").count() == 1
    page.locator('.cell[data-square="2.A3"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.square") == "3.A1"
    page.keyboard.press("Enter")
    page.wait_for_selector('.cell.holds-X[data-square="3.A1"]')


def test_the_server_is_gone_and_comes_back(page: "Page") -> None:
    page.goto("/#/play?rules=tic-tac-toe&first=human&second=human")
    page.wait_for_selector(".cell.open")
    page.evaluate("() => { window.kept = window.fetch; window.fetch = () => Promise.reject(new TypeError('gone')); }")
    page.locator(".cell.open").first.click()
    page.wait_for_selector(".slip-error:has-text('noughts serve')")
    page.evaluate("() => { window.fetch = window.kept; }")
    page.get_by_role("button", name="Undo").click()
    wait_for_marks(page, 0)
