"""`Program`: a program from outside in a process of its own, that reads lines and writes lines, within limits.

    us --lines--> program        standard input
    us <--lines-- program        standard output: no line longer than LINE_BYTES
    log <-------- program        standard error, by its supervisor

A supervisor (see `supervisor`) ends it, with all that it started, when we close it, and also when we are killed.
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
"""The longest line that is read."""

LOG_BYTES = 10 << 20
"""What one program may write on its standard error; the rest is left out. A log that is longer is put aside first."""

_LOOK_EVERY = 0.1  # seconds between two looks at memory
_PIECE = 1 << 16
_END_SECONDS = supervisor.GRACE_SECONDS + 5.0  # for a supervisor to see its program gone
_ENDED_SECONDS = 2.0  # for the end of a program that has closed its output


class ProgramError(ComputeError):
    """A program that could not be started, ended, was silent for too long, or wrote what is no line."""


class Program:
    """One run of a program.

    Attributes:
        memory: Bytes that it and all that it started may take together, looked at ten times a second while it is waited
            for; None for no limit.
    """

    def __init__(self, command: Sequence[str], log: Path, memory: int | None = None, goodbye: str = "") -> None:
        """Start it.

        Args:
            command: The program and its arguments, as `find_program` gives them.
            log: Where its standard error goes, at the end of what is there.
            memory: See above.
            goodbye: What is written to it before its input is closed.

        Raises:
            ProgramError: this system cannot, no process can be started, or the loader is shut (`plugins.shut`).
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
        """Put a log aside that has become long, and note what is started."""
        with contextlib.suppress(OSError):  # a log is a convenience
            if log.exists() and log.stat().st_size > LOG_BYTES:
                log.replace(log.with_suffix(".old.log"))
        write_log(log, f"started {shlex.join(command)}")

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._finalizer.alive and self._process.poll() is None

    def write(self, text: str, until: float) -> None:
        """Give it some lines.

        Args:
            text: Lines with their ends.
            until: `time.monotonic()` by which it must have taken them.

        Raises:
            ProgramError: it has ended, or does not read.
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
        """The next line that it writes, without its end.

        Raises:
            ProgramError: it has ended, `time.monotonic()` is `until` and there is none, the line is too long or no UTF-8.
        """
        if time.monotonic() >= until:  # also where it writes without an end
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
        """A line that it has written and that was not read yet, which stays unread; None if there is none."""
        with contextlib.suppress(BlockingIOError, OSError, ValueError):
            while b"\n" not in self._read and len(self._read) <= LINE_BYTES:
                piece = os.read(self._output.fileno(), _PIECE)
                if not piece:
                    break
                self._read += piece
        line, end, _ = bytes(self._read).partition(b"\n")
        return line.decode(errors="replace").strip() if end else None

    def end(self) -> None:
        """End it and all that it started: it has a moment to end by itself when its input is closed."""
        self._finalizer()

    def how_it_ended(self) -> str:
        """Its exit code or signal, in words; if it lives on, that it closed its output."""
        try:
            return how_ended(self._process.wait(_ENDED_SECONDS))
        except subprocess.TimeoutExpired:
            return "it closed its output"

    def _take_line(self) -> str | None:
        """The first line of what was read, if it is whole."""
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
        """Wait for it; ProgramError when time is up, or it takes too much memory."""
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
        """Bytes of memory that it and all that it started hold."""
        taken = 0
        with contextlib.suppress(psutil.Error):
            for process in psutil.Process(self._process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    taken += process.memory_info().rss
        return taken


def find_program(command: str) -> list[str]:
    """The words of a command, its first one a file that can be run.

    Args:
        command: As for a shell, without its wildcards and variables; or the path of a file, which may contain spaces.

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
    """Add a line to a log, with the moment and our process's number; nothing happens where it is full or cannot be written."""
    with contextlib.suppress(OSError):
        if log.stat().st_size > 2 * LOG_BYTES:
            return
    moment = time.strftime("%Y-%m-%dT%H:%M:%S")
    with contextlib.suppress(OSError), log.open("a", encoding="utf-8", errors="replace") as file:
        file.write(f"{moment} [{os.getpid()}] {shortened(text)}\n")


def _end(process: "subprocess.Popen[bytes]", connection: socket.socket, goodbye: bytes) -> None:
    """Let the program end or the supervisor end it, and see it gone."""
    if goodbye and process.stdin is not None:
        with contextlib.suppress(OSError):  # it does not read, or is gone
            os.write(process.stdin.fileno(), goodbye)
    for stream in (process.stdin, connection):
        with contextlib.suppress(OSError):
            if stream is not None:
                stream.close()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:  # the supervisor itself is stopped; its end is its program's, too
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
