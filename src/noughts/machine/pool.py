"""`run_jobs`: do jobs on all cores, with limits, whatever happens to the processes.

The whole interface is this one function over four text values (`Job`, `Done`, `Failed`, `Running`). `executor` says who
else may stand in its place; a core of a cluster's machine (`node`) has a `Pool` of one.

The parent process starts workers as jobs come, and only it decides. It sends a batch to a worker that waits and
to no other, so neither side can block the other; batches grow while jobs are quick. A worker says how far it is
on its slate (see `worker`), so that when it dies the parent knows which job was to blame: that one has failed,
those before it were reported, those after it are done by another worker.

A worker that has run code from outside the project does nothing but jobs that run the same code: see `Job.outsiders`.
Nothing that it sends is taken on trust: a message that cannot be read is as good as its death.
"""

import contextlib
import json
import math
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from multiprocessing.connection import Connection, wait
from typing import Literal, overload

from noughts.machine.job_queue import LARGEST_BATCH, JobQueue
from noughts.machine.jobs import Done, Failed, Job, JobResult, LocalNotes, Running, perform
from noughts.machine.process import WorkerProcess, interrupts_held
from noughts.rules.errors import ComputeError

KEEP_START_GUARDED = 'a script that runs jobs must keep its start under if __name__ == "__main__":'
LOOK_EVERY = 0.05
"""Seconds between two looks at limits; a limit is kept to about this."""
_CONSUMER_TURN = 0.01  # seconds for which the consumer of results may keep the pool from looking after its workers
_FALSE_STARTS = 3  # workers in a row that may die before they begin a job
_CLOSE_SECONDS = 0.5  # for idle workers to end by themselves
_KEEP_SECONDS = 1.3  # for jobs to keep what they have done
_LONGEST_MESSAGE = 1 << 30  # bytes
# What `_hear` raises if a worker has died or talks nonsense.
_NOT_HEARD = (EOFError, OSError, ValueError, TypeError, RecursionError)


@overload
def run_jobs(jobs: Iterable[Job], workers: int | None = None) -> Generator[JobResult, None, None]: ...
@overload
def run_jobs(
    jobs: Iterable[Job], workers: int | None, notes_every: float, check: Callable[[], None] = ...
) -> Generator[JobResult | Running, None, None]: ...
def run_jobs(
    jobs: Iterable[Job],
    workers: int | None = None,
    notes_every: float | None = None,
    check: Callable[[], None] = lambda: None,
) -> Generator[JobResult | Running, None, None]:
    """The result of every job, as they come, in any order.

    Nothing is started before the first result is asked for, and limits are looked at only while a result is waited
    for. Closing the generator, or any exception that leaves it, ends the workers within a second, or within two where a job
    keeps what it has done (`jobs.StopNotes`); so does the end of this process, even by kill -9. What a job prints goes to standard error. Workers are spawned, never forked: a script that calls this must keep its own
    start under ``if __name__ == "__main__":``.

    Args:
        jobs: Taken as they are needed, in this process.
        workers: How many processes; None for one on each core that this process may use. 0 does the jobs one after
            another in this process: limits are then ignored, and a job that kills its process kills this one.
        notes_every: Seconds after which what running jobs have noted since comes between the results, as `Running`;
            None for never. Jobs that run in this process do not show theirs.
        check: Called some times a second while a result is waited for, and between jobs in this process. An error that
            it raises leaves the generator: so a thread that waits here can be stopped by another.

    Raises:
        ComputeError: `workers` is negative, or workers cannot be started.
    """
    if workers is None:
        workers = _usable_cores()
    if workers < 0:
        raise ComputeError(f"{workers} workers are not possible: give 0 (this process), 1 or more")
    return Pool(jobs, workers, notes_every, check).results() if workers else _run_here(jobs, check)


def _run_here(jobs: Iterable[Job], check: Callable[[], None]) -> Generator[JobResult, None, None]:
    for job in jobs:
        check()
        with contextlib.redirect_stdout(sys.stderr):
            result = perform(job, LocalNotes())
        yield result


