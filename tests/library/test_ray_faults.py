"""Machines of a cluster are killed, and so is the process that asks: no answer is lost, none is kept twice, no process is left.

By hand: ``uv run pytest -n0 -m slow -s tests/library/test_ray_faults.py``; NOUGHTS_NODE_KILLS, _WORKER_KILLS and _DRIVER_KILLS shorten it.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from benchmarks.ray_cluster import TestedCluster, ray_cluster
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.store.results import Store
from tests.library.ray_driver import asked
from tests.machine.ray_settings import ray_or_skip
from tests.questions.asking import Memory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(7200),
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),  # Ray forks to start its own processes, beside JAX
]

NODE_KILLS = int(os.environ.get("NOUGHTS_NODE_KILLS", "5"))
WORKER_KILLS = int(os.environ.get("NOUGHTS_WORKER_KILLS", "20"))
DRIVER_KILLS = int(os.environ.get("NOUGHTS_DRIVER_KILLS", "20"))
GAMES = 200


@pytest.fixture
def cluster() -> Iterator[TestedCluster]:
    ray_or_skip()
    with ray_cluster() as found:
        yield found


def at_work() -> list[psutil.Process]:
    """The workers in which jobs of the cluster's machines run: children of the processes that Ray started for cores."""
    found = []
    for raylet in psutil.Process().children(recursive=True):
        try:
            if raylet.name() == "raylet":
                found += [worker for core in raylet.children() for worker in core.children()]
        except psutil.Error:
            continue
    return [worker for worker in found if "multiprocessing" in " ".join(worker.cmdline())]


def within(seconds: float, holds: Callable[[], bool]) -> float | None:
    """How long it took until it held; None if it never did."""
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        try:
            if holds():
                return time.monotonic() - begun
        except psutil.Error:  # one has ended while it was looked at
            pass
        time.sleep(0.05)
    return None


def test_random_deaths_of_machines_and_workers_lose_nothing(cluster: TestedCluster) -> None:
    draw = random.Random(0)
    kills, workers, games, seed = 0, 0, 0, 0
    while kills < NODE_KILLS or workers < WORKER_KILLS:
        seed += 1
        memory = Memory()
        next_kill = time.monotonic() + draw.uniform(0.0, 3.0)
        with closing(carry_out([asked(seed, GAMES)], Answers(memory), cluster.executor())) as steps:
            for step in steps:
                if (
                    step.new
                    and workers < WORKER_KILLS
                    and draw.random() < 0.3
                    and cluster.kill_a_worker(draw.randrange(2))
                ):
                    workers += 1
                if time.monotonic() >= next_kill and step.new and step.done < step.total and kills < NODE_KILLS:
                    cluster.kill_a_node(draw.randrange(2))
                    kills += 1
                    cluster.add_node()
                    next_kill = time.monotonic() + draw.uniform(0.0, 3.0)
        assert len(memory.records) == GAMES
        assert not memory.replaced
        assert all(record.ending != "error" for record in memory.records.values())
        games += GAMES
        print(f"{kills} machines and {workers} workers killed, {games} games asked, {games} kept")
    assert cluster.objects_left() == 0


@pytest.mark.parametrize(("how", "kills"), [(signal.SIGKILL, DRIVER_KILLS), (signal.SIGINT, 1)])
def test_a_command_that_is_ended_goes_on(
    how: signal.Signals, kills: int, cluster: TestedCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    draw = random.Random(1)
    left, seed, slowest = kills, 0, 0.0
    while left:
        seed += 1
        acknowledged, done = 0, False
        while not done:
            with start_driver(cluster, seed) as driver:
                assert driver.stdout is not None
                kill_at: float | None = None
                for line in iter(driver.stdout.readline, ""):
                    if line.strip() == "done":
                        done = True
                        break
                    assert int(line) >= acknowledged
                    acknowledged = int(line)
                    if kill_at is None and acknowledged and left:
                        kill_at = time.monotonic() + draw.uniform(0.0, 2.0)
                    if kill_at is not None and time.monotonic() >= kill_at and acknowledged < GAMES:
                        break
                if not done:
                    begun = time.monotonic()
                    driver.send_signal(how)
                    driver.wait()
                    assert time.monotonic() - begun < 3
                    left -= 1
                    gone = within(15, lambda: not at_work())
                    assert gone is not None, "its workers end with it"
                    slowest = max(slowest, gone)
        assert acknowledged == GAMES
        with Store.open() as place:
            runs = [run for run in place.runs() if run.name == f"match {seed}"]
            assert len(runs) == 1
            assert len(list(place.games(runs[0].id))) == GAMES
    print(f"{kills} times {how.name}, {seed} matches of {GAMES} games kept; workers were gone within {slowest:.1f} s")
    assert cluster.objects_left() == 0


def start_driver(cluster: TestedCluster, seed: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.library.ray_driver", cluster.address, str(seed), str(GAMES)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
