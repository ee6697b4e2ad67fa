"""A job that keeps what it has done when it is told to stop has a moment for that, on this machine and on others."""

import time
from contextlib import closing
from pathlib import Path

import pytest

from noughts.machine import Job, Running
from noughts.machine.cluster import RayCluster
from noughts.machine.executor import Executor, LocalWorkers
from noughts.machine.jobs import Baggage
from tests.machine.process_fabric import ProcessFabric


def stopped(executor: Executor, job: Job) -> float:
    """How long it takes to stop a job that is at work."""
    with closing(executor.run([job], 0.1)) as results:
        assert next(results) == Running(job.key, "at work")
        time.sleep(0.6)  # so that who asks from afar has heard that it heeds
        begun = time.monotonic()
    return time.monotonic() - begun


@pytest.mark.parametrize("seconds", [0.3, 60.0])
def test_a_worker_of_this_machine_has_a_moment_to_keep_what_it_has(seconds: float, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    took = stopped(LocalWorkers(1), Job("a", "tests.machine.functions:keep_when_told", f"{file} {seconds}"))
    assert took < 2
    assert file.exists() == (seconds < 1)


def test_what_a_job_elsewhere_keeps_when_it_is_told_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "before").write_text("sent")
    fabric = ProcessFabric()
    cluster = RayCluster("auto", None, tmp_path / "store", fabric=fabric)
    # It writes by the name that the folder has there, which is below its working folder's mirror.
    job = Job("a", "tests.machine.functions:keep_in_mirror", f"{folder} 0.3", baggage=Baggage(makes=str(folder)))
    assert stopped(cluster, job) < 2.5  # two seconds, and some for a busy machine
    assert (folder / "kept").read_text() == "kept"
    assert fabric.sent == [str(folder / "before")]
