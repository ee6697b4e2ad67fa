"""Takes the picture of a class in the README and its guide: ``uv run python -m tests.classroom.pictures``."""

import tempfile
from pathlib import Path

from tests.classroom.classes import ClassServer, class_server
from tests.classroom.test_browser import invite, join
from tests.web.browser.conftest import chromium
from tests.web.browser.pictures import PHONE, open_page, save
from tests.web.browser.steps import Browser, play, wait_for_marks


def take(browser: Browser, lesson: ClassServer) -> None:
    """Photograph a teacher's wall with two games on it, and a pupil's phone."""
    teacher = open_page(browser, lesson.teach)
    pupils = []
    for nickname in ("Mia", "Ben", "Noor", "Tim"):
        pupils.append(open_page(browser, lesson.join, PHONE))
        join(pupils[-1], lesson.join, nickname)
    for maker, taker, nickname in ((pupils[0], pupils[1], "Ben"), (pupils[2], pupils[3], "Tim")):
        invite(maker, taker)
        taker.get_by_role("button", name="Play", exact=True).click()
        for number, square in enumerate(("B2", "A1", "A2", "C2", "C3")[: 3 if nickname == "Ben" else 4]):
            play((maker, taker)[number % 2], square)
            wait_for_marks(maker, number + 1)
    teacher.wait_for_selector(".class-tile >> nth=1")
    teacher.wait_for_timeout(1_000)
    save(teacher, "class")
    save(pupils[1], "phone")


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as folder, class_server(Path(folder)) as lesson, chromium() as browser:
        take(browser, lesson)


if __name__ == "__main__":
    main()
