"""`RunFolder`: a training run's folder, which is self-contained.

    run.json        the training: method, task, config, seed, machine and versions; never changed
    status.json     the progress, and when to end
    metrics.jsonl   one line for each iteration and each measurement of strength
    checkpoints/    the last two full states, from which training resumes
    weights/        the weights that agents load, of every saved iteration
    certificates/   the certificates of the last proof, if the run ends when it is proved
    lock            held by the process that trains

Each JSON file, and each line of the metrics, contains its own SHA-256 (`store.hashed`). This module needs neither a database
nor arrays, because agents that name a run load it.
"""

import contextlib
import hashlib
import re
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import filelock

from noughts.machine import disk
from noughts.machine.environment import Environment, current_environment
from noughts.rules import StoreError
from noughts.rules.errors import shortened
from noughts.store.checkpoints import Checkpoint, Checkpoints
from noughts.store.file_format import FileFormat, NewerFormatError, VersionedValue
from noughts.store.files import explained, make_folder, names_in, remove_unfinished, write_atomically
from noughts.store.hashed import read_value, with_hash
from noughts.store.place import store_folder
from noughts.store.run_metrics import MEND, Metrics, MetricsLine

State = Literal["new", "running", "interrupted", "stopped", "finished"]

RUN = FileFormat("a training run's run.json", 1)
STATUS = FileFormat("a training run's status.json", 1)

CERTIFICATES = "certificates"
_REMOVED = ".noughts-removed-"  # the prefix of a folder's name during its removal
_LOCK_SECONDS = 1.0  # a process that only checks whether a run is in use holds its lock for a moment


class Description(VersionedValue):
    """The description of a run, written when the run is created.

    Attributes:
        name: The run's name.
        method: The training method, a key of `noughts.training.registry.METHODS`.
        task: The training task, as text.
        config: The method's config, as JSON values.
        seed: The random seed.
        environment: The machine and the versions that created it.
        created: The time of creation, ISO 8601.
        outside: The version, or a hash, of each piece of third-party code that it trains with, by name.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "run.json"
    file_format: ClassVar = RUN

    name: str
    method: str
    task: str
    config: dict[str, Any]
    seed: int
    environment: Environment
    created: str
    outside: dict[str, str] = {}


class Status(VersionedValue):
    """The progress of a run.

    Attributes:
        state: "interrupted" is a run that ended without writing its status, for example after kill -9.
        iterations, positions: The training so far.
        seconds: The time so far, all sessions together.
        lines: The number of lines of the metrics when this was written; None from old versions, which did not count them.
        schedule: The schedule, as JSON values, if it differs from that of the config.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "status.json"
    file_format: ClassVar = STATUS

    state: State = "new"
    iterations: int = 0
    positions: int = 0
    seconds: float = 0.0
    lines: int | None = None
    schedule: dict[str, Any] | None = None


