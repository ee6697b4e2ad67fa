"""`ProgramAgent`: base of agents that are programs in their own processes, for any protocol.

The first request starts the program; a later one restarts it if it has ended or failed. Its time for a move is limited. When
the agent is garbage-collected, the program ends with all processes that it started. Its standard error, and what it writes
besides its moves, goes to a log in the folder ``engines`` of the store.
"""

import contextlib
import hashlib
import re
import time
from pathlib import Path

from noughts.agents.agent import OneByOne
from noughts.machine.dependencies import Dependencies, of_files
from noughts.machine.program import Program, ProgramError, find_program, write_log
from noughts.rules import AgentError, StoreError
from noughts.rules.errors import OTHERS_CHARACTERS, shortened
from noughts.store.files import make_folder
from noughts.store.place import store_folder

START_SECONDS = 60.0
"""Limit for a program to start and report that it is ready. It is long because some load large networks first."""

TOLERANCE_SECONDS = 0.5
"""How late a move may be, because messages between processes take time, too."""


class ProgramAgent(OneByOne):
    """An agent that is a program.

    Attributes:
        goodbye: The text sent to the program before its input is closed.
        called: Its name in errors.
        seconds: Time limit for a move.
        memory: MiB that the program and the processes that it started may use together; 0 for no limit.
        log: The file of its standard error.
    """

    goodbye = ""

    def __init__(self, called: str, command: str, seconds: float, memory: int, files: str) -> None:
        """AgentError if the program, or one of `files`, does not exist."""
        self.called, self.seconds, self.memory = called, seconds, memory
        try:
            self._command = find_program(command)
        except ProgramError as error:
            raise AgentError(f"agent {called!r}: {error}") from None
        for file in split_files(files):
            if not Path(file).exists():
                raise AgentError(f"agent {called!r}: its option files names {file}, which does not exist")
        self.log = _log_of(called)
        self._program: Program | None = None

    def greet(self, program: Program, until: float) -> None:
        """Exchange messages with a started program until it is ready; errors as in `Program`."""
        raise NotImplementedError

    def ready(self) -> Program:
        """Return the program, started if it is not running.

        Raises:
            AgentError: it cannot be started, or is not ready in time.
        """
        if self._program is not None and not self._program.alive:
            write_log(self.log, f"{self._program.how_it_ended()}: it is started again")
            self.close()
        if self._program is None:
            program = self._start()
            try:
                self.greet(program, time.monotonic() + START_SECONDS)
            except ProgramError as error:
                program.end()
                raise AgentError(self._failed(f"{error}, when it was started")) from None
            except BaseException:
                program.end()
                raise
            self._program = program
        return self._program

    def move_deadline(self) -> float:
        """The time, on the clock `time.monotonic()`, by which a move requested now must arrive."""
        return time.monotonic() + self.seconds + TOLERANCE_SECONDS

    def failure(self, error: ProgramError | str) -> AgentError:
        """End the program and return the error for its failure. The next request starts a new one."""
        text = str(error)
        if text == "it did not answer in time":
            text = f"it took longer than {self.seconds:g} s for a move"
        self.close()
        return AgentError(self._failed(text))

    def close(self) -> None:
        """End the program. The next request starts a new one."""
        program, self._program = self._program, None
        if program is not None:
            program.end()

    def _start(self) -> Program:
        with contextlib.suppress(StoreError):  # a log is a convenience
            make_folder(self.log.parent)
        try:
            return Program(self._command, self.log, self.memory << 20 if self.memory else None, self.goodbye)
        except ProgramError as error:
            raise AgentError(self._failed(str(error))) from None

    def _failed(self, text: str) -> str:
        write_log(self.log, f"failed: {text}")
        return f"{self.called}: {text} (its log: {self.log})"


def quoted(line: str) -> str:
    """A line of a program's output, quoted and shortened for an error."""
    return repr(shortened(line, OTHERS_CHARACTERS))


def split_files(text: str) -> tuple[str, ...]:
    """The files that an option names, joined by ``+``; ValueError if one is empty."""
    files = tuple(file.strip() for file in text.split("+")) if text else ()
    if not all(files):
        raise ValueError(text)
    return files


def depends_on(command: str) -> Dependencies:
    """A command and the contents of the files that it names: the program itself, and arguments that are files.

    The program is not started, and other files that it reads do not count.
    """
    files: list[str] = []
    with contextlib.suppress(ProgramError):  # making the agent reports it
        files = [word for word in find_program(command) if Path(word).is_file()]
    return of_files(command, files, command)


def _log_of(called: str) -> Path:
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", called).strip("-")[:60]
    digest = hashlib.blake2b(called.encode(), digest_size=4).hexdigest()
    return store_folder() / "engines" / f"{name}-{digest}.log"
