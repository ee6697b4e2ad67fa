"""Processes that have a few cores to themselves, and do one piece of work at a time when they are told to.

A process can be kept to some cores only before JAX starts, so every number of cores needs processes of its own. Those
that wait cost nothing, so that cases still take turns. They talk in lines of JSON: a request and an answer each.
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
    """What went wrong in a worker, in one line."""


class Worker:
    """A process of so many cores. Use it in a ``with``."""

    def __init__(self, cores: int, devices: bool, python: str = "") -> None:
        """Start it.

        Args:
            cores: How many; the last ones of those that this process may use.
            devices: Whether each core is to be a device of JAX, as noughts has it; otherwise JAX is left as it comes.
            python: The interpreter; empty for the one that runs this.
        """
        environment = {**os.environ, "JAX_PLATFORMS": "cpu", **dict.fromkeys(_THREADS, str(cores))}
        # `sys.executable` and not `uv run`: whoever started this one chose its packages.
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
        """Make a piece of work ready, and do it once; its note.

        Raises:
            WorkerError: it cannot be done.
        """
        return str(self._ask({"prepare": name, "maker": maker, "arguments": dict(arguments)}))

    def measure(self, name: str, seconds: float) -> Measured:
        """Do a piece of work again and again until so many seconds are over.

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
    """Keep this process to so many of its cores, the last ones; how many it now may use."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer until there are no more requests."""
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
    """What a worker does: it keeps to its cores, then serves."""
    cores, devices = int(words[0]), bool(int(words[1]))
    usable = keep_to(cores)
    if usable < cores:
        raise SystemExit(f"{cores} cores are wanted, and there are {usable}")
    # What libraries print must not get among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if devices:
        from noughts.training.devices import prepare

        prepare(cores)
    serve(sys.stdin, answers)


if __name__ == "__main__":
    main(sys.argv[1:])
