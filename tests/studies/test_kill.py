"""kill -9 at random moments of running work, then the same command again: nothing lost, nothing played twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.positions import derive_seed
from noughts.questions.answers import Answers
from noughts.questions.played import Played
from noughts.questions.question import Question
from noughts.rules import parse_task
from noughts.store.records import GameRecord
from noughts.store.results import Store
from noughts.studies.registry import find_study
from noughts.studies.study import Settings

MATCH = (
    *("match", "python:tests.agents.players:Diary", "mcts:sims=300", "--rules", "bttt(D4)"),
    *("--games", "120", "--fixed", "--workers", "2", "--json"),
)

ASKED = (
    Played(
        task=parse_task("bttt(D4)"),
        a=parse_agent("python:tests.agents.players:Diary"),
        b=parse_agent("mcts:sims=300"),
        games=120,
        moves_first="a",
    ),
)
"""The same as a question."""

# A runner in the background may pass on that interrupts are ignored; a person's shell does not.
HEARS_INTERRUPTS = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL);"
    "os.execv(sys.executable, [sys.executable, '-m', 'noughts', *sys.argv[1:]])"
)


def command(words: Sequence[str], store: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "NOUGHTS_STORE": str(store), "DIARY": str(store) + ".diary"}
    return subprocess.Popen(
        [sys.executable, "-m", "noughts", *words],
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(words: Sequence[str], store: Path) -> Any:
    """Run the command to its end; its JSON."""
    with command(words, store) as process:
        out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return json.loads(out)


def kept(questions: Sequence[Question[Any]], store: Path) -> dict[str, GameRecord]:
    """The games that are kept, by key, without the clock."""
    units = [unit for question in questions for unit in question.needs()]
    with Store.open(str(store)) as opened:
        answers = Answers(opened.kept_by("nobody's"))
        answers.look_up(units)
    records = {unit.key: record for unit in units if isinstance(record := answers[unit], GameRecord)}
    return {
        key: record.model_copy(update={"seconds_first": 0.0, "seconds_second": 0.0}) for key, record in records.items()
    }


def kill_at_random(words: Sequence[str], store: Path, kills: int, span: tuple[float, float]) -> int:
    """Start, kill -9, start again; returns how many sittings were really cut off."""
    rng, cut_off = random.Random(kills), 0
    for _ in range(kills):
        process = command(words, store)
        time.sleep(rng.uniform(*span))
        if process.poll() is None:
            cut_off += 1
            os.kill(process.pid, signal.SIGKILL)  # only the parent: its workers must notice by themselves
        process.communicate(timeout=60)
    return cut_off


def without_clocks(result: Any) -> Any:
    """A result without what is read off a clock."""
    if isinstance(result, dict):
        clocks = ("seconds", "started", "page", "seconds_a", "seconds_b")
        return {name: without_clocks(value) for name, value in result.items() if name not in clocks}
    if isinstance(result, list):
        timed = [r for r in result if isinstance(r, dict) and str(r.get("title", "")).startswith("Table 5")]
        return [without_clocks(value) for value in result if value not in timed]
    return result


@pytest.mark.slow
def test_a_killed_match_goes_on_and_plays_no_game_twice(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    expected = finish(MATCH, whole)
    diary = Path(f"{cut}.diary")
    diary.touch()
    rng, cut_off = random.Random(5), 0
    acknowledged: set[str] = set()
    read = 0
    for _ in range(4):
        process = command(MATCH, cut)
        time.sleep(rng.uniform(1.3, 2.1))
        cut_off += process.poll() is None
        process.kill()
        process.communicate(timeout=60)
        begun = diary.read_text().splitlines()
        assert acknowledged.isdisjoint(begun[read:]), "an acknowledged game was begun again"
        read = len(begun)
        if (cut / "results.sqlite").exists():
            with Store.open(str(cut)) as store:
                finished = any(info.status == "finished" for info in store.runs())
            acknowledged |= {str(derive_seed(game.seed, "first")) for game in kept(ASKED, cut).values()}
            if finished:
                break  # it was quicker than we: there is nothing left to go on with
    else:
        assert without_clocks(finish(MATCH, cut)) == without_clocks(expected)
        assert acknowledged.isdisjoint(diary.read_text().splitlines()[read:])
    assert cut_off >= 2
    assert len(kept(ASKED, whole)) == 120
    assert kept(ASKED, cut) == kept(ASKED, whole)


@pytest.mark.heavy
@pytest.mark.parametrize("moment", [0.1, 1.0, 3.0])
def test_ctrl_c_stops_at_once_and_says_so_in_one_line(moment: float, tmp_path: Path) -> None:
    environment = {**os.environ, "NOUGHTS_STORE": str(tmp_path / "store")}
    process = subprocess.Popen(
        [sys.executable, "-c", HEARS_INTERRUPTS, "study", "run", "mcts-perfect", "--workers", "2"],
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(moment)
    begun = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - begun < 5.0  # a fifth of a second on an idle machine
    assert out == ""
    if process.returncode != 130:  # Python was still importing the package, and says so in its own way
        assert "noughts/__main__" not in err
    else:
        assert err.strip().splitlines()[-1].lower().startswith("stopped")
        assert "Traceback" not in err


def test_a_second_ctrl_c_after_it_has_stopped_is_not_heard(tmp_path: Path) -> None:
    lingers = "import atexit, time; atexit.register(time.sleep, 1.5);"  # as libraries do that tidy up
    begin = "import sys; from noughts.__main__ import main; sys.argv[0] = 'noughts'; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", lingers + begin, "study", "run", "mcts-perfect", "--workers", "0"],
        env={**os.environ, "NOUGHTS_STORE": str(tmp_path / "store")},
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        said = process.stderr.readline()  # its first progress: it is at work
        process.send_signal(signal.SIGINT)
        while said and "stopped" not in said.lower():
            said = process.stderr.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
        assert process.wait(30) == 130


@pytest.mark.slow
@pytest.mark.parametrize("study", ["bttt-tournament", "betazero-adversaries"])
def test_a_study_killed_20_times_gives_the_result_of_one_that_was_not(study: str, tmp_path: Path) -> None:
    words = ("study", "run", study, "--workers", "2", "--json")
    expected = finish(words, tmp_path / "whole")
    cut_off = kill_at_random(words, tmp_path / "cut", kills=20, span=(1.2, 3.2))
    assert cut_off >= 15
    assert without_clocks(finish(words, tmp_path / "cut")) == without_clocks(expected)
    asked = find_study(study).questions(Settings())
    assert kept(asked, tmp_path / "cut") == kept(asked, tmp_path / "whole") != {}
