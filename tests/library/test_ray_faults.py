"""Machines of a cluster are killed, and so is who asks: no answer is lost, none is kept twice, and nothing is left behind.

By hand: ``uv run pytest -n0 -m slow -s tests/library/test_ray_faults.py``; NOUGHTS_NODE_KILLS and NOUGHTS_DRIVER_KILLS shorten it.
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
from tests.questions.asking import Memory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(7200),
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),  # Ray forks to start its own processes, beside JAX
]

NODE_KILLS = int(os.environ.get("NOUGHTS_NODE_KILLS", "100"))
DRIVER_KILLS = int(os.environ.get("NOUGHTS_DRIVER_KILLS", "20"))
GAMES = 200


@pytest.fixture
def cluster() -> Iterator[TestedCluster]:
    pytest.importorskip("ray")
    with ray_cluster() as found:
        yield found


def ours() -> list[psutil.Process]:
    """Actors of the cluster that are ours, and worker processes that such actors have started."""
    found = []
    for process in psutil.process_iter():
        try:
            line = " ".join(process.cmdline())
            if process.status() == psutil.STATUS_ZOMBIE:
                continue
            above = process.parent()
            if above is not None and above.name() == "raylet" and above.ppid() != os.getpid():
                continue  # of a cluster of somebody else
            if line.startswith("ray::_Actor"):
                found += [process, *process.children(recursive=True)]
            elif "multiprocessing.spawn" in line and process.environ().get("NOUGHTS_BROUGHT"):
                found.append(process)
        except psutil.Error:
            continue
    return list({process.pid: process for process in found}.values())


def within(seconds: float, holds: Callable[[], bool]) -> float | None:
    """How long it took until it held; None if it never did."""
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        if holds():
            return time.monotonic() - begun
        time.sleep(0.05)
    return None


def test_random_deaths_of_machines_lose_nothing(cluster: TestedCluster) -> None:
    draw = random.Random(0)
    kills, games, seed = 0, 0, 0
    while kills < NODE_KILLS:
        seed += 1
        memory = Memory()
        next_kill = time.monotonic() + draw.uniform(0.0, 3.0)
        with closing(carry_out([asked(seed, GAMES)], Answers(memory), cluster.executor())) as steps:
            for step in steps:
                if time.monotonic() >= next_kill and step.new and step.done < step.total and kills < NODE_KILLS:
                    cluster.kill_a_node(draw.randrange(2))
                    kills += 1
                    cluster.add_node()
                    next_kill = time.monotonic() + draw.uniform(0.0, 3.0)
        assert len(memory.records) == GAMES
        assert not memory.replaced
        assert all(record.ending != "error" for record in memory.records.values())
        games += GAMES
        print(f"{kills} machines killed, {games} games asked, {games} kept")
    assert within(10, lambda: not ours()) is not None
    assert cluster.objects_left() == 0


def test_who_asks_is_killed_and_goes_on(
    cluster: TestedCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    draw = random.Random(1)
    kills, seed, slowest = 0, 0, 0.0
    while kills < DRIVER_KILLS:
        seed += 1
        acknowledged = 0
        while True:
            driver = start_driver(cluster, seed)
            assert driver.stdout is not None
            lines = iter(driver.stdout.readline, "")
            kill_at: float | None = None
            ended = False
            for line in lines:
                if line.strip() == "done":
                    ended = True
                    break
                assert int(line) >= acknowledged
                acknowledged = int(line)
                if kill_at is None and acknowledged and kills < DRIVER_KILLS:
                    kill_at = time.monotonic() + draw.uniform(0.0, 2.0)
                if kill_at is not None and time.monotonic() >= kill_at and acknowledged < GAMES:
                    break
            if not ended:
                driver.send_signal(signal.SIGKILL)
            driver.wait()
            driver.stdout.close()
            if ended:
                break
            kills += 1
            gone = within(15, lambda: not ours())
            assert gone is not None, "its workers end with it"
            slowest = max(slowest, gone)
        assert acknowledged == GAMES
        with Store.open() as place:
            runs = [run for run in place.runs() if run.name == f"match {seed}"]
            assert len(runs) == 1
            assert len(list(place.games(runs[0].id))) == GAMES
        print(f"{kills} kills, {seed} matches of {GAMES} games, all kept; workers were gone within {slowest:.1f} s")
    assert within(10, lambda: not ours()) is not None
    assert cluster.objects_left() == 0


def test_ctrl_c_ends_everything_within_two_seconds(
    cluster: TestedCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    acknowledged = 0
    with start_driver(cluster, 1) as driver:
        assert driver.stdout is not None
        for line in iter(driver.stdout.readline, ""):
            acknowledged = int(line)
            if acknowledged >= 5:
                break
        begun = time.monotonic()
        driver.send_signal(signal.SIGINT)
        gone = within(10, lambda: not ours())
        acknowledged = max([acknowledged, *(int(line) for line in driver.stdout if line.strip().isdecimal())])
        driver.wait()
        ended = time.monotonic() - begun
    print(f"workers gone after {gone} s, the command after {ended:.1f} s, {acknowledged} games acknowledged")
    assert gone is not None
    assert gone < 2
    assert ended < 2
    with Store.open() as place:
        (run,) = [run for run in place.runs() if run.name == "match 1"]
        assert len(list(place.games(run.id))) >= acknowledged
    assert cluster.objects_left() == 0


def start_driver(cluster: TestedCluster, seed: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.library.ray_driver", cluster.address, str(seed), str(GAMES)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
