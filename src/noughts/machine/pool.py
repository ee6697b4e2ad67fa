"""`Pool`: runs jobs in worker processes, with limits, and survives the death of any worker.

The parent process makes all decisions. It starts workers as jobs come, and sends a batch only to a worker that waits for
one, so neither side can block the other. Batches grow while jobs are quick. A worker records its progress on its slate (see
`worker`). So when a worker dies, the parent can blame the right job: that one has failed, the results of earlier
ones have arrived, and another worker does the later ones.

A worker that has run third-party code only gets jobs with the same code: see `Job.outsiders`. The parent trusts no message: a
worker that sends an unreadable one is treated as dead.
"""

import contextlib
import json
import time
from collections import deque
from collections.abc import Iterable
from multiprocessing.connection import Connection, wait
from typing import Literal

from noughts.machine.interrupts import interrupts_held
from noughts.machine.job_queue import LARGEST_BATCH, JobQueue
from noughts.machine.jobs import Done, Failed, Job, JobResult, Running
from noughts.machine.worker_process import WorkerProcess, how_ended
from noughts.rules.errors import ComputeError

_LOOK_EVERY = 0.05  # seconds between two checks of limits, and so their precision
_FALSE_STARTS = 3  # workers in a row that may die before they begin a job
_CLOSE_SECONDS = 0.5  # for idle workers to exit
_KEEP_SECONDS = 1.3  # for jobs to save their work
_LONGEST_MESSAGE = 1 << 30  # bytes
# The exceptions of `_receive` for a worker that has died or sends an invalid message.
_NO_MESSAGE = (EOFError, OSError, ValueError, TypeError, RecursionError)


