"""Read, validate and atomically write the files and folders that people name."""

import contextlib
import errno
import os
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from pathlib import Path

from noughts.machine import disk
from noughts.rules.errors import StoreError

SMALL_BYTES = 4 << 20
"""The size limit of a file that a person wrote."""

_NO_FILE = "is a pipe, a device or the like, which is not written over: give a file's name"


@contextlib.contextmanager
def explained(what: object, verb: str) -> Iterator[None]:
    """Turn OSError into a one-line StoreError: what cannot be done (`verb`, such as ``read``), and why."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{what} cannot be {verb}: {error.strerror or error}") from error


def names_in(folder: Path) -> list[str]:
    """The names in a folder, in alphabetical order; empty if there is no folder. StoreError if it cannot be read."""
    with explained(f"the folder {folder}", "read"), contextlib.suppress(FileNotFoundError):
        return sorted(os.listdir(folder))
    return []


def make_folders(folder: Path) -> None:
    """Create a folder and missing ones above it, durably on the disk; OSError if that fails."""
    missing = [folder]
    while not missing[-1].exists():
        missing.append(missing[-1].parent)
    for new, parent in zip(reversed(missing[:-1]), reversed(missing[1:]), strict=True):
        disk.DISK.make_folder(new)
        disk.DISK.sync_folder(parent)
    disk.DISK.make_folder(folder)  # fails if it is a file


def make_folder(folder: Path) -> None:
    """Create a folder, or use an existing one that can be written; StoreError if that fails."""
    with explained(f"the folder {folder}", "made"):
        make_folders(folder)
    if not os.access(folder, os.W_OK):
        raise StoreError(f"the folder {folder} cannot be written")


def text_of(content: bytes) -> str:
    """Decode UTF-8, or UTF-16 with a byte order mark, which Windows calls "Unicode". The mark is removed.

    Raises:
        StoreError: it is neither.
    """
    try:
        return content.decode("utf-16" if content[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8-sig")
    except UnicodeDecodeError:
        raise StoreError("not a text in UTF-8: save it with that encoding") from None


def read_small(path: Path, what: str) -> str:
    """Read the text of a file that a person wrote. `what` describes it in errors, for example ``the configuration``.

    Raises:
        StoreError: it cannot be read, is no regular file, is larger than `SMALL_BYTES`, or is not text.
    """
    if not path.is_file() and path.exists():
        raise StoreError(f"{path} is no regular file")
    with explained(f"{what} {path}", "read"), path.open("rb") as file:
        content = file.read(SMALL_BYTES + 1)
    if len(content) > SMALL_BYTES:
        raise StoreError(f"{path} is too large: at most {SMALL_BYTES >> 20} MiB are allowed")
    try:
        return text_of(content)
    except StoreError as error:
        raise StoreError(f"{path} is {error}") from None


def require_new(path: Path, force: bool) -> None:
    """Check that an output can be written to a path without overwriting a file, unless `force` is set.

    Raises:
        StoreError: the path exists already, is no regular file, for example a pipe, or its folder does not exist.
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
    """Remove unfinished files that a crash left. Call it only while no process writes in the folder."""
    for path in folder.glob(f".*{disk.UNFINISHED}"):
        path.unlink(missing_ok=True)


def write_atomically(path: Path | str, data: bytes | str) -> None:
    """Write a file so that readers see either the whole old file or the whole new one, even after a power failure.

    All output files of noughts are written by this function. If the path is a link, its target is written.

    Args:
        path: The file; its folder must exist.
        data: The content; text is written as UTF-8.

    Raises:
        StoreError: it cannot be written, or is a folder, a pipe or a device; then the old file, if any, is unchanged.
    """
    content = data.encode() if isinstance(data, str) else data
    target = Path(os.path.realpath(path))
    with explained(path, "written"):
        with contextlib.suppress(FileNotFoundError):
            mode = target.stat().st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(mode):
                raise StoreError(f"{path} {_NO_FILE}")
        with disk.made_whole(target) as new:
            disk.DISK.create(new, content)
