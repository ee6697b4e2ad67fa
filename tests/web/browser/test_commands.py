"""A training, started, watched, proved, played against and resumed, from the page alone."""

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.steps import DESKTOP, PHONE, look, play, wait_for_marks

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.heavy
def test_a_training_from_its_start_to_a_proof(page: "Page") -> None:
    page.goto("/#/runs")
    page.get_by_text("Train a network").click()
    page.get_by_role("combobox", name="How").select_option("es")
    page.get_by_label("Name of the run").fill("by-hand")
    page.get_by_label("Minutes, on all cores").fill("0.1")
    page.get_by_role("button", name="Start the training").click()
    page.wait_for_selector("h1:has-text('by-hand')")  # the run's own page
    page.wait_for_selector(".progress-row:has-text('6.0 s')")
    page.wait_for_selector(".run-strength .curve-end")  # it is measured on the way, and its weights are kept
    page.wait_for_selector(".run-game .cell.holds-X")  # its latest game with itself
    page.wait_for_selector(".seal >> nth=1")  # as first and as second player, each proved or beaten by a game
    for each in page.locator(".seal").all():
        beaten = "It can be beaten" in each.inner_text()
        assert beaten or "Proved: " in each.inner_text()
        assert "by-hand@" in each.inner_text()  # of which weights
        each.locator("line-board .cell").nth(8).wait_for(state="attached" if beaten else "detached")
    look(page, PHONE, "light")
    look(page, DESKTOP, "dark")
    page.get_by_role("button", name="Play against it").click()
    play(page, "B2")
    wait_for_marks(page, 2)
    page.goto("/#/runs?run=by-hand")
    page.get_by_text("Train it further").click()
    page.get_by_label("Minutes more").fill("0.1")
    page.locator(".start-form").get_by_role("button", name="Go on").click()
    page.wait_for_selector(".command-finished:has-text('noughts runs resume by-hand --minutes 0.1')")
