"""Files that are either whole or not there."""

import contextlib
import os
import secrets
from pathlib import Path

from noughts.rules.errors import StoreError

SMALL_BYTES = 4 << 20
"""The largest file that is read as one that somebody wrote by hand."""


def make_folder(folder: Path) -> None:
    """Make a folder that can be written; StoreError if that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
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


def write_atomically(path: Path | str, data: bytes | str) -> None:
    """Write a file so that whoever looks sees the old file or the new one, whole, even after a loss of power.

    Args:
        path: The file; its folder must exist.
        data: Its content; text is written as UTF-8.

    Raises:
        StoreError: it cannot be written; then the old file, if any, is untouched.
    """
    path = Path(path)
    content = data.encode() if isinstance(data, str) else data
    temporary = path.parent / f".{os.getpid()}-{secrets.token_hex(8)}.tmp"  # a rename is atomic within one folder
    try:
        try:
            with open(temporary, "xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error


def sync_folder(folder: Path) -> None:
    """Force a folder's list of names to the disk, so that a new name lasts, too."""
    if os.name == "nt":  # where folders cannot be opened, nor need be
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
