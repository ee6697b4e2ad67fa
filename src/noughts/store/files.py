"""Files that are either whole or not there, and the steps by which everything but the database is written."""

import contextlib
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from noughts.rules.errors import StoreError

SMALL_BYTES = 4 << 20
"""The largest file that is read as one that somebody wrote by hand."""

_UNFINISHED = ".tmp"
_NO_FILE = "is a pipe, a device or the like, which is not written over: give a file's name"


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


def make_folders(folder: Path) -> None:
    """Make a folder and those above it, as far as they are not there, so that they last; OSError if that fails."""
    missing = [folder]
    while not missing[-1].exists():
        missing.append(missing[-1].parent)
    for new, parent in zip(reversed(missing[:-1]), reversed(missing[1:]), strict=True):
        DISK.make_folder(new)
        DISK.sync_folder(parent)
    DISK.make_folder(folder)  # says if it is a file


def make_folder(folder: Path) -> None:
    """Make a folder that can be written; StoreError if that is not possible."""
    try:
        make_folders(folder)
    except OSError as error:
        raise StoreError(f"the folder {folder} cannot be made: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK):
        raise StoreError(f"the folder {folder} cannot be written")


def read_small(path: Path) -> bytes:
    """The content of a file that somebody wrote by hand.

    Raises:
        StoreError: it is no file with an end, such as a device, or larger than `SMALL_BYTES`.
        OSError: it cannot be read.
    """
    if not path.is_file() and path.exists():
        raise StoreError(f"{path} is no regular file")
    with path.open("rb") as file:
        content = file.read(SMALL_BYTES + 1)
    if len(content) > SMALL_BYTES:
        raise StoreError(f"{path} is too large: at most {SMALL_BYTES >> 20} MiB are allowed")
    return content


def require_new(path: Path, force: bool) -> None:
    """Refuse to write over a file that somebody named, unless that was asked for.

    Raises:
        StoreError: it is there already; it is no file, such as a pipe; or the folder that it should be in is not there.
    """
    if str(path) == "-":
        raise StoreError(
            "- is no standard output here, since the file is written whole or not at all: give a file's name"
        )
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise StoreError(f"{path} {_NO_FILE}")
    if path.exists() and not force:
        raise StoreError(f"{path} is there already: --force writes over it")
    if not path.parent.is_dir():
        raise StoreError(f"there is no folder {path.parent}")


def remove_unfinished(folder: Path) -> None:
    """Remove what a crash left of files that were to be written; only while nobody writes in the folder."""
    for path in folder.glob(f".*{_UNFINISHED}"):
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def made_whole(path: Path, name: str = "") -> Iterator[Path]:
    """Another name in a file's folder, to make the file under: it takes the file's place, for good, when the block ends.

    The name lies in that folder because a rename is atomic within one. If the block fails, what it made is removed, and the
    old file, if any, is untouched.

    Args:
        path: The file.
        name: The other name; one that is free unless given.

    Raises:
        OSError: the file cannot be put in its place.
    """
    new = path.parent / (name or f".{os.getpid()}-{secrets.token_hex(8)}{_UNFINISHED}")
    try:
        yield new
        DISK.sync(new)
        DISK.rename(new, path)
    except BaseException:
        with contextlib.suppress(OSError):
            DISK.remove(new)
        raise
    DISK.sync_folder(path.parent)


def write_atomically(path: Path | str, data: bytes | str) -> None:
    """Write a file so that whoever looks sees the old file or the new one, whole, even after a loss of power.

    Every output of noughts goes through here. A link stays a link, and what it leads to is written.

    Args:
        path: The file; its folder must exist.
        data: Its content; text is written as UTF-8.

    Raises:
        StoreError: it cannot be written, or is a folder, a pipe or a device; then the old file, if any, is untouched.
    """
    content = data.encode() if isinstance(data, str) else data
    target = Path(os.path.realpath(path))
    try:
        with contextlib.suppress(FileNotFoundError):
            mode = target.stat().st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(mode):
                raise StoreError(f"{path} {_NO_FILE}")
        with made_whole(target) as new:
            DISK.create(new, content)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
