"""What a pool is given and what it gives back, and how one job is done: the same in every process."""

import contextlib
import os
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from noughts.rules.errors import one_line

NOTE_BYTES = 16 * 1024
"""The longest note, in bytes of UTF-8."""


@dataclass(frozen=True)
class Job:
    """One piece of work, as text.

    Attributes:
        key: What names it among its siblings; its result carries the same.
        function: ``package.module:name`` of a callable ``f(argument: str, recorder: Recorder) -> str``.
        argument: What the function is called with.
        outsiders: Names the code from outside the project that it runs; empty for none. Such code may change anything
            in its process, so a worker that has run some never does a job that names other code, or none.
        seconds: How long it may take altogether, by the parent's clock, whatever its process says; None for no limit.
        files: Full paths of the files that it reads, besides noughts itself and what is installed. They go along to a
            machine that does not share our files, as do those of `folder`.
        folder: The full path of a folder that it fills, empty for none; what is in it then comes back.
        exact: Whether its answer depends on the last bits of numbers, so that another machine must compute as this one.
    """

    key: str
    function: str
    argument: str
    outsiders: str = ""
    seconds: float | None = None
    files: tuple[str, ...] = ()
    folder: str = ""
    exact: bool = False


@dataclass(frozen=True)
class Done:
    """A job that ended well: what its function returned."""

    key: str
    value: str


@dataclass(frozen=True)
class Failed:
    """A job that did not.

    Attributes:
        reason: ``raised`` an error (or could not be imported), passed a limit that it noted (``timeout``) or `Job.seconds`
            (``overdue``), its process ``died``, or it was ``cancelled`` before it began, or went on regardless.
        message: What happened, one line.
        note: The last note it made; empty if it made none.
    """

    key: str
    reason: Literal["raised", "timeout", "overdue", "died", "cancelled"]
    message: str
    note: str


JobResult = Done | Failed


@dataclass(frozen=True)
class Running:
    """A job that is still at work, and what it noted last; or a step that it sent."""

    key: str
    note: str


class Recorder:
    """How a running job records what it is at, sends what it finds, and learns that it is to stop.

    This one serves a job in the process of who asks: limits are not kept there, steps are not sent, and nothing stops it.
    """

    def __init__(self) -> None:
        self._text = ""

    @property
    def text(self) -> str:
        """The last note; empty if there is none."""
        return self._text

    def note(self, text: str, limit: float | None = None) -> None:
        """Record what the job is at; the last note is known to the pool even if the job's process dies.

        Cheap: a few microseconds, as nothing is sent.

        Args:
            text: At most NOTE_BYTES of UTF-8.
            limit: Seconds in which the next note, or the job's end, must come: otherwise its process is killed.
                None sets no limit.

        Raises:
            ValueError: the text is too long, or the limit is not above 0.
        """
        encode_note(text, limit)
        self._text = text

    def send_step(self, text: str) -> None:
        """Send text of any length; each comes out of the pool as `Running`, in order, before the result."""

    @property
    def told_to_stop(self) -> bool:
        """Whether the job was cancelled, and should return soon; or its process is to be ended."""
        return False

    def heed_stop(self) -> bool:
        """Record that this job saves its work when it is told to stop; whether it may be told.

        Its process is then ended a moment later. Other jobs are ended at once.
        """
        return False

    def record_kept(self) -> None:
        """Record that nothing is lost if the process is ended now."""


def encode_note(text: str, limit: float | None) -> bytes:
    """The note as it is kept; ValueError if the text is too long or the limit makes no sense."""
    encoded = text.encode("utf-8", "surrogatepass")
    if len(encoded) > NOTE_BYTES:
        raise ValueError(f"a note of {len(encoded)} bytes is too long: {NOTE_BYTES} are allowed")
    if limit is not None and not limit > 0:
        raise ValueError(f"a limit of {limit} seconds is not allowed: give a number above 0")
    return encoded


@contextlib.contextmanager
def in_one_process() -> Iterator[None]:
    """Around code that may fork and come back in the child too: that process ends at once, as it would do our work a second time."""
    process = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(0)


def perform(job: Job, recorder: Recorder) -> JobResult:
    """Do a job here and now. Whatever it raises is a result, save an interrupt from the keyboard."""
    try:
        with in_one_process():
            value = pkgutil.resolve_name(job.function)(job.argument, recorder)
        if not isinstance(value, str):
            raise TypeError(f"{job.function} gave {type(value).__name__}; a job gives str")
        return Done(job.key, value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a library may call sys.exit, and that must not end the run
        return Failed(job.key, "raised", one_line(error), recorder.text)
