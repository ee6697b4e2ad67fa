"""`Commands`: long jobs that are started from the page. Each runs as the `noughts` command that does the same in a terminal.

A command runs in its own process, on the server's store, so every visitor sees its results. Training, studies, proofs and
scores use all cores, so one command runs at a time and the others wait in a queue. Stopping a command is like Ctrl-C: nothing
is lost, and it continues when it is started again. If the server is killed, its commands stop, too (`cli/leash.py`). All of
this happens in the event loop. The command and its output are kept in two files:

    commands/ID.json    a `KeptCommand`
    commands/ID.log     its output
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

from pydantic import ConfigDict, Field

from noughts.machine.plugins import SHUT
from noughts.rules import NoughtsError, StoreError
from noughts.store.file_format import FileFormat, VersionedValue
from noughts.store.files import make_folders, write_atomically
from noughts.web.errors import Refused

MOST_OPEN = 20
"""The most commands that run or wait."""
MOST_KEPT = 100
"""The most commands that are kept."""
_STOP_SECONDS = 10.0  # the time for a command to save its results; workers end within a second
_LOG_BYTES = 65_536  # how much of the end of the output is shown

COMMAND = FileFormat("a command that was started from the page, commands/ID.json", 1)

State = Literal["waiting", "running", "finished", "failed", "stopped"]


class KeptCommand(VersionedValue):
    """The saved form of a command.

    Attributes:
        arguments: The words after `noughts`.
        run: The training run that it starts or continues; empty for none.
        state: Its state.
        asked: When it was requested, in UTC.
        seconds: How long it ran.
        exit_code: Its exit status; None before it ends, and if it was stopped.
    """

    called: ClassVar = "command"
    file_format: ClassVar = COMMAND

    arguments: tuple[str, ...]
    run: str = ""
    state: State = "waiting"
    asked: str
    seconds: float = 0.0
    exit_code: int | None = None


class CommandAnswer(KeptCommand):
    """A command that was started from the page."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: str
    words: str = Field(description="What does the same in a terminal.")
    kind: str = Field(description="`train`, `study`, `prove` or `score`.")
    last: str = Field(description="The last line that it printed.")
    said: str = Field(description="The end of all that it printed; empty in a list.")


