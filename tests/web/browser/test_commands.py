"""A training, started, watched, stopped, resumed, played against and proved, from the page alone."""

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.steps import play, wait_for_marks

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.heavy
def test_a_training_from_its_start_to_a_proof(page: "Page") -> None:
    page.goto("/#/runs")
    page.get_by_text("Train a network").click()
    page.get_by_role("combobox", name="How").select_option("es")
    page.get_by_label("Name of the run").fill("by-hand")
    page.get_by_label("Minutes, on all cores").fill("60")
    page.get_by_role("button", name="Start the training").click()
    page.wait_for_selector("h1:has-text('by-hand')")  # the run's own page
    page.wait_for_selector(".command-running")
    page.wait_for_selector(".curve")  # its first iterations are measured, and its weights kept
    page.locator(".command-running").get_by_role("button", name="Stop").click()
    page.wait_for_selector(".command-stopped")
    page.get_by_text("Train it further").click()
    page.get_by_label("Minutes more").fill("0.1")
    page.get_by_role("button", name="Go on").last.click()
    page.wait_for_selector(".command-finished")
    assert "noughts runs resume by-hand --minutes 0.1" in page.locator(".command-finished .code").inner_text()
    page.reload()
    page.wait_for_selector(".network")
    agent = page.locator(".network code").inner_text()
    assert agent == "es:by-hand"
    slider = page.locator(".network input[type=range]")
    if slider.count():  # more than one iteration is kept
        slider.fill("0")
        assert page.locator(".network code").inner_text().startswith("es:by-hand@")
    page.get_by_role("button", name="Prove it as second player").click()
    proof = page.locator(".command", has_text="prove es:by-hand")
    proof.and_(page.locator(".command-finished, .command-failed")).wait_for()
    page.wait_for_function("() => document.querySelector('.command pre')?.textContent.includes('es:by-hand')")
    page.goto("/#/runs?run=by-hand")
    page.get_by_role("button", name="Play against it").click()
    play(page, "B2")
    wait_for_marks(page, 2)
