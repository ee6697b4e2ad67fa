"""Whole games, as people play them."""

import json
import re
from pathlib import Path

import pytest

from tests.web.browser.steps import Page, cell, play, wait_for_marks

pytestmark = pytest.mark.heavy

PERFECT = "/#/play?rules=tic-tac-toe&first=human&second=perfect:ties=first&seed=1"


def test_a_newcomer_loses_and_learns_why(page: Page) -> None:
    """A small game, because there the continuation of a won game is proved within the time limit on any machine."""
    page.goto("/#/play?rules=tic-tac-toe&moves=A1+A2+A3+C1+B1+C2+B2+C3&first=human&second=perfect:ties=first&seed=1")
    page.wait_for_selector(".ending:visible")
    assert page.locator("h1.state").inner_text() == "You lose"
    assert page.locator(".struck line").count() == 1
    page.get_by_role("button", name="See where it went wrong").click()
    page.wait_for_selector(".lesson:visible h2:has-text('The blunder: move 5, B1')")
    wrong, right = page.locator(".ring-wrong"), page.locator(".ring-right")
    assert wrong.count() == 1
    assert right.count() >= 1
    assert f"Right was {right.first.get_attribute('data-square')}" in page.locator(".lesson").inner_text()
    page.wait_for_selector(".lesson .line-row:has-text('How to win'):has-text('C3')")
    page.wait_for_selector(".lesson .line-row:has-text('Why not B1'):has-text('C2')")
    line = page.locator(".lesson .line-row:has-text('Why not') .line-move")
    line.last.click()  # the whole line is in the tree, and its end on the board
    page.wait_for_selector("h1.state:has-text('wins')")
    page.get_by_role("button", name="Play it right from here").click()
    page.wait_for_function("() => location.hash.startsWith('#/play')")
    assert page.locator("h1.state").inner_text() == "Your move"


def test_a_game_is_won_with_undo_redo_and_a_hint(page: Page) -> None:
    page.goto("/#/play?rules=mnk(1,7,2)&first=human&second=random&seed=3")
    page.wait_for_selector(".cell.open")
    page.keyboard.press("h")
    page.wait_for_selector(".hint-words:visible:has-text('wins in 3 moves')")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint-words", state="hidden")
    play(page, "A4")
    wait_for_marks(page, 2)
    page.keyboard.press("u")
    wait_for_marks(page, 0)
    page.wait_for_function("() => location.hash.includes('at=0')")  # the shared state is the displayed one
    page.reload()
    wait_for_marks(page, 0)
    page.keyboard.press("r")
    wait_for_marks(page, 2)
    free = "A3" if cell(page, "A3").get_attribute("aria-disabled") == "false" else "A5"
    play(page, free)
    page.wait_for_selector(".ending:visible")
    assert page.locator("h1.state").inner_text() == "You win"
    assert page.locator(".hint-button").is_disabled()


def test_the_program_begins_and_sides_are_swapped(page: Page) -> None:
    page.goto("/#/play?rules=tic-tac-toe&first=minimax:depth=2&second=human&seed=1")
    wait_for_marks(page, 1)
    assert "You play O" in page.locator(".note").inner_text()
    page.keyboard.press("s")
    wait_for_marks(page, 2)
    assert "You play X" in page.locator(".note").inner_text()


def test_the_sides_of_a_finished_game_stay(page: Page) -> None:
    page.goto("/#/play?rules=tic-tac-toe&moves=A1+B2+A2+A3+C3+C1&first=human&second=perfect&seed=1")
    page.wait_for_selector("h1.state:has-text('You lose')")
    page.keyboard.press("s")
    page.keyboard.press("a")  # the address has the players
    page.wait_for_selector("analyse-area")
    assert "first=human&second=perfect" in page.url


def test_a_seed_that_is_no_number_is_drawn_anew(page: Page) -> None:
    page.goto("/#/play?rules=tic-tac-toe&first=random&second=human&seed=abc")
    wait_for_marks(page, 1)
    assert re.search(r"&seed=\d+$", page.url)


