"""`ProgramAgent`: what agents share that are programs in processes of their own, whatever they speak.

The program is started when it is first asked, and again when it has ended or failed. It has so many seconds for a move,
and is ended with all that it started when the agent is no longer held. What it writes on its standard error, and what it
says besides its moves, goes to a log in the folder ``engines`` of the store.
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
from noughts.rules.errors import shortened
from noughts.store.files import make_folder
from noughts.store.place import store_folder

START_SECONDS = 60.0
"""For a program to come up, and to say that it is ready: some read large networks first."""

TOLERANCE_SECONDS = 0.5
"""By so much a move may be late, as what is said between processes takes time, too."""

_SHOWN = 200  # characters of what a program wrote, in an error


class ProgramAgent(OneByOne):
    """An agent that is a program.

    Attributes:
        goodbye: What the program is told before its input is closed.
        called: What errors call it.
        seconds: What a move may take.
        memory: MiB that the program and what it started may hold together; 0 for no limit.
        log: Where its standard error goes.
    """

    goodbye = ""

    def __init__(self, called: str, command: str, seconds: float, memory: int, files: str) -> None:
        """AgentError if there is no such program, or a file that it is said to read is not there."""
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
        """Speak with a program that was started, until it is ready; errors as of `Program`."""
        raise NotImplementedError

    def ready(self) -> Program:
        """The program, started if it is not there.

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
        """`time.monotonic()` by which a move that is asked for now must be there."""
        return time.monotonic() + self.seconds + TOLERANCE_SECONDS

    def failure(self, error: ProgramError | str) -> AgentError:
        """The error for what a program did wrong, after which it is ended; a new one is started when it is asked again."""
        text = str(error)
        if text == "it did not answer in time":
            text = f"it took longer than {self.seconds:g} s for a move"
        self.close()
        return AgentError(self._failed(text))

    def close(self) -> None:
        """End the program; it is started again if it is asked again."""
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
    """What a program wrote, for an error."""
    return repr(shortened(line, _SHOWN))


def split_files(text: str) -> tuple[str, ...]:
    """The files that an option names, joined by ``+``; ValueError if one is empty."""
    files = tuple(file.strip() for file in text.split("+")) if text else ()
    if not all(files):
        raise ValueError(text)
    return files


def depends_on(command: str) -> Dependencies:
    """A command and the contents of the files that it names: the program itself, and words that are files.

    Nothing is started. What the program reads besides is not looked at.
    """
    files: list[str] = []
    with contextlib.suppress(ProgramError):  # making the agent reports it
        files = [word for word in find_program(command) if Path(word).is_file()]
    return of_files(command, files, command)


def _log_of(called: str) -> Path:
    """The log of an agent of this text."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", called).strip("-")[:60]
    digest = hashlib.blake2b(called.encode(), digest_size=4).hexdigest()
    return store_folder() / "engines" / f"{name}-{digest}.log"