class RunFolder:
    """A training run's folder. `create`, `open` and `find` return one.

    Attributes:
        folder: The path.
        description: The content of run.json.
        digest: The SHA-256 of run.json, as hexadecimal digits.
        checkpoints: The last two full states.
        weights: The weights of every saved iteration.
        metrics: Losses, rates and strength.
    """

    def __init__(self, folder: Path, description: Description, digest: str) -> None:
        self.folder = folder
        self.description = description
        self.digest = digest
        self.checkpoints = Checkpoints(folder / "checkpoints", keep=2)
        self.weights = Checkpoints(folder / "weights")
        self.metrics = Metrics(folder / "metrics.jsonl")

    @classmethod
    def create(
        cls,
        folder: Path,
        *,
        method: str,
        task: str,
        config: Mapping[str, Any],
        seed: int,
        created: datetime,
        outside: Mapping[str, str] | None = None,
    ) -> Self:
        """Create a run's folder, or use an empty one.

        Args:
            config: JSON values.
            created: The current time.
            outside: See `Description`.

        Raises:
            StoreError: the folder has a run or other files already, or cannot be written.
        """
        make_folder(folder)
        path = folder / "run.json"
        with run_locked(folder):
            if path.exists():
                raise StoreError(
                    f"run {folder} exists already: resume it with `noughts runs resume {folder}`, or choose another name"
                )
            remove_unfinished(folder)
            if any(other.name != "lock" for other in folder.iterdir()):
                raise StoreError(f"the folder {folder} holds other things: name an empty or a new one")
            description = Description(
                name=folder.absolute().name,
                method=method,
                task=task,
                config=dict(config),
                seed=seed,
                environment=current_environment(),
                created=created.isoformat(timespec="seconds"),
                outside=dict(outside or {}),
            )
            write_atomically(path, with_hash(description.model_dump_json(indent=2)))
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the run in a folder; StoreError if there is none, or it cannot be read."""
        path = folder / "run.json"
        try:
            description = read_value(path, Description)
        except (FileNotFoundError, NotADirectoryError):
            raise StoreError(f"there is no run in {folder}: it has no run.json") from None
        return cls(folder, description, hashlib.sha256(path.read_bytes()).hexdigest())

    @classmethod
    def find(cls, run: str) -> Self:
        """Open the run that a text names: by its name in the store, or by its folder.

        Raises:
            StoreError: there is no such run; the error lists the store's runs.
        """
        return cls.open(find_folder(run))

    def __repr__(self) -> str:
        """The name and the folder."""
        return f"RunFolder({self.name!r}, folder={str(self.folder)!r})"

    @property
    def name(self) -> str:
        """The run's name."""
        return self.description.name

    @property
    def called(self) -> str:
        """The text by which agents and commands find it: its name if it is in the store, or else its folder."""
        return self.folder.name if self.folder.parent == training_folder() else str(self.folder)

    @contextlib.contextmanager
    def removed_if_it_fails(self) -> Iterator[None]:
        """Remove the run if its first training, in this context, fails before anything is trained. Its name is then free.

        After Ctrl-C the run stays, because it can be resumed.
        """
        try:
            yield
        except Exception:
            with contextlib.suppress(StoreError):  # the first error is more useful
                trained = self.status().iterations or self.checkpoints.iterations() or self.weights.iterations()
                if not trained and self.metrics.last() is None:
                    remove_folder(self.folder)
            raise

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """Lock the run for training; see `run_locked`."""
        return run_locked(self.folder)

    def status(self) -> Status:
        """The progress that its process wrote last; StoreError if that cannot be read."""
        kept = self._kept_status()
        if kept.state != "running":
            return kept
        state = "running" if self._is_locked() else "interrupted"
        return kept.model_copy(update={"state": state} | self._progress_in_metrics(kept))

    def write_status(self, status: Status) -> None:
        """Write the progress."""
        write_atomically(self.folder / "status.json", with_hash(status.model_dump_json(indent=2)))

    def lines(self) -> tuple[MetricsLine, ...]:
        """The lines of the metrics; StoreError if some are damaged or missing."""
        return self.metrics.lines(self._kept_status().lines)

    def iterations(self) -> tuple[int, ...]:
        """The iterations with saved weights, in ascending order."""
        return self.weights.iterations()

    def weights_at(self, iteration: int | None = None) -> tuple[int, Mapping[str, bytes]]:
        """An iteration, the last by default, and its weights as content by file name.

        Raises:
            StoreError: there are no such weights, or they are damaged.
        """
        chosen = self._iteration(iteration)
        return chosen, self.weights.read(chosen).files

    def weights_hash(self, iteration: int | None = None) -> str:
        """The SHA-256 of the weights of an iteration, the last by default, as hexadecimal digits; StoreError as above."""
        return self.weights.digest(self._iteration(iteration))

    def rewind(self, iteration: int, lines: int | None = None) -> None:
        """Remove the metrics and weights of later iterations, which training will repeat. `lines` is `least` of
        `Metrics.lines`, and StoreError is raised as there."""
        self.metrics.truncate(iteration, lines)
        self.weights.remove_after(iteration)

    def latest_checkpoint(self) -> tuple[Checkpoint | None, tuple[str, ...]]:
        """As `Checkpoints.latest`, to resume from; StoreError if there are some, and none can be read."""
        checkpoint, damaged = self.checkpoints.latest()
        if checkpoint is None and damaged:
            raise StoreError(
                f"run {self.name} cannot be resumed, because no checkpoint can be read: {'; '.join(damaged)}"
            )
        return checkpoint, damaged

    def mend(self) -> tuple[str, ...]:
        """Remove damaged parts, which training then repeats from the last undamaged checkpoint; return a line for each.

        Raises:
            StoreError: a process trains the run, it cannot be written, or none of its checkpoints can be read.
            NewerFormatError: a newer noughts wrote some of its files.
        """
        with self.locked():
            latest, _ = self.latest_checkpoint()
            lost = self.weights.remove_damaged()
            lines = [*self.checkpoints.remove_damaged().values(), *lost.values()]
            try:
                status = self._kept_status()
            except NewerFormatError:
                raise
            except StoreError as error:
                lines.append(str(error))
                done = latest and {"iterations": latest.iteration} | {
                    name: latest.about[name] for name in ("positions", "seconds")
                }
                status = Status(state="stopped", **(done or {}))
            try:
                measured = self.metrics.lines(status.lines)
            except NewerFormatError:
                raise
            except StoreError as error:
                lines.append(str(error))
                measured = self.metrics.readable()
            if lines:
                # Without its line, a measurement whose weights were lost is repeated, which saves weights again.
                kept = [line for line in measured if line.kind == "iteration" or line.iteration not in lost]
                self.metrics.replace(kept)
                if latest is not None:  # its count of lines is outdated
                    self.checkpoints.save(latest.iteration, latest.files, {**latest.about, "lines": None})
                state = "stopped" if lost else status.state
                self.write_status(status.model_copy(update={"lines": None, "state": state}))
        return tuple(lines)

    def _iteration(self, iteration: int | None) -> int:
        there = self.iterations()
        if not there:
            raise StoreError(
                f"run {self.name} has no weights yet: it saves the first ones when its strength is measured"
            )
        if iteration is None:
            return there[-1]
        if iteration not in there:
            shown = ", ".join(map(str, there if len(there) <= 20 else [*there[:9], "...", *there[-10:]]))
            raise StoreError(f"run {self.name} has no weights of iteration {iteration}; it has those of {shown}")
        return iteration

    def _kept_status(self) -> Status:
        """The status in status.json; StoreError if it is damaged."""
        try:
            return read_value(self.folder / "status.json", Status, hint=f": {MEND}")
        except FileNotFoundError:
            return Status()

    def _is_locked(self) -> bool:
        try:
            with run_locked(self.folder, seconds=0):
                return False
        except StoreError:
            return True

    def _progress_in_metrics(self, kept: Status) -> dict[str, Any]:
        """The progress in the last line of the metrics, if it is newer than the status."""
        last = self.metrics.last()
        if last is None or last.iteration < kept.iterations:
            return {}
        return {"iterations": last.iteration, "positions": last.positions, "seconds": last.seconds}


