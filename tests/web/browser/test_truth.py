"""Nothing is drawn as proved before it is, verdicts come as soon as they follow, and noise names no mistake."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser.steps import Page, WebSocketRoute

pytestmark = pytest.mark.heavy

LOST_FROM_THE_START = "B4+C4+B5+C7+B3+D3+B2"
"""On bttt(D4) the second player loses in any case."""


def judged(page: Page, call: str, given: Any) -> Any:
    """The result of a function of the page's judge or overlay."""
    return page.evaluate(
        f"""async (given) => {{
            const names = ["base/judge", "base/overlay", "parts/compare-tab", "parts/lesson", "base/session", "base/view"];
            const pages = await Promise.all(names.map((name) => import(`/static/${{name}}.js`)));
            with (Object.assign({{}}, ...pages)) return {call};
        }}""",
        given,
    )


def result(kind: str, value: int | None, moves: list[tuple[str, str, float | None, int | None, int]]) -> dict[str, Any]:
    """A result of the solver or an agent; moves are (square, kind, value, distance, visits)."""
    return {
        "kind": kind,
        "value": value,
        "move": moves[0][0],
        "distance": moves[0][3],
        "nodes": 20_000,
        "principal_variation": [moves[0][0]],
        "moves": [
            {"move": move, "kind": of, "value": worth, "distance": distance, "visits": visits, "prior": None}
            for move, of, worth, distance, visits in moves
        ],
    }


def estimates(*moves: tuple[str, float, int]) -> dict[str, Any]:
    """A result of an agent that proves nothing; moves are (square, value, visits)."""
    return result("estimate", None, [(move, "estimate", worth, None, visits) for move, worth, visits in moves])


@pytest.fixture
def bare(page: Page) -> Page:
    page.goto("/#/")
    return page


def test_a_partial_proof_draws_no_values(bare: Page) -> None:
    partial = result("lower", 0, [("A1", "lower", 0, None, 0), ("B2", "estimate", None, None, 0)])
    assert judged(bare, "[...shares(TRUTH, given)]", partial) == []
    assert judged(bare, "[...overlay('value', null, given)]", partial) == []
    proved = result("exact", 1, [("B2", "exact", 1, 3, 0), ("A1", "exact", -1, 6, 0)])
    assert judged(bare, "[...shares(TRUTH, given)]", proved) == [["B2", 1]]


def test_only_the_quickest_win_is_called_quickest(bare: Page) -> None:
    proved = result("exact", 1, [("D4", "exact", 1, 3, 0), ("A3", "exact", 1, 5, 0), ("B5", "exact", 1, None, 0)])
    assert judged(bare, "bestMoves(given)", proved) == ["D4"]
    found = {"ply": 5, "move": "A1", "sign": "??", "right": ["D4", "A3"], "after": -1, "sure": True}
    words = judged(
        bare,
        "((place) => (render(lesson(given[0], given[1], 'you'), place), place.textContent.replace(/\\s+/g, ' ')))(document.createElement('p'))",
        [found, proved],
    )
    assert "Right was D4, which wins in 3 moves. A3, B5 keep the win too." in words


LINE = [{"to_move": "first" if ply % 2 == 0 else "second", "outcome": "ongoing", "last": f"M{ply}"} for ply in range(6)]
LINE[5]["outcome"] = "first"


def places(bounds: list[tuple[int, int]], analyses: dict[int, Any]) -> list[dict[str, Any]]:
    nodes = [{"move": f"M{ply}", "bounds": both, "analysis": analyses.get(ply, {})} for ply, both in enumerate(bounds)]
    return [{"node": node, "position": position} for node, position in zip(nodes, LINE, strict=True)]


