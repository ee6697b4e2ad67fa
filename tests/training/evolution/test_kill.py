"""`noughts train --method es`, killed with -9 at random moments and resumed each time: the run ends as if nothing had been."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from noughts.store.run_folder import RunFolder

KILLS = 20
ITERATIONS = 500


def start(folder: Path, threads: int) -> "subprocess.Popen[bytes]":
    """A process that begins the run, or goes on with it."""
    words = [sys.executable, "-m", "noughts"]
    if (folder / "run.json").exists():
        words += ["runs", "resume", str(folder)]
    else:
        words += ["train", "tic-tac-toe", "--method", "es", "--iterations", str(ITERATIONS), "--run", str(folder)]
        settings = ("widths=9x9", "rounds=20", "seeds=own", "opponent=recent", "threshold=60")
        saving = ("schedule.checkpoint_seconds=0.05", "schedule.measure_iterations=50")
        words += [word for setting in (*settings, *saving) for word in ("--set", setting)]
    return subprocess.Popen(
        [*words, "--devices", str(threads), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def ending(folder: Path) -> tuple[object, ...]:
    """The final weights and checkpoint by hash, and every line of the metrics but its time."""
    run = RunFolder.open(folder)
    last = run.checkpoints.latest()
    assert last.checkpoint is not None
    assert last.damaged == ()
    lines = [(line.kind, line.iteration, line.positions, dict(line.metrics)) for line in run.metrics.lines()]
    weights = {iteration: run.weights_hash(iteration) for iteration in run.iterations()}
    return weights, last.checkpoint.iteration, last.checkpoint.digest, lines


@pytest.mark.slow
def test_twenty_kills_change_nothing(tmp_path: Path) -> None:
    with start(tmp_path / "whole", 2) as process:
        out, err = process.communicate(timeout=600)
        assert process.returncode == 0, err
        assert json.loads(out)["iterations"] == ITERATIONS
    rng, folder, died_at = random.Random(0), tmp_path / "killed", []
    for number in range(KILLS):
        with start(folder, 1 + number % 4) as process:
            begun = time.monotonic()
            before = done(folder)
            while done(folder) == before and time.monotonic() - begun < 120:  # it takes a while to start
                assert process.poll() is None
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 0.5))
            process.kill()
            process.communicate()
            assert process.returncode == -9
        died_at.append(done(folder))
    assert RunFolder.open(folder).metrics.lines()[-1].iteration < ITERATIONS
    assert len(set(died_at)) > KILLS // 2  # it went on in between
    with start(folder, 3) as process:
        out, err = process.communicate(timeout=600)
        assert process.returncode == 0, err
    assert ending(folder) == ending(tmp_path / "whole")


def done(folder: Path) -> int:
    """The bytes of the metrics, of which a line is written after each iteration; 0 before there are any."""
    path = folder / "metrics.jsonl"
    return path.stat().st_size if path.exists() else 0
