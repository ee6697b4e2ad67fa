"""Jobs and their results, and how one job is performed: the same in every process."""

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
        key: Identifies the job among those of one call; its result has the same key.
        function: ``package.module:name`` of a callable ``f(argument: str, recorder: Recorder) -> str``.
        argument: The argument of the function.
        outsiders: Names the third-party code that the job runs; empty for none. Such code may change anything in its process,
            so a worker that has run some only gets jobs with the same code.
        seconds: The total time limit, by the parent's clock, which the job's process cannot affect; None for no limit.
        files: Full paths of the files that it reads, besides noughts and installed packages. They are sent to a machine that
            does not share our files, as are those of `folder`.
        folder: The full path of a folder that it fills, whose contents are sent back; empty for none.
        exact: Whether its answer depends on the last bits of numbers, so that it must run under the same arithmetic as here.
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
    """The result of a job whose function returned."""

    key: str
    value: str


@dataclass(frozen=True)
class Failed:
    """The result of a job that failed.

    Attributes:
        reason: It ``raised`` an error or could not be imported; it passed the limit of a note (``timeout``) or `Job.seconds`
            (``overdue``); its process ``died``; or it was ``cancelled`` before it began, or did not stop in time after that.
        message: What happened, in one line.
        note: Its latest note; empty if it made none.
    """

    key: str
    reason: Literal["raised", "timeout", "overdue", "died", "cancelled"]
    message: str
    note: str


JobResult = Done | Failed


@dataclass(frozen=True)
class Running:
    """The latest note of a running job; or a step that a job sent."""

    key: str
    note: str


class Recorder:
    """The connection of a running job to its pool: the job records notes, sends steps and checks whether it should stop.

    This base class serves jobs in the caller's process, where limits are not enforced, steps not sent and jobs not stopped.
    """

    def __init__(self) -> None:
        self._text = ""

    @property
    def text(self) -> str:
        """The latest note; empty if there is none."""
        return self._text

    def note(self, text: str, limit: float | None = None) -> None:
        """Record what the job is doing. The pool can read the latest note even if the job's process dies.

        A note takes a few microseconds, because nothing is sent.

        Args:
            text: At most NOTE_BYTES of UTF-8.
            limit: Seconds within which the next note, or the end of the job, must come; otherwise its process is killed.
                None for no limit.

        Raises:
            ValueError: the text is too long, or the limit is not above 0.
        """
        encode_note(text, limit)
        self._text = text

    def send_step(self, text: str) -> None:
        """Send text of any length; the pool yields each as `Running`, in order, before the result."""

    @property
    def told_to_stop(self) -> bool:
        """Whether the job should return soon, because it was cancelled or its process is about to be ended."""
        return False

    def heed_stop(self) -> bool:
        """Announce that this job saves its work when it should stop; return whether the pool can signal that.

        Its process is then ended a moment later. The processes of other jobs are ended at once.
        """
        return False

    def record_kept(self) -> None:
        """Record that the work is saved, so that the process may be ended."""


def encode_note(text: str, limit: float | None) -> bytes:
    """Encode a note; ValueError if it is too long or the limit is not positive."""
    encoded = text.encode("utf-8", "surrogatepass")
    if len(encoded) > NOTE_BYTES:
        raise ValueError(f"a note of {len(encoded)} bytes is too long: {NOTE_BYTES} are allowed")
    if limit is not None and not limit > 0:
        raise ValueError(f"a limit of {limit} seconds is not allowed: give a number above 0")
    return encoded


@contextlib.contextmanager
def in_one_process() -> Iterator[None]:
    """End the child at once if the block forks and the child leaves it too, because the child would repeat our work."""
    process = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(0)


def perform(job: Job, recorder: Recorder) -> JobResult:
    """Run a job in this process. Every exception becomes a result, except an interrupt from the keyboard."""
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