class Pool:
    """The parent's side of the workers.

    Args:
        size: The largest number of workers.
        largest_batch: The most jobs that a worker gets at once.
        prepare: ``package.module:name`` of a function that each worker calls before its first job; empty for none.
        warm: The number of workers to keep even without jobs.

    Attributes:
        events: A queue that the caller empties: results of jobs, each after the steps that the job sent.
    """

    def __init__(self, size: int, largest_batch: int = LARGEST_BATCH, prepare: str = "", warm: int = 0) -> None:
        self.events: deque[JobResult | Running] = deque()
        self._queue = JobQueue(largest_batch=largest_batch)
        self._size = size
        self._prepare, self._warm = prepare, warm
        self._workers: list[WorkerProcess] = []
        self._false_starts = 0
        self._next_look = 0.0

    def turn(self, news: "Connection[bytes, bytes] | None" = None) -> bool:
        """Hand out jobs, and wait for an event, for at most about 0.05 s.

        Args:
            news: A connection that also ends the wait. With it, an idle pool waits without a time limit.

        Returns:
            False if there was nothing to do and nothing to wait for.

        Raises:
            ComputeError: workers cannot be started.
        """
        self._hand_out()
        if news is None and self._is_idle:
            return False
        self._listen(news)
        return True

    def add(self, job: Job) -> None:
        """Add one job to the queue."""
        self._queue.add(job)

    def cancel(self, key: str) -> None:
        """Cancel a job, unless it is done. Its result comes all the same.

        A job that waits, or runs on for CANCEL_SECONDS, fails as ``cancelled``; one that checks for it may return a value.
        """
        if self._queue.remove(key):
            self._keep(Failed(key, "cancelled", "it was cancelled before it began", ""))
        for worker in self._workers:
            if worker.batch and worker.batch[0].key == key:
                worker.cancel()

    def go_on(self, jobs: Iterable[Job]) -> None:
        """Replace the source of jobs, when all earlier jobs are done. Jobs are taken as needed, in this process."""
        self._queue.extend(jobs)

    @property
    def process_ids(self) -> tuple[int, ...]:
        """The process ids of the workers."""
        return tuple(id for worker in list(self._workers) if (id := worker.process.pid) is not None)

    @property
    def running(self) -> list[Running]:
        """The latest notes of the running jobs."""
        return [noted for worker in self._workers if (noted := worker.running) is not None]

    @property
    def _is_idle(self) -> bool:
        """Whether no job is running or waiting."""
        return not self._queue and not any(worker.batch for worker in self._workers)

    def _hand_out(self) -> None:
        """Give every idle worker a batch of jobs with the same code, and start workers while jobs are left for them."""
        idle = [worker for worker in self._workers if worker.idle]
        for worker in sorted(idle, key=lambda worker: -worker.since):  # the last to work has the most in its caches
            if not self._queue.waiting(1):
                break
            if worker.outsiders not in (None, self._queue.outsiders):
                worker.end()  # another is started in its place
                worker.connection.close()
                self._workers.remove(worker)
                continue
            worker.give(self._queue.batch())
        while len(self._workers) < self._warm:
            self._start_worker()
        starting = sum(not worker.ready for worker in self._workers)
        while len(self._workers) < self._size and self._queue.waiting(starting + 1) > starting:
            self._start_worker()
            starting += 1

    def _start_worker(self) -> None:
        try:
            with interrupts_held():  # so that Ctrl-C cannot fall between the start and the list that is ended
                self._workers.append(WorkerProcess(self._prepare))
        except OSError as error:
            raise ComputeError(f"a worker process cannot be started: {error.strerror or error}") from error

    def _listen(self, news: "Connection[bytes, bytes] | None") -> None:
        """Wait for messages, deaths and limits, and record the results."""
        pause = 0.0 if self.events else _LOOK_EVERY if news is None or not self._is_idle else None
        by_connection = {worker.connection: worker for worker in self._workers}
        for connection in wait([*by_connection, *([news] if news else [])], pause):
            if connection is news:
                continue
            worker = by_connection[connection]  # type: ignore[index] # wait returns the connections that it got
            try:
                self._receive(worker)
            except _NO_MESSAGE:
                self._remove(worker, "died")
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _LOOK_EVERY
        for worker in list(self._workers):
            if late := worker.late:
                self._remove(worker, late)
            elif worker.process.exitcode is not None:  # dead, though a child of its own holds the connection open
                self._remove(worker, "died")

    def _receive(self, worker: WorkerProcess) -> None:
        """Read the worker's next message; raise one of _NO_MESSAGE if the worker is dead or sends an invalid one."""
        message = json.loads(worker.connection.recv_bytes(_LONGEST_MESSAGE))
        if message == ["ready"]:
            worker.ready = True
            return
        key, quick, kind, *rest = message
        if not worker.batch or worker.batch[0].key != key:
            raise ValueError("a result that was not due")
        if not all(isinstance(text, str) for text in rest):
            raise TypeError("a result is text")
        if kind == "step":
            self.events.append(Running(key, *rest))
            return
        result = Done(key, *rest) if kind == "done" else Failed(key, *rest)
        worker.report()
        self._keep(result)
        if not quick:
            self._put_back(worker)
            self._queue.shrink()
        elif not worker.batch:
            self._queue.grow()

    def _keep(self, result: JobResult) -> None:
        self._false_starts = 0
        self.events.append(result)

    def _put_back(self, worker: WorkerProcess) -> None:
        """Put the worker's unfinished jobs back at the front of the queue."""
        self._queue.put_back(worker.batch)
        worker.batch.clear()

    def _remove(self, worker: WorkerProcess, reason: Literal["timeout", "overdue", "died", "cancelled"]) -> None:
        """End a worker, read its last messages, blame its current job, and put its other jobs back."""
        late = worker.batch[0] if worker.batch else None
        worker.end(_CLOSE_SECONDS if reason == "died" else 0.0)
        self._workers.remove(worker)
        with contextlib.suppress(*_NO_MESSAGE):
            while worker.connection.poll():
                self._receive(worker)
        worker.connection.close()
        # A job that began between the check of the limit and the kill is not to blame, so it is repeated.
        if worker.at_work and (reason == "died" or worker.batch[0] is late):
            limits = {
                "timeout": "it passed its time limit",
                "cancelled": "it went on after it was cancelled",
                "overdue": f"it took longer than {worker.batch[0].seconds} s",
            }
            message = limits.get(reason) or how_ended(worker.process.exitcode or 0)
            self._keep(Failed(worker.report().key, reason, message, worker.slate.text))
        elif not worker.experienced:
            self._false_starts += 1
        self._put_back(worker)
        if self._false_starts >= _FALSE_STARTS:
            raise ComputeError(
                f"worker processes die before they begin a job, {_FALSE_STARTS} in a row ({how_ended(worker.process.exitcode or 0)}): see "
                "what they printed"
            )

    def close(self) -> None:
        """End all workers: idle ones may exit themselves; the others are killed, after a moment for jobs that save their work."""
        for worker in self._workers:
            worker.slate.told_to_stop = True
        until = time.monotonic() + _KEEP_SECONDS
        try:
            while any(worker.is_keeping for worker in self._workers) and time.monotonic() < until:
                time.sleep(0.01)
        finally:
            for worker in self._workers:
                if worker.idle:
                    worker.connection.close()
                else:
                    worker.process.kill()
            until = time.monotonic() + _CLOSE_SECONDS
            for worker in self._workers:
                worker.end(max(0.0, until - time.monotonic()))
                worker.connection.close()
            self._workers.clear()