def folder_of_run(text: str) -> Path | None:
    """The folder of the run that a text names; None if there is no such run."""
    try:
        return find_folder(text)
    except StoreError:
        return None


def find_folder(run: str) -> Path:
    """The folder of the run that a text names, as for `RunFolder.find`; the run itself is not read.

    Raises:
        StoreError: there is no such run; the error lists the store's runs.
    """
    for folder in (training_folder() / run, Path(run)) if is_name(run) else (Path(run),):
        if run.strip() and _has_run(folder):
            return folder
    names = ", ".join(run_names()) or "none; make one with `noughts train`"
    raise StoreError(
        f"there is no run {shortened(run, 200)!r}: give a folder, or a run of {training_folder()}, which are: {names}"
    )


def remove_folder(folder: Path) -> None:
    """Remove a run with its folder. The folder is renamed first, so that a crash leaves the run either whole or gone.

    This also removes folders that a crash left from earlier removals.

    Raises:
        StoreError: a process trains the run (then nothing is changed), or it cannot be removed.
    """
    folder = folder.resolve()
    aside = folder.parent / f"{_REMOVED}{folder.name}-{secrets.token_hex(4)}"
    with explained(f"the run in {folder}", "removed"):
        with run_locked(folder):
            disk.DISK.rename(folder, aside)
        disk.DISK.sync_folder(folder.parent)
        disk.DISK.remove(aside)
        for left in folder.parent.glob(f"{_REMOVED}*"):
            with contextlib.suppress(OSError):  # another process may be removing it
                disk.DISK.remove(left)


def training_folder(place: str | None = None) -> Path:
    """The store's folder of training runs, each in a folder of its name; it need not exist."""
    return store_folder(place) / "training"


def is_name(text: str) -> bool:
    """Whether a text can be a run's name: letters, digits, ``.``, ``_`` and ``-``, but no path."""
    return re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", text) is not None


def run_names() -> tuple[str, ...]:
    """The names of the store's training runs, in alphabetical order; StoreError if its folder cannot be read."""
    folder = training_folder()
    return tuple(name for name in names_in(folder) if not name.startswith(_REMOVED) and _has_run(folder / name))


def _has_run(folder: Path) -> bool:
    try:
        return (folder / "run.json").exists()
    except OSError:  # for example, the name is too long
        return False


def list_runs() -> tuple[RunFolder, ...]:
    """The store's training runs, in the order of creation; unreadable ones are left out."""
    found = []
    for name in run_names():
        with contextlib.suppress(StoreError):
            found.append(RunFolder.open(training_folder() / name))
    return tuple(sorted(found, key=lambda run: (run.description.created, run.name)))


@contextlib.contextmanager
def run_locked(folder: Path, seconds: float = _LOCK_SECONDS) -> Iterator[None]:
    """Lock the run in a folder for training; StoreError if another process, or this one already, holds the lock.

    Args:
        folder: The folder; it need not have a run yet.
        seconds: How long to wait for another process, which may only be checking whether the run is in use.
    """
    lock = filelock.FileLock(folder / "lock", timeout=seconds, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise StoreError(f"the run in {folder} is in use by another process: wait until it ends, or stop it") from None
    except (OSError, NotImplementedError) as error:
        raise StoreError(f"{folder / 'lock'} cannot be locked: {getattr(error, 'strerror', None) or error}") from error
    try:
        yield
    finally:
        lock.release()
