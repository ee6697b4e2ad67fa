"""A class in a browser: a teacher and two pupils, on phones and a desktop, in separate contexts."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from noughts.puzzles.shipped import shipped_puzzles
from noughts.rules import parse_rules
from tests.classroom.classes import ClassServer, class_server
from tests.web.browser.conftest import CHROMIUM, chromium, visitor
from tests.web.browser.steps import DESKTOP, PHONE, Page, Route, look, play, wait_for_marks

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium to try the page in")
Visitor = Callable[[tuple[int, int]], Page]


@pytest.fixture
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClassServer]:
    with class_server(tmp_path_factory.mktemp("class")) as found:
        yield found
        assert found.server.log.read_text().replace("Ctrl-C ends it", "").strip() == ""


@pytest.fixture
def new(lesson: ClassServer) -> Iterator[Visitor]:
    """Makes new visitors with separate contexts."""
    with chromium() as browser, ExitStack() as stack:
        yield lambda size: stack.enter_context(visitor(lesson.server, browser, size))


def join(page: Page, address: str, nickname: str) -> None:
    page.goto(address)
    page.get_by_label("Nickname").fill(nickname)
    page.get_by_role("button", name="Join").click()
    page.wait_for_selector("pupil-room")


def invite(one: Page, other: Page) -> None:
    """One pupil makes a game in which they move first, and the other opens its link."""
    one.get_by_label("me", exact=True).check(force=True)
    one.get_by_role("button", name="Make a link for a classmate").click()
    one.wait_for_selector("class-game noughts-board")
    other.goto(one.get_by_label("Address").input_value())
    other.wait_for_selector("class-game noughts-board")


@pytest.mark.heavy
def test_a_lesson(lesson: ClassServer, new: Visitor) -> None:
    teacher, mia, ben = new(DESKTOP), new(PHONE), new(PHONE)
    teacher.goto(lesson.teach)
    assert teacher.locator(".join-code").text_content() == lesson.code
    teacher.wait_for_function("() => document.querySelector('img.qr')?.naturalWidth > 50")
    # The plain address leads to the form; a wrong code is rejected in one line.
    mia.goto(lesson.join.partition("join")[0])
    mia.wait_for_selector(".join-form")
    for scheme in ("light", "dark"):
        look(mia, PHONE, scheme)
    join(mia, lesson.join, "  <b>Mia</b> ")
    join(ben, lesson.join, "Ben")
    teacher.wait_for_selector(".results tbody tr:nth-child(2)")
    # Mia sends Ben a link, and Ben takes the seat; the moves appear live on both boards, and on the wall.
    invite(mia, ben)
    look(ben, PHONE, "light")
    ben.get_by_role("button", name="Play", exact=True).click()
    mia.wait_for_selector("h1:has-text('Your move')")
    for number, square in enumerate(("B2", "A1", "A2", "C3", "C2")):
        play((mia, ben)[number % 2], square)
        for page in (mia, ben):
            wait_for_marks(page, number + 1)
    mia.wait_for_selector("h1:has-text('You win')")
    ben.wait_for_selector("h1:has-text('You lose')")
    look(mia, PHONE, "dark")
    row = teacher.locator(".results tbody tr", has_text="<b>Mia</b>")
    row.locator("td").nth(1).filter(has_text="1").wait_for()
    # Once more, and Mia is on another page when Ben comes; then Ben resigns.
    ben.get_by_role("link", name="The class").click()
    mia.get_by_role("link", name="The class").click()
    invite(ben, mia)
    ben.get_by_role("link", name="The class").click()
    mia.get_by_role("button", name="Play", exact=True).click()
    ben.locator(".slip").get_by_role("button", name="Look").click()
    ben.wait_for_selector("h1:has-text('Your move')")
    play(ben, "B2")
    wait_for_marks(mia, 1)
    tile = teacher.locator(".class-tile").first
    tile.locator(".mini-x").wait_for(state="attached")
    look(teacher, DESKTOP, "dark")
    look(teacher, PHONE, "light")
    tile.click()
    wait_for_marks(teacher, 1)
    assert teacher.locator("main .cell.open").count() == 0  # watching is not playing
    teacher.get_by_role("link", name="The class").click()
    teacher.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    ben.get_by_role("button", name="Resign").click()
    ben.locator("dialog").get_by_role("button", name="Resign").click()
    mia.wait_for_selector("h1:has-text('You win, by resignation')")
    # The program's reply may arrive before the answer to one's own move, which must then undo nothing.
    ben.get_by_role("link", name="The class").click()
    ben.get_by_label("me", exact=True).check(force=True)
    ben.get_by_role("button", name="Play the program").click()
    ben.wait_for_selector("h1:has-text('Your move')")

    def late(route: Route) -> None:
        answer = route.fetch()
        wait_for_marks(ben, 2)
        route.fulfill(response=answer)

    ben.route("**/moves", late)
    play(ben, "B2")
    wait_for_marks(ben, 2)
    ben.wait_for_timeout(300)
    wait_for_marks(ben, 2)
    ben.unroute("**/moves")
    ben.get_by_role("button", name="Resign").click()
    ben.locator("dialog").get_by_role("button", name="Resign").click()
    ben.wait_for_selector("h1:has-text('You lose, by resignation')")
    # An assignment, which both see at once; Mia solves it.
    teacher.get_by_text("Set a task").click()
    teacher.get_by_label("a position").check(force=True)
    teacher.get_by_role("textbox", name="Position").fill("tic-tac-toe A1 B1 A2 B2")
    teacher.get_by_role("button", name="Set for all").click()
    for page in (mia, ben):
        page.get_by_role("link", name="The class").click()
        page.wait_for_selector(".assignment:has-text('Tic-tac-toe against')")
    teacher.get_by_label("a program").check(force=True)
    for page in (teacher, ben):
        page.get_by_role("combobox", name="Game").select_option("gomoku")
        page.get_by_role("combobox", name="Program").locator("[value^=threats]").wait_for(state="attached")
        assert page.get_by_role("combobox", name="Program").locator("[value^=perfect]").count() == 0
    for scheme in ("light", "dark"):
        look(mia, PHONE, scheme)
    mia.locator(".assignment").get_by_role("button", name="Play").click()
    play(mia, "A3")
    mia.wait_for_selector("h1:has-text('You win')")
    teacher.wait_for_selector("text=1 of 2 pupils done.")
    with teacher.expect_download() as download:
        teacher.get_by_role("link", name="Download as CSV").click()
    assert "\n<b>Mia</b>,3,3,0,0,0,yes," in download.value.path().read_text(encoding="utf-8")
    # A pupil who closed the page is away, and comes back; removing asks first.
    there = ben.url
    ben.goto("about:blank")
    teacher.wait_for_selector("tr:has-text('Ben') .pupil-away")
    ben.goto(there)
    teacher.wait_for_selector("tr:has-text('Ben') .pupil-here")
    ben.wait_for_load_state("networkidle")  # requests after the removal are rejected, which the console reports
    teacher.get_by_role("button", name="Remove Ben").click()
    teacher.locator("dialog").get_by_role("button", name="Remove").click()
    ben.wait_for_selector(".join-form:has-text('Your teacher removed your name.')")
    assert ben.url == there.replace("#", "join?removed#")
    mia.goto(there)
    mia.wait_for_selector("pupil-room")
    mia.wait_for_load_state("networkidle")
    teacher.get_by_role("button", name="Close the class").click()
    teacher.locator("dialog").get_by_role("button", name="Close").click()
    mia.wait_for_selector(".join-form")
    assert mia.get_by_text("removed").count() == 0


@pytest.mark.heavy
@pytest.mark.parametrize("closes", [False, True])
def test_a_puzzle_that_was_solved_without_the_server_counts(lesson: ClassServer, new: Visitor, closes: bool) -> None:
    teacher, mia = new(DESKTOP), new(PHONE)
    teacher.goto(lesson.teach)
    join(mia, lesson.join, "Mia")
    puzzle = shipped_puzzles()[parse_rules("tic-tac-toe")][0]
    moves = "+".join(map(puzzle.rules.name_of, puzzle.moves))
    mia.goto(f"{lesson.server.address}#/learn/puzzle?rules=tic-tac-toe&moves={moves}")
    wait_for_marks(mia, len(puzzle.moves))
    # Not with the browser's own switch, because it writes to the console.
    mia.evaluate("() => { [window.real, window.fetch] = [fetch, () => Promise.reject(new TypeError())]; }")
    play(mia, puzzle.rules.name_of(puzzle.solutions[0]))
    mia.wait_for_selector(".feedback[data-tone=right]")
    if closes:
        mia.goto("about:blank")
        mia.goto(f"{lesson.server.address}#/class")
    else:
        mia.evaluate("() => { window.fetch = window.real; }")
    teacher.locator("tr:has-text('Mia') td").nth(4).filter(has_text="1").wait_for()
    kept = "Object.keys(localStorage).filter((key) => key.includes('solved')).map((key) => localStorage[key])"
    mia.wait_for_function(f"() => {kept}.join() === '[]'")


@pytest.mark.heavy
def test_a_visitor_whom_the_server_does_not_know_any_more_reads_so(lesson: ClassServer, new: Visitor) -> None:
    teacher, mia = new(DESKTOP), new(PHONE)
    for page in (teacher, mia):
        page.add_init_script(
            "WebSocket = class extends WebSocket { constructor(to) { super(to); window.live = this; } };"
        )
    teacher.goto(lesson.teach)
    join(mia, lesson.join, "Mia")
    teacher.wait_for_selector("tr:has-text('Mia') .pupil-here")
    forget = "() => { window.fetch = async () => new Response('{}', {status: 403}); window.live.close(); }"
    teacher.evaluate(forget)
    teacher.wait_for_selector("[role=status]:has-text('open the new address for you alone')")
    with mia.expect_event("load"):  # which leads to the page for joining
        mia.evaluate(forget)


@pytest.mark.heavy
def test_a_removed_classmate_is_not_waited_for(lesson: ClassServer, new: Visitor) -> None:
    teacher, mia, ben = new(DESKTOP), new(PHONE), new(PHONE)
    teacher.goto(lesson.teach)
    join(mia, lesson.join, "Mia")
    join(ben, lesson.join, "Ben")
    invite(mia, ben)
    # If a classmate was first, the page says so. Real refusals would write to the console.
    ben.evaluate("""() => { window.fetch = async () => new Response('{"error": "others play it"}', {status: 422}); }""")
    ben.get_by_role("button", name="Play", exact=True).click()
    ben.wait_for_selector("class-game:has-text('This game cannot be shown'):has-text('others play it')")
    ben.reload()
    ben.get_by_role("button", name="Play", exact=True).click()
    play(mia, "B2")
    wait_for_marks(ben, 1)
    ben.goto("about:blank")
    mia.wait_for_selector(".note:has-text('Ben is away, and can come back.')")
    teacher.get_by_role("button", name="Remove Ben").click()
    teacher.locator("dialog").get_by_role("button", name="Remove").click()
    mia.wait_for_selector("h1:has-text('Ben to move, removed')")
    mia.wait_for_selector(".note:has-text('Ben was removed from the class, and will not move.')")