def test_two_lines_at_once_are_each_a_row(page: Page) -> None:
    page.goto("/#/play?rules=tic-tac-toe&moves=A1+A2+A3+B1+C1+B3+C3+C2+B2&first=human&second=human&seed=1")
    page.wait_for_selector(".ending:has-text('are each 3 in a row.')")


def test_two_programs_play_and_can_be_paused(page: Page) -> None:
    page.goto("/#/play?rules=tic-tac-toe&first=random&second=random&seed=1")
    page.get_by_role("button", name="Pause").click()
    page.wait_for_selector(".note:has-text('Paused')")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector(".ending:visible")


def test_a_game_survives_a_reload(page: Page) -> None:
    page.goto(PERFECT)
    play(page, "B2")
    wait_for_marks(page, 2)
    address = page.url
    page.wait_for_selector("text=Kept on this machine")
    page.reload()
    wait_for_marks(page, 2)
    assert page.url == address
    page.goto("/#/new")
    page.get_by_role("button", name="Your last game").click()
    wait_for_marks(page, 2)
    page.goto("/#/new")
    page.get_by_text("Open a game", exact=True).click()
    page.locator(".kept-game").first.locator("svg.mini").click()  # others may be drawn earlier
    wait_for_marks(page, 2)
    assert page.url.split("#")[1].startswith("/analyse")


def test_another_game_is_saved_separately(page: Page) -> None:
    games = ["mnk(3,4,3)", "mnk(4,3,3)"]
    for game in games:
        page.goto(f"/#/play?rules={game}&first=human&second=human")
        play(page, "B2")
        wait_for_marks(page, 1)
        with page.expect_response(lambda answer: answer.request.method in ("POST", "PUT") and "/games" in answer.url):
            play(page, "A1")
    kept = page.evaluate("fetch('/api/games').then(answer => answer.json())")
    assert [game["rules"] for game in kept if game["rules"] in games] == games[::-1]


def test_text_is_pasted_in_or_typed(page: Page) -> None:
    page.goto("/#/new")
    page.wait_for_selector(".card[aria-pressed=true]")  # the last game is preselected
    page.locator(".text-form").fill("bttt(E5) C3 C4")
    page.locator(".text-form").press("Enter")
    wait_for_marks(page, 2)
    assert "#/analyse?rules=bttt(E5)" in page.url
    page.goto("/#/new")
    page.wait_for_selector(".card[aria-pressed=true]")
    page.locator(".text-form").fill("mnk(3,5,3)")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_function("() => location.hash.startsWith('#/play?rules=mnk(3,5,3)')")


def test_a_game_can_be_played_by_keyboard_alone(page: Page) -> None:
    page.goto("/#/new")
    page.wait_for_selector(".card")
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Tic-tac-toe", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.text-form').value === 'tic-tac-toe'")
    page.get_by_label("a friend here").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Start the game").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("play-area .cell")
    for _ in range(12):  # to the board: one stop of the tab key
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.square") is not None:
            break
    assert page.evaluate("document.activeElement.dataset.square") == "A1"
    walks = ("ArrowRight", "ArrowDown", "ArrowUp ArrowLeft", "End ArrowDown", "PageDown Home ArrowRight")
    for count, keys in enumerate(walks, 1):
        for key in keys.split():
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        wait_for_marks(page, count)
    assert page.locator("h1.state").inner_text() in ("O to move", "X to move")
    page.wait_for_function("() => document.querySelector('#announcements').textContent.includes('played')")
    page.keyboard.press("3")
    page.wait_for_function("() => location.hash.startsWith('#/analyse')")


