"""Commands on a task that are killed, again and again: the same answer, and nothing that was kept is asked again.

What may be asked again is what was not kept yet when the process was killed: pieces of work that workers were at, and
those whose results were on their way to the disk. All that was kept before is not asked again by anybody.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from noughts.cli.main import main

PLAYER = "python:tests.agents.players:Diary"
JUDGED = "python:tests.examine.judged:Diary"
DECIDER = "python:tests.agents.deciders:Diary"
QUICK_DECIDER = "python:tests.agents.deciders:QuickDiary"

KILLED = (signal.SIGKILL,)


class Command(NamedTuple):
    """A command that asks an agent with a diary.

    Attributes:
        words: The command.
        pieces: How many lines of the diary belong to each piece of work that is kept, from the database.
        each_time: Lines that every start writes before it looks at what is kept.
        code: The exit code.
    """

    words: tuple[str, ...]
    pieces: Callable[[sqlite3.Connection], list[int]]
    each_time: int = 0
    code: int = 0


def _games(database: sqlite3.Connection) -> list[int]:
    return [1 for _ in database.execute("select key from games")]


def _judged(database: sqlite3.Connection) -> list[int]:
    found = [
        json.loads(text) for (text,) in database.execute("select answer from answers where key like 'besidetruth %'")
    ]
    return [sum(ply[3]["positions"] for plies in answer["agents"] for ply in plies) for answer in found]


def _decided(database: sqlite3.Connection) -> list[int]:
    found = database.execute("select answer from answers where key like 'decided %'")
    return [2 * len(json.loads(text)["moves"]) for (text,) in found]  # an agent from outside is asked twice


QUICK = {
    "match": Command(("match", PLAYER, "random", "--fixed", "-r", "mnk(4,4,4,bricks=A1|B2|D3)", "-n", "90"), _games),
    "score": Command(("score", JUDGED, "-r", "mnk(3,3,3,bricks=A1|A2|B2)", "--plies", "0-2", "--chunk", "4"), _judged),
    "prove": Command(("prove", DECIDER, "-r", "mnk(3,4,4,bricks=A1|A2|B2)", "--as", "second"), _decided, 2, 1),
}
WHOLE = {
    "match": Command(("match", PLAYER, "random", "--fixed", "-r", "bttt(*)", "-n", "490"), _games),
    "score": Command(("score", JUDGED, "-r", "bttt(*)", "--plies", "36-40", "--per-ply", "8", "--chunk", "4"), _judged),
    "prove": Command(("prove", QUICK_DECIDER, "-r", "bttt(*)", "--as", "second"), _decided, 2, 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["prove", "match", "score"])
def test_killed_it_goes_on(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _stop(QUICK[name], KILLED if name != "prove" else (signal.SIGINT, *KILLED), tmp_path, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE)
def test_killed_ten_times_on_all_squares_it_goes_on(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _stop(WHOLE[name], KILLED * 10, tmp_path, capsys)


def _stop(
    command: Command, endings: tuple[signal.Signals, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stop a command by each of these signals, each time after it has kept more; then let it end, beside one that nobody disturbs."""
    store, workers = tmp_path / "cut", 1
    asked: list[list[str]] = []

    def kept_lines() -> int:
        return sum(_pieces(command, store))

    kept = [0]
    for time_, ending in enumerate(endings):
        with _started(command, store, tmp_path / f"diary-{time_}", workers) as process:
            until = time.monotonic() + 300
            while kept_lines() <= kept[-1]:
                assert process.poll() is None, f"it ended before it was killed: {process.communicate()}"
                assert time.monotonic() < until
                time.sleep(0.01)
            os.kill(process.pid, ending)
            out, err = process.communicate(timeout=120)  # until its worker, too, is gone
        assert (out, process.returncode) == ("", 130 if ending == signal.SIGINT else -ending)
        assert "Traceback" not in err
        asked.append(_lines(tmp_path / f"diary-{time_}"))
        kept.append(kept_lines())
    with _started(command, store, tmp_path / "diary-last", workers) as process:
        out, err = process.communicate(timeout=3000)
    assert process.returncode == command.code, err
    asked.append(_lines(tmp_path / "diary-last"))
    kept.append(kept_lines())
    os.environ["DIARY"] = str(tmp_path / "diary-whole")
    try:
        code = main([*command.words, "--json", "--workers", "0", "--store", str(tmp_path / "whole")])
    finally:
        del os.environ["DIARY"]
    assert code == command.code
    whole = _lines(tmp_path / "diary-whole")
    assert _without_chance(json.loads(out)) == _without_chance(json.loads(capsys.readouterr().out))
    assert kept[-1] == len(whole) - command.each_time
    assert len(asked[-1]) == command.each_time + kept[-1] - kept[-2]  # just what was not kept yet
    for before, after, lines in zip(kept[:-2], kept[1:-1], asked[:-1], strict=True):
        in_flight = len(lines) - command.each_time - (after - before)
        # What it was at, and what it had done that was on its way to the disk.
        assert 0 <= in_flight <= 2 * workers * max(_pieces(command, store))
    assert set().union(*asked) == set(whole)


def _started(command: Command, store: Path, diary: Path, workers: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "noughts", *command.words, "--json", "--workers", str(workers)],
        env={**os.environ, "NOUGHTS_STORE": str(store), "DIARY": str(diary)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _pieces(command: Command, store: Path) -> list[int]:
    if not (store / "results.sqlite").exists():
        return []
    database = sqlite3.connect(f"file:{store / 'results.sqlite'}?mode=ro", uri=True)
    try:
        return command.pieces(database)
    except sqlite3.OperationalError:  # its tables are not made yet
        return []
    finally:
        database.close()


def _lines(diary: Path) -> list[str]:
    return diary.read_text().splitlines() if diary.exists() else []


def _without_chance(shown: Any) -> Any:
    """JSON without times, and without paths in a store."""
    if isinstance(shown, dict):
        left_out = ("seconds_a", "seconds_b", "picture", "figure")
        return {name: _without_chance(value) for name, value in shown.items() if name not in left_out}
    return [_without_chance(value) for value in shown] if isinstance(shown, list) else shown
