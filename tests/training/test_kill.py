"""Killed with -9 at random moments, also while saving, and resumed each time: the run ends as if undisturbed.

Each CI run kills a trainer without arrays; by hand it is each method.
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
from noughts.training.schedule import Schedule
from tests.training.small_runs import limited, tiny_alphazero, tiny_evolution, tiny_muzero
from tests.training.test_loop import outcome
from tests.training.toy import Size, ToyConfig

ROOT = Path(__file__).parents[2]
TOY_SCHEDULE = Schedule(iterations=300, measure_iterations=50, measure_minutes=None, checkpoint_seconds=0.003)
RUNS: dict[str, Callable[[], Any]] = {
    "toy": lambda: ToyConfig(size=Size(seconds=0.001), schedule=TOY_SCHEDULE),
    "az": lambda: tiny_alphazero(schedule=limited(400)),
    "mz": lambda: tiny_muzero(schedule=limited(200)),
    "es": lambda: tiny_evolution(seeds="own", opponent="recent", threshold=60, schedule=limited(400)),
}


def start(folder: Path, method: str, config: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.training.small_runs", str(folder), method, config]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


@pytest.mark.parametrize(
    ("method", "kills", "least_killed", "least_after"),
    [
        pytest.param("toy", 6, 4, 0, marks=pytest.mark.heavy),
        *(pytest.param(method, 20, 20, 2, marks=pytest.mark.slow) for method in ("az", "mz", "es")),
    ],
)
def test_kills_change_nothing(method: str, kills: int, least_killed: int, least_after: int, tmp_path: Path) -> None:
    config = RUNS[method]().to_json()
    with start(tmp_path / "whole", method, config) as process:
        assert process.communicate(timeout=600)[0].endswith("Finished\n")
    rng, killed, resumed, after = random.Random(0), 0, 0, {"Saved": 0, "Iterated": 0}
    for _ in range(kills):
        # One event begins each process; then each step and checkpoint prints one in turn, every few milliseconds.
        with start(tmp_path / "killed", method, config) as process:
            assert process.stdout is not None
            said = [line for _, line in zip(range(rng.randint(0, 24)), process.stdout, strict=False)]
            time.sleep(rng.uniform(0, 0.02))
            process.kill()
            said += process.stdout.readlines()
            killed += process.wait() == -9
        resumed += said[:1] == ["Resumed\n"]
        if said and said[-1].strip() in after:
            after[said[-1].strip()] += 1
    assert killed >= least_killed
    assert resumed >= 2
    assert min(after.values()) >= least_after  # while stepping, and while saving
    with start(tmp_path / "killed", method, config) as process:
        said = process.communicate(timeout=600)[0].split()
    assert (said[0], said[-1]) == ("Resumed", "Finished")
    killed_run, whole_run = (RunFolder.open(tmp_path / name) for name in ("killed", "whole"))
    assert outcome(killed_run) == outcome(whole_run)
