"""`Program`: a third-party program in a process of its own that exchanges lines with us, within limits.

    us --lines--> program        standard input
    us <--lines-- program        standard output: no line longer than LINE_BYTES
    log <-------- program        standard error, by its supervisor

A supervisor (see `supervisor`) ends the program and all that it started when we close it, and also when we are killed.
"""

import contextlib
import os
import select
import shlex
import shutil
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from pathlib import Path

import psutil

from noughts.machine import supervisor
from noughts.machine.plugins import require_open
from noughts.machine.worker_process import how_ended
from noughts.rules.errors import ComputeError, shortened

LINE_BYTES = 1 << 20
"""The longest line that is read, in bytes."""

LOG_BYTES = 10 << 20
"""The most bytes of standard error that are logged for one program. A log that is already longer is first renamed."""

_LOOK_EVERY = 0.1  # seconds between two checks of memory
_PIECE = 1 << 16
_END_SECONDS = supervisor.GRACE_SECONDS + 5.0  # for a supervisor to see its program's end
_ENDED_SECONDS = 2.0  # for a program that has closed its output to end


class ProgramError(ComputeError):
    """A program could not be started, ended, answered too late, or wrote an invalid line."""


class Program:
    """One run of a program.

    Attributes:
        memory: The most bytes that the program and its child processes may use together, checked ten times a second while
            we wait for it; None for no limit.
    """

    def __init__(self, command: Sequence[str], log: Path, memory: int | None = None, goodbye: str = "") -> None:
        """Start the program.

        Args:
            command: The program and its arguments, from `find_program`.
            log: The file to which its standard error is appended.
            memory: See above.
            goodbye: Text that is written to the program before its input is closed.

        Raises:
            ProgramError: this system is not Unix, no process can be started, or the loader is shut (`plugins.shut`).
        """
        require_open(f"program {shlex.join(command)}", ProgramError)
        if os.name != "posix":
            raise ProgramError("limits for third-party programs work on Unix only, and this is not Unix")
        self.memory = memory
        self._begin_log(log, command)
        self._socket, theirs = socket.socketpair()
        words = [
            sys.executable,
            "-I",
            "-S",
            supervisor.__file__,
            str(theirs.fileno()),
            str(log),
            str(LOG_BYTES),
            *command,
        ]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # Ctrl-C at a terminal is ours
                bufsize=0,
            )
        except OSError as error:
            self._socket.close()
            raise ProgramError(f"no process can be started: {error.strerror or error}") from error
        finally:
            theirs.close()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        for stream in (self._input, self._output):
            os.set_blocking(stream.fileno(), False)
        self._read = bytearray()
        self._next_look = 0.0
        self._finalizer = weakref.finalize(self, _end, self._process, self._socket, goodbye.encode())

    @staticmethod
    def _begin_log(log: Path, command: Sequence[str]) -> None:
        """Rename a long log, and log the start of the program."""
        with contextlib.suppress(OSError):  # a log is optional
            if log.exists() and log.stat().st_size > LOG_BYTES:
                log.replace(log.with_suffix(".old.log"))
        write_log(log, f"started {shlex.join(command)}")

    @property
    def alive(self) -> bool:
        """Whether the program is running."""
        return self._finalizer.alive and self._process.poll() is None

    def write(self, text: str, until: float) -> None:
        """Write lines to the program.

        Args:
            text: The lines, each with its newline.
            until: The `time.monotonic()` at which the program must have read them.

        Raises:
            ProgramError: the program has ended, or does not read.
        """
        waiting = memoryview(text.encode())
        while waiting:
            try:
                waiting = waiting[os.write(self._input.fileno(), waiting) :]
            except BlockingIOError:
                self._wait(self._input.fileno(), select.POLLOUT, until, "it does not read its input")
            except (OSError, ValueError):
                raise ProgramError(self.how_it_ended()) from None

    def read_line(self, until: float) -> str:
        """Read the program's next line, without its newline.

        Raises:
            ProgramError: the program has ended, wrote no line by `until`, or the line is too long or no UTF-8.
        """
        if time.monotonic() >= until:  # also if it writes all the time, but no newline
            raise ProgramError("it did not answer in time")
        while (line := self._take_line()) is None:
            if len(self._read) > LINE_BYTES:
                raise ProgramError(f"it wrote a line of more than {LINE_BYTES} bytes")
            self._wait(self._output.fileno(), select.POLLIN, until, "it did not answer in time")
            try:
                piece = os.read(self._output.fileno(), _PIECE)
            except BlockingIOError:
                continue
            if not piece:
                raise ProgramError(self.how_it_ended())
            self._read += piece
        return line

    def unread_line(self) -> str | None:
        """Return the next line of the program without consuming it; None if no whole line has arrived."""
        with contextlib.suppress(BlockingIOError, OSError, ValueError):
            while b"\n" not in self._read and len(self._read) <= LINE_BYTES:
                piece = os.read(self._output.fileno(), _PIECE)
                if not piece:
                    break
                self._read += piece
        line, end, _ = bytes(self._read).partition(b"\n")
        return line.decode(errors="replace").strip() if end else None

    def end(self) -> None:
        """End the program and its child processes, after a moment to end by itself once its input is closed."""
        self._finalizer()

    def how_it_ended(self) -> str:
        """Describe its exit code or signal; or, if it is still running, that it closed its output."""
        try:
            return how_ended(self._process.wait(_ENDED_SECONDS))
        except subprocess.TimeoutExpired:
            return "it closed its output"

    def _take_line(self) -> str | None:
        """Take the first line from the buffer; None if it is not whole yet."""
        at = self._read.find(b"\n")
        if at < 0:
            return None
        line = bytes(self._read[:at])
        del self._read[: at + 1]
        if len(line) > LINE_BYTES:
            raise ProgramError(f"it wrote a line of more than {LINE_BYTES} bytes")
        try:
            return line.decode().rstrip("\r")
        except UnicodeDecodeError:
            raise ProgramError(f"it wrote bytes that are no text: {shortened(repr(line), 80)}") from None

    def _wait(self, descriptor: int, event: int, until: float, late: str) -> None:
        """Wait for an event on a descriptor; ProgramError when time is up, or if the program uses too much memory."""
        poll = select.poll()
        poll.register(descriptor, event)
        while True:
            now = time.monotonic()
            if now >= until:
                raise ProgramError(late)
            if self.memory is not None and now >= self._next_look:
                self._next_look = now + _LOOK_EVERY
                if (taken := self._memory_taken()) > self.memory:
                    raise ProgramError(f"it took {taken >> 20} MiB of memory, and {self.memory >> 20} are allowed")
            pause = until - now if self.memory is None else min(until - now, _LOOK_EVERY)
            if poll.poll(pause * 1000):
                return

    def _memory_taken(self) -> int:
        """Bytes of memory that the program and its child processes use."""
        taken = 0
        with contextlib.suppress(psutil.Error):
            for process in psutil.Process(self._process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    taken += process.memory_info().rss
        return taken


def find_program(command: str) -> list[str]:
    """Split a command into words, of which the first is the full path of an executable.

    Args:
        command: As for a shell, but without wildcards and variables; or the path of a file, which may contain spaces.

    Raises:
        ProgramError: it is malformed, or there is no such program.
    """
    if Path(command).is_file():
        words = [command]
    else:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ProgramError(f"command {command!r} is malformed: {error}") from None
    if not words:
        raise ProgramError("the command is empty: write a program and its arguments")
    found = shutil.which(words[0])
    if found is None:
        if Path(words[0]).is_file():
            raise ProgramError(f"{words[0]} is not executable: `chmod +x` makes it so")
        raise ProgramError(f"there is no program {words[0]}")
    return [os.path.abspath(found), *words[1:]]


def write_log(log: Path, text: str) -> None:
    """Append a line to a log, with the time and our process id; nothing happens if the log is full or not writable."""
    with contextlib.suppress(OSError):
        if log.stat().st_size > 2 * LOG_BYTES:
            return
    moment = time.strftime("%Y-%m-%dT%H:%M:%S")
    with contextlib.suppress(OSError), log.open("a", encoding="utf-8", errors="replace") as file:
        file.write(f"{moment} [{os.getpid()}] {shortened(text)}\n")


def _end(process: "subprocess.Popen[bytes]", connection: socket.socket, goodbye: bytes) -> None:
    """End the program, by itself or by its supervisor, and wait until it is gone."""
    if goodbye and process.stdin is not None:
        with contextlib.suppress(OSError):  # it does not read, or has ended
            os.write(process.stdin.fileno(), goodbye)
    for stream in (process.stdin, connection):
        with contextlib.suppress(OSError):
            if stream is not None:
                stream.close()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:  # if the supervisor itself is stopped, its end also ends the program
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
