"""Processes with a few cores of their own, each of which does one piece of work at a time on request.

A process can be pinned to cores only before JAX starts, so each number of cores needs its own process. Waiting processes
cost nothing, so cases still alternate. Requests and answers are lines of JSON.
"""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from benchmarks.results import Measured

_ROOT = Path(__file__).parents[1]
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class WorkerError(Exception):
    """The error of a worker, in one line."""


class Worker:
    """A process with some cores. Use it in a ``with``."""

    def __init__(self, cores: int, devices: bool, python: str = "") -> None:
        """Start it.

        Args:
            cores: The number of cores; the last ones of those that this process may use are taken.
            devices: Whether each core becomes a device of JAX, as in noughts; otherwise JAX keeps its default.
            python: The interpreter; empty for that of this process.
        """
        environment = {**os.environ, "JAX_PLATFORMS": "cpu", **dict.fromkeys(_THREADS, str(cores))}
        # `sys.executable` and not `uv run`, because it has the packages that were chosen for this process.
        self._process = subprocess.Popen(
            [python or sys.executable, "-m", "benchmarks.workers", str(cores), str(int(devices))],
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def prepare(self, name: str, maker: str, arguments: Mapping[str, Any]) -> str:
        """Prepare a piece of work, and do it once; return its note.

        Raises:
            WorkerError: it failed.
        """
        return str(self._ask({"prepare": name, "maker": maker, "arguments": dict(arguments)}))

    def measure(self, name: str, seconds: float) -> Measured:
        """Repeat a piece of work until `seconds` have passed.

        Raises:
            WorkerError: it failed.
        """
        return Measured.model_validate(self._ask({"measure": name, "seconds": seconds}))

    def _ask(self, request: Mapping[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise WorkerError(f"its process ended with status {self._process.wait()}")
        answer = json.loads(line)
        if "problem" in answer:
            raise WorkerError(answer["problem"])
        return answer["answer"]


def keep_to(cores: int) -> int:
    """Pin this process to the last `cores` of its cores; return how many it may use now."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer requests until there are no more."""
    from benchmarks.case import Work
    from benchmarks.timing import measure, one_line

    ready: dict[str, Work] = {}
    for line in requests:
        request = json.loads(line)
        try:
            if "prepare" in request:
                module, _, name = request["maker"].partition(":")
                work: Work = getattr(importlib.import_module(module), name)(**request["arguments"])
                measure(work.chunk, 1e-9)  # compiles
                ready[request["prepare"]] = work
                answer: dict[str, Any] = {"answer": work.note}
            else:
                answer = {"answer": measure(ready[request["measure"]].chunk, request["seconds"]).model_dump()}
        except Exception as error:
            answer = {"problem": one_line(error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def main(words: Sequence[str]) -> None:
    """Run a worker: pin it to its cores, then serve requests."""
    cores, devices = int(words[0]), bool(int(words[1]))
    usable = keep_to(cores)
    if usable < cores:
        raise SystemExit(f"{cores} cores are wanted, and there are {usable}")
    # The output of libraries must not mix with the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if devices:
        from noughts.training.devices import prepare

        prepare(cores)
    serve(sys.stdin, answers)


if __name__ == "__main__":
    main(sys.argv[1:])
