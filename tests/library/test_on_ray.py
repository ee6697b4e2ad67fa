"""On a Ray cluster the same questions have the same answers as on this machine, byte for byte, even when machines of it die.

One cluster on this machine: a head without cores, and two nodes of one core each. Its nodes share no files with us:
the files they read and write are sent. Starting the cluster takes most of the time, so one test contains everything that
needs it, except that the process that asks the cluster is killed. That takes minutes: ``uv run pytest -n0 -m slow -s
tests/library/test_on_ray.py``; NOUGHTS_DRIVER_KILLS shortens it.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from benchmarks.ray_cluster import TestedCluster, ray_cluster
from noughts.agents import parse_agent as spec
from noughts.machine import Failed, Job, Running, node
from noughts.machine.executor import Executor, LocalWorkers
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.question import Question
from noughts.questions.trained import Training
from noughts.questions.walked import Walked
from noughts.rules import ComputeError, parse_task
from noughts.store.results import Store
from noughts.store.run_folder import RunFolder, training_folder
from tests.machine.ray_settings import ray_or_skip
from tests.questions import asking
from tests.questions.asking import GUEST, Memory

KILLS = 2
GAMES = 12
DRIVER_GAMES = 200
DRIVER_KILLS = int(os.environ.get("NOUGHTS_DRIVER_KILLS", "20"))
DRIVER = """
import sys
import noughts

address, seed, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
noughts.match(
    "mcts:sims=4000", "mcts:sims=3000", "bttt(D4)", games, fixed=True, opening=1, seed=seed, on=address,
    on_progress=lambda step: print(step.done, flush=True),
)
print("done", flush=True)
"""
"""Plays a match on a cluster, in the store of NOUGHTS_STORE, and prints a line for each saved answer."""

match = partial(asking.match, opening_plies=1)

# Ray forks to start its own processes, beside JAX.
pytestmark = pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")


@pytest.fixture
def cluster() -> Iterator[TestedCluster]:
    ray_or_skip()
    with ray_cluster() as found:
        yield found


def asked(questions: Sequence[Question[Any]], executor: Executor, spread: bool = False) -> Memory:
    """The saved answers to these questions."""
    memory = Memory()
    asking.asked(questions, memory, executor, spread)
    assert not memory.replaced
    return memory


def said(memory: Memory) -> dict[tuple[str, str], object]:
    """All saved answers, without durations."""
    texts = {key: kept.answer for key, kept in memory.kept.items()}
    texts |= {key: record.to_json() for key, record in memory.records.items()}
    return {key: timeless(json.loads(text)) for key, text in texts.items()}


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: timeless(inside) for name, inside in value.items() if not name.startswith("seconds")}
    return [timeless(inside) for inside in value] if isinstance(value, list) else value


def weights(training: Training) -> list[str]:
    """Hashes of all saved weights of a training, and of its checkpoint."""
    run = RunFolder.open(training_folder() / training.name)
    latest, damaged = run.checkpoints.latest()
    assert latest is not None
    assert not damaged
    return [*(run.weights_hash(iteration) for iteration in run.iterations()), latest.digest]


@pytest.mark.heavy
@pytest.mark.timeout(900)  # some two minutes on an idle machine; Ray takes minutes to start on a busy one
def test_answers_of_a_cluster_equal_those_of_this_machine(
    cluster: TestedCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "guests").mkdir()
    (tmp_path / "guests" / "guest.py").write_text(GUEST)
    (tmp_path / "guests" / "beside.py").write_text("def pick(moves):\n    return moves[len(moves) // 2]\n")
    monkeypatch.chdir(tmp_path)
    guest = "python:guests/guest.py:Guest"
    trainings = [asking.evolved(seed, cores=None) for seed in (0, 1)]
    questions: list[Question[Any]] = [
        *trainings,
        match("mcts:sims=50", "minimax:depth=2", 30),
        match("perfect", "random", 10),
        match(guest, "mcts:sims=20", 8),
        Walked(task=parse_task("tic-tac-toe"), agent=spec(guest), side="first"),
        match(f"{trainings[0].agent()}", "random", 8),
    ]
    found: dict[str, tuple[object, ...]] = {}
    for place in ("here", "there"):
        monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / place))
        executor: Executor = LocalWorkers(0) if place == "here" else cluster.executor()
        found[place] = said(asked(questions, executor, spread=True)), *map(weights, trainings)
    assert found["there"] == found["here"]
    died_elsewhere_too(cluster.executor())
    noted_while_it_ran(cluster.executor())
    refused_other_versions(cluster.executor(), monkeypatch)
    lost_nothing(cluster)
    del executor  # it keeps the sent files
    assert cluster.objects_left() == 0


def died_elsewhere_too(executor: Executor) -> None:
    """A job that ends its process is blamed as on this machine, and jobs beside it finish."""
    functions = "tests.machine.functions"
    jobs = [Job("dies", f"{functions}:die", "exit"), Job("hangs", f"{functions}:hang", "sleep 0.3")]
    jobs += [Job("late", f"{functions}:nap", "60", seconds=0.5)]
    jobs += [Job(str(number), f"{functions}:upper", "a") for number in range(20)]
    results = {result.key: result for result in executor.run(jobs, 1.0) if not isinstance(result, Running)}
    assert len(results) == 23
    local = {result.key: result for result in LocalWorkers(2).run(jobs[:3])}
    for key, reason in (("dies", "died"), ("hangs", "timeout"), ("late", "overdue")):
        result = results[key]
        assert isinstance(result, Failed)
        assert result.reason == reason
        assert result == local[key]


def noted_while_it_ran(executor: Executor) -> None:
    """Notes of a long job arrive while it runs, and closing ends the job at once."""
    with closing(executor.run([Job("long", "tests.machine.functions:noting_often", "5 200 0.3")], 0.5)) as results:
        assert next(results).key == "long"
        begun = time.monotonic()
    assert time.monotonic() - begun < 2


def refused_other_versions(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with another version of noughts ends the work with one line."""
    with monkeypatch.context() as patched:
        other = node.facts_here() | {"noughts": "9.9"}
        patched.setattr("noughts.machine.ray_cluster.facts_here", lambda: other)
        with pytest.raises(ComputeError, match=r"^node \S+ cannot be used: it has noughts .*, and this machine 9\.9"):
            list(executor.run([Job("a", "tests.machine.functions:upper", "a")]))


