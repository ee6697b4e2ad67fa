"""`Executor`: where jobs run: in this process, in worker processes here, or on a cluster. Callers need not care which.

    local              worker processes here, one for each core; with 0 workers, this process (the default)
    ray                a Ray cluster on this machine, which is started now and ends with this process
    auto               the cluster that this machine has joined
    HOST:PORT          the cluster with this head; this machine must have joined it
    ray://HOST:PORT    the cluster with this head, from any machine, by Ray's client

With ``,files=shared`` after any of the last four, the machines see our files under the same paths, so that none are sent.
"""

import contextlib
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar, Protocol

from noughts.machine.environment import usable_cores
from noughts.machine.jobs import Job, JobResult, Recorder, Running, perform
from noughts.machine.plugins import require_loaded
from noughts.machine.pool import Pool
from noughts.rules.errors import ComputeError

ON = "NOUGHTS_ON"
"""The environment variable that sets where jobs run; an option overrides it."""

LOCAL = "local"
_CONSUMER_TURN = 0.01  # seconds that the consumer of results may take before the pool checks its workers again
_NESTED = "a worker cannot start workers: pass workers=0 in your agents and questions"
_FORMS = "local, ray, auto, HOST:PORT or ray://HOST:PORT, each but the first with ,files=shared if that is so"


class Executor(Protocol):
    """Runs jobs. The results do not depend on which executor runs them, or on workers or machines that fail."""

    @property
    def in_process(self) -> bool:
        """Whether jobs run in this very process, where time limits are not enforced."""
        ...

    @property
    def shares_files(self) -> bool:
        """Whether jobs see our files; otherwise a job must list those that it needs."""
        ...

    @property
    def state(self) -> str:
        """A description of its state, such as the number of machines; empty if there is nothing to show."""
        ...

    def run(self, jobs: Iterable[Job], notes_every: float | None = None) -> Generator[JobResult | Running, None, None]:
        """Yield the result of every job as it comes, in any order; between results, yield the steps that jobs send.

        Nothing starts before the first result is requested, and limits are checked only while the caller waits for a result.
        When the generator is closed or raises, the workers end within a second, or within two if a job saves its work
        (`Recorder.heed_stop`). They also end with this process, even after kill -9. What jobs print goes to standard error.

        Args:
            jobs: Taken as they are needed, in this process.
            notes_every: How often, in seconds, the changed notes of running jobs are yielded as `Running`; None for never.
                Notes of jobs that run in this process are not yielded.

        Raises:
            ComputeError: workers cannot be started.
        """
        ...

    def alone(self) -> "Executor":
        """The same executor for jobs that need a machine to themselves: it runs one at a time on each machine."""
        ...

    def opened(self) -> AbstractContextManager[None]:
        """A context in which jobs can run. It is reentrant.

        Raises:
            ComputeError: jobs cannot run; the message is one line.
        """
        ...


class LocalWorkers:
    """Worker processes of this machine, or this process itself.

    Args:
        count: How many processes; None for one per core that this process may use. With 0, jobs run in this process, one
            after another: limits are ignored, and a job that ends its process ends this one.

    Raises:
        ComputeError: `count` is negative.
    """

    shares_files: ClassVar[bool] = True
    state: ClassVar[str] = ""

    def __init__(self, count: int | None = None) -> None:
        if count is not None and count < 0:
            raise ComputeError(f"{count} workers are not possible: give 0 (this process), 1 or more")
        self._count = count
        self._opened = 0
        self._waiting: Pool | None = None  # idle, until `run` is called again

    @property
    def in_process(self) -> bool:
        """Whether there are no worker processes."""
        return self._count == 0

    def run(self, jobs: Iterable[Job], notes_every: float | None = None) -> Generator[JobResult | Running, None, None]:
        """The results; see `Executor`."""
        if self.in_process:
            for job in jobs:
                with contextlib.redirect_stdout(sys.stderr):
                    result = perform(job, Recorder())
                yield result
            return
        require_loaded()
        if multiprocessing.current_process().daemon:
            raise ComputeError(_NESTED)
        pool, self._waiting, ended = self._waiting or Pool(self._count or usable_cores()), None, False
        pool.go_on(jobs)
        noted: dict[str, Running] = {}  # the latest note of each job that was yielded
        every = math.inf if notes_every is None else notes_every
        next_notes = time.monotonic() + every
        try:
            while pool.turn():
                until = time.monotonic() + _CONSUMER_TURN
                while pool.events and time.monotonic() < until:
                    yield pool.events.popleft()
                # After all results, so that no note follows the result of its job.
                if time.monotonic() >= next_notes and not pool.events:
                    next_notes = time.monotonic() + every
                    running = {note.key: note for note in pool.running}
                    yield from [note for key, note in running.items() if note != noted.get(key)]
                    noted = running
            yield from pool.events
            pool.events.clear()
            ended = True
        finally:
            if ended and self._opened and self._waiting is None:
                self._waiting = pool
            else:
                pool.close()

    def alone(self) -> Executor:
        """At most one worker."""
        return LocalWorkers(0 if self.in_process else 1)

    @contextlib.contextmanager
    def opened(self) -> Generator[None, None, None]:
        """Within this context, idle workers stay for later jobs, because starting one and loading a network takes seconds."""
        self._opened += 1
        try:
            yield
        finally:
            self._opened -= 1
            if not self._opened and self._waiting is not None:
                pool, self._waiting = self._waiting, None
                pool.close()


Workers = int | None | Executor
"""An executor or the number of local workers: None for one per core, 0 for this process."""


def as_executor(workers: Workers) -> Executor:
    """The executor that `workers` stands for."""
    return LocalWorkers(workers) if workers is None or isinstance(workers, int) else workers


def done_by_worker(job: Job) -> JobResult:
    """Run one job in a process of its own."""
    (result,) = (found for found in LocalWorkers(1).run([job]) if not isinstance(found, Running))
    return result


def executor_of(workers: int | None, on: str | None, store: Path) -> Executor:
    """Make the executor that the command line chose.

    Args:
        workers: The largest number of workers; None for one per core.
        on: Where jobs run, as in the module's docstring; None for the environment variable NOUGHTS_ON, or else `local`.
        store: The folder in which agents find training runs.

    Raises:
        ComputeError: the place does not exist, or conflicts with the number of workers.
        MissingLibraryError: the place needs Ray, which is not installed.
    """
    place = _place(on)
    if place == LOCAL:
        return as_executor(workers)
    if workers == 0:
        raise ComputeError(f"--workers 0 means this process alone, and --on {place} a cluster: leave one of them out")
    address, *options = place.split(",")
    shared = options == ["files=shared"]
    if (options and not shared) or not _is_address(address):
        raise ComputeError(f"--on {place} is not possible: give {_FORMS}")
    from noughts.machine.ray_cluster import RayCluster  # here, because it fails with an install hint if Ray is missing

    return RayCluster(address, workers, store, shares_files=shared)


def is_elsewhere(on: str | None) -> bool:
    """Whether `executor_of` would use another place than this machine's own workers."""
    return _place(on) != LOCAL


def _place(on: str | None) -> str:
    return (on if on is not None else os.environ.get(ON, "")).strip() or LOCAL


def _is_address(text: str) -> bool:
    """Whether a text is the address of a cluster."""
    if text in ("ray", "auto"):
        return True
    host, colon, port = text.removeprefix("ray://").rpartition(":")
    return bool(host and colon) and "/" not in host and port.isdecimal() and 0 < int(port) < 1 << 16
