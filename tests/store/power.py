"""A disk that loses power: before a chosen step everything stops, and data that was not synced may be lost."""

import errno
import random
import shutil
from pathlib import Path
from typing import Literal

from noughts.machine.disk import Disk

Failure = Literal["power", "error", "torn"]


class PowerLost(BaseException):
    """The power is lost, so nothing can continue."""


class FailingDisk(Disk):
    """A disk on which one step fails.

    Args:
        folder: An existing folder; the disk tracks the files below it.
        fails_at: The step, from 0, before which power is lost or that fails; also an attribute.
        failure: Power is lost; or the step fails with an error after doing nothing or half of its work.

    Attributes:
        steps: The number of steps begun.
    """

    def __init__(self, folder: Path, fails_at: int | None = None, failure: Failure = "power") -> None:
        self.folder = folder
        self.steps = 0
        self.fails_at, self._failure = fails_at, failure
        self._lost = False
        self._contents: dict[Path, bytes] = {}  # their synced content, by their current path
        # For each folder: its names on the disk, and their targets.
        self._names: dict[Path, dict[str, Path | None]] = {}

    def _step(self, tears: bool = False) -> bool:
        """Begin a step; return whether it is to be torn, if one of its kind `tears`."""
        if self._lost:
            raise PowerLost
        here = self.steps == self.fails_at
        self.steps += 1
        if here and self._failure == "power":
            self._lost = True
            raise PowerLost
        if here and not (tears and self._failure == "torn"):
            raise OSError(errno.EIO, "Input/output error")
        return here

    def create(self, path: Path, content: bytes) -> None:
        torn = self._step(tears=True)
        super().create(path, content[: len(content) // 2] if torn else content)
        self._contents[path] = b""
        if torn:
            raise OSError(errno.ENOSPC, "No space left on device")

    def append(self, path: Path, content: bytes) -> None:
        torn = self._step(tears=True)
        self._contents.setdefault(path, b"")
        super().append(path, content[: len(content) // 2] if torn else content)
        if torn:
            raise OSError(errno.ENOSPC, "No space left on device")

    def sync(self, path: Path) -> None:
        self._step()
        super().sync(path)
        self._contents[path] = path.read_bytes()

    def sync_folder(self, folder: Path) -> None:
        self._step()
        super().sync_folder(folder)
        self._names[folder] = {path.name: path for path in folder.iterdir()}

    def rename(self, old: Path, new: Path) -> None:
        self._step()
        super().rename(old, new)
        self._moved(old, new)

    def make_folder(self, folder: Path) -> None:
        self._step()
        super().make_folder(folder)

    def remove(self, path: Path) -> None:
        self._step()
        super().remove(path)

    def _moved(self, old: Path, new: Path) -> None:
        """Move the state of a path to its new path."""

        def now(path: Path) -> Path:
            return new / path.relative_to(old) if path.is_relative_to(old) else path

        self._contents = {now(path): content for path, content in self._contents.items() if path != new}
        self._names = {
            now(folder): {name: path and now(path) for name, path in names.items()}
            for folder, names in self._names.items()
        }

    def after_loss(self, to: Path, rng: random.Random) -> None:
        """Make the folder as it may be found after power returns."""
        self._restore(self.folder, to, rng)

    def _restore(self, folder: Path, to: Path, rng: random.Random) -> None:
        to.mkdir()
        now = {path.name: path for path in folder.iterdir()}
        then = self._names.get(folder, {})
        for name in sorted(now.keys() | then.keys()):
            before, after = then.get(name), now.get(name)
            path = after if before == after or rng.random() < 0.5 else before
            if path is None or not path.exists():  # the name did not exist, or its file is removed
                continue
            if path.is_dir():
                self._restore(path, to / name, rng)
            else:
                (to / name).write_bytes(self._content(path, rng))

    def _content(self, path: Path, rng: random.Random) -> bytes:
        """A possible content of a file: the synced part, and of the rest all, a part, zeros or nothing."""
        written = path.read_bytes()
        kept = self._contents.get(path, written)  # written by others, such as locks
        if not written.startswith(kept):
            return kept
        rest = written[len(kept) :]
        return kept + rng.choice((rest, rest[: len(rest) // 2], bytes(len(rest)), b""))


def emptied(folder: Path) -> Path:
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
