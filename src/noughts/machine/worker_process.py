"""`WorkerProcess`: the parent's view of one worker."""

import contextlib
import json
import math
import multiprocessing
import os
import signal
import socket
import struct
import sys
import threading
import time
import types
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import wait
from typing import Literal

from noughts.machine.jobs import Job, Running
from noughts.machine.worker import Slate, work

CANCEL_SECONDS = 0.5
"""For which a job may go on that was cancelled, before its process is ended."""

_STALL_SECONDS = 30  # in the middle of a message: a process that is silent for so long will never end it
_STARTING = threading.Lock()


class WorkerProcess:
    """One worker process, which is spawned, and what it is at.

    Attributes:
        connection: To the process.
        process: The process.
        slate: What it shares with us.
        batch: What it was given and has not reported, in order; empty when it waits for work.
        ready: Whether it has come up.
        experienced: Whether it ever began a job.
        outsiders: The code from outside the project that it has run, or will; None before it is given its first job.
        since: When it last had something to do, and could begin the first job of the batch, by `time.monotonic`.
    """

    def __init__(self, prepare: str = "") -> None:
        context = multiprocessing.get_context("spawn")
        self.slate = context.RawValue(Slate)
        self.slate.deadline = math.inf
        self.batch: deque[Job] = deque()
        self.ready = self.experienced = False
        self.outsiders: str | None = None
        self.since = 0.0
        self._reported = 0  # jobs of the batch whose results came
        self._told_at = math.inf  # when the job was told to stop
        self.connection, theirs = context.Pipe()
        # A daemon: should nothing end it, the interpreter does when it ends.
        self.process = context.Process(
            target=work, args=(theirs, self.slate, prepare), name="noughts-worker", daemon=True
        )
        try:
            with _main_hidden():
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

    def give(self, jobs: Iterable[Job]) -> None:
        """Send it a batch."""
        self.batch.extend(jobs)
        self.outsiders = self.batch[0].outsiders
        self._reported = self.slate.begun = 0
        self.slate.told_to_stop = False
        self._told_at = math.inf
        self.since = time.monotonic()
        with contextlib.suppress(OSError):  # it has died, which the parent sees when it next looks
            self.connection.send_bytes(
                json.dumps([(job.key, job.function, job.argument) for job in self.batch]).encode()
            )

    def report(self) -> Job:
        """The job whose result has come."""
        self._reported += 1
        self.since = time.monotonic()
        self.experienced = True
        return self.batch.popleft()

    def cancel(self) -> None:
        """Tell the job that it is at to stop."""
        self.slate.told_to_stop = True
        self._told_at = min(self._told_at, time.monotonic())

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
        begun, note = self.slate.begun, self.slate.text
        # The note is that of the job only if it was begun, and none after it, before and after the note was read.
        is_its_own = begun == self.slate.begun == self._reported + 1
        return Running(self.batch[0].key, note) if note and is_its_own else None

    @property
    def is_keeping(self) -> bool:
        """Whether its job saves its work when it is told to stop, and has not done so yet."""
        heeds = bool(self.batch) and self.slate.heeds_stop
        return heeds and not self.slate.has_kept and self.process.exitcode is None

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
        return "overdue" if seconds is not None and self.since + seconds < now else None


def how_ended(code: int) -> str:
    """The exit code of a process, or the signal that ended it as a number below 0, in words."""
    if code >= 0:
        return f"its process ended with exit code {code}"
    try:
        return f"its process was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"its process was ended by signal {-code}"


@contextlib.contextmanager
def _main_hidden() -> Iterator[None]:
    """Have processes that are started not read this one's main module, such as a script that begins the same work.

    Jobs name modules that can be imported, so a worker has no use for it.
    """
    with _STARTING:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
