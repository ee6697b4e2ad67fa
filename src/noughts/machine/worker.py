"""The worker's side of the pool: a process that receives batches of jobs over a connection and sends results back.

Messages are JSON. To the worker: a list of jobs, ``[[key, function, argument], ...]``. From the worker: ``["ready"]``
once, after its preparing function, if any; then one of these for each job, in order,

    [key, quick, "done", value]
    [key, quick, "failed", reason, message, note]

where `key` is the job's. Any number of ``[key, true, "step", text]`` may come before. `quick` is false if the worker has
spent more than BATCH_SECONDS on the batch. Then it has not begun the rest of the batch, and hands it back, so that no job
waits behind slow ones.
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

from noughts.machine.interrupts import INTERRUPTS
from noughts.machine.jobs import NOTE_BYTES, Failed, Job, JobResult, Recorder, encode_note, perform
from noughts.rules.errors import one_line

BATCH_SECONDS = 0.02


class Slate(ctypes.Structure):
    """Memory that a worker shares with its parent, because it must outlive the worker. Each field has one writer at a time.

    Attributes:
        last: The index of the latest note.
        heeds_stop: Whether the job saves its work when it should stop.
        told_to_stop: Whether the job should stop, or was cancelled; the parent writes this one.
        has_kept: Whether the job has saved its work, so that its process may be ended.
        begun: The number of jobs of the batch that were begun. The parent resets it with each batch, and the worker counts.
        deadline: The ``time.monotonic()`` by which the next note must come; infinity for no limit.
        lengths: Of the two notes, in bytes.
        notes: Two notes. A new one overwrites the older, so that the latest is always whole.
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
        """The latest note; it may be garbled by third-party code, or while the worker writes the next one."""
        last = self.last & 1
        found: bytes = self.notes[last][: min(max(0, self.lengths[last]), NOTE_BYTES)]
        try:
            return found.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return found.decode("utf-8", "replace")


class _SlateRecorder(Recorder):
    """The recorder of a worker's jobs. It ignores forked children of a job, because they may outlive the job."""

    def __init__(self, slate: Slate, send: Callable[..., None]) -> None:
        self._slate, self._send = slate, send
        self._notes = [memoryview(note).cast("B") for note in slate.notes]
        self._process = os.getpid()
        self._key = ""

    def begin(self, key: str) -> None:
        """Begin a job: erase the previous note, and count the job."""
        self._key = key
        self._write(b"", math.inf)
        self._slate.begun += 1

    def end(self) -> None:
        """End a job: clear its limit and its flags about saving."""
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
    """Run a worker until the parent closes its end of the connection; `prepare` names a function, or is empty."""
    # Both reach every process of a group, and the parent decides. Programs that a job starts would inherit SIG_IGN of SIGTERM.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    _print_to_stderr()
    _keep_from_children(connection)
    _die_with_parent()

    def send(*message: object) -> None:
        connection.send_bytes(json.dumps(message).encode())

    recorder = _SlateRecorder(slate, send)
    # The parent may close its end or die at any moment; then the rest of the work is not needed.
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
    except KeyboardInterrupt as error:  # Ctrl-C is ignored here, so the job itself raised this
        return Failed(job.key, "raised", one_line(error), recorder.text)


def _print_to_stderr() -> None:
    """Redirect what jobs print, in Python, in C or in child processes, because it must not mix with the parent's output."""
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != 1:
            os.dup2(nowhere, 1)
    sys.stdout = sys.stderr


def _keep_from_children(connection: "Connection[bytes, bytes]") -> None:
    """Keep the worker's connection from processes that a job starts or forks, which could send in its name or block others.

    The parent would wait for the rest of a half-sent result while any process held the connection. When the parent ends,
    it would also wait for the resource tracker, which ends when no process holds its pipe.
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
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # which the worker ignores

    os.register_at_fork(after_in_child=let_go)


def _die_with_parent() -> None:
    """Make this process end with its parent, even if the parent is killed.

    An idle worker sees its connection close. For a worker inside a job, the kernel sends SIGIO, whose default action is to
    end the process, when the pipe that only the parent holds open is closed. This works even during long calls of C code,
    when no Python thread can run. (PR_SET_PDEATHSIG would act when the *thread* that started the worker ends, which is too
    early for a pool that serves the threads of a web server.)
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
        if wait([sentinel], 0):  # it died before this was set up
            os._exit(1)
    else:
        threading.Thread(target=lambda: (wait([sentinel]), os._exit(1)), daemon=True).start()
