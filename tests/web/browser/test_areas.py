"""The rules builder, a comparison of two programs, stepwise search, studies, runs, and a training from its start to a proof."""

import pytest

from noughts.store.run_folder import RunFolder
from tests.web.browser.steps import DESKTOP, PHONE, Page, cell, look, overlay, play, texts, wait_for_marks
from tests.web.conftest import LOST_GAME

pytestmark = pytest.mark.heavy


def test_rules_are_built_with_bricks(page: Page) -> None:
    page.goto("/#/new")
    page.get_by_role("button", name="Tic-tac-toe", exact=True).click()
    page.wait_for_function("() => document.querySelector('.text-form').value === 'tic-tac-toe'")
    page.get_by_text("Make your own rules").click()
    for name, value in (("Rows", "4"), ("Columns", "5"), ("In a row", "3")):
        page.get_by_label(name, exact=True).fill(value)
    page.get_by_text("loses", exact=True).click()
    page.wait_for_selector(".builder-board .cell[data-square=D5]")
    page.locator(".builder-board .cell[data-square=B2]").click()
    page.locator(".builder-board .cell[data-square=C4]").click()
    page.locator(".builder-board .cell[data-square=D5]").click()
    page.wait_for_selector(".builder-board .brick[data-square=D5]")
    page.locator(".builder-board .cell[data-square=D5]").click()
    page.wait_for_selector(".builder-board .brick[data-square=D5]", state="detached")
    text = page.locator(".text-form").input_value()
    assert text == "mnk(4,5,3,bricks=B2+C4,line=loses)"
    assert "bricks on B2, C4" in page.locator(".sentence").inner_text()
    page.get_by_text("a friend here").click()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector("play-area .brick[data-square=C4]")


def test_edges_are_joined_in_the_builder_and_seen_on_the_board(page: Page) -> None:
    page.goto("/#/new")
    page.get_by_text("Make your own rules").click()
    for name, value in (("Rows", "3"), ("Columns", "4"), ("In a row", "3")):
        page.get_by_label(name, exact=True).fill(value)
    page.wait_for_selector(".builder-board .cell")
    assert page.locator(".builder-board .joined line").count() == 0
    page.check(".builder-fields input[value=columns]", force=True)
    page.wait_for_function("() => document.querySelectorAll('.builder-board .joined line').length === 6")
    assert page.locator(".text-form").input_value() == "mnk(3,4,3,full=second,wrap=columns)"
    page.get_by_label("Boards", exact=True).fill("2")
    page.wait_for_function("() => document.querySelector('.text-form').value.includes('boards=2')")
    assert page.get_by_label("Both X").is_checked()  # the only marks that several boards may have
    page.goto("/#/analyse?rules=mnk(3,4,3,wrap=columns)&moves=C3+A1+C4+A2+C1")
    page.wait_for_function("() => document.querySelectorAll('main .struck line').length === 2")
    assert page.locator("main .joined line").count() == 6
    described = page.locator("main [role=grid]").first.get_attribute("aria-label") or ""
    assert "left and right edges joined" in described
    page.locator("main .cell[data-square=B4]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.square") == "B1"


def test_two_programs_compared(page: Page) -> None:
    page.goto("/#/minds?rules=tic-tac-toe&moves=A1+B2+A2&a=random&b=perfect")
    page.wait_for_selector(".headline:has-text('A')")
    boards = page.locator("analyse-area noughts-board")
    assert boards.count() == 2
    page.wait_for_function(
        "() => document.querySelectorAll('noughts-board')[1].querySelector('[data-square=A3] .text')?.textContent === '100'"
    )
    first = page.locator("agent-picker select").first
    first.select_option("mcts")
    page.wait_for_selector(".headline:has-text('’s A3 is one of the best')")
    overlay(page, "exact")
    page.wait_for_function(
        "() => document.querySelectorAll('noughts-board')[1].querySelector('[data-square=C3] .text')?.textContent === '−2'"
    )
    boards.nth(1).locator("[data-square=A3]").click()
    wait_for_marks(page, 4)
    assert "a=mcts" in page.url
    page.reload()
    wait_for_marks(page, 4)


