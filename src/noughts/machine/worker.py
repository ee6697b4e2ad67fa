"""The worker's side of the pool: a process that takes batches of jobs from a connection and sends results back.

Messages are JSON. To the worker: a list of jobs, ``[[key, function, argument], ...]``. From the worker: ``["ready"]``
once, when it has called the function that prepares it, if there is one; then one of these for each job, in order,

    [key, quick, "done", value]
    [key, quick, "failed", reason, message, note]

where `key` is the job's, before which come any number of ``[key, true, "step", text]``, and `quick` is false if the worker
has been at the batch for longer than BATCH_SECONDS: it has then not begun the rest of the batch, and hands it back, so that no
job waits behind long ones.
"""

import contextlib
import ctypes
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

from noughts.machine.jobs import NOTE_BYTES, Failed, Job, JobResult, Recorder, encode_note, perform
from noughts.rules.errors import one_line

BATCH_SECONDS = 0.02


class Slate(ctypes.Structure):
    """What must outlive a worker: memory that it shares with its parent. One process writes a field at a time.

    Attributes:
        last: Which of the two notes is the last one.
        heeds_stop: Whether the job saves its work when it is told to stop.
        told_to_stop: Whether it was told to, or cancelled; the parent writes this one.
        has_kept: Whether it has saved it, so that its process may be ended.
        begun: How many jobs of the batch were begun. The parent sets it to 0 before it sends a batch, the worker counts.
        deadline: ``time.monotonic()`` by which the next note must come; infinity for no limit.
        lengths: Of the two notes, in bytes.
        notes: A new one overwrites the older, so that the last is always whole.
    """

    _fields_ = (
        ("last", ctypes.c_uint8),
        ("heeds_stop", ctypes.c_bool),
        ("told_to_stop", ctypes.c_bool),
        ("has_kept", ctypes.c_bool),
        ("begun", ctypes.c_int64),
        ("deadline", ctypes.c_double),
        ("lengths", ctypes.c_int64 * 2),
        ("notes", ctypes.c_char * NOTE_BYTES * 2),
    )

    @property
    def text(self) -> str:
        """The last note; some of what is there if code from outside has written over it, or while the next one is written."""
        last = self.last & 1
        found: bytes = self.notes[last][: min(max(0, self.lengths[last]), NOTE_BYTES)]
        try:
            return found.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return found.decode("utf-8", "replace")


class _SlateRecorder(Recorder):
    """The recorder of a worker's jobs. A process that a job forks cannot use it: it may outlive the job."""

    def __init__(self, slate: Slate, send: Callable[..., None]) -> None:
        self._slate, self._send = slate, send
        self._notes = [memoryview(note).cast("B") for note in slate.notes]
        self._process = os.getpid()
        self._key = ""

    def begin(self, key: str) -> None:
        """Erase the note of the job before, and count."""
        self._key = key
        self._write(b"", math.inf)
        self._slate.begun += 1

    def end(self) -> None:
        """No limit holds any more, and there is nothing that could be kept."""
        self._slate.deadline = math.inf
        self._slate.heeds_stop = self._slate.has_kept = False

    @property
    def text(self) -> str:
        return self._slate.text

    def note(self, text: str, limit: float | None = None) -> None:
        encoded = encode_note(text, limit)
        if os.getpid() == self._process:
            self._write(encoded, math.inf if limit is None else time.monotonic() + limit)

    def send_step(self, text: str) -> None:
        self._send(self._key, True, "step", text)

    @property
    def told_to_stop(self) -> bool:
        return bool(self._slate.told_to_stop)

    def heed_stop(self) -> bool:
        if os.getpid() != self._process:
            return False
        self._slate.heeds_stop = True
        return True

    def record_kept(self) -> None:
        if os.getpid() == self._process:
            self._slate.has_kept = True

    def _write(self, encoded: bytes, deadline: float) -> None:
        slate = self._slate
        other = 1 - (slate.last & 1)
        self._notes[other][: len(encoded)] = encoded
        slate.lengths[other] = len(encoded)
        slate.deadline = deadline
        slate.last = other


def work(connection: "Connection[bytes, bytes]", slate: Slate, prepare: str) -> None:
    """The life of a worker: until the parent closes its end of the connection; `prepare` names a function, or is empty."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent decides
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _print_to_stderr()
    _keep_from_children(connection)
    _die_with_parent()

    def send(*message: object) -> None:
        connection.send_bytes(json.dumps(message).encode())

    recorder = _SlateRecorder(slate, send)
    # The parent may close its end or die at any moment, and then nothing waits for what is left to do.
    with contextlib.suppress(EOFError, OSError):
        if prepare:
            pkgutil.resolve_name(prepare)()
        send("ready")
        while True:
            batch = [Job(*fields) for fields in json.loads(connection.recv_bytes())]
            for reply in _do_batch(batch, recorder):
                send(*reply)


def _do_batch(batch: list[Job], recorder: _SlateRecorder) -> Iterator[tuple[object, ...]]:
    since = time.monotonic()
    for job in batch:
        recorder.begin(job.key)
        result = _perform(job, recorder)
        recorder.end()
        quick = time.monotonic() - since < BATCH_SECONDS
        if isinstance(result, Failed):
            yield job.key, quick, "failed", result.reason, result.message, result.note
        else:
            yield job.key, quick, "done", result.value
        if not quick:
            return


def _perform(job: Job, recorder: Recorder) -> JobResult:
    try:
        return perform(job, recorder)
    except KeyboardInterrupt as error:  # not from the keyboard, which is ignored here: the job's own
        return Failed(job.key, "raised", one_line(error), recorder.text)


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

    The parent would wait for the rest of a half-sent result as long as any process held the connection, and, when it
    ends, for the resource tracker, which ends when no process holds its pipe.
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
