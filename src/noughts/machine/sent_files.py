"""Files on their way between the asking machine and the machines of a cluster, which may share none with it."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from noughts.machine import disk
from noughts.rules.errors import ComputeError


class SentFile(NamedTuple):
    """A file with its content.

    Attributes:
        place: Its path, relative to a folder that both sides have.
        content: Its bytes.
        runs: Whether it is executable.
    """

    place: str
    content: bytes
    runs: bool


class Places:
    """The paths of our files on other machines: below the session's folder there, or, if files are shared, as they are here.

    Attributes:
        folder, store: The places of our working folder and our store.
    """

    def __init__(self, folder: Path, store: Path, shared: bool) -> None:
        self._roots = {folder: str(folder) if shared else "work", store: str(store) if shared else "store"}
        if not shared and store.is_relative_to(folder):
            self._roots[store] = str(Path("work", store.relative_to(folder)))
        self.folder, self.store = self._roots[folder], self._roots[store]

    def of(self, file: str) -> str:
        """The place of a file or folder; ComputeError if it is outside both folders, so that other machines cannot find it."""
        for root, place in self._roots.items():
            if Path(file).is_relative_to(root):
                return str(Path(place, Path(file).relative_to(root)))
        raise ComputeError(
            f"{file} is not below the working folder, so other machines cannot find it: start the command above it, or let "
            "all machines share files, --on PLACE,files=shared"
        )


def read_file(path: Path, place: str) -> SentFile:
    """Read a file of ours to be sent; OSError if it cannot be read."""
    return SentFile(place, path.read_bytes(), os.access(path, os.X_OK))


def files_in(folder: Path) -> list[Path]:
    """The files of a folder, oldest first, without locks and hidden files."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.name != "lock"]
    seen = [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    return sorted(seen, key=lambda path: (path.stat().st_mtime_ns, path))


def bring(root: Path, files: Iterable[SentFile]) -> None:
    """Write received files, except those that exist with equal content; several processes may write the same file."""
    for file in files:
        path = root / file.place
        if not (path.is_file() and path.read_bytes() == file.content):
            path.parent.mkdir(parents=True, exist_ok=True)
            with disk.made_whole(path) as new:
                disk.DISK.create(new, file.content)
                new.chmod(0o755 if file.runs else 0o644)


def changes_in(root: Path, folder: str, sent: Iterable[SentFile]) -> tuple[list[SentFile], list[str]]:
    """The changes that a job made to its folder below `root`: new or changed files, by their path in it, and the paths of
    sent files that are gone."""
    made = root / folder
    before = {root / file.place: file for file in sent if (root / file.place).is_relative_to(made)}
    now = {path: read_file(path, path.relative_to(root).as_posix()) for path in files_in(made)}
    changed = [path for path, file in now.items() if before.get(path) != file]
    written = [now[path]._replace(place=path.relative_to(made).as_posix()) for path in changed]
    return written, [path.relative_to(made).as_posix() for path in before.keys() - now.keys()]


def receive(folder: Path, written: Iterable[SentFile], gone: Iterable[str]) -> None:
    """Apply the changes that a job made elsewhere to a folder here; ComputeError if that is not possible."""
    try:
        bring(folder, written)
        for name in gone:
            (folder / name).unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # other files are in it
                (folder / name).parent.rmdir()
    except OSError as error:
        raise ComputeError(f"files that a machine sent for {folder} cannot be saved: {error}") from error