def test_the_search_is_watched_step_by_step(page: Page) -> None:
    page.goto("/#/search?rules=tic-tac-toe&moves=A1+B2")
    page.wait_for_selector("text=No simulation yet")
    for name in ("Select", "Expand", "Simulate", "Back up"):
        page.get_by_role("button", name="Next phase").click()
        page.wait_for_selector(f'.phase[aria-current="step"]:has-text("{name}")')
    assert page.locator(".table-side h2").first.inner_text() == "Simulation 1 of 1,000"
    assert page.locator(".children tbody tr").count() == 1
    assert page.locator(".ring-right").count() == 1
    page.get_by_role("button", name="Ten simulations").click()
    page.wait_for_selector("text=Simulation 11 of")
    boxes = page.locator(".tree-node")
    assert boxes.count() == 12
    assert boxes.first.locator(".tree-visits").text_content() == "12"
    assert page.locator(".tree-node.fresh").count() == 1
    page.get_by_role("button", name="Next phase").click()
    page.wait_for_selector('.phase[aria-current="step"]:has-text("Select")')
    assert boxes.count() == 12  # the next one has not arrived yet
    page.get_by_role("button", name="Next phase").click()
    page.wait_for_selector('.tree-node.fresh .tree-numbers:has-text("new")')
    assert boxes.count() == 13
    page.get_by_role("button", name="One simulation back").click()
    page.wait_for_selector("text=Simulation 11 of")
    overlay(page, "visits")
    assert sum(int(text) for text in texts(page).values()) == 11
    page.locator("h1").click()  # on the radio buttons an arrow would choose another
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=Simulation 10 of")
    page.reload()
    page.wait_for_selector("text=Simulation 10 of")


def test_shipped_findings_have_pictures_and_can_be_run(page: Page) -> None:
    page.goto("/#/studies")
    page.wait_for_selector(".study-card img >> nth=12", state="attached")
    assert page.get_by_role("button", name="Run ").count() == page.locator(".study-card").count()
    page.get_by_role("link", name="The Brick Tic-Tac-Toe tournament").click()
    page.wait_for_selector(".finding h2:has-text('What we found')")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.locator(".finding table").first.evaluate(
        "table => table.scrollWidth > 1.3 * table.clientWidth"
    )  # no word is broken
    picture = page.locator(".finding img").first
    picture.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.finding img').naturalWidth > 100")
    page.get_by_role("button", name="Run it").click()
    assert page.locator("dialog option").count() >= 2
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector("dialog", state="detached")


def test_a_study_s_heat_map_links_to_its_lost_game(page: Page) -> None:
    page.goto("/#/studies")
    page.get_by_role("link", name="Is depth-2 Minimax perfect").first.click()
    page.wait_for_selector("text=The first finding.")
    assert page.get_by_role("cell", name="refuted").count() == 1
    with page.expect_popup() as popup:
        page.get_by_role("link", name="The whole page").click()
    popup.value.wait_for_selector("text=Does the tournament reproduce?")
    assert page.locator(".heatmap .heat").count() == 49
    assert page.locator(".heatmap button").count() == 1
    page.locator(".heatmap button[data-square=D4]").click()
    wait_for_marks(page, 8)
    rules, *moves = LOST_GAME.split()
    assert f"#/analyse?rules={rules}&moves={'+'.join(moves)}" in page.url
    assert page.locator("h1.state").inner_text().startswith("O wins")
    assert cell(page, moves[-1]).get_attribute("aria-label") == f"{moves[-1]}, O, last move"


def test_an_unknown_run_is_said_to_be_unknown(page: Page) -> None:
    page.goto("/#/runs?run=nope")
    page.wait_for_selector("runs-area:has-text('There is no training of this name.')")


def test_a_run_is_shown_live(page: Page, novice: RunFolder) -> None:
    with novice.locked():  # as a training process does
        page.goto("/#/runs")
        page.get_by_role("link", name="novice").click()
        page.get_by_text("Measured while it learned").click()
        page.wait_for_selector(".curve:has-text('policy loss')")
        novice.metrics.append("iteration", 5, 320, 5.0, {"policy_loss": 0.125})
        novice.metrics.append("measurement", 5, 320, 5.0, {"policy_optimal": 0.875, "search_optimal": 0.995})
        page.wait_for_selector(".curve figcaption:has-text('0.125')")
        page.wait_for_selector(".progress-row:has-text('320 positions')")
        page.wait_for_selector(".run-strength:has-text('Right moves of 100'):has-text('88 now')")


def test_a_training_runs_from_its_start_to_a_proof(page: Page) -> None:
    page.goto("/#/runs")
    page.get_by_text("Train a network").click()
    page.get_by_role("combobox", name="How").select_option("es")
    page.get_by_label("Name of the run").fill("by-hand")
    page.get_by_label("Minutes, on all cores").fill("0.1")
    page.get_by_role("button", name="Start the training").click()
    page.wait_for_selector("h1:has-text('by-hand')")  # the run's own page
    page.wait_for_selector(".progress-row:has-text('6.0 s')")
    page.wait_for_selector(".run-strength .curve-end")  # it is measured during training, and its weights are saved
    page.wait_for_selector(".run-game .cell.holds-X")  # its latest game against itself
    page.wait_for_selector(".seal >> nth=1")  # as first and as second player, each proved or refuted by a game
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
    page.get_by_label("Minutes more").fill("9")
    page.locator(".start-form").get_by_role("button", name="Go on").click()
    resumed = ".command:has-text('noughts runs resume by-hand --minutes 9')"
    page.locator(resumed).get_by_role("button", name="Stop").click()
    page.wait_for_selector(f"{resumed}:has-text('Stopped')")