class _Command:
    """A command of this server or of an earlier one."""

    def __init__(self, folder: Path, command_id: str, kept: KeptCommand) -> None:
        self.id, self.kept = command_id, kept
        self.task: asyncio.Task[None] | None = None  # waits and runs the command; None if an earlier server started it
        self._begun: float | None = None  # by this server's monotonic clock
        self._file = folder / f"{command_id}.json"
        self._log = folder / f"{command_id}.log"

    @property
    def is_open(self) -> bool:
        """Whether it waits or runs."""
        return self.kept.state in ("waiting", "running")

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop, and has not ended yet."""
        return self.task is not None and self.task.cancelling() > 0

    def keep(self, **changed: object) -> None:
        """Change the record, and save it."""
        kept = self.kept.model_copy(update=changed)
        write_atomically(self._file, kept.to_json())
        self.kept = kept  # last: once it has ended, it may be forgotten and its file removed

    async def run(self, turn: asyncio.Lock) -> None:
        """Wait for the turn, then run the command to its end. To stop it, cancel its task."""
        ended: State = "stopped"
        code = None
        with contextlib.suppress(OSError):  # for example a full disk; the next command may succeed
            with contextlib.suppress(asyncio.CancelledError):
                async with turn:
                    self.keep(state="running")
                    self._begun = time.monotonic()
                    code = await self._exit_code()
                    ended = "failed" if code else "finished"
            self.keep(state=ended, seconds=self._seconds, exit_code=code)

    def stop(self) -> None:
        """Stop it, as Ctrl-C does. A command that waits does not start."""
        if self.is_open and self.task is not None and not self.stopping:
            self.task.cancel()

    def remove(self) -> None:
        for path in (self._file, self._log):
            path.unlink(missing_ok=True)

    def show(self) -> CommandAnswer:
        """Return its description for the page."""
        said = self._said()
        lines = [line for line in said.splitlines() if line.strip()]
        arguments = self.kept.arguments
        return CommandAnswer(
            id=self.id,
            words=shlex.join(["noughts", *arguments]),
            kind={"runs": "train"}.get(arguments[0], arguments[0]),
            last=lines[-1] if lines else "",
            said=said,
            **{**dict(self.kept), "seconds": self._seconds},
        )

    async def _exit_code(self) -> int:
        """Run the process and return its exit status. If cancelled, close its stdin (the leash), then kill it if it remains."""
        inherited = {name: value for name, value in os.environ.items() if name != SHUT}
        with open(self._log, "ab") as log:
            try:
                process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "noughts.cli.leash",
                    *self.kept.arguments,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=log,
                    stderr=asyncio.subprocess.STDOUT,
                    # Only the owner starts commands, so they may load third-party code even if the server may not.
                    env=inherited | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1", "COLUMNS": "100"},
                    start_new_session=True,  # Ctrl-C in the server's terminal stops it only through the leash
                )
            except OSError as error:
                log.write(f"error: no process could be started: {error.strerror or error}\n".encode())
                return 1
        try:
            return await process.wait()
        except asyncio.CancelledError:
            assert process.stdin is not None
            process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), _STOP_SECONDS)
            except TimeoutError:
                process.kill()
                await process.wait()
            raise

    @property
    def _seconds(self) -> float:
        running = 0.0 if self._begun is None or not self.is_open else time.monotonic() - self._begun
        return round(self.kept.seconds + running, 1)

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
        """Read the commands of earlier servers from the store's `folder`. Commands that did not end count as stopped."""
        self._folder = folder / "commands"
        self._known: dict[str, _Command] = {}
        self._closing = False
        self._turn = asyncio.Lock()  # a fair lock: waiting commands run in their order
        for file in sorted(self._folder.glob("*.json")):
            with contextlib.suppress(OSError, NoughtsError):
                command = _Command(self._folder, file.stem, KeptCommand.from_json(file.read_text("utf-8")))
                if command.is_open:
                    command.kept = command.kept.model_copy(update={"state": "stopped"})
                self._known[command.id] = command

    def start(self, arguments: Sequence[str], run: str = "") -> str:
        """Put a command in the queue and return its id. If the same command is waiting or running, return the id of that one.

        Args:
            arguments: The words after `noughts`.
            run: See `KeptCommand`.

        Raises:
            Refused: too many commands wait, or the server is closing.
            StoreError: the store's folder is not writable.
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
        command.task = asyncio.get_running_loop().create_task(command.run(self._turn))
        return command_id

    def go_on(self, command_id: str) -> str:
        """Start a command again. It continues where it stopped. Returns the id of the new command."""
        command = self._find(command_id)
        arguments, run = command.kept.arguments, command.kept.run
        if run and arguments[0] == "train" and command.kept.seconds:
            arguments = ("runs", "resume", run)
        return self.start(arguments, run)

    def stop(self, command_id: str) -> None:
        """Stop a command; its results are kept. Raises Refused if the id is unknown."""
        self._find(command_id).stop()

    def show(self, command_id: str) -> CommandAnswer:
        """Describe a command. Raises Refused if the id is unknown."""
        return self._find(command_id).show()

    def all(self) -> list[CommandAnswer]:
        """Describe all commands, the latest first, with only the last line of their output."""
        return [command.show().model_copy(update={"said": ""}) for command in reversed(self._known.values())]

    async def close(self) -> None:
        """Stop all commands, and wait until they end."""
        self._closing = True
        for command in self._known.values():
            command.stop()
        tasks = [command.task for command in self._known.values() if command.task is not None]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _find(self, command_id: str) -> _Command:
        if command_id not in self._known:
            raise Refused(404, f"there is no command {command_id!r}")
        return self._known[command_id]

    def _forget_old(self) -> None:
        ended = [each for each in self._known.values() if not each.is_open]
        for command in ended[: max(0, len(self._known) - MOST_KEPT)]:
            del self._known[command.id]
            command.remove()
