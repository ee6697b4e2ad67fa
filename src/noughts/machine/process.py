"""`WorkerProcess`: the parent's view of one worker, and `ChildProcess`, what it shares with other kinds of workers."""

import contextlib
import ctypes
import json
import math
import multiprocessing
import os
import signal
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from typing import Any, Literal

from noughts.machine.jobs import Job, Running
from noughts.machine.worker import Slate, work

CANCEL_SECONDS = 0.5
"""For which a job may go on that was cancelled, before its process is ended."""

_STALL_SECONDS = 30  # in the middle of a message: a process that is silent for so long will never end it


class ChildProcess:
    """A spawned process at the other end of a connection.

    Attributes:
        connection: To the process.
        process: The process.
    """

    def __init__(self, target: Callable[..., None], *arguments: Any) -> None:
        """Start it.

        Args:
            target: What it does; called with its end of the connection, and the arguments.
            arguments: Text, numbers and shared memory.
        """
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        # A daemon: should nobody end it, the interpreter does when it ends.
        self.process = context.Process(target=target, args=(theirs, *arguments), name="noughts-worker", daemon=True)
        try:
            self.process.start()
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()
        if os.name == "posix":  # where a pipe both ways is a pair of sockets
            with socket.socket(fileno=os.dup(self.connection.fileno())) as end:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", _STALL_SECONDS, 0))

    def end(self, patience: float = 0.0) -> None:
        """Wait so long, then kill it; returns when it is gone."""
        if self.process.exitcode is None:
            wait([self.process.sentinel], patience)  # not join(): a job may have closed the sentinel and live on
        if self.process.exitcode is None:
            self.process.kill()
        self.process.join()

    def how_it_ended(self) -> str:
        """The exit code or signal, in words."""
        code = self.process.exitcode or 0
        if code >= 0:
            return f"its process ended with exit code {code}"
        try:
            return f"its process was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"its process was ended by signal {-code}"

    def release(self) -> None:
        """Give back what the dead worker held: not by `process.close`, which may fail an exit that joins it in another thread."""
        self.connection.close()


class WorkerProcess(ChildProcess):
    """One worker process and what it is at.

    Attributes:
        batch: What it was given and has not reported, in order; empty when it waits for work.
        ready: Whether it has come up.
        experienced: Whether it ever began a job.
        outsiders: The code from outside the project that it has run, or will; None before it is given its first job.
    """

    def __init__(self, prepare: str = "") -> None:
        memory = multiprocessing.get_context("spawn").RawArray(ctypes.c_char, Slate.BYTES)
        self.slate = Slate(memory)
        self.batch: deque[Job] = deque()
        self.ready = self.experienced = False
        self.outsiders: str | None = None
        self._since = 0.0  # when it could begin the job that is the first of the batch
        self._reported = 0  # jobs of the batch whose results came
        self._told_at = math.inf  # when the job was told to stop
        super().__init__(work, memory, prepare)

    def give(self, jobs: Iterable[Job]) -> None:
        """Send it a batch."""
        self.batch.extend(jobs)
        self.outsiders = self.batch[0].outsiders
        self._reported = self.slate.begun = 0
        self.slate.tell_to_stop(False)
        self._told_at = math.inf
        self._since = time.monotonic()
        with contextlib.suppress(OSError):  # it has died, and is buried when the parent next looks
            self.connection.send_bytes(
                json.dumps([(job.key, job.function, job.argument) for job in self.batch]).encode()
            )

    def report(self) -> Job:
        """The job whose result has come."""
        self._reported += 1
        self._since = time.monotonic()
        self.experienced = True
        return self.batch.popleft()

    def cancel(self) -> None:
        """Tell the job that it is at to stop."""
        self.slate.tell_to_stop()
        self._told_at = min(self._told_at, time.monotonic())

    @property
    def since(self) -> float:
        """When it last had something to do, by `time.monotonic`."""
        return self._since

    @property
    def idle(self) -> bool:
        """Whether it waits for a batch."""
        return self.ready and not self.batch

    @property
    def at_work(self) -> bool:
        """Whether it has begun a job that it has not reported; true or false for good once it is dead.

        Code from outside the project can write on the slate, so with such code a job counts as begun when it can be.
        """
        return bool(self.batch) and (self.slate.begun > self._reported or bool(self.outsiders))

    @property
    def running(self) -> Running | None:
        """The job that it is at, if that has made a note."""
        if not self.batch:
            return None
        begun, note = self.slate.begun, self.slate.shown
        # The note is that of the job only if it was begun, and none after it, before and after the note was read.
        is_its_own = begun == self.slate.begun == self._reported + 1
        return Running(self.batch[0].key, note) if note and is_its_own else None

    @property
    def heeds_stop(self) -> bool:
        """Whether the job that it is at keeps what it has done when it is told to stop."""
        return bool(self.batch) and self.slate.heeds_stop

    @property
    def is_keeping(self) -> bool:
        """Whether that job has yet to keep what it has done."""
        return self.heeds_stop and not self.slate.has_kept and self.process.exitcode is None

    @property
    def late(self) -> Literal["timeout", "overdue", "cancelled"] | None:
        """Which limit its job has passed: the one that it set itself, the one that it was given, or that of a cancelled job."""
        if not self.batch:
            return None
        if self._told_at + CANCEL_SECONDS < time.monotonic():
            return "cancelled"
        now, deadline, seconds = time.monotonic(), self.slate.deadline, self.batch[0].seconds
        if deadline < now and deadline == self.slate.deadline:
            return "timeout"
        return "overdue" if seconds is not None and self._since + seconds < now else None


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back, here and in processes started here until they say otherwise."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it comes with the first process, and would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
