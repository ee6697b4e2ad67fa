"""How files are written: single steps by `DISK`, and atomic replacement by `made_whole`."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

UNFINISHED = ".tmp"
"""The ending of the names of incomplete files, which also begin with a dot."""


class Disk:
    """Steps of writing files, one per method. Each raises OSError if it fails.

    After a power failure, data written to a file survives if `sync` was called since, and a name that was created, changed
    or removed in a folder if `sync_folder` was.
    """

    def create(self, path: Path, content: bytes) -> None:
        """Create a file, which must not exist."""
        with open(path, "xb") as file:
            file.write(content)

    def append(self, path: Path, content: bytes) -> None:
        """Append to a file, which is created if it does not exist."""
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            while content:  # usually one write: then no process or interruption sees half of it
                content = content[os.write(handle, content) :]
        finally:
            os.close(handle)

    def sync(self, path: Path) -> None:
        """Force a file's content to the disk."""
        self._sync(path, os.O_RDWR)

    def sync_folder(self, folder: Path) -> None:
        """Force a folder's list of names to the disk."""
        if os.name != "nt":  # Windows cannot open folders, and need not sync them
            self._sync(folder, os.O_RDONLY)

    def rename(self, old: Path, new: Path) -> None:
        """Rename a file within its folder, replacing any file of the new name; or rename a folder to an unused name."""
        os.replace(old, new)

    def make_folder(self, folder: Path) -> None:
        """Create a folder, unless it exists; its parent must exist."""
        folder.mkdir(exist_ok=True)

    def remove(self, path: Path) -> None:
        """Remove a file, or a folder with its contents."""
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()

    def _sync(self, path: Path, mode: int) -> None:
        handle = os.open(path, mode)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


DISK = Disk()
"""The disk in use. Tests replace it by one that simulates power failures."""


def is_read_only(path: Path) -> bool:
    """Whether a file is on a file system that can only be read; False if this is not known."""
    with contextlib.suppress(OSError, AttributeError):  # Windows has no statvfs
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    return False


@contextlib.contextmanager
def made_whole(path: Path, name: str = "") -> Iterator[Path]:
    """Replace a file or folder atomically: yield a temporary path; when the block ends, sync it and rename it to `path`.

    The temporary path is in the same folder, because a rename is atomic only within one. If the block fails, its work is
    removed and the old file, if any, is untouched. It may make a folder if `path` is free, and must sync the files in it.

    Args:
        path: The file or folder.
        name: The temporary name; empty for an unused one.

    Raises:
        OSError: it cannot be put in its place.
    """
    new = path.parent / (name or f".{os.getpid()}-{secrets.token_hex(8)}{UNFINISHED}")
    try:
        yield new
        (DISK.sync_folder if new.is_dir() else DISK.sync)(new)
        DISK.rename(new, path)
    except BaseException:
        with contextlib.suppress(OSError):
            DISK.remove(new)
        raise
    DISK.sync_folder(path.parent)
