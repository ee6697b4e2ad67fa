"""How files are written: step by step on `DISK`, and whole or not at all by `made_whole`."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

UNFINISHED = ".tmp"
"""The ending of files that are not whole yet; their names begin with a dot."""


class Disk:
    """What is done to files. Each method is a step; OSError if it fails.

    After a loss of power what was written to a file is there if `sync` was called for it since, and a name that was
    made, changed or removed in a folder if `sync_folder` was.
    """

    def create(self, path: Path, content: bytes) -> None:
        """Make a file, which must not be there."""
        with open(path, "xb") as file:
            file.write(content)

    def append(self, path: Path, content: bytes) -> None:
        """Add to the end of a file, which is made if need be."""
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            while content:  # usually once: then no other process, and no interruption, sees half of it
                content = content[os.write(handle, content) :]
        finally:
            os.close(handle)

    def sync(self, path: Path) -> None:
        """Force a file's content to the disk."""
        self._sync(path, os.O_RDWR)

    def sync_folder(self, folder: Path) -> None:
        """Force a folder's list of names to the disk."""
        if os.name != "nt":  # where folders cannot be opened, nor need be
            self._sync(folder, os.O_RDONLY)

    def rename(self, old: Path, new: Path) -> None:
        """Give a file another name in its folder, replacing the one that has it; or a folder one that is free."""
        os.replace(old, new)

    def make_folder(self, folder: Path) -> None:
        """Make a folder, if it is not there, in one that is."""
        folder.mkdir(exist_ok=True)

    def remove(self, path: Path) -> None:
        """Remove a file, or a folder with all that is in it."""
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
"""The disk that there is. Tests put one in its place that loses power."""


@contextlib.contextmanager
def made_whole(path: Path, name: str = "") -> Iterator[Path]:
    """Another name in a file's folder, to make the file under: it takes the file's place, for good, when the block ends.

    The name lies in that folder because a rename is atomic within one. If the block fails, what it made is removed, and the
    old file, if any, is untouched. The block may make a folder, of files that it forces to the disk, if none has its place.

    Args:
        path: The file or folder.
        name: The other name; one that is free unless given.

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
