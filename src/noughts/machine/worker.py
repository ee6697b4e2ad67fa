"""The worker's side of the pool: a process that takes batches of jobs from a connection and sends results back.

Messages are JSON. To the worker: a list of jobs, ``[[key, function, argument], ...]``. From the worker: ``["ready"]``
once, when it has called the function that prepares it, if there is one; then one of these for each job, in order,

    [key, quick, "done", value]
    [key, quick, "failed", reason, message, note]

where `key` is the job's, before which come any number of ``[key, true, "step", text]``, and `quick` is false if the worker has been at the batch for longer than BATCH_SECONDS: it has then not begun the
rest of the batch, and hands it back, so that no job waits behind long ones.

What must outlive the worker stands in memory that it shares with the parent, the slate:

    byte 0         which of the two notes is the last one
    byte 1         whether the job keeps what it has done when it is told to stop (see `jobs.StopNotes`)
    byte 2         whether it was told to, or cancelled; the parent writes this one
    byte 3         whether it has kept it
    bytes 8..15    how many jobs of the batch were begun
    bytes 16..23   time.monotonic() by which the next note must come; infinity for no limit
    bytes 24..39   length of either note
    then           two notes of NOTE_BYTES; a new one overwrites the older, so that the last is always whole
"""

import contextlib
import ctypes
import functools
import json
import math
import multiprocessing
import os
import pkgutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait

from noughts.machine.jobs import NOTE_BYTES, Failed, Job, JobResult, encode_note, perform
from noughts.rules.errors import one_line

BATCH_SECONDS = 0.02

_HEADER_BYTES = 40


class Slate:
    """The shared memory of one worker, drawn above. One process writes a field at a time: see `begun`."""

    BYTES = _HEADER_BYTES + 2 * NOTE_BYTES

    def __init__(self, memory: "ctypes.Array[ctypes.c_char]") -> None:
        self._process = os.getpid()
        whole = memoryview(memory).cast("B")
        self._last, self._heeds, self._told, self._kept = whole[0:1], whole[1:2], whole[2:3], whole[3:4]
        self._begun = whole[8:16].cast("q")
        self._deadline = whole[16:24].cast("d")
        self._lengths = whole[24:40].cast("q")
        self._notes = (whole[_HEADER_BYTES : _HEADER_BYTES + NOTE_BYTES], whole[_HEADER_BYTES + NOTE_BYTES :])
        self._deadline[0] = math.inf
        self.send_step: Callable[[str], None] = lambda text: None
        """See `StepSender`; set by the worker."""

    @property
    def begun(self) -> int:
        """Jobs of the batch that were begun. The parent sets it to 0 before it sends a batch, the worker counts."""
        return self._begun[0]

    @begun.setter
    def begun(self, count: int) -> None:
        self._begun[0] = count

    @property
    def deadline(self) -> float:
        """time.monotonic() by which the job must have made another note or be over; infinity for no limit."""
        return self._deadline[0]

    @property
    def text(self) -> str:
        """The last note of the job that was begun last."""
        found = self._noted()
        try:
            return found.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return found.decode("utf-8", "replace")

    @property
    def shown(self) -> str:
        """The last note of a job that may be writing the next one: for people, as it may be a mixture of two."""
        return self._noted().decode("utf-8", "replace")

    def _noted(self) -> bytes:
        """The bytes of the last note; some of what is there, if code from outside has written over the slate."""
        last = self._last[0] & 1
        return bytes(self._notes[last][: min(max(0, self._lengths[last]), NOTE_BYTES)])

    def begin_job(self) -> None:
        """Wipe the note of the job before, and count."""
        self._write(b"", math.inf)
        self._begun[0] += 1

    def end_job(self) -> None:
        """No limit holds any more, and there is nothing that could be kept."""
        self._deadline[0] = math.inf
        self._heeds[0] = self._kept[0] = 0

    def heed_stop(self) -> None:
        """See `StopNotes`."""
        if os.getpid() == self._process:
            self._heeds[0] = 1

    @property
    def told_to_stop(self) -> bool:
        """See `StopNotes`."""
        return bool(self._told[0])

    def say_kept(self) -> None:
        """See `StopNotes`."""
        if os.getpid() == self._process:
            self._kept[0] = 1

    def tell_to_stop(self, told: bool = True) -> None:
        """From the parent: the job that is at work is to stop; False before another job is given."""
        self._told[0] = told

    @property
    def heeds_stop(self) -> bool:
        """Whether the job that is at work keeps what it has done when it is told to stop."""
        return bool(self._heeds[0])

    @property
    def has_kept(self) -> bool:
        """Whether it has, so that its process may be ended."""
        return bool(self._kept[0])

    def note(self, text: str, limit: float | None = None) -> None:
        """See `Recorder.note`. A process that the job forked has no say here: it may outlive the job."""
        encoded = encode_note(text, limit)
        if os.getpid() == self._process:
            self._write(encoded, math.inf if limit is None else time.monotonic() + limit)

    def _write(self, encoded: bytes, deadline: float) -> None:
        other = 1 - self._last[0]
        self._notes[other][: len(encoded)] = encoded
        self._lengths[other] = len(encoded)
        self._deadline[0] = deadline
        self._last[0] = other


