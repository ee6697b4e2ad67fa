"""`Executor`: who does jobs. This process, worker processes of this machine, or a cluster: the code that asks is the same for all.

    local              worker processes here, one for each core; with 0 workers, this process (the default)
    ray                a Ray cluster on this machine, which is started now and ends with this process
    auto               the cluster that this machine belongs to
    HOST:PORT          the cluster whose head is there; this machine must belong to it
    ray://HOST:PORT    the cluster whose head is there, from any machine, by Ray's client

With ``,files=shared`` after any of the last four, its machines see our files under the same names, so that none are sent.
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
"""The environment variable for where jobs are done, unless an option is given."""

LOCAL = "local"
_CONSUMER_TURN = 0.01  # seconds for which the consumer of results may keep the pool from looking after its workers
_NESTED = "a worker cannot start workers: pass workers=0 in your agents and questions"
_FORMS = "local, ray, auto, HOST:PORT or ray://HOST:PORT, each but the first with ,files=shared if that is so"


class Executor(Protocol):
    """Who does jobs, whatever happens to those who do them: the results are the same."""

    @property
    def in_process(self) -> bool:
        """Whether jobs are done in this very process, so that time limits are not kept."""
        ...

    @property
    def shares_files(self) -> bool:
        """Whether jobs see our files; else a job must name those that it needs."""
        ...

    @property
    def state(self) -> str:
        """Its state in words, such as how many machines there are; empty if there is nothing to show."""
        ...

    def run(self, jobs: Iterable[Job], notes_every: float | None = None) -> Generator[JobResult | Running, None, None]:
        """The result of every job, as they come, in any order; between them, the steps that jobs send.

        Nothing is started before the first result is asked for, and limits are looked at only while a result is waited
        for. Closing the generator, or any exception that leaves it, ends the workers within a second, or within two where a
        job keeps what it has done (`Recorder.heed_stop`); so does the end of this process, even by kill -9. What a job prints
        goes to standard error.

        Args:
            jobs: Taken as they are needed, in this process.
            notes_every: Seconds after which what running jobs have noted since comes between the results, as `Running`;
                None for never. Jobs that run in this process do not show theirs.

        Raises:
            ComputeError: workers cannot be started.
        """
        ...

    def alone(self) -> "Executor":
        """The same for jobs beside which nothing else of ours may run on a machine: one at a time on each."""
        ...

    def opened(self) -> AbstractContextManager[None]:
        """Within this, jobs can be run. It may be entered again within.

        Raises:
            ComputeError: they cannot, in one line.
        """
        ...


class LocalWorkers:
    """Worker processes of this machine, or this process itself.

    Args:
        count: How many processes; None for one on each core that this process may use. With 0, jobs are done here, one after
            another: limits are ignored, and a job that ends its process ends this one.

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
        noted: dict[str, Running] = {}  # the last of each job's notes that was yielded
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
        """Within this, workers stay for the jobs that come next: to start one and to load a network in it takes seconds."""
        self._opened += 1
        try:
            yield
        finally:
            self._opened -= 1
            if not self._opened and self._waiting is not None:
                pool, self._waiting = self._waiting, None
                pool.close()


Workers = int | None | Executor
"""Who does jobs, or how many local workers do: None for one on each core, 0 for this process."""


def as_executor(workers: Workers) -> Executor:
    """Who is meant."""
    return LocalWorkers(workers) if workers is None or isinstance(workers, int) else workers


def done_by_worker(job: Job) -> JobResult:
    """What comes of one job in a process of its own."""
    (result,) = (found for found in LocalWorkers(1).run([job]) if not isinstance(found, Running))
    return result


def executor_of(workers: int | None, on: str | None, store: Path) -> Executor:
    """Who is to do jobs.

    Args:
        workers: At most so many at once; None for one on each core.
        on: Where, as the module's docstring says; None for the environment variable NOUGHTS_ON, or else `local`.
        store: The folder in which agents look for what was trained.

    Raises:
        ComputeError: there is no such place, or it does not go with the number of workers.
        MissingLibraryError: it needs Ray, which is not installed.
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
    from noughts.machine.ray_cluster import RayCluster  # only here: it says what to install where Ray is not

    return RayCluster(address, workers, store, shares_files=shared)


def is_elsewhere(on: str | None) -> bool:
    """Whether what `executor_of` is given names another place than this machine's own workers."""
    return _place(on) != LOCAL


def _place(on: str | None) -> str:
    return (on if on is not None else os.environ.get(ON, "")).strip() or LOCAL


def _is_address(text: str) -> bool:
    """Whether a text is the address of a cluster."""
    if text in ("ray", "auto"):
        return True
    host, colon, port = text.removeprefix("ray://").rpartition(":")
    return bool(host and colon) and "/" not in host and port.isdecimal() and 0 < int(port) < 1 << 16
