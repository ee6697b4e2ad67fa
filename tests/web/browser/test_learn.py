"""A learner's whole path: play, lose, find the move, solve a puzzle, share; lessons, the coach, progress."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from noughts.puzzles.shipped import shipped_puzzles
from noughts.rules import parse_rules
from tests.web.browser.steps import PHONE, Page, Route, play, wait_for_marks

pytestmark = pytest.mark.heavy

LOST = "A1+B2+A2+A3+B1+C1"
"""X should have stopped the line on C1."""


def test_a_learner_loses_solves_a_puzzle_and_shares(page: Page) -> None:
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto("/")
    page.wait_for_selector("home-area .cell.open")
    page.locator(".doors").get_by_role("link", name="Play").click()
    page.get_by_role("button", name="Tic-tac-toe", exact=True).click()
    page.wait_for_function("() => document.querySelector('.text-form').value === 'tic-tac-toe'")
    page.get_by_role("button", name="Ada").click()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector("play-area .cell.open")
    page.goto(f"{page.url}&moves={LOST}")  # the same game, a few moves later
    page.wait_for_selector(".ending:visible")
    assert page.locator("h1.state").inner_text() == "You lose"
    page.get_by_role("button", name="Find the move first").click()
    page.wait_for_selector("noughts-trainer .ring-wrong")  # the place of the mistake, without the right move
    assert page.locator(".ring-right").count() == 0
    played = page.locator(".ring-wrong").get_attribute("data-square") or ""
    assert f"Here you played {played}" in page.locator(".task-words").inner_text()
    play(page, played)
    page.wait_for_selector(".feedback[data-tone=wrong]:has-text('answers')")
    assert re.search(rf"{played} loses: O answers [ABC]\d and wins in \d move", page.locator(".feedback").inner_text())
    page.wait_for_selector(".stepper .move-chip >> nth=1")
    page.locator(".stepper .move-chip").last.click()
    page.wait_for_selector(".struck line", state="attached")  # a straight one has no height
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Hint").click()
    row = (re.search(r"row ([ABC])", page.locator(".feedback").inner_text()) or [""])[1]
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".ring-right")
    right = page.locator(".ring-right").get_attribute("data-square") or ""
    assert right[0] == row
    play(page, right)
    page.wait_for_selector(".feedback[data-tone=right]:has-text('Right')")
    page.get_by_role("button", name="Share").click()
    page.wait_for_selector(".slip")
    shared = page.evaluate("navigator.clipboard.readText()")
    assert "#/learn/mistake?rules=tic-tac-toe" in shared
    page.get_by_role("link", name="Try a puzzle").click()
    page.wait_for_selector(".pip[aria-current=step]:has-text('1')")
    solve_the_one_shown(page)
    page.wait_for_selector(".pip.first:has-text('1')")
    page.get_by_role("button", name="Next puzzle").click()
    page.wait_for_function("() => location.hash.includes('n=2')")
    page.reload()
    page.wait_for_selector(".pip[aria-current=step]:has-text('2')")
    assert page.locator(".pip.first").count() == 1
    page.get_by_role("link", name="← Learn").click()
    page.wait_for_selector(".door:has-text('1 of 5 solved')")


def solve_the_one_shown(page: Page) -> None:
    """Look up the displayed position among the shipped puzzles."""
    page.wait_for_selector("noughts-trainer .cell.open")
    shown = page.eval_on_selector_all(
        "noughts-trainer .cell", "cells => cells.map(cell => /holds-(.)/.exec(cell.className)?.[1] ?? '')"
    )
    for puzzle in (puzzle for some in shipped_puzzles().values() for puzzle in some):
        marks = ["" if content in (0, 3) else "XO"[content - 1] for content in puzzle.position.cells]
        if marks == shown:
            play(page, puzzle.rules.name_of(puzzle.solutions[0]))
            page.wait_for_selector(".feedback[data-tone=right]:has-text('Right')")
            return
    raise AssertionError(f"no puzzle that ships looks like {shown}")


def test_a_puzzle_s_address_opens_it_from_anywhere(page: Page) -> None:
    puzzle = shipped_puzzles()[parse_rules("mnk(4,4,3)")][-1]
    moves = "+".join(map(puzzle.rules.name_of, puzzle.moves))
    page.goto(f"/#/learn/puzzle?rules=mnk(4,4,3)&moves={moves}")
    wait_for_marks(page, len(puzzle.moves))
    page.get_by_role("button", name="Show the answer").click()
    answer = puzzle.rules.name_of(puzzle.line[0])
    page.wait_for_selector(f".stepper .move-chip:has-text('{answer}')")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    wait_for_marks(page, len(puzzle.moves) + 2)
    page.get_by_role("button", name="Play it").click()  # to its end, by itself
    wait_for_marks(page, len(puzzle.moves) + len(puzzle.line))
    before = page.evaluate("location.hash")
    page.get_by_role("button", name="Next puzzle").click()  # is being made
    page.wait_for_function("old => location.hash !== old", arg=before)
    page.wait_for_selector("noughts-trainer .cell.open")
    page.goto("/#/learn/puzzles?rules=gomoku&grade=easy")  # there are medium and hard ones
    page.wait_for_selector("h1:has-text('No easy puzzles of this game come with noughts')")


def test_a_lesson_is_solved_and_progress_is_saved(page: Page, tmp_path: Path) -> None:
    page.goto("/#/learn")
    page.get_by_role("link", name="Make a line").click()
    play(page, "C3")
    page.wait_for_selector(".feedback[data-tone=right]:has-text('diagonal')")
    page.get_by_role("button", name="Next step").click()
    play(page, "B1")
    page.wait_for_selector(".feedback[data-tone=wrong]:has-text('loses')")
    page.get_by_role("button", name="Try again").click()
    play(page, "C4")
    page.wait_for_selector(".feedback[data-tone=right]")
    page.get_by_role("link", name="Next: Stop a line").click()
    page.wait_for_selector("h1:has-text('Stop a line')")
    page.goto("/#/learn")
    page.wait_for_selector(".lesson-row.done:has-text('Make a line')")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save it as a file").click()
    path = tmp_path / "progress.json"
    saved.value.save_as(path)
    assert json.loads(path.read_text())["lessons"] == {"line": 2}
    page.evaluate("localStorage.clear()")
    page.reload()
    page.wait_for_selector(".lesson-row:not(.done):has-text('Make a line')")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="read one").click()
    chooser.value.set_files(path)
    page.wait_for_selector(".lesson-row.done:has-text('Make a line')")


def test_without_a_server_the_next_puzzle_is_an_error_and_can_be_tried_again(page: Page) -> None:
    page.goto("/#/learn/puzzles?rules=tic-tac-toe")
    solve_the_one_shown(page)
    # Not with the browser's own switch, because it writes to the console.
    page.evaluate("() => { [window.real, window.fetch] = [fetch, () => Promise.reject(new TypeError())]; }")
    page.get_by_role("button", name="Next puzzle").click()
    page.locator(".slip:has-text('does not answer')").get_by_role("button", name="Close").click()
    page.evaluate("""() => { window.fetch = async () => new Response('{"error": "it is busy"}', {status: 503}); }""")
    page.get_by_role("button", name="Puzzle 3, open").click()
    page.wait_for_selector(".slip:has-text('it is busy. Wait a moment, then try again.')")
    page.evaluate("() => { window.fetch = window.real; }")
    page.get_by_role("button", name="Next puzzle").click()
    page.wait_for_selector(".pip[aria-current=step][aria-label='Puzzle 2, open']")
    solve_the_one_shown(page)


def test_an_answer_that_arrives_after_another_try_begins_is_dropped(page: Page) -> None:
    waiting = list[Route]()

    def wait(route: Route) -> None:
        moves = (route.request.post_data_json or {})["moves"]
        if "B1" in moves and moves[-1] != "B1":  # the line that refutes B1
            waiting.append(route)
        else:
            route.continue_()

    page.route("**/api/line", wait)
    page.goto("/#/learn/lesson/line?step=2")
    play(page, "B1")
    page.wait_for_selector(".feedback[data-tone=wrong]:has-text('loses')")
    page.wait_for_timeout(100)  # the request is sent, and its answer has not arrived
    page.get_by_role("button", name="Try again").click()
    with page.expect_response("**/api/line"):
        waiting.pop().continue_()
    page.wait_for_timeout(100)  # the answer has arrived
    assert page.locator(".stepper").count() == 0
    play(page, "C4")
    page.wait_for_selector(".feedback[data-tone=right]")


def test_the_coach_stops_a_blunder_and_may_be_overruled(page: Page) -> None:
    page.goto("/#/analyse?rules=tic-tac-toe&moves=A1")
    page.wait_for_selector(".ranked tr.best")  # proved by then: the coach holds a move back only for a moment
    page.goto("/#/play?rules=tic-tac-toe&moves=A1&first=random&second=human&seed=1")
    page.get_by_label("Coach: stop me").check()
    play(page, "C3")
    page.wait_for_selector(".coach:visible:has-text('C3 loses')")
    page.get_by_role("button", name="Think again").click()
    wait_for_marks(page, 1)
    play(page, "C3")
    page.get_by_role("button", name="Play C3 all the same").click()
    wait_for_marks(page, 3)


def test_a_game_from_the_front_page_continues_in_learn(page: Page) -> None:
    page.goto("/")
    play(page, "A2")
    wait_for_marks(page, 2)
    assert page.locator(".hero-state").inner_text() == "Your move."
    page.locator(".gallery").get_by_role("link", name="Notakto, 4x4").click()
    page.wait_for_selector(".card[aria-pressed=true]:has-text('Notakto, 4x4')")


def test_a_mistake_is_repeated_until_it_is_solved(page: Page) -> None:
    """In a day, then in three if it was found; and in a day again once the learner gives up."""
    day = datetime(2026, 3, 2, 12)
    page.clock.set_fixed_time(day)
    page.goto("/#/learn/puzzles?rules=tic-tac-toe")
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("link", name="← Learn").click()
    page.wait_for_selector(".door:has-text('1 mistake of yours comes back until you find it: the next tomorrow.')")
    page.get_by_role("link", name="Practise").click()
    page.wait_for_selector("h1:has-text('No mistake comes back today')")
    for days, finds, then in ((1, True, "in 3 days"), (4, False, "tomorrow"), (5, True, "in 3 days")):
        page.clock.set_fixed_time(day + timedelta(days=days))
        page.reload()
        page.goto("/#/learn")
        page.wait_for_selector(".door:has-text('1 today')")
        page.get_by_role("link", name="Practise").click()
        if finds:
            solve_the_one_shown(page)
        else:
            page.get_by_role("button", name="Show the answer").click()
        page.get_by_role("button", name="Finish").click()
        page.get_by_role("link", name="Back to Learn").click()
        page.wait_for_selector(f".door:has-text('the next {then}')")
