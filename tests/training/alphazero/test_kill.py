"""Killed with -9 at random moments, while saving too, and resumed each time: the run ends as if nothing had been."""

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from noughts.store.run_folder import RunFolder
from tests.training.alphazero.tiny import tiny
from tests.training.small_runs import limited

ROOT = Path(__file__).parents[3]
KILLS = 30


def start(folder: Path, config: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.training.alphazero.tiny", str(folder), config]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def live_until(folder: Path, config: str, events: int, seconds: float) -> tuple[list[str], int]:
    """What a process said before it was killed, so long after so many events; and how it ended."""
    with start(folder, config) as process:
        assert process.stdout is not None
        said = [line for _, line in zip(range(events), process.stdout, strict=False)]
        time.sleep(seconds)
        process.kill()
        said += process.stdout.readlines()
        return [line.strip() for line in said], process.wait()


def ending(folder: Path) -> tuple[str, int, str, list[tuple[Any, ...]]]:
    """The final weights and checkpoint by hash, and every line of the metrics but its time."""
    run = RunFolder.open(folder)
    last = run.checkpoints.latest()
    assert last.checkpoint is not None
    assert last.damaged == ()
    lines = [(line.kind, line.iteration, line.positions, dict(line.metrics)) for line in run.metrics.lines()]
    return run.weights_hash(run.iterations()[-1]), last.checkpoint.iteration, last.checkpoint.digest, lines


@pytest.mark.slow
def test_thirty_kills_change_nothing(tmp_path: Path) -> None:
    config = tiny(schedule=limited(400)).to_json()
    with start(tmp_path / "whole", config) as process:
        assert process.communicate(timeout=300)[0].endswith("Finished\n")
    rng = random.Random(0)
    killed, after = 0, {"Saved": 0, "Iterated": 0}
    for _ in range(KILLS):
        # One event begins a life; then a step and a checkpoint say so in turn, every few milliseconds.
        said, code = live_until(tmp_path / "killed", config, rng.randint(0, 24), rng.uniform(0, 0.02))
        killed += code == -9
        if said and said[-1] in after:
            after[said[-1]] += 1
    assert killed == KILLS
    assert min(after.values()) > 3  # while stepping, and while saving
    with start(tmp_path / "killed", config) as process:
        said = process.communicate(timeout=300)[0].split()
    assert said[0] == "Resumed"
    assert said[-1] == "Finished"
    assert ending(tmp_path / "killed") == ending(tmp_path / "whole")