def test_noise_names_no_mistake_and_proofs_are_read_backwards(bare: Page) -> None:
    open_bounds = (-1, 1)
    for played, visits, sign in ((-0.2, 90, ""), (-0.9, 2000, "??")):
        found = {"mcts": estimates(("G4", 0.3, visits), ("M2", played, visits))}
        line = places([open_bounds] * 5 + [(-1, -1)], {1: found})
        assert judged(bare, "judge(given, 'mcts')[2].sign", line) == sign
        assert judged(bare, "decisive(judge(given, 'mcts'), given.at(-1).position)", line) is None
    # The second player is proved lost after move 3: its move 2, or an earlier one, was the mistake.
    line = places([open_bounds, open_bounds, open_bounds, (-1, -1), (1, 1), (-1, -1)], {})
    assert judged(bare, "lostFrom(given)", line) == {"ply": 3, "last": 2}
    whole = places([(1, 1), (-1, -1), (1, 1), (-1, -1), (1, 1), (-1, -1)], {})
    assert judged(bare, "lostFrom(given)", whole) is None
    assert judged(bare, "openCount(given)", whole) == 0


def test_uncertain_values_have_no_colour(bare: Page) -> None:
    found = estimates(("A1", 0.1, 90), ("A2", 0.9, 90), ("A3", -0.1, 20_000))
    tones = judged(bare, "[...overlay('value', null, given)].map(([, c]) => c.tone)", found)
    assert tones == ["plain", "win", "loss"]


def test_a_verdict_waits_for_values_and_not_for_distances(page: Page) -> None:
    def serve(socket: WebSocketRoute) -> None:
        """The server's analysis of a game proves every value at once, and never a distance."""

        def answer(message: str | bytes) -> None:
            asked = json.loads(message)
            for ply in range(LOST_FROM_THE_START.count("+") + 2 if asked["type"] == "game" else 0):
                bounds = (1, 1) if ply % 2 == 0 else (-1, -1)
                step = {"type": "step", "id": asked["id"], "done": False, "ply": ply, "seconds": 0.1}
                socket.send(json.dumps(step | {"result": None, "bounds": bounds}))

        socket.on_message(answer)

    page.route_web_socket("**/api/analysis", serve)
    game = f"rules=bttt(D4)&moves={LOST_FROM_THE_START}&first=minimax:depth=2&second=human&seed=1"
    page.goto(f"/#/analyse?{game}&find=mistake")
    page.wait_for_selector(".lesson:has-text('O was losing from the start')")
    page.goto(f"/#/learn/mistake?{game}")
    page.wait_for_selector("mistake-finder:has-text('O was losing from the start')")
    page.goto(f"/#/analyse?{game}")
    page.get_by_role("button", name="Analyse the whole game").click()
    page.wait_for_selector(".lesson:has-text('O was losing from the start')")


def test_claims_of_an_opened_file_are_not_drawn_as_proved(page: Page, tmp_path: Path) -> None:
    for number, claim in enumerate((result("exact", 1, [("A2", "exact", 1, 3, 0)]), 5)):
        child = {"move": "A1", "analysis": {"perfect": claim}, "children": list[object]()}
        tree = {"move": None, "analysis": {"perfect": claim}, "children": [child]}
        game = {"format": "noughts-game", "version": 1, "rules": "tic-tac-toe", "seed": number, "tree": tree}
        (tmp_path / "game.json").write_text(json.dumps(game))
        page.goto("/#/new")
        page.get_by_text("Open a game", exact=True).click()
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open a file").click()
        chooser.value.set_files(tmp_path / "game.json")
        page.wait_for_selector(".truth:has-text('O can hold a draw')")


def test_opponents_and_their_strength_depend_on_the_game(page: Page) -> None:
    page.goto("/#/new?rules=tic-tac-toe")
    page.locator(".opponent:has-text('Ada'):has-text('perfect, right 100%')").click()
    page.wait_for_selector(".opponent[aria-pressed=true]:has-text('Ada')")
    page.locator('.card[data-rules="gomoku"]').click()
    page.wait_for_selector(".opponent[aria-pressed=true]:has-text('Otto'):has-text('not measured in this game')")
    assert page.locator(".opponent:has-text('Ada')").count() == 0
    assert page.locator(".opponent:has-text('%')").count() == 0


