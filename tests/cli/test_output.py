"""What people see while work goes on."""

import re
import time
from collections.abc import Generator

import pytest

from noughts.cli import output
from noughts.cli.output import watch
from noughts.questions.progress import OfKind, Progress


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
    assert lines[2] == "work: 1 of 2", "one result at once says nothing of the time left"
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

    monkeypatch.setattr(output, "LINE_SECONDS", 0.0)
    monkeypatch.setattr("noughts.cli.output.time.monotonic", lambda: now)
    watch(staged(), "work", lambda: "")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "work, part 1 of 2: 0 of 2"
    assert lines[1] == "work, part 1 of 2: 1 of 2, 40.0/h, about 90 s left"
    assert lines[2] == "work, part 2 of 2: 0 of 900"
    assert lines[6] == "work, part 2 of 2: 400 of 900, 50.0/s, about 10 s left"


def said_over_time(arrivals: list[float], total: int) -> list[tuple[float, str]]:
    """What the bar says, looked at ten times a second, of results that arrive at these seconds."""
    pace, said = output.Pace(), []
    for tick in range(int(10 * arrivals[-1]) + 1):
        now = tick / 10
        done = sum(arrival <= now for arrival in arrivals)
        said.append((now, pace.after(Progress(done, total, done), now)))
    return said


def seconds_left(words: str) -> float:
    number, unit = re.findall(r"about ([\d.]+) (s|min|h) left", words)[0]
    return float(number) * {"s": 1, "min": 60, "h": 3600}[unit]


def test_the_estimate_is_calm_in_the_first_seconds() -> None:
    """Processes take 8 s to start; then 2,000 games come within 32 s."""
    arrivals = [8.0 + number / 62.5 for number in range(2000)]
    said = said_over_time(arrivals, 2000)
    assert not any(words for now, words in said if now < 16.0)
    for now, words in said:
        if now >= 16.1:
            assert seconds_left(words) == pytest.approx(arrivals[-1] - now, abs=2.0), now


def test_quick_results_are_told_of_after_three_seconds() -> None:
    said = said_over_time([0.1 * number for number in range(1, 200)], 200)
    first = next(now for now, words in said if words)
    assert 3.0 <= first <= 3.2
    estimates = [seconds_left(words) + now for now, words in said if words]
    assert max(estimates) - min(estimates) <= 2.0


def test_results_that_take_long_are_told_of_as_soon_as_they_are_a_part_of_the_whole() -> None:
    said = said_over_time([600.0, 1200.0, 1800.0], 3)
    assert next((now, words) for now, words in said if words) == (600.0, "6.0/h, about 20 min left")
    slow = said_over_time([70.0, 71.0, 72.0], 2000)
    assert not any(words for _, words in slow), "3 of 2,000 say nothing yet"


def test_a_few_slow_results_at_the_start_of_many_say_nothing() -> None:
    slow = [1.5 * number for number in range(1, 10)]
    quick = [slow[-1] + 0.05 * number for number in range(1, 370)]
    said = said_over_time([*slow, *quick], 378)
    assert next(now for now, words in said if words) > slow[-1]


def test_many_results_that_come_slowly_are_told_of_after_a_minute() -> None:
    said = said_over_time([float(number) for number in range(1, 80)], 10_000)
    assert 60.0 <= next(now for now, words in said if words) <= 61.0


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


def test_results_of_several_kinds_have_a_time_each() -> None:
    """One of each kind comes first; then 1,000 quick ones, a tenth of a second each; then 60 slow ones, ten seconds each."""
    pace, now, said = output.Pace(), 0.0, []
    quick, slow = 0, 0

    def step() -> str:
        kinds = (OfKind(quick, 1001 - quick), OfKind(slow, 61 - slow), OfKind(0, 0))
        return pace.after(Progress(quick + slow, 1062, quick + slow, kinds=kinds), now)

    step()
    now, quick = 5.0, 1  # processes start
    step()
    now, slow = 15.0, 1
    step()
    for _ in range(1000):
        now, quick = now + 0.1, quick + 1
        said.append((now, step()))
    for _ in range(60):
        now, slow = now + 10.0, slow + 1
        said.append((now, step()))
    told = [(moment, words) for moment, words in said if words]
    assert told[0][0] < 30
    for moment, words in told:
        assert seconds_left(words) == pytest.approx(now - moment, abs=0.1 * (now - moment) + 31), moment


def test_the_first_of_many_walks_says_nothing_of_the_others() -> None:
    """The first walk loads code for 30 seconds, on a busy machine; the others take a tenth of a second each, as games do."""
    pace, now, said = output.Pace(), 0.0, []
    games, walks = 0, 0

    def step() -> str:
        kinds = (OfKind(games, 400 - games), OfKind(walks, 3600 - walks))
        return pace.after(Progress(games + walks, 4000, games + walks, kinds=kinds), now)

    step()
    now, games = 5.0, 1
    step()
    now, walks = 35.0, 1
    step()
    for number in range(3900):
        now += 0.1
        games, walks = (games + 1, walks) if number < 399 else (games, walks + 1)
        said.append((now, step()))
    told = [(moment, words) for moment, words in said if words]
    for moment, words in told:
        assert seconds_left(words) < 2 * (now - moment) + 60, (moment, words)
    assert told[0][0] < 120


def test_another_stage_begins_anew() -> None:
    pace = output.Pace()
    pace.after(Progress(0, 9, 0, stage=1), 0.0)
    for done in range(1, 10):
        said = pace.after(Progress(done, 9, done, stage=1), float(done))
    assert said
    assert pace.after(Progress(0, 90, 9, stage=2), 10.0) == ""
    for done in range(1, 5):
        assert pace.after(Progress(2 * (done - 1), 90, 7 + 2 * done, stage=2), 10.0 + done) == ""
    assert pace.after(Progress(8, 90, 17, stage=2), 15.0) == "2.0/s, about 41 s left"


@pytest.mark.parametrize(("rate", "words"), [(2.5, "2.5/s"), (0.5, "30.0/min"), (0.01, "36.0/h")])
def test_a_pace_is_a_number_worth_reading(rate: float, words: str) -> None:
    pace = output.Pace()
    pace.after(Progress(0, 1000, 0), 0.0)
    pace.after(Progress(1, 1000, 1), 1 / rate)
    assert pace.after(Progress(101, 1000, 101), 101 / rate).startswith(f"{words}, about ")