def lost_nothing(cluster: TestedCluster) -> None:
    """Workers and a machine are killed in the middle of a match: all is answered, and nothing is saved twice."""
    question = match("mcts:sims=9000", "mcts:sims=6000", GAMES, "bttt(D4)")
    memory, kills, machine_lives = Memory(), 0, True
    with closing(carry_out([question], Answers(memory), cluster.executor())) as steps:
        for step in steps:
            if step.new and kills < KILLS and cluster.kill_a_worker(kills):
                kills += 1
            if kills == KILLS and machine_lives and step.done < step.total:
                cluster.kill_a_node()
                machine_lives = False
    assert kills == KILLS
    assert not machine_lives
    assert len(memory.records) == GAMES
    assert not memory.replaced
    assert said(memory) == said(asked([question], LocalWorkers(0)))


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


@pytest.mark.slow
@pytest.mark.timeout(7200)
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
            command = [sys.executable, "-c", DRIVER, cluster.address, str(seed), str(DRIVER_GAMES)]
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
                    if kill_at is not None and time.monotonic() >= kill_at and acknowledged < DRIVER_GAMES:
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
        assert acknowledged == DRIVER_GAMES
        with Store.open() as place:
            runs = [run for run in place.runs() if run.seed == seed]
            assert len(runs) == 1
            assert len(list(place.games(runs[0].id))) == DRIVER_GAMES
    print(f"{kills} times {how.name}, {seed} matches kept; workers were gone within {slowest:.1f} s")
    assert cluster.objects_left() == 0
