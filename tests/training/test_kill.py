"""Killed with -9 at random moments, while saving too, and resumed each time: the run ends as if nothing had been.

In each CI run a trainer without arrays is killed so, in `test_loop.py`; here it is each method.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from noughts.store.run_folder import RunFolder
from tests.training.alphazero.tiny import tiny as tiny_alphazero
from tests.training.evolution.tiny import tiny as tiny_evolution
from tests.training.muzero.tiny import tiny as tiny_muzero
from tests.training.small_runs import limited

ROOT = Path(__file__).parents[2]
KILLS = 20
RUNS: dict[str, Callable[[], Any]] = {
    "az": lambda: tiny_alphazero(schedule=limited(400)),
    "mz": lambda: tiny_muzero(schedule=limited(200)),
    "es": lambda: tiny_evolution(seeds="own", opponent="recent", threshold=60, schedule=limited(400)),
}


def start(folder: Path, method: str, config: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.training.small_runs", str(folder), method, config]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def ending(folder: Path) -> tuple[Any, ...]:
    """All weights and the last checkpoint by hash, and every line of the metrics but its time."""
    run = RunFolder.open(folder)
    last = run.checkpoints.latest()
    assert last.checkpoint is not None
    assert last.damaged == ()
    lines = [(line.kind, line.iteration, line.positions, dict(line.metrics)) for line in run.metrics.lines()]
    weights = [run.weights_hash(iteration) for iteration in run.iterations()]
    return weights, last.checkpoint.iteration, last.checkpoint.digest, lines


@pytest.mark.slow
@pytest.mark.parametrize("method", RUNS)
def test_twenty_kills_change_nothing(method: str, tmp_path: Path) -> None:
    config = RUNS[method]().to_json()
    with start(tmp_path / "whole", method, config) as process:
        assert process.communicate(timeout=600)[0].endswith("Finished\n")
    rng, killed, after = random.Random(0), 0, {"Saved": 0, "Iterated": 0}
    for _ in range(KILLS):
        # One event begins a life; then a step and a checkpoint say so in turn, every few milliseconds.
        with start(tmp_path / "killed", method, config) as process:
            assert process.stdout is not None
            said = [line for _, line in zip(range(rng.randint(0, 24)), process.stdout, strict=False)]
            time.sleep(rng.uniform(0, 0.02))
            process.kill()
            said += process.stdout.readlines()
            killed += process.wait() == -9
        if said and said[-1].strip() in after:
            after[said[-1].strip()] += 1
    assert killed == KILLS
    assert min(after.values()) > 1  # while stepping, and while saving
    with start(tmp_path / "killed", method, config) as process:
        said = process.communicate(timeout=600)[0].split()
    assert (said[0], said[-1]) == ("Resumed", "Finished")
    assert ending(tmp_path / "killed") == ending(tmp_path / "whole")
