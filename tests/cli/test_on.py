"""`--on`: an impossible place is rejected in one line, before any work."""

import contextlib
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from noughts.machine.ray_cluster import RayCluster
from noughts.rules import ComputeError
from noughts.store.results import Store
from tests.cli.running import Told
from tests.machine.ray_settings import ray_or_skip


@pytest.fixture
def with_ray() -> None:
    ray_or_skip()


def refused(place: str, told: Told) -> str:
    """The line that rejects a match there."""
    begun = time.monotonic()
    err = told("match", "random", "random", "-n", "2", "--on", place, code=2)
    assert time.monotonic() - begun < 40
    with Store.open() as kept:
        assert not kept.runs()
    return err.strip()


def test_the_environment_variable_applies_to_all_commands(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_ON", "nowhere")
    for command in (["match", "random", "random"], ["prove", "perfect"], ["study", "run", "exact-values"]):
        assert "--on nowhere is not possible" in told(*command, code=2)
    told("match", "random", "random", "-n", "2", "-w", "0", "--on", "local")


def test_a_missing_ray_names_what_to_install(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    how = 'in your clone of noughts, run pip install ".[ray]" or uv sync --extra ray'
    assert refused("auto", told) == f"error: Ray is not installed: {how}"


@pytest.mark.usefixtures("with_ray")
@pytest.mark.parametrize("form", ["{}", "ray://{}"])
def test_a_dead_address_is_named(form: str, told: Told) -> None:
    place = form.format("127.0.0.1:1")
    assert refused(place, told).startswith(f"error: there is no cluster at {place}: ")


@pytest.mark.heavy
@pytest.mark.usefixtures("with_ray")
@pytest.mark.parametrize("form", ["{}", "ray://{}"])
def test_a_program_that_never_answers_times_out(form: str, tmp_path: Path) -> None:
    """In a separate process, because Ray's attempt to join continues in a thread until its process ends."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = form.format(f"127.0.0.1:{server.getsockname()[1]}")
        words = ["match", "random", "random", "-n", "2", "--store", str(tmp_path), "--on", place]
        begun = time.monotonic()
        command = [sys.executable, "-c", _SOON, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert time.monotonic() - begun < 60
    assert (done.returncode, done.stdout) == (2, "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"error: the cluster {place} cannot be joined: it did not answer within 1 s")


_SOON = """
import os, sys
from noughts.cli.main import main
from noughts.machine import ray_cluster

ray_cluster._JOIN_SECONDS = 1
code = main(sys.argv[1:])
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)
"""


@pytest.mark.heavy
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("with_ray")
def test_a_lost_cluster_that_the_command_started_ends_it_in_one_line(tmp_path: Path) -> None:
    words = ["match", "mcts:sims=20000", "mcts:sims=20000", "-r", "bttt(D4)", "-n", "400", "--store", str(tmp_path)]
    command = [sys.executable, "-m", "noughts", "-q", *words, "--on", "ray"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as match:
        whole = psutil.Process(match.pid)
        while not any("do_jobs" in child.name() for child in whole.children(recursive=True)):
            assert match.poll() is None, match.communicate()[1]
            time.sleep(0.2)
        (victim,) = [child for child in whole.children(recursive=True) if child.name() == "raylet"]
        left = whole.children(recursive=True)
        victim.kill()
        begun = time.monotonic()
        out, err = match.communicate(timeout=60)
        print(f"ended after {time.monotonic() - begun:.1f} s: {err}")
        for child in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
    assert time.monotonic() - begun < 30
    assert (match.returncode, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("error: the cluster no longer answers: finished work is saved")


def test_versions_of_ray_that_differ_are_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(**_: object) -> None:
        raise RuntimeError(
            "Version mismatch: The cluster was started with:\n    Ray: 2.9\nThis process:\n    Ray: 2.60\n"
        )

    monkeypatch.setattr(ray_or_skip(), "init", other)
    with pytest.raises(ComputeError) as found, RayCluster("auto", None, Path("store")).opened():
        pass
    assert str(found.value).startswith(
        "the cluster auto cannot be joined: Version mismatch: The cluster was started with: Ray: 2.9 This process: Ray: 2.60"
    )
