"""`Commands`: what is started from the page and takes long, each as the command that does the same in a terminal.

A command runs in a process of its own, on the server's store, so that all find what it finds. Trainings, studies, proofs and
scores use all cores, so one runs at a time and the others wait in line. A command stops as Ctrl-C stops it, which loses
nothing, and goes on when it is started again; when the server is killed its commands stop, too (`cli/leash.py`). All of this
happens in the event loop. What a command prints is kept, with its words, in two files:

    commands/ID.json    a `KeptCommand`
    commands/ID.log     what it printed
"""

import asyncio
import contextlib
import os
import secrets
import shlex
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from noughts.machine.plugins import SHUT
from noughts.rules import NoughtsError, StoreError
from noughts.store.file_format import FileFormat, VersionedValue
from noughts.store.files import make_folders, write_atomically
from noughts.web.errors import Refused

MOST_OPEN = 20
"""At work or waiting at once."""
MOST_KEPT = 100
"""Kept, with what they printed."""
_STOP_SECONDS = 10.0  # for a command to write what it knows; workers end within a second
_LOG_BYTES = 65_536  # of what a command said, that are shown

COMMAND = FileFormat("a command that was started from the page, commands/ID.json", 1)

State = Literal["waiting", "running", "finished", "failed", "stopped"]


class KeptCommand(VersionedValue):
    """A command as it is kept.

    Attributes:
        arguments: The words after `noughts`.
        run: The training run that it makes or goes on with; empty for none.
        state: How it stands.
        asked: When it was asked for, in UTC.
        seconds: For how long it ran.
        exit_code: With which it ended; None before that, and if it was stopped.
    """

    called: ClassVar = "command"
    file_format: ClassVar = COMMAND

    arguments: tuple[str, ...]
    run: str = ""
    state: State = "waiting"
    asked: str
    seconds: float = 0.0
    exit_code: int | None = None


class CommandAnswer(BaseModel):
    """A command that was started from the page."""

    id: str
    words: str = Field(description="What does the same in a terminal.")
    kind: str = Field(description="`train`, `study`, `prove` or `score`.")
    run: str = Field(description="The training run that it makes or goes on with; empty for none.")
    state: State
    asked: str
    seconds: float = Field(description="For how long it has run.")
    exit_code: int | None
    last: str = Field(description="The last line that it printed.")
    said: str = Field(description="The end of all that it printed; empty in a list.")


