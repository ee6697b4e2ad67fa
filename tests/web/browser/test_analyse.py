"""The contents of the analysis, and its links."""

import re

import pytest

from noughts.store.run_folder import training_folder
from tests.agents.runs import make_model_run, make_run, weights
from tests.web.browser.steps import DESKTOP, PHONE, Page, Route, cell, look, overlay, play, texts, wait_for_marks
from tests.web.serving import Server

pytestmark = pytest.mark.heavy

POSITION = "/#/analyse?rules=tic-tac-toe&moves=A1+B2+A2"
"""O must play A3: everything else loses in two moves."""


def test_every_overlay_is_drawn(page: Page) -> None:
    page.goto(POSITION)
    page.wait_for_selector(".cell.best[data-square=A3]")
    page.wait_for_selector(".ranked td.visits:has-text('k')")
    assert texts(page) == {"A3": "0", "B1": "−2", "B3": "−2", "C1": "−2", "C2": "−2", "C3": "−2"}
    label = cell(page, "A3").get_attribute("aria-label")
    assert label == "A3, empty, a draw, best, X threatens a line here: the only reply"
    overlay(page, "loss")
    assert texts(page) == {"A3": "0", "B1": "−1", "B3": "−1", "C1": "−1", "C2": "−1", "C3": "−1"}
    overlay(page, "value")
    assert all(re.fullmatch(r"[+−]?\.?\d+|0", text) for text in texts(page).values())
    assert float(texts(page)["B1"].replace("−", "-")) < -0.5
    overlay(page, "visits")
    visits = texts(page)
    assert visits["A3"].endswith("k")
    overlay(page, "prior")
    assert texts(page) == {}
    assert "Only programs with a network" in page.locator(".legend").inner_text()
    overlay(page, "none")
    assert texts(page) == {}
    page.keyboard.press("o")  # the next one; after the last the first
    assert page.is_checked("input[value=exact]")


def test_saved_priors_are_drawn(page: Page) -> None:
    priors = {"A1": 0.05, "B2": 0.7, "C3": 0.25}
    moves = [
        {"move": move, "visits": 0, "value": 0.0, "kind": "estimate", "distance": None, "prior": prior}
        for move, prior in priors.items()
    ]
    result = {"move": "B2", "value": 0.1, "kind": "estimate", "moves": moves, "principal_variation": ["B2"]}
    analysis = {"az:mine@1,sims=0": {**result, "nodes": 0, "distance": None}}
    tree = {"move": None, "analysis": analysis, "children": list[object]()}
    players = {"first": "human", "second": "human"}
    game = {"format": "noughts-game", "version": 1, "rules": "tic-tac-toe", "players": players, "tree": tree}
    kept = page.request.post("/api/games", data={"name": "mine", "game": game}).json()
    page.goto(f"/#/analyse?game={kept['id']}")
    page.wait_for_selector("analyse-area .cell")
    overlay(page, "prior")
    assert texts(page) == {"A1": "5.0", "B2": "70", "C3": "25"}
    page.wait_for_selector(".cell.best[data-square=B2]")


@pytest.mark.slow
def test_a_network_s_search_is_watched_step_by_step(page: Page, live: Server) -> None:
    """Slow, because the server's worker has to load and compile a network first."""
    make_run("untrained", {4: weights(0)}, training_folder(str(live.store)) / "untrained")
    page.goto("/#/search?rules=tic-tac-toe&moves=A1+B2")
    page.locator("summary:has-text('Which program')").click()
    page.locator("agent-picker select").first.select_option("az")
    page.locator("agent-picker select").nth(1).select_option("untrained@4")
    page.locator("agent-picker input").first.fill("8")
    page.wait_for_selector("h2:has-text('No simulation yet')")
    page.wait_for_selector(".children th:text-is('P')", timeout=300_000)
    page.wait_for_function("() => document.querySelectorAll('.phase').length === 3")
    for name in ("Select", "Expand and evaluate", "Back up"):
        page.get_by_role("button", name="Next phase").click()
        page.wait_for_selector(f'.phase[aria-current="step"]:has-text("{name}")', timeout=300_000)
    page.wait_for_selector("h2:has-text('Simulation 1 of 8')")
    assert page.locator(".tree-node").count() == 2
    page.get_by_role("button", name="Ten simulations").click()
    page.wait_for_selector("h2:has-text('Simulation 8: it plays')")
    assert page.locator(".tree-node").count() == 9
    assert "%" in (page.locator(".tree-node.fresh .tree-numbers").text_content() or "")
    overlay(page, "prior")
    assert 95 < sum(float(text) for text in texts(page).values()) < 105


