"""Files on their way between the machine that asks and the machines of a cluster, which may share none with it."""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from noughts.rules.errors import ComputeError

WrittenFile = tuple[str, bytes, bool]
"""The path of a file in a job's folder, its content, and whether it may be run as a program."""


@dataclass(frozen=True)
class SentFile:
    """A file that a job reads; its content travels beside it.

    Attributes:
        place: Where it belongs, below the folder of the asking process.
        digest: The SHA-256 of its content.
        runs: Whether it may be run as a program.
    """

    place: str
    digest: str
    runs: bool


class Places:
    """Where files of ours are found on other machines: below the folder of our session, or, shared, where they are here.

    Attributes:
        folder, store: Of our working folder and our store.
    """

    def __init__(self, folder: Path, store: Path, shared: bool) -> None:
        self._roots = {folder: str(folder) if shared else "work", store: str(store) if shared else "store"}
        if not shared and store.is_relative_to(folder):
            self._roots[store] = str(Path("work", store.relative_to(folder)))
        self.folder, self.store = self._roots[folder], self._roots[store]

    def of(self, file: str) -> str:
        """The place of a file or folder; ComputeError if other machines would not look there."""
        for root, place in self._roots.items():
            if Path(file).is_relative_to(root):
                return str(Path(place, Path(file).relative_to(root)))
        raise ComputeError(
            f"{file} is not below the working folder, so other machines cannot find it: start the command above it, or let "
            "all machines share files, --on PLACE,files=shared"
        )


def bring(root: Path, files: Iterable[tuple[SentFile, bytes]]) -> None:
    """Write files that were sent, as far as they are not there."""
    for file, content in files:
        path = root / file.place
        if not (path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == file.digest):
            write_whole(path, content, file.runs)


def states_in(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of writing of each file of a folder, by its path in it, in the order of writing; locks are left out."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if path.is_file() and path.name != "lock" and not any(part.startswith(".") for part in name.parts):
            status = path.stat()
            found[name.as_posix()] = status.st_size, status.st_mtime_ns
    return dict(sorted(found.items(), key=lambda item: (item[1][1], item[0])))


def changed_files(folder: Path, before: dict[str, tuple[int, int]]) -> tuple[tuple[WrittenFile, ...], tuple[str, ...]]:
    """The files of a folder that are new or changed since `states_in` was `before`, and the names of those that are gone."""
    now = states_in(folder)
    changed = [name for name, state in now.items() if before.get(name) != state]
    written = tuple((name, (folder / name).read_bytes(), os.access(folder / name, os.X_OK)) for name in changed)
    return written, tuple(before.keys() - now.keys())


def receive(folder: Path, written: Iterable[WrittenFile], gone: Iterable[str]) -> None:
    """Do to a folder here what a job did to it elsewhere; ComputeError if that is not possible."""
    try:
        for name, content, runs in written:
            write_whole(folder / name, content, runs)
        for name in gone:
            (folder / name).unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # other files are in it
                (folder / name).parent.rmdir()
    except OSError as error:
        raise ComputeError(f"what a machine has sent of {folder} cannot be kept: {error}") from error


def write_whole(path: Path, content: bytes, runs: bool) -> None:
    """Write a file that has come: whole, or not at all; several processes may write the same one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".arriving-")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, 0o755 if runs else 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
