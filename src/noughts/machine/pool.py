"""`Pool`: worker processes do jobs, with limits, whatever happens to the processes.

The parent process starts workers as jobs come, and only it decides. It sends a batch to a worker that waits and
to no other, so neither side can block the other; batches grow while jobs are quick. A worker records how far it is
on its slate (see `worker`), so that when it dies the parent knows which job was to blame: that one has failed,
those before it were reported, those after it are done by another worker.

A worker that has run code from outside the project does nothing but jobs that run the same code: see `Job.outsiders`.
Nothing that it sends is taken on trust: a message that cannot be read is as good as its death.
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

_LOOK_EVERY = 0.05  # seconds between two looks at limits; a limit is kept to about this
_FALSE_STARTS = 3  # workers in a row that may die before they begin a job
_CLOSE_SECONDS = 0.5  # for idle workers to end by themselves
_KEEP_SECONDS = 1.3  # for jobs to keep what they have done
_LONGEST_MESSAGE = 1 << 30  # bytes
# What `_receive` raises if a worker has died or sends something else.
_NO_MESSAGE = (EOFError, OSError, ValueError, TypeError, RecursionError)


class Pool:
    """The parent's side: who does what.

    Args:
        size: How many workers at most.
        largest_batch: Jobs that a worker is given at once, at most.
        prepare: ``package.module:name`` of a function that each worker calls before its first job; empty for none.
        warm: So many workers are there even if there is nothing to do.

    Attributes:
        events: What came of jobs, for the caller to take out: results, and before them the steps that jobs sent.
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
        """Give out jobs, and wait until something happens, for about 0.05 s at most.

        Args:
            news: Ends waiting, too. With it, a pool that has nothing to do waits for as long as nothing happens.

        Returns:
            Whether there was something to do, or to wait for.

        Raises:
            ComputeError: workers cannot be started.
        """
        self._hand_out()
        if news is None and self._is_idle:
            return False
        self._listen(news)
        return True

    def add(self, job: Job) -> None:
        """Take one more job."""
        self._queue.add(job)

    def cancel(self, key: str) -> None:
        """End a job; nothing if it is done already. Its result comes all the same.

        One that waits, or goes on for CANCEL_SECONDS, has failed, as ``cancelled``; one that sees it may return.
        """
        if self._queue.remove(key):
            self._keep(Failed(key, "cancelled", "it was cancelled before it began", ""))
        for worker in self._workers:
            if worker.batch and worker.batch[0].key == key:
                worker.cancel()

    def go_on(self, jobs: Iterable[Job]) -> None:
        """Take further jobs, when all that came before are done: each as it is needed, in this process."""
        self._queue.extend(jobs)

    @property
    def process_ids(self) -> tuple[int, ...]:
        """Of the workers there are."""
        return tuple(id for worker in list(self._workers) if (id := worker.process.pid) is not None)

    @property
    def running(self) -> list[Running]:
        """What the jobs that are at work have noted."""
        return [noted for worker in self._workers if (noted := worker.running) is not None]

    @property
    def _is_idle(self) -> bool:
        """Whether no job is with a worker, or waits for one."""
        return not self._queue and not any(worker.batch for worker in self._workers)

    def _hand_out(self) -> None:
        """Give every idle worker a batch of jobs that run the same code, and start workers while there are jobs for them."""
        idle = [worker for worker in self._workers if worker.idle]
        for worker in sorted(idle, key=lambda worker: -worker.since):  # who was at work last remembers most
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
        """Wait for messages, deaths and limits; keep what came."""
        pause = 0.0 if self.events else _LOOK_EVERY if news is None or not self._is_idle else None
        by_connection = {worker.connection: worker for worker in self._workers}
        for connection in wait([*by_connection, *([news] if news else [])], pause):
            if connection is news:
                continue
            worker = by_connection[connection]  # type: ignore[index] # wait gives back what it was given
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
        """Read the worker's next message; one of _NO_MESSAGE if it is dead, or as good as dead."""
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
        """What the worker has not done goes before the jobs that wait."""
        self._queue.put_back(worker.batch)
        worker.batch.clear()

    def _remove(self, worker: WorkerProcess, reason: Literal["timeout", "overdue", "died", "cancelled"]) -> None:
        """End a worker, keep what it still sent, blame the job it was at, and put the others back."""
        late = worker.batch[0] if worker.batch else None
        worker.end(_CLOSE_SECONDS if reason == "died" else 0.0)
        self._workers.remove(worker)
        with contextlib.suppress(*_NO_MESSAGE):
            while worker.connection.poll():
                self._receive(worker)
        worker.connection.close()
        # A job that began between the look at the limit and the kill is not to blame: it is begun again.
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
        """End all workers: idle ones may leave by themselves, the others are killed once they have kept what they keep."""
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
