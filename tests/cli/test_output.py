"""What people see during work."""

import re
import time
from collections.abc import Generator

import pytest

from noughts.cli import output, progress
from noughts.cli.progress import steps_of, watch
from noughts.document.document import Document, Listing
from noughts.questions.carry_out import Progress


def steps() -> Generator[Progress, None, None]:
    yield Progress(0, 2, 0)
    yield Progress(0, 2, 0, "iteration 3\n[red]loss\x1b[31m 0.5 " + "long " * 100)
    yield Progress(1, 2, 1)


def test_lines_show_a_long_jobs_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    watch(steps_of(steps(), "work"))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "work: 0 of 2"
    assert lines[1].startswith("work: 0 of 2: iteration 3 [red]loss [31m 0.5 long long")
    assert lines[1].endswith(" ...")
    assert len(lines[1]) < 250
    assert lines[2] == "work: 1 of 2", "one result at once says nothing of the time left"
    assert lines[3] == "work: 1 of 2"


def test_the_live_view_shows_notes_in_one_line_below_the_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", "60")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(progress, "TABLE_SECONDS", 0.0)  # each step is drawn

    def slow_steps() -> Generator[Progress, None, None]:
        for step in steps():
            yield step
            time.sleep(0.3)  # the view is redrawn eight times a second

    watch(steps_of(slow_steps(), "work"), lambda: "a table")
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().err)
    assert "iteration 3 [red]loss [31m 0.5 long" in shown
    assert "0 of 2" in shown
    assert "a table" in shown
    assert "iteration 3" in next(line for line in shown.splitlines() if "loss" in line)


def test_each_stage_has_its_count_and_time(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0

    def staged() -> Generator[Progress, None, None]:
        nonlocal now
        yield Progress(0, 2, 0, stage=1, stages=2)
        now += 90.0
        yield Progress(1, 2, 1, stage=1, stages=2)
        yield Progress(0, 900, 1, stage=2, stages=2)
        for done in range(100, 401, 100):
            now += 2.0
            yield Progress(done, 900, 1 + done, stage=2, stages=2)

    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr("noughts.cli.progress.time.monotonic", lambda: now)
    watch(steps_of(staged(), "work"))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "work, part 1 of 2: 0 of 2"
    assert lines[1] == "work, part 1 of 2: 1 of 2", "one result says nothing of the time left"
    assert lines[2] == "work, part 2 of 2: 0 of 900"
    assert lines[6] == "work, part 2 of 2: 400 of 900, about 10 s left"


def test_a_documents_texts_are_never_wrapped_and_labels_only_at_joints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    path = f"saved: /a/{'long-' * 20}/path.proof"
    grid = Listing("many [red]words", ("agent", "games"), (("mcts:sims=1000,c=1,rollouts=4", 1234),), ("a [/b] note",))
    output.print_document(Document((path, grid)))
    assert capsys.readouterr().out.splitlines() == [
        path,
        "many [red]words",
        "agent                    games",
        "mcts:sims=1000,c=1,      1,234",
        "rollouts=4                    ",
        "a [/b] note",
    ]
