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
from multiprocessing.util import Finalize
from typing import Literal

from noughts.machine.jobs import Job, Running
from noughts.machine.worker import Slate, work

CANCEL_SECONDS = 0.5
"""How long a cancelled job may run on before its process is ended."""

_STALL_SECONDS = 30  # in the middle of a message: a process that pauses for longer will never finish it
_STARTING = threading.Lock()


class WorkerProcess:
    """One worker process, which is spawned, and its state.

    Attributes:
        connection: To the process.
        process: The process.
        slate: The memory that it shares with us.
        batch: The jobs that it has not reported, in order; empty when it waits for work.
        ready: Whether it has finished starting.
        experienced: Whether it ever finished a job.
        outsiders: The third-party code that it has run, or will run; None before its first job.
        since: The `time.monotonic` at which it could begin the first job of the batch, or had work for the last time.
    """

    def __init__(self, prepare: str = "") -> None:
        context = multiprocessing.get_context("spawn")
        self.slate = context.RawValue(Slate)
        self.slate.deadline = math.inf
        self.batch: deque[Job] = deque()
        self.ready = self.experienced = False
        self.outsiders: str | None = None
        self.since = 0.0
        self._reported = 0  # jobs of the batch whose results arrived
        self._told_at = math.inf  # when the job was cancelled
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=work, args=(theirs, self.slate, prepare), name="noughts-worker", daemon=True
        )
        try:
            with _main_hidden():
                self.process.start()
            Finalize(self, self.process.kill, exitpriority=0)  # at exit if nothing else does: it ignores SIGTERM
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()
        if os.name == "posix":  # where a pipe both ways is a pair of sockets
            with socket.socket(fileno=os.dup(self.connection.fileno())) as end:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", _STALL_SECONDS, 0))

    def end(self, patience: float = 0.0) -> None:
        """Wait up to `patience` seconds, then kill it; return when it is gone."""
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
        with contextlib.suppress(OSError):  # it has died, which the parent sees at its next check
            self.connection.send_bytes(
                json.dumps([(job.key, job.function, job.argument) for job in self.batch]).encode()
            )

    def report(self) -> Job:
        """Record that the result of the first job arrived; return that job."""
        self._reported += 1
        self.since = time.monotonic()
        self.experienced = True
        return self.batch.popleft()

    def cancel(self) -> None:
        """Signal its current job to stop."""
        self.slate.told_to_stop = True
        self._told_at = min(self._told_at, time.monotonic())

    @property
    def idle(self) -> bool:
        """Whether it waits for a batch."""
        return self.ready and not self.batch

    @property
    def at_work(self) -> bool:
        """Whether it has begun a job that it has not reported; constant once it is dead.

        Third-party code can overwrite the slate, so with such code a job counts as begun as soon as it could have begun.
        """
        return bool(self.batch) and (self.slate.begun > self._reported or bool(self.outsiders))

    @property
    def running(self) -> Running | None:
        """Its current job, if that has made a note."""
        if not self.batch:
            return None
        begun, note = self.slate.begun, self.slate.text
        # The note belongs to the job only if it was the latest begun job both before and after the note was read.
        is_its_own = begun == self.slate.begun == self._reported + 1
        return Running(self.batch[0].key, note) if note and is_its_own else None

    @property
    def is_keeping(self) -> bool:
        """Whether its job saves its work when it should stop, and has not finished saving."""
        heeds = bool(self.batch) and self.slate.heeds_stop
        return heeds and not self.slate.has_kept and self.process.exitcode is None

    @property
    def late(self) -> Literal["timeout", "overdue", "cancelled"] | None:
        """The limit that its job has passed: that of a note, the job's total, or that of a cancelled job."""
        if not self.batch:
            return None
        if self._told_at + CANCEL_SECONDS < time.monotonic():
            return "cancelled"
        now, deadline, seconds = time.monotonic(), self.slate.deadline, self.batch[0].seconds
        if deadline < now and deadline == self.slate.deadline:
            return "timeout"
        return "overdue" if seconds is not None and self.since + seconds < now else None


def how_ended(code: int) -> str:
    """Describe an exit code; a negative one is the signal that ended the process."""
    if code >= 0:
        return f"its process ended with exit code {code}"
    try:
        return f"its process was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"its process was ended by signal {-code}"


@contextlib.contextmanager
def _main_hidden() -> Iterator[None]:
    """Hide this process's main module from processes that start in the block: they would load it, and run a script again.

    Workers do not need it, because jobs name modules that can be imported.
    """
    with _STARTING:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