def test_a_game_is_saved_and_opened(page: Page, tmp_path: Path) -> None:
    page.goto("/#/analyse?rules=tic-tac-toe&moves=B2+A2+A1")
    page.wait_for_selector(".truth:has-text('loses in')")
    page.wait_for_selector(".verdict:has-text('100,000')")  # nothing moves after a press any more
    page.get_by_text("Save, open, export").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as JSON").click()
    path = tmp_path / "game.json"
    saved.value.save_as(path)
    document = json.loads(path.read_text())
    assert document["format"] == "noughts-game"
    main = document["tree"]["children"][0]["children"][0]["children"][0]
    assert main["move"] == "A1"
    assert main["analysis"]["perfect"]["kind"] == "exact"
    with page.expect_download() as drawn:
        page.get_by_role("button", name="Save the drawing as SVG").click()
    drawn.value.save_as(tmp_path / "drawing")
    assert drawn.value.suggested_filename.endswith(".svg")
    assert "\u22122" in (tmp_path / "drawing").read_text()  # the exact value that the board shows
    document["tree"]["children"][0]["children"].append({"move": "C3", "analysis": {}, "children": []})
    path.write_text(json.dumps(document))
    page.goto("/#/new")
    page.get_by_text("Open a game", exact=True).click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file").click()
    chooser.value.set_files(path)
    wait_for_marks(page, 3)
    assert page.locator(".tree .variation .variation .move-chip").inner_text().split() == ["2", "C3"]
    read = "(given) => import('/static/base/game.js').then(({ Game }) => Game.fromDocument(given)).catch(String)"
    assert "has no rules" in page.evaluate(read, document | {"rules": None})
    assert 'is of version "1", and this page' in page.evaluate(read, document | {"version": "1"})


def test_a_link_to_a_game_with_equal_first_moves_opens_that_game(page: Page) -> None:
    page.goto("/#/play?rules=tic-tac-toe&moves=A1+B2+C3&first=human&second=human&seed=1")
    wait_for_marks(page, 3)
    page.goto("/#/play?rules=tic-tac-toe&moves=A1+B2&first=human&second=human&seed=2")
    wait_for_marks(page, 2)
    page.wait_for_function("() => location.hash.includes('seed=2')")
    page.keyboard.press("r")  # has nothing to redo
    page.wait_for_timeout(300)
    wait_for_marks(page, 2)


def test_an_unknown_address_opens_the_front_page_with_a_message(page: Page) -> None:
    page.goto("/#/runs/%E0%A4%A")
    page.wait_for_selector("runs-area")
    for place in ("xyz", "constructor"):
        page.goto(f"/#/{place}")
        page.wait_for_selector("home-area .gallery")
        page.wait_for_selector(f".slip:has-text('There is nothing at'):has-text('{place}')")


def test_a_deleted_game_can_be_restored(page: Page) -> None:
    page.goto("/#/play?rules=mnk(2,7,2)&moves=A1+B4&first=human&second=human&seed=77")
    page.wait_for_selector(".sentence")
    play(page, "A4")
    page.wait_for_selector("text=Kept on this machine.")
    page.goto("/#/new")
    page.get_by_text("Open a game", exact=True).click()
    delete = page.get_by_role("button", name=re.compile(r"Delete mnk\(2,7,2\)"))
    delete.click()
    page.locator("dialog").get_by_role("button", name="Cancel").click()
    page.wait_for_selector(".kept-game:has-text('mnk(2,7,2)')")  # it asks first
    delete.click()
    page.locator("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_selector(".kept-game:has-text('mnk(2,7,2)')", state="detached")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".kept-game:has-text('mnk(2,7,2)')")


def test_the_coach_names_threats(page: Page) -> None:
    page.goto("/#/play?rules=tic-tac-toe&moves=A1+B2+C3&first=human&second=human")
    page.wait_for_selector(".cell.open")
    assert page.locator(".advice").text_content() == ""
    page.get_by_label("Coach").check()
    assert page.locator(".threat-fork").evaluate_all("cells => cells.map(cell => cell.dataset.square)") == ["A3", "C1"]
    advice = page.locator(".advice")
    assert advice.text_content() == (
        "X could threaten two lines at once on A3 or C1: be there first, or threaten a line."
    )
    for square, said in (
        ("A3", "O threatens to complete a line on C1: nothing else stops it."),
        ("C1", "X can complete lines on B1 and C2: one move stops only one of them."),
        ("B1", "Complete a line on C2."),
    ):
        play(page, square)
        if square == "A3":
            page.get_by_role("button", name="Play A3 all the same").click()
        page.wait_for_function("said => document.querySelector('.advice').textContent === said", arg=said)
