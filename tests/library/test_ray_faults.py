"""The process that asks a cluster is killed: no answer is lost, none is kept twice, no process is left. That machines and workers may
die is tested in `tests/studies/test_on_ray.py`.

By hand: ``uv run pytest -n0 -m slow -s tests/library/test_ray_faults.py``; NOUGHTS_DRIVER_KILLS shortens it.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from benchmarks.ray_cluster import TestedCluster, ray_cluster
from noughts.store.results import Store
from tests.machine.ray_settings import ray_or_skip

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(7200),
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),  # Ray forks to start its own processes, beside JAX
]

DRIVER_KILLS = int(os.environ.get("NOUGHTS_DRIVER_KILLS", "20"))
GAMES = 200
DRIVER = """
import sys
from noughts.agents import parse_agent
from noughts.library.asking import How, ask
from noughts.questions.played import Played
from noughts.rules import parse_task

address, seed, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
a, b = parse_agent("mcts:sims=4000"), parse_agent("mcts:sims=3000")  # each game takes some tenths of a second
task = parse_task("bttt(D4)")
match = Played(task=task, a=a, b=b, games=games, moves_first="a", opening_plies=1, seed=seed)
how = How(on=address, on_progress=lambda step: print(step.done, flush=True))
ask([match], "match", f"match {seed}", how)
print("done", flush=True)
"""
"""Plays a match on a cluster, in the store of NOUGHTS_STORE, and prints a line for each saved answer."""


@pytest.fixture
def cluster() -> Iterator[TestedCluster]:
    ray_or_skip()
    with ray_cluster() as found:
        yield found


def at_work() -> list[psutil.Process]:
    """The workers that run jobs on the cluster's machines: children of the processes that Ray started for cores."""
    found = []
    for raylet in psutil.Process().children(recursive=True):
        try:
            if raylet.name() == "raylet":
                found += [worker for core in raylet.children() for worker in core.children()]
        except psutil.Error:
            continue
    return [worker for worker in found if "multiprocessing" in " ".join(worker.cmdline())]


def within(seconds: float, holds: Callable[[], bool]) -> float | None:
    """The seconds until the condition held; None if it never did."""
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        try:
            if holds():
                return time.monotonic() - begun
        except psutil.Error:  # one ended during the check
            pass
        time.sleep(0.05)
    return None


@pytest.mark.parametrize(("how", "kills"), [(signal.SIGKILL, DRIVER_KILLS), (signal.SIGINT, 1)])
def test_a_killed_command_resumes(
    how: signal.Signals, kills: int, cluster: TestedCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    draw = random.Random(1)
    left, seed, slowest = kills, 0, 0.0
    while left:
        seed += 1
        acknowledged, done = 0, False
        while not done:
            command = [sys.executable, "-c", DRIVER, cluster.address, str(seed), str(GAMES)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as driver:
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
