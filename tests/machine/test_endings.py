"""However the parent ends, it leaves no worker; and its output contains none of theirs."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

IMPORTS = """
import sys
from noughts.machine import Job
from noughts.machine.executor import LocalWorkers
"""

HANGING = """
if __name__ == "__main__":
    print("started", flush=True)
    ways = ["c", "python", "sleep"]
    jobs = [Job(way, "tests.machine.functions:hang", f"{way} 60 loudly") for way in ways]
    jobs.append(Job("idle", "tests.machine.functions:upper", ""))
    for result in LocalWorkers(4).run(jobs):
        print(getattr(result, "reason", "done"))
"""

ABANDONED = """
if __name__ == "__main__":
    results = LocalWorkers(1).run([Job("", "tests.machine.functions:hang", "c 60")], notes_every=0.01)
    next(results)
"""

PRINTING = """
if __name__ == "__main__":
    workers = int(sys.argv[1])
    argument = "worker" if workers else "here"
    for result in LocalWorkers(workers).run([Job("", "tests.machine.functions:printing", argument)] * 3):
        print(result.value)
"""

FORKING = """
if __name__ == "__main__":
    print("begun")
    jobs = [Job(way, f"tests.machine.functions:{way}", argument) for way, argument in (
        ("forking", sys.argv[2]), ("upper", "a"), ("upper", "b"), ("inheriting", "60"))]
    print(*(result.value for result in LocalWorkers(int(sys.argv[1])).run(jobs)))
"""


@contextmanager
def running(tmp_path: Path, script: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A script in its own process group, as from a shell."""
    path = tmp_path / "script.py"
    path.write_text(IMPORTS + script)
    process = subprocess.Popen(
        [sys.executable, str(path), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))},
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # in case the test failed


def wait_until_they_hang(script: "subprocess.Popen[str]") -> list[int]:
    assert script.stderr is not None
    return [int(script.stderr.readline().split()[1]) for _ in range(3)]


def seconds_to_silence(script: "subprocess.Popen[str]") -> tuple[float, str]:
    """The seconds until all processes of the script have ended, each of which holds its output open; and its errors."""
    started = time.monotonic()
    _, errors = script.communicate(timeout=30)
    return time.monotonic() - started, errors


def test_workers_of_a_killed_parent_die(tmp_path: Path) -> None:
    with running(tmp_path, HANGING) as script:
        wait_until_they_hang(script)
        script.kill()
        seconds, errors = seconds_to_silence(script)
    assert seconds < 2
    assert errors == ""


@pytest.mark.parametrize(
    ("interrupt", "delay"),
    [(os.killpg, None), (os.kill, None), (os.killpg, 0.0), (os.killpg, 0.3)],  # the whole group, as a terminal does
)
def test_an_interrupt_stops_all_in_a_second_and_only_the_parent_gets_it(
    tmp_path: Path, interrupt: Callable[[int, int], None], delay: float | None
) -> None:
    with running(tmp_path, HANGING) as script:
        if delay is None:
            wait_until_they_hang(script)
        else:  # while they start
            assert script.stdout is not None
            script.stdout.readline()
            time.sleep(delay)
        interrupt(script.pid, signal.SIGINT)
        seconds, errors = seconds_to_silence(script)
    assert seconds < 2
    assert errors.count("Traceback") == 1, errors
    assert errors.endswith("KeyboardInterrupt\n")


@pytest.mark.heavy
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_does_not_end_workers_by_itself(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path, HANGING.replace("60 loudly", "2 loudly")) as script:
        for worker in wait_until_they_hang(script):
            os.kill(worker, number)
        output, errors = script.communicate(timeout=30)
    assert script.returncode == 0
    assert output.count("\n") == 5
    assert "died" not in output
    assert errors == ""


def test_the_end_of_the_parent_kills_workers_that_it_did_not_close(tmp_path: Path) -> None:
    with running(tmp_path, ABANDONED) as script:
        assert script.communicate(timeout=30) == ("", "")
    assert script.returncode == 0


@pytest.mark.parametrize("workers", [0, 2])
def test_output_of_jobs_stays_off_standard_output(tmp_path: Path, workers: int) -> None:
    with running(tmp_path, PRINTING, str(workers)) as script:
        output, errors = script.communicate(timeout=60)
    assert output.splitlines() == ['"worker"' if workers else '"here"'] * 3
    for words in ["python ", "kept back"] + ["the original", "descriptor", "process"] * bool(workers):
        assert errors.count(words) == 3, errors


@pytest.mark.heavy
@pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="needs Unix")
@pytest.mark.parametrize(("workers", "seconds"), [(0, "0.1"), (0, "60"), (2, "60")])
def test_a_forked_child_neither_goes_on_as_the_parent_nor_delays_it(tmp_path: Path, workers: int, seconds: str) -> None:
    with running(tmp_path, FORKING, str(workers), f"fork {seconds}") as script:
        started = time.monotonic()
        assert script.wait(30) == 0  # a surviving child holds the output open, so it is not read to its end
        assert time.monotonic() - started < 20
        time.sleep(0.3)
        assert script.stdout is not None
        os.set_blocking(script.stdout.fileno(), False)
        begun, results = os.read(script.stdout.fileno(), 10_000).decode().splitlines()
        os.killpg(script.pid, signal.SIGKILL)
    assert begun == "begun"
    assert sorted(results.split()) == sorted(["fork", seconds, "A", "B", "60"])
