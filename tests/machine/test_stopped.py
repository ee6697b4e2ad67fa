"""A job that keeps what it has done when it is told to stop has a moment for that."""

import time
from contextlib import closing
from pathlib import Path

import pytest

from noughts.machine import Job, Running
from noughts.machine.executor import Executor, LocalWorkers


def stopped(executor: Executor, job: Job) -> float:
    """How long it takes to stop a job that is at work."""
    with closing(executor.run([job], 0.1)) as results:
        assert next(results) == Running(job.key, "at work")
        time.sleep(0.6)  # so that who asks from afar has heard that it heeds
        begun = time.monotonic()
    return time.monotonic() - begun


@pytest.mark.heavy
@pytest.mark.parametrize("seconds", [0.3, 60.0])
def test_a_worker_of_this_machine_has_a_moment_to_keep_what_it_has(seconds: float, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    took = stopped(LocalWorkers(1), Job("a", "tests.machine.functions:keep_when_told", f"{file} {seconds}"))
    assert took < 2
    assert file.exists() == (seconds < 1)