class _Command:
    """A command that this server knows, and its process while it runs."""

    def __init__(self, folder: Path, command_id: str, kept: KeptCommand) -> None:
        self.id, self.kept = command_id, kept
        self.task: asyncio.Task[None] | None = None  # in which it waits and runs; None if another server began it
        self.stopping = False
        self.begun = 0.0
        self._file = folder / f"{command_id}.json"
        self._log = folder / f"{command_id}.log"
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_open(self) -> bool:
        """Whether it waits or runs."""
        return self.kept.state in ("waiting", "running")

    def keep(self, **changed: object) -> None:
        """Change what is kept."""
        kept = self.kept.model_copy(update=changed)
        write_atomically(self._file, kept.to_json())
        self.kept = kept  # last, as one that has ended may be forgotten, and its file removed

    async def run(self) -> None:
        """Run it to its end."""
        self.begun = time.monotonic()
        with open(self._log, "ab") as log:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "noughts.cli.leash",
                    *self.kept.arguments,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=log,
                    stderr=asyncio.subprocess.STDOUT,
                    env=self._environment(),
                    start_new_session=True,  # Ctrl-C at the server's terminal reaches it through the leash
                )
            except OSError as error:
                log.write(f"error: no process could be started: {error.strerror or error}\n".encode())
                self.keep(state="failed")
                return
        if self.stopping:
            self._let_go()
        code = await self._process.wait()
        ended: State = "stopped" if self.stopping else "failed" if code else "finished"
        seconds = self.kept.seconds + time.monotonic() - self.begun
        self.keep(state=ended, seconds=round(seconds, 1), exit_code=None if self.stopping else code)

    def stop(self) -> None:
        """Stop it, as Ctrl-C does; one that waits is not begun."""
        self.stopping = True
        if self.kept.state == "waiting":
            self.keep(state="stopped")
        elif self._process is not None:
            self._let_go()

    def remove(self) -> None:
        """Remove its files."""
        for path in (self._file, self._log):
            path.unlink(missing_ok=True)

    def _environment(self) -> dict[str, str]:
        """The owner alone starts commands, so they may load code from outside even where the server may not."""
        inherited = {name: value for name, value in os.environ.items() if name != SHUT}
        return inherited | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1", "COLUMNS": "100"}

    def _let_go(self) -> None:
        """Close the leash; a process that does not end then is killed."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        process.stdin.close()

        def bury() -> None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()

        asyncio.get_running_loop().call_later(_STOP_SECONDS, bury)

    def show(self) -> CommandAnswer:
        """As the page shows it."""
        kept, said = self.kept, self._said()
        running = time.monotonic() - self.begun if kept.state == "running" else 0.0
        lines = [line for line in said.splitlines() if line.strip()]
        return CommandAnswer(
            id=self.id,
            words=shlex.join(["noughts", *kept.arguments]),
            kind={"runs": "train"}.get(kept.arguments[0], kept.arguments[0]),
            run=kept.run,
            state=kept.state,
            asked=kept.asked,
            seconds=round(kept.seconds + running, 1),
            exit_code=kept.exit_code,
            last=lines[-1] if lines else "",
            said=said,
        )

    def _said(self) -> str:
        try:
            with open(self._log, "rb") as log:
                size = log.seek(0, os.SEEK_END)
                log.seek(max(0, size - _LOG_BYTES))
                return log.read().decode("utf-8", "replace")
        except OSError:
            return ""


class Commands:
    """The commands that were started from the page, the oldest first."""

    def __init__(self, folder: Path) -> None:
        """What was at work when the last server ended counts as stopped; `folder` is that of the store."""
        self._folder = folder / "commands"
        self._known: dict[str, _Command] = {}
        self._closing = False
        self._turn = asyncio.Lock()  # those that wait take it in their order
        for file in sorted(self._folder.glob("*.json")):
            with contextlib.suppress(OSError, NoughtsError):
                command = _Command(self._folder, file.stem, KeptCommand.from_json(file.read_text("utf-8")))
                if command.is_open:
                    command.kept = command.kept.model_copy(update={"state": "stopped"})
                self._known[command.id] = command

    def start(self, arguments: Sequence[str], run: str = "") -> str:
        """Put a command in line; gives its id. One with the same words that has not ended is that command.

        Args:
            arguments: The words after `noughts`.
            run: See `KeptCommand`.

        Raises:
            Refused: too many wait.
            StoreError: nothing can be written.
        """
        open_ones = [each for each in self._known.values() if each.is_open]
        for each in open_ones:
            if each.kept.arguments == tuple(arguments) and not each.stopping:
                return each.id
        if self._closing or len(open_ones) >= MOST_OPEN:
            raise Refused(429, f"{len(open_ones)} commands are waiting: wait for one of them, or stop it", retry=5)
        now = datetime.now(UTC)
        command_id = f"{now:%Y%m%d-%H%M%S%f}-{secrets.token_hex(4)}"
        kept = KeptCommand(arguments=tuple(arguments), run=run, asked=now.isoformat(timespec="seconds"))
        command = _Command(self._folder, command_id, kept)
        try:
            make_folders(self._folder)
            command.keep()
        except OSError as error:
            raise StoreError(f"{self._folder} cannot be written: {error.strerror or error}") from error
        self._known[command_id] = command
        self._forget_old()
        command.task = asyncio.get_running_loop().create_task(self._run(command))
        return command_id

    def go_on(self, command_id: str) -> str:
        """Start a command that has ended once more: it goes on where it was. Gives the id, which is a new one."""
        command = self._find(command_id)
        arguments, run = command.kept.arguments, command.kept.run
        if run and arguments[0] == "train" and command.kept.seconds:
            arguments = ("runs", "resume", run)
        return self.start(arguments, run)

    def stop(self, command_id: str) -> None:
        """Stop a command; what it has found is kept. Refused if there is none."""
        command = self._find(command_id)
        if command.is_open:
            command.stop()

    def show(self, command_id: str) -> CommandAnswer:
        """One command; Refused if there is none."""
        return self._find(command_id).show()

    def all(self) -> list[CommandAnswer]:
        """All that are kept, the latest first, without what they printed but for the last line."""
        return [command.show().model_copy(update={"said": ""}) for command in reversed(self._known.values())]

    async def close(self) -> None:
        """Stop all of them, and wait until they are gone."""
        self._closing = True
        for command in self._known.values():
            if command.kept.state == "running":
                command.stop()
        await asyncio.gather(*(command.task for command in self._known.values() if command.task is not None))

    def _find(self, command_id: str) -> _Command:
        if command_id not in self._known:
            raise Refused(404, f"there is no command {command_id!r}")
        return self._known[command_id]

    def _forget_old(self) -> None:
        ended = [each for each in self._known.values() if not each.is_open]
        for command in ended[: max(0, len(self._known) - MOST_KEPT)]:
            del self._known[command.id]
            command.remove()

    async def _run(self, command: _Command) -> None:
        """Run a command once those before it have ended."""
        async with self._turn:
            if command.kept.state == "waiting" and not self._closing:
                with contextlib.suppress(OSError):  # a full disk: the next one may fit again
                    command.keep(state="running")
                    await command.run()