def test_the_start_button_is_visible_on_every_screen(page: Page) -> None:
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/#/new")
        page.wait_for_selector(".opponent")
        box = page.get_by_role("button", name="Start the game").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height
        shown = page.locator(".opponent:visible")
        assert shown.count() == 3
        last = shown.last.bounding_box()
        assert last is not None
        assert last["y"] + last["height"] <= box["y"]


def test_the_board_dominates_the_analysis(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/#/analyse?rules=tic-tac-toe&moves=A1")
    page.wait_for_selector("noughts-board .face-box")
    box = page.locator(".face-box").bounding_box()
    assert box is not None
    assert box["width"] >= 520


def test_buttons_in_a_message_are_readable(bare: Page) -> None:
    for scheme in ("light", "dark"):
        bare.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        bare.evaluate("async () => (await import('/static/base/news.js')).tell('News.', { act: ['Look', () => {}] })")
        bare.mouse.move(0, 0)
        colours = bare.evaluate(
            """() => {
                const [slip, look] = [document.querySelector(".slip"), document.querySelector(".slip .button")];
                const [under, button] = [getComputedStyle(slip), getComputedStyle(look)];
                return [button.backgroundColor, button.color === under.color, under.color !== under.backgroundColor];
            }"""
        )
        assert colours == ["rgba(0, 0, 0, 0)", True, True]
        bare.locator(".slip").get_by_role("button", name="Look").click()


def test_a_struck_line_is_drawn_once(page: Page) -> None:
    page.goto("/#/analyse?rules=tic-tac-toe&moves=A1+B1+A2+B2+A3")
    page.wait_for_selector(".struck line", state="attached")
    page.evaluate("() => { document.querySelector('.struck line').dataset.same = 'yes' }")
    page.get_by_role("button", name="Analyse the whole game").click()
    page.wait_for_selector(".lesson h2")
    assert page.locator(".struck line[data-same=yes]").count() == 1


def test_a_click_after_a_note_is_not_lost(page: Page) -> None:
    page.route_web_socket("**/api/analysis", lambda _: None)  # a later analysis moves the panels, too
    page.goto("/#/analyse?rules=tic-tac-toe&moves=A1+B2")
    page.get_by_text("Write a note").click()
    page.get_by_label("Note on this position").fill("the corner")
    page.get_by_text("Save, open, export").click()
    page.wait_for_selector("details[open] >> text=Save, open, export")
    page.wait_for_selector("summary:has-text('Change the note')")


def test_analyses_continue_after_a_lost_connection(page: Page) -> None:
    tries: list[float] = []

    def serve(socket: WebSocketRoute) -> None:
        tries.append(time.monotonic())
        if len(tries) < 3:
            socket.close()
        else:
            socket.connect_to_server()

    page.route_web_socket("**/api/analysis", serve)
    page.goto("/#/analyse?rules=tic-tac-toe&moves=A1+B2+A2")
    page.wait_for_selector(".cell.best[data-square=A3]")
    assert len(tries) == 3


def test_a_shared_local_address_is_called_local_and_has_the_guests_token_alone(page: Page) -> None:
    health: dict[str, Any] = {"status": "ok", "version": "1", "scripts": []}
    page.route("**/api/health", lambda route: route.fulfill(json=health))
    for health["token"], asked in ((None, ""), ("guests", "?token=guests")):
        page.goto("/?token=the-owner-s#/analyse?rules=tic-tac-toe&moves=A1")
        page.wait_for_load_state("networkidle")
        page.get_by_role("button", name="Share").click()
        page.wait_for_selector(".slip:has-text('on this machine')")
        assert page.evaluate("navigator.clipboard.readText()") == page.url.replace("#", f"{asked}#")