def _usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """The parent's side: who does what.

    Args:
        jobs, notes_every, check: As of `run_jobs`.
        size: How many workers at most.
        largest_batch: Jobs that a worker is given at once, at most.
        prepare: ``package.module:name`` of a function that each worker calls before its first job; empty for none.
        warm: So many workers are there even if there is nothing to do.
    """

    def __init__(
        self,
        jobs: Iterable[Job],
        size: int,
        notes_every: float | None = None,
        check: Callable[[], None] = lambda: None,
        largest_batch: int = LARGEST_BATCH,
        prepare: str = "",
        warm: int = 0,
    ) -> None:
        self._queue = JobQueue(jobs, largest_batch)
        self._size = size
        self._prepare, self._warm = prepare, warm
        self._check = check
        self._notes_every = math.inf if notes_every is None else notes_every
        self._next_notes = time.monotonic() + self._notes_every
        self._noted: dict[WorkerProcess, Running] = {}  # what was said of each worker's job
        self._workers: list[WorkerProcess] = []
        self._results: deque[JobResult] = deque()
        self._steps: list[Running] = []
        self._false_starts = 0
        self._next_look = 0.0

    def results(self) -> Generator[JobResult | Running, None, None]:
        """Run all jobs."""
        try:
            for _ in self.turns():
                until = time.monotonic() + _CONSUMER_TURN
                while self._results and time.monotonic() < until:
                    yield self._results.popleft()
                yield from self._news()
            yield from self._results
        finally:
            self.close()

    def turns(self) -> Generator[None, None, None]:
        """Run all jobs, turn by turn: after each, `taken` gives the results that came. The workers stay for more jobs.

        A turn takes as long as nothing happens, and about LOOK_EVERY seconds at most.
        """
        while True:
            self._check()
            self._hand_out()
            if self.is_idle:
                return
            self._listen()
            yield

    def turn(self, news: "Connection[bytes, bytes]") -> None:
        """One turn of a pool that stays: it takes as long as nothing happens to a job, a worker, or `news`."""
        self._hand_out()
        self._listen(news)

    def add(self, job: Job) -> None:
        """Take one more job."""
        self._queue.add(job)

    def cancel(self, key: str) -> None:
        """End a job; nothing if it is done already. Its result comes all the same.

        One that waits, or goes on for CANCEL_SECONDS, has failed, as ``cancelled``; one that is told so (`StepSender`) may return.
        """
        if self._queue.remove(key):
            self._keep(Failed(key, "cancelled", "it was cancelled before it began", ""))
        for worker in self._workers:
            if worker.batch and worker.batch[0].key == key:
                worker.cancel()

    def go_on(self, jobs: Iterable[Job]) -> None:
        """Take further jobs, when all that came before are done."""
        self._queue.extend(jobs)

    def steps_taken(self) -> list[Running]:
        """The steps that came since it was last asked: those of a job before `taken` gives its result."""
        steps, self._steps = self._steps, []
        return steps

    def taken(self) -> list[JobResult]:
        """The results that came since it was last asked."""
        results = list(self._results)
        self._results.clear()
        return results

    @property
    def process_ids(self) -> tuple[int, ...]:
        """Of the workers there are."""
        return tuple(id for worker in list(self._workers) if (id := worker.process.pid) is not None)

    @property
    def is_idle(self) -> bool:
        """Whether no job is with a worker, or waits for one."""
        return not self._queue and not any(worker.batch for worker in self._workers)

    @property
    def running(self) -> list[Running]:
        """What the jobs that are at work have noted."""
        return [said for worker in self._workers if (said := worker.running) is not None]

    def _hand_out(self) -> None:
        """Give every idle worker a batch of jobs that run the same code, and start workers while there are jobs for them."""
        idle = [worker for worker in self._workers if worker.idle]
        for worker in sorted(idle, key=lambda worker: -worker.since):  # who was at work last remembers most
            if not self._queue.waiting(1):
                break
            if worker.outsiders not in (None, self._queue.outsiders):
                worker.end()  # another is started in its place
                worker.release()
                self._workers.remove(worker)
                continue
            worker.give(self._queue.batch())
        while len(self._workers) < self._warm:
            self._hire()
        starting = sum(not worker.ready for worker in self._workers)
        while len(self._workers) < self._size and self._queue.waiting(starting + 1) > starting:
            self._hire()
            starting += 1

    def _hire(self) -> None:
        try:
            with interrupts_held():  # so that Ctrl-C cannot fall between the start and the list that is ended
                self._workers.append(WorkerProcess(self._prepare))
        except OSError as error:
            raise ComputeError(f"a worker process cannot be started: {error.strerror or error}") from error

    def _listen(self, news: "Connection[bytes, bytes] | None" = None) -> None:
        """Wait for messages, deaths and limits; keep what came. `news` ends waiting, too."""
        pause = 0.0 if self._results else LOOK_EVERY if news is None or not self.is_idle else None
        by_connection = {worker.connection: worker for worker in self._workers}
        for connection in wait([*by_connection, *([news] if news else [])], pause):
            if connection is news:
                continue
            worker = by_connection[connection]  # type: ignore[index] # wait gives back what it was given
            try:
                self._hear(worker)
            except _NOT_HEARD:
                self._bury(worker, "died")
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_EVERY
        for worker in list(self._workers):
            if late := worker.late:
                self._bury(worker, late)
            elif worker.process.exitcode is not None:  # dead, though a child of its own holds the connection open
                self._bury(worker, "died")

    def _news(self) -> list[Running]:
        """What jobs have noted since the last time that it was due, if it is due."""
        now = time.monotonic()
        if now < self._next_notes or self._results:  # after their results, so that none is said to run that is done
            return []
        self._next_notes = now + self._notes_every
        running = {worker: worker.running for worker in self._workers}
        news = [said for worker, said in running.items() if said and said != self._noted.get(worker)]
        self._noted = {worker: said for worker, said in running.items() if said}
        return news

    def _hear(self, worker: WorkerProcess) -> None:
        """Read the worker's next message; one of _NOT_HEARD if it is dead, or as good as dead."""
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
            self._steps.append(Running(key, *rest))
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
        self._results.append(result)

    def _put_back(self, worker: WorkerProcess) -> None:
        """What the worker has not done goes before the jobs that wait."""
        self._queue.put_back(worker.batch)
        worker.batch.clear()

    def _bury(self, worker: WorkerProcess, reason: Literal["timeout", "overdue", "died", "cancelled"]) -> None:
        """End a worker, keep what it still said, blame the job it was at, and put the others back."""
        late = worker.batch[0] if worker.batch else None
        worker.end(_CLOSE_SECONDS if reason == "died" else 0.0)
        self._workers.remove(worker)
        with contextlib.suppress(*_NOT_HEARD):
            while worker.connection.poll():
                self._hear(worker)
        # A job that began between the look at the limit and the kill is not to blame: it is begun again.
        if worker.at_work and (reason == "died" or worker.batch[0] is late):
            limits = {
                "timeout": "it passed its time limit",
                "cancelled": "it went on after it was cancelled",
                "overdue": f"it took longer than {worker.batch[0].seconds} s",
            }
            message = limits.get(reason) or worker.how_it_ended()
            self._keep(Failed(worker.report().key, reason, message, worker.slate.text))
        elif not worker.experienced:
            self._false_starts += 1
        self._put_back(worker)
        ended = worker.how_it_ended()
        worker.release()
        if self._false_starts >= _FALSE_STARTS:
            raise ComputeError(
                f"worker processes die before they begin a job, {_FALSE_STARTS} in a row ({ended}): see what they "
                f"printed; {KEEP_START_GUARDED}"
            )

    def tell_to_stop(self) -> None:
        """Have jobs keep what they have done; see `jobs.StopNotes`. Whoever was told is to be ended."""
        for worker in list(self._workers):
            worker.slate.tell_to_stop()

    @property
    def heeds_stop(self) -> bool:
        """Whether a job that is at work keeps what it has done when it is told to stop."""
        return any(worker.heeds_stop for worker in list(self._workers))

    @property
    def is_keeping(self) -> bool:
        """Whether one of these has yet to do so."""
        return any(worker.is_keeping for worker in list(self._workers))

    def close(self) -> None:
        """End all workers: idle ones may leave by themselves, the others are killed once they have kept what they keep."""
        self.tell_to_stop()
        until = time.monotonic() + _KEEP_SECONDS
        try:
            while self.is_keeping and time.monotonic() < until:
                time.sleep(0.01)
        finally:
            self._end_all()

    def _end_all(self) -> None:
        for worker in self._workers:
            if worker.idle:
                worker.connection.close()
            else:
                worker.process.kill()
        until = time.monotonic() + _CLOSE_SECONDS
        for worker in self._workers:
            worker.end(max(0.0, until - time.monotonic()))
            worker.release()
        self._workers.clear()