def work(connection: "Connection[bytes, bytes]", memory: "ctypes.Array[ctypes.c_char]", prepare: str) -> None:
    """The life of a worker: until the parent closes its end of the connection; `prepare` names a function, or is empty."""
    settle_in(connection)
    slate = Slate(memory)
    # The parent may close its end or die at any moment, and then nobody waits for what is left to do.
    with contextlib.suppress(EOFError, OSError):
        if prepare:
            pkgutil.resolve_name(prepare)()
        _send(connection, "ready")
        while True:
            batch = [Job(*fields) for fields in json.loads(connection.recv_bytes())]
            for reply in _do_batch(batch, slate, connection):
                _send(connection, *reply)


def settle_in(connection: "Connection[bytes, bytes]") -> None:
    """What every worker process sees to first: that it serves its parent alone, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent decides
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _print_to_stderr()
    _keep_from_children(connection)
    _die_with_parent()


def _do_batch(batch: list[Job], slate: Slate, connection: "Connection[bytes, bytes]") -> Iterator[tuple[object, ...]]:
    since = time.monotonic()
    for job in batch:
        slate.begin_job()
        slate.send_step = functools.partial(_send, connection, job.key, True, "step")
        result = _perform(job, slate)
        slate.end_job()
        quick = time.monotonic() - since < BATCH_SECONDS
        if isinstance(result, Failed):
            yield job.key, quick, "failed", result.reason, result.message, result.note
        else:
            yield job.key, quick, "done", result.value
        if not quick:
            return


def _perform(job: Job, slate: Slate) -> JobResult:
    try:
        return perform(job, slate)
    except KeyboardInterrupt as error:  # not from the keyboard, which is ignored here: the job's own
        return Failed(job.key, "raised", one_line(error), slate.text)


def _send(connection: "Connection[bytes, bytes]", *message: object) -> None:
    connection.send_bytes(json.dumps(message).encode())


def _print_to_stderr() -> None:
    """What jobs print, in Python, in C or in processes of their own, must not mix with the parent's output."""
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != 1:
            os.dup2(nowhere, 1)
    sys.stdout = sys.stderr


def _keep_from_children(connection: "Connection[bytes, bytes]") -> None:
    """See to it that no process a job starts or forks, and leaves behind, can speak for the worker or hold up others.

    The parent would wait for the rest of a half-sent result as long as anybody held the connection, and, when it
    ends, for the resource tracker, which ends when nobody holds its pipe.
    """
    if not hasattr(os, "fork"):
        return
    held = [handle for handle in (connection.fileno(), resource_tracker.getfd()) if handle is not None]
    for handle in held:
        os.set_inheritable(handle, False)

    def let_go() -> None:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for handle in held:
            os.dup2(nowhere, handle, inheritable=False)
        os.close(nowhere)

    os.register_at_fork(after_in_child=let_go)


def _die_with_parent() -> None:
    """See to it that this process ends when its parent does, even if the parent was killed.

    A worker that waits for jobs sees its connection close. For one that is inside a job, the kernel is asked to
    send SIGIO, whose default action is to end the process, when the pipe that only the parent holds open is
    closed: this works inside long calls of C code too, where no Python thread could run. (PR_SET_PDEATHSIG
    would strike when the *thread* that started the worker ends, which is too soon for a pool that serves a
    web server's threads.)
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel
    if hasattr(os, "O_ASYNC"):
        import fcntl

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)
        if wait([sentinel], 0):  # it died before the kernel was asked
            os._exit(1)
    else:
        threading.Thread(target=lambda: (wait([sentinel]), os._exit(1)), daemon=True).start()
