"""`Commands`: trainings, studies, proofs and scores that are started from the page, each as the command that does the same.

A command runs in a process of its own, on the server's store: what it finds is found by everybody, and its words can be
repeated in a terminal. Each uses all cores, so one runs at a time and the others wait in line. It stops as Ctrl-C stops it,
which loses nothing, and goes on when it is started again. What it says is kept, with the words, in two files:

    commands/ID.json    a `KeptCommand`
    commands/ID.log     what it said
"""

import contextlib
import os
import secrets
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Literal

from noughts.machine.plugins import SHUT
from noughts.rules import NoughtsError, StoreError
from noughts.store.file_format import FileFormat, VersionedValue
from noughts.store.files import make_folders, write_atomically
from noughts.web.answers import CommandAnswer
from noughts.web.errors import Refused
from noughts.web.limits import Limits

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


class _Command:
    """A command that this server knows, and its process while it runs."""

    def __init__(self, folder: Path, command_id: str, kept: KeptCommand) -> None:
        self.id, self.kept = command_id, kept
        self.stopping = False
        self.begun = 0.0
        self._file = folder / f"{command_id}.json"
        self._log = folder / f"{command_id}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def keep(self, **changed: object) -> None:
        """Change what is kept."""
        kept = self.kept.model_copy(update=changed)
        write_atomically(self._file, kept.to_json())
        self.kept = kept  # last, as one that has ended may be forgotten, and its file removed

    def run(self) -> None:
        """Run it to its end."""
        self.begun = time.monotonic()
        with open(self._log, "ab") as log:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "noughts.cli.leash", *self.kept.arguments],
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=_owners_environment(),
                    start_new_session=True,  # Ctrl-C at the server's terminal reaches it through the leash
                )
            except OSError as error:
                log.write(f"error: no process could be started: {error.strerror or error}\n".encode())
                self.keep(state="failed")
                return
        if self.stopping:
            self._let_go()
        code = self._process.wait()
        with contextlib.suppress(OSError):
            self._close()
        state: State = "stopped" if self.stopping else "finished" if code == 0 else "failed"
        seconds = self.kept.seconds + time.monotonic() - self.begun
        self.keep(state=state, seconds=round(seconds, 1), exit_code=None if self.stopping else code)

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

    def _close(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()

    def _let_go(self) -> None:
        """Close the leash; a process that does not end then is killed."""
        assert self._process is not None
        with contextlib.suppress(OSError):
            self._close()
        threading.Thread(target=self._bury, name="noughts-bury", daemon=True).start()

    def _bury(self) -> None:
        assert self._process is not None
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def show(self) -> CommandAnswer:
        """As the page shows it."""
        kept, said = self.kept, self._said()
        running = time.monotonic() - self.begun if kept.state == "running" else 0.0
        lines = [line for line in said.splitlines() if line.strip()]
        return CommandAnswer(
            id=self.id,
            words=shlex.join(["noughts", *kept.arguments]),
            kind=_kind(kept.arguments),
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
    """The commands that were started from the page, the oldest first, and the thread that runs them one by one."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        """What was at work when the last server ended counts as stopped.

        Args:
            folder: That of the store.
            limits: How many may wait, and how many are kept.
        """
        self._folder, self._limits = folder / "commands", limits
        self._known: dict[str, _Command] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None
        for file in sorted(self._folder.glob("*.json")):
            with contextlib.suppress(OSError, NoughtsError):
                command = _Command(self._folder, file.stem, KeptCommand.from_json(file.read_text("utf-8")))
                if command.kept.state in ("waiting", "running"):
                    command.kept = command.kept.model_copy(update={"state": "stopped"})
                self._known[command.id] = command

    def start(self, arguments: Sequence[str], run: str = "") -> str:
        """Put a command in line; gives its id. One with the same words that has not ended is that command.

        Args:
            arguments: The words after `noughts`.
            run: The training run that it makes or goes on with.

        Raises:
            Refused: too many wait.
            StoreError: nothing can be written.
        """
        with self._changed:
            open_ones = [each for each in self._known.values() if each.kept.state in ("waiting", "running")]
            for command in open_ones:
                if command.kept.arguments == tuple(arguments) and not command.stopping:
                    return command.id
            if self._closing or len(open_ones) >= self._limits.commands:
                raise Refused(429, f"{len(open_ones)} commands are waiting: wait for one of them, or stop it", retry=5)
            now = datetime.now(UTC)
            command_id = f"{now:%Y%m%d-%H%M%S%f}-{secrets.token_hex(4)}"
            asked = now.isoformat(timespec="seconds")
            command = _Command(self._folder, command_id, KeptCommand(arguments=tuple(arguments), run=run, asked=asked))
            try:
                make_folders(self._folder)
                command.keep()
            except OSError as error:
                raise StoreError(f"{self._folder} cannot be written: {error.strerror or error}") from error
            self._known[command_id] = command
            self._forget_old()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run_all, name="noughts-commands", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return command_id

    def go_on(self, command_id: str) -> str:
        """Start a command that has ended once more: it goes on where it was. Gives the id, which is a new one."""
        command = self._find(command_id)
        arguments, run = command.kept.arguments, command.kept.run
        if run and arguments[0] == "train" and command.kept.seconds:
            place = arguments.index("--on") if "--on" in arguments else len(arguments)
            arguments = ("runs", "resume", run, *arguments[place : place + 2])
        return self.start(arguments, run)

    def stop(self, command_id: str) -> None:
        """Stop a command; what it has found is kept. Refused if there is none."""
        with self._changed:
            command = self._find(command_id)
            if command.kept.state in ("waiting", "running"):
                command.stop()

    def show(self, command_id: str) -> CommandAnswer:
        """One command; Refused if there is none."""
        return self._find(command_id).show()

    def all(self) -> list[CommandAnswer]:
        """All that are kept, the latest first, without what they said but for the last line."""
        with self._changed:
            known = list(self._known.values())
        return [command.show().model_copy(update={"said": ""}) for command in reversed(known)]

    def close(self) -> None:
        """Stop all of them, and wait until they are gone."""
        with self._changed:
            self._closing = True
            for command in self._known.values():
                if command.kept.state == "running":
                    command.stop()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_STOP_SECONDS + 5.0)

    def _find(self, command_id: str) -> _Command:
        if command_id not in self._known:
            raise Refused(404, f"there is no command {command_id!r}")
        return self._known[command_id]

    def _forget_old(self) -> None:
        ended = [each for each in self._known.values() if each.kept.state not in ("waiting", "running")]
        for command in ended[: max(0, len(self._known) - self._limits.kept_commands)]:
            del self._known[command.id]
            command.remove()

    def _run_all(self) -> None:
        while True:
            with self._changed:
                while not self._closing and self._next() is None:
                    self._changed.wait()
                command = self._next()
                if self._closing or command is None:
                    return
                command.keep(state="running")
            with contextlib.suppress(OSError):  # a full disk: the next one may fit again
                command.run()

    def _next(self) -> _Command | None:
        return next((command for command in self._known.values() if command.kept.state == "waiting"), None)


def _owners_environment() -> dict[str, str]:
    """That of a command: the owner alone starts it, so it may load code from outside even where the server may not."""
    environment = {name: value for name, value in os.environ.items() if name != SHUT}
    return environment | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1", "COLUMNS": "100"}


def _kind(arguments: Sequence[str]) -> str:
    """What it is, in a word."""
    return {"runs": "train"}.get(arguments[0], arguments[0])
