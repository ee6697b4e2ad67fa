"""What people see while work goes on."""

import re
import time
from collections.abc import Generator

import pytest

from noughts.cli import output
from noughts.cli.output import watch
from noughts.questions.carry_out import Progress


def steps() -> Generator[Progress, None, None]:
    yield Progress(0, 2, 0)
    yield Progress(0, 2, 0, "iteration 3\n[red]loss\x1b[31m 0.5 " + "long " * 100)
    yield Progress(1, 2, 1)


def test_lines_say_what_a_long_job_is_at(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(output, "LINE_SECONDS", 0.0)
    watch(steps(), "work", lambda: "")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "work: 0 of 2"
    assert lines[1].startswith("work: 0 of 2: iteration 3 [red]loss [31m 0.5 long long")
    assert lines[1].endswith(" ...")
    assert len(lines[1]) < 250
    assert re.fullmatch(r"work: 1 of 2, .*/s, about \d+ s left", lines[2])
    assert lines[3] == "work: 1 of 2"


def test_the_live_view_shows_it_on_one_line_below_the_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", "60")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(output, "TABLE_SECONDS", 0.0)  # each step is drawn

    def slow_steps() -> Generator[Progress, None, None]:
        for step in steps():
            yield step
            time.sleep(0.3)  # the view is drawn eight times a second

    watch(slow_steps(), "work", lambda: "a table")
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().err)
    assert "iteration 3 [red]loss [31m 0.5 long" in shown
    assert "0/2" in shown
    assert "a table" in shown
    assert "iteration 3" in next(line for line in shown.splitlines() if "loss" in line)


def test_each_stage_has_a_count_and_a_pace_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def staged() -> Generator[Progress, None, None]:
        yield Progress(0, 2, 0, stage=1, stages=2)
        time.sleep(0.2)
        yield Progress(2, 2, 2, stage=1, stages=2)
        yield Progress(0, 900, 0, stage=2, stages=2)
        time.sleep(0.05)
        yield Progress(100, 900, 100, stage=2, stages=2)

    monkeypatch.setattr(output, "LINE_SECONDS", 0.0)
    watch(staged(), "work", lambda: "")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "work, part 1 of 2: 0 of 2"
    assert lines[2] == "work, part 2 of 2: 0 of 900"
    assert (
        int(re.findall(r"part 2 of 2: 100 of 900, ([\d,]+)\.\d/s, about \d+ s left", lines[3])[0].replace(",", ""))
        > 450
    )


def test_the_time_left_is_that_of_the_latest_results() -> None:
    pace, now = output.Pace(), 0.0
    assert pace.after(Progress(0, 1100, 0), now) == ""
    for new in range(100, 1001, 100):
        now += 1
        said = pace.after(Progress(new, 1100, new), now)
    assert said == "100.0/s, about 1 s left"
    for new in range(1001, 1051):  # games were quick; what follows takes ten seconds each
        now += 10
        said = pace.after(Progress(new, 1100, new), now)
    assert said == "6.0/min, about 8 min left"
    assert pace.after(Progress(1050, 1100, 1050), now + 600) == "51.4/h, about 58 min left", "and nothing came since"


def test_another_stage_begins_anew() -> None:
    pace = output.Pace()
    pace.after(Progress(0, 9, 0, stage=1), 0.0)
    assert pace.after(Progress(9, 9, 9, stage=1), 1.0)
    assert pace.after(Progress(0, 9, 9, stage=2), 2.0) == ""
    assert pace.after(Progress(1, 9, 10, stage=2), 3.0) == "1.0/s, about 8 s left"


@pytest.mark.parametrize(("rate", "words"), [(2.5, "2.5/s"), (0.5, "30.0/min"), (0.01, "36.0/h")])
def test_a_pace_is_a_number_worth_reading(rate: float, words: str) -> None:
    pace = output.Pace()
    pace.after(Progress(0, 1000, 0), 0.0)
    assert pace.after(Progress(100, 1000, 100), 100 / rate).startswith(f"{words}, about ")
