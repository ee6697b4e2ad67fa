"""Files that were brought from another machine: where they lie here, under which name they are known, and how they are kept.

A node of a cluster does not see the files of the machine that asks. What a job reads is brought into a folder, the mirror,
in which each file has the path that it has over there: ``/home/ada/agents/mine.py`` is at ``MIRROR/home/ada/agents/mine.py``.
The working folder of workers is the mirror of the working folder there, so that relative paths mean the same; what names
a file of Python in full is looked up by `located`, and known by its `original` path.
"""

import hashlib
import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

BROUGHT = "NOUGHTS_BROUGHT"
"""The environment variable that names the mirror, in workers that have one."""


def located(path: str | Path) -> Path:
    """Where a file lies that the asking machine calls so: in the mirror, if it was brought there."""
    mirror = os.environ.get(BROUGHT)
    full = Path(path).resolve()
    if not mirror or full.is_relative_to(mirror):
        return full
    brought = mirrored(mirror, full)
    return brought if brought.exists() else full


def original(path: Path) -> Path:
    """What the asking machine calls a file."""
    mirror = os.environ.get(BROUGHT)
    return Path("/") / path.relative_to(mirror) if mirror and path.is_relative_to(mirror) else path


def mirrored(mirror: str | Path, path: Path) -> Path:
    """Where a file of the asking machine is in a mirror."""
    return Path(mirror) / path.relative_to(path.anchor)


@dataclass(frozen=True)
class FileState:
    """A file, as it was when it was looked at.

    Attributes:
        path: In full, or below a folder.
        size: Bytes.
        written: When, in nanoseconds, by its machine's clock.
        runs: Whether it may be run as a program.
    """

    path: str
    size: int
    written: int
    runs: bool


@dataclass(frozen=True)
class BroughtFile:
    """A file on its way.

    Attributes:
        path: As of `FileState`.
        content: What is in it.
        digest: The SHA-256 of the content, hexadecimal digits.
        runs: As of `FileState`.
    """

    path: str
    content: bytes
    digest: str
    runs: bool


def states_in(folder: Path) -> list[FileState]:
    """The files of a folder, by their paths below it, in the order in which they were written.

    Locks, and what is not yet written whole, are left out.
    """
    found = []
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if name.name == "lock" or any(part.startswith(".") for part in name.parts):
            continue
        try:
            if path.is_file():
                found.append(_state(path, name.as_posix()))
        except OSError:  # it has gone since
            continue
    return sorted(found, key=lambda state: (state.written, state.path))


def read_unchanged(folder: Path, states: Iterable[FileState]) -> list[BroughtFile] | None:
    """The files that are meant; None if one has changed since it was looked at, so that they may not belong together."""
    found = []
    for state in states:
        try:
            file = read_file(folder / state.path, state.path)
            now = _state(folder / state.path, state.path)
        except OSError:
            return None
        if now != state or len(file.content) != state.size:
            return None
        found.append(file)
    return found


def read_file(path: Path, name: str) -> BroughtFile:
    """A file, ready to go; OSError if it cannot be read."""
    content = path.read_bytes()
    return BroughtFile(name, content, hashlib.sha256(content).hexdigest(), os.access(path, os.X_OK))


def put_file(path: Path, file: BroughtFile) -> None:
    """Write a file that has come: whole, or not at all.

    Raises:
        ValueError: it is not what was sent.
        OSError: it cannot be written.
    """
    if hashlib.sha256(file.content).hexdigest() != file.digest:
        raise ValueError(f"{file.path} is not what was sent")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".arriving-{secrets.token_hex(4)}-{path.name}"[:200])
    try:
        with temporary.open("xb") as stream:
            stream.write(file.content)
            stream.flush()
            os.fsync(stream.fileno())
        if file.runs:
            temporary.chmod(0o755)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def is_there(path: Path, digest: str) -> bool:
    """Whether a file is there, and is what is meant."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _state(path: Path, name: str) -> FileState:
    found = path.stat()
    return FileState(name, found.st_size, found.st_mtime_ns, os.access(path, os.X_OK))