@pytest.mark.slow
def test_imagined_boards_are_beside_the_real_ones(page: Page, live: Server) -> None:
    """Slow, because the server's worker has to load and compile a model first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_STORE", str(live.store))
        make_model_run("believer", "tic-tac-toe", decoder="probe")
    page.goto(POSITION)
    assert page.locator(".imagined").is_hidden()
    page.get_by_text("Which program").click()
    page.locator("agent-picker select").first.select_option("mz")
    page.locator("agent-picker select").nth(1).select_option("believer@3")
    page.get_by_text("Show what it believes").click(timeout=300_000)
    page.wait_for_selector(".imagined-line li >> nth=1", timeout=300_000)
    first = page.locator(".imagined-line li").first
    assert first.locator("figcaption").all_inner_texts() == ["believed", "real"]
    assert first.locator(".mini").nth(1).get_attribute("aria-label") == "Real: A1 X, A2 X, B2 O"
    look(page, PHONE, "light")
    look(page, DESKTOP, "dark")


def test_a_line_is_replayed_and_played(page: Page) -> None:
    page.goto("/#/analyse?rules=tic-tac-toe&moves=B2+A2")
    page.wait_for_selector(".line-row:has-text('The program expects') .line-move >> nth=2")
    line = page.locator(".line-row:has-text('The program expects') .line-move")
    page.get_by_text("Which program").click()
    page.get_by_label("Analyse every position I look at").uncheck()  # the line is unchanged
    moves = [text.split()[1] for text in line.all_inner_texts()]
    line.nth(2).hover()
    page.wait_for_selector(".cell.ghost")
    numbers = {ghost: cell(page, ghost).locator(".number").inner_text() for ghost in moves[:3]}
    assert numbers == {move: str(index + 1) for index, move in enumerate(moves[:3])}
    page.locator("h1.state").hover()
    page.wait_for_selector(".cell.ghost", state="detached")
    page.locator(f'tr[data-row="{moves[0]}"]').hover()
    page.wait_for_selector(".cell.ghost")
    line.nth(1).click()
    wait_for_marks(page, 4)
    assert f"moves=B2+A2+{moves[0]}+{moves[1]}" in page.url  # the rest of the line stays in the tree
    page.locator(f'.tree .move-chip:has-text("{moves[0]}")').click()
    wait_for_marks(page, 3)


def test_a_game_with_a_blunder_is_analysed(page: Page) -> None:
    page.goto("/#/analyse?rules=tic-tac-toe&moves=B2+A2+A1+C3+C1+B1+A3")
    wait_for_marks(page, 7)
    page.get_by_role("button", name="Analyse the whole game").click()
    page.wait_for_selector(".progress-row", state="hidden")
    page.wait_for_selector(".graph-sign:has-text('?')")
    assert page.locator(".graph-sure").count() == 8
    assert page.locator(".tree .move-chip.marked").first.inner_text().replace("\n", "") in ("2A2?", "2A2??")
    graph = page.get_by_role("slider", name="Value over the game")
    assert graph.get_attribute("aria-valuenow") == "7"
    graph.click(position={"x": 40, "y": 60})
    wait_for_marks(page, 0)
    graph.press("ArrowRight")
    wait_for_marks(page, 1)
    assert "proved" in (graph.get_attribute("aria-valuetext") or "")
    page.wait_for_selector(".ring-wrong[data-square=A2], .ring-played[data-square=A2]")


def test_a_slow_click_counts_while_the_analysis_redraws(page: Page) -> None:
    page.add_init_script("""localStorage.setItem("noughts-analyse", '{"agent": "mcts:sims=3000000"}')""")
    page.goto("/#/analyse?rules=bttt(D4)&moves=B2+A1+C3+A2")
    page.wait_for_selector(".ranked .move-button")  # from now on it redraws many times a second
    page.locator(".ranked .move-button").first.click(delay=500)
    wait_for_marks(page, 5)


def test_while_a_move_is_sent_the_previous_position_is_drawn(page: Page) -> None:
    page.goto("/#/analyse?rules=tic-tac-toe&moves=B2")
    page.wait_for_selector(".cell.open")
    waiting: list[Route] = []

    def wait(route: Route) -> None:
        waiting.append(route)

    page.route("**/api/line*", wait)
    page.locator(".cell.open").first.click()
    page.wait_for_timeout(100)  # the request is sent, and its answer has not arrived
    assert waiting
    for kind in ("visits", "value"):
        overlay(page, kind)  # draws everything again
    assert page.locator(".holds-O").count() == 0
    for route in waiting:
        route.continue_()
    page.wait_for_selector(".holds-O")


def test_variations_are_kept_in_the_tree(page: Page) -> None:
    page.goto("/#/analyse?rules=tic-tac-toe&moves=B2+A1+C3")
    wait_for_marks(page, 3)
    page.keyboard.press("u")
    wait_for_marks(page, 2)
    play(page, "C1")
    wait_for_marks(page, 3)
    inner = page.locator(".tree .variation .variation")
    assert inner.locator(".move-chip").inner_text().split() == ["3", "C1"]
    inner.get_by_role("button", name="Make this the main line").click()
    page.wait_for_function(
        "() => document.querySelector('.tree .variation .variation .move-chip')?.textContent === '3C3'"
    )
    inner.get_by_role("button", name="Delete this variation").click()
    page.wait_for_selector(".tree .variation .variation", state="detached")
    page.reload()
    wait_for_marks(page, 3)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.tree .move-chip')].map((chip) => chip.textContent).join() === '1B2,2A1,3C1'"
    )
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    wait_for_marks(page, 0)
    play(page, "A1")  # another first move
    inner.get_by_text("1A1").wait_for()


def test_two_tabs_on_one_game_keep_each_other_s_notes(page: Page) -> None:
    def write(tab: Page, note: str) -> None:
        tab.locator(".annotation-editor summary").click()
        with tab.expect_response("**/api/games**"):
            tab.get_by_label("Note on this position").fill(note)
            tab.get_by_label("Note on this position").blur()

    page.goto("/#/analyse?rules=tic-tac-toe&moves=A1+B2+C3&first=human&second=human&seed=22")
    write(page, "from one tab")
    other = page.context.new_page()
    other.goto(page.url)
    other.locator(".annotation:has-text('from one tab')").wait_for()
    write(other, "from both tabs")
    page.locator(".annotation", has_text="from both tabs").wait_for(state="attached")
    page.get_by_role("button", name="One move back").click()
    wait_for_marks(page, 2)
    page.reload()
    wait_for_marks(page, 2)
    write(page, "at move 2")
    kept = page.evaluate("fetch('/api/games').then(answer => answer.json())")[0]["id"]
    game = page.evaluate("id => fetch(`/api/games/${id}`).then(answer => answer.json())", kept)["game"]
    second = game["tree"]["children"][0]["children"][0]
    assert [node["note"] for node in (second, second["children"][0])] == ["at move 2", "from both tabs"]


def test_a_game_that_no_solver_covers(page: Page) -> None:
    page.goto("/#/analyse?rules=gomoku&moves=H8")
    page.wait_for_selector(".truth:has-text('out of reach')")
    page.wait_for_selector(".legend:has-text('program’s estimates')")
    page.wait_for_selector(".cell.best .text")


def test_leaving_a_position_stops_its_analysis(page: Page) -> None:
    """Walking through a game requests nothing for intermediate positions, and the last one is answered."""
    page.goto("/#/analyse?rules=bttt(D4)&moves=C3+C4+E5+B3+F3+D5+B5+A1")
    wait_for_marks(page, 8)
    for _ in range(6):
        page.keyboard.press("u")
    wait_for_marks(page, 2)
    for _ in range(4):
        page.keyboard.press("r")
    wait_for_marks(page, 6)
    page.wait_for_selector(".truth:has-text('moves')")
    page.wait_for_selector(".opinion:has-text('100,000 positions')")
    assert cell(page, "D4").get_attribute("aria-label") == "D4, brick"


def test_a_shipped_game_has_notes_and_a_note_can_be_written(page: Page) -> None:
    page.goto("/")
    kept = "fetch('/api/games').then(answer => answer.json())"
    before = page.evaluate(kept)
    page.get_by_role("link", name="A game with notes").click()
    note = page.locator(".annotation")
    note.get_by_text("Three in a line on 4x4").wait_for()
    assert page.locator(".state").inner_text() == "X to move"
    page.locator(".cell.best").first.wait_for()  # its proofs ship with it
    for says in ("A corner.", "The best there is", "The first mistake"):
        page.keyboard.press("ArrowRight")
        note.get_by_text(says).wait_for()
    look(page, DESKTOP, "dark")
    look(page, PHONE, "light")
    page.reload()
    note.get_by_text("The first mistake").wait_for()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(1_500)  # longer than the page waits before it saves a game
    assert page.evaluate(kept) == before  # a visitor who only looks at it saves no copy
    page.get_by_text("Change the note").click()
    page.get_by_label("Note on this position").fill("<b>mine</b>")
    page.keyboard.press("ArrowRight")  # in a text field it moves no piece
    with page.expect_response("**/api/games"):
        page.get_by_label("Note on this position").blur()
    assert len(page.evaluate(kept)) == len(before) + 1
    page.get_by_text("Change the note").click()  # while it is open the note is only in it
    note.get_by_text("<b>mine</b>").wait_for()
    page.reload()
    note.get_by_text("<b>mine</b>").wait_for()
