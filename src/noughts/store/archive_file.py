"""An archive of many files: a plain ``.tar.xz`` that begins with a list of its members and their hashes.

Equal contents give equal bytes, because there are no times and no owners, and names are in order. Any tool for ``.tar.xz``
opens it. The reader trusts nothing: it accepts only the exact headers that are written here and names that the caller allows,
and it reads nothing beyond the sizes in the list, whose sum is limited.

    manifest.json   {"format": ..., "version": 1, ... the caller's facts ..., "members": {name: {"bytes": 5, "sha256": "..."}}}
    all members     in the order of their names
"""

import hashlib
import io
import json
import lzma
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from noughts.rules.errors import StoreError
from noughts.store.file_format import FileFormat
from noughts.store.files import write_atomically

MANIFEST = "manifest.json"
ARCHIVE = FileFormat("a study as one file, .tar.xz", 1, where="`version` of its manifest.json")
MOST_BYTES = 4 << 30
"""The size limit of all members of an archive together, unpacked."""
_MOST_MANIFEST = 64 << 20
_BLOCK = tarfile.BLOCKSIZE
_PIECE = 1 << 20


class ArchiveError(StoreError):
    """A file is no archive, is damaged, or violates the limits of an archive."""


class ArchiveContent(NamedTuple):
    """The content of an archive.

    Attributes:
        facts: The manifest without the list.
        members: Contents by name.
    """

    facts: Mapping[str, Any]
    members: Mapping[str, bytes]


def write_archive(path: Path, kind: str, facts: Mapping[str, Any], members: Mapping[str, bytes]) -> None:
    """Write an archive atomically; StoreError if it cannot be written.

    Args:
        path: The file.
        kind: The kind of archive, which is the format in the manifest.
        facts: JSON values for the manifest.
        members: Contents by name; ValueError if a name is longer than 100 bytes.
    """
    listed = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in sorted(members.items())
    }
    manifest = {"format": kind, "version": ARCHIVE.version, **facts, "members": listed}
    first = (json.dumps(manifest, indent=1) + "\n").encode()
    out = io.BytesIO()
    with lzma.open(out, "wb", format=lzma.FORMAT_XZ, preset=6) as packed:
        for name, content in [(MANIFEST, first), *sorted(members.items())]:
            packed.write(_header(name, len(content)))
            packed.write(content)
            packed.write(bytes(-len(content) % _BLOCK))
        packed.write(bytes(2 * _BLOCK))
    write_atomically(path, out.getvalue())


def read_archive(path: Path, kind: str, allowed: Callable[[str], bool]) -> ArchiveContent:
    """Read an archive, and check all members by their hashes.

    Args:
        path: The file.
        kind: The required kind of archive.
        allowed: Returns whether a member may have a name.

    Raises:
        ArchiveError: it is no archive, is damaged, or contains a member that is not allowed.
    """
    try:
        with lzma.open(path, "rb", format=lzma.FORMAT_XZ) as packed:
            return _read(packed, kind, allowed)
    except ArchiveError as error:
        raise ArchiveError(f"{path} is refused: {error}") from None
    except (lzma.LZMAError, EOFError):
        raise ArchiveError(
            f"{path} is refused: it is no whole .xz file: damaged, truncated, or something else"
        ) from None
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror or error}") from error


def _read(packed: IO[bytes], kind: str, allowed: Callable[[str], bool]) -> ArchiveContent:
    name, size = _next(packed)
    if name != MANIFEST or size > _MOST_MANIFEST:
        raise ArchiveError(f"it does not begin with a {MANIFEST} of up to {_MOST_MANIFEST >> 20} MiB")
    try:
        manifest = json.loads(_content(packed, size))
        if manifest["format"] != kind:
            raise ArchiveError(f"it is no {kind}")
        ARCHIVE.read(manifest["version"], ArchiveError)
        listed = {str(name): (int(one["bytes"]), str(one["sha256"])) for name, one in manifest["members"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ArchiveError(f"its {MANIFEST} is none") from None
    if min([0, *(size for size, _ in listed.values())]) < 0 or sum(size for size, _ in listed.values()) > MOST_BYTES:
        raise ArchiveError(f"its members would be more than {MOST_BYTES >> 30} GiB together")
    if refused := [name for name in listed if not allowed(name)]:
        raise ArchiveError(f"it may hold no member called {ascii(refused[0])[:80]}")
    members = {}
    for name, (size, digest) in sorted(listed.items()):
        if _next(packed) != (name, size):
            raise ArchiveError(f"{name} is not where its {MANIFEST} puts it, or has another size")
        members[name] = _content(packed, size)
        if hashlib.sha256(members[name]).hexdigest() != digest:
            raise ArchiveError(f"{name} is damaged: its SHA-256 is another")
    if packed.read(2 * _BLOCK + 1) != bytes(2 * _BLOCK):
        raise ArchiveError(f"it holds more than its {MANIFEST} lists")
    facts = {key: value for key, value in manifest.items() if key not in ("format", "version", "members")}
    return ArchiveContent(facts, members)


def _header(name: str, size: int) -> bytes:
    """The only valid header for a member of this name and size."""
    member = tarfile.TarInfo(name)
    member.size = size
    header = member.tobuf(format=tarfile.USTAR_FORMAT)
    if len(header) != _BLOCK or len(name.encode()) > 100:
        raise ValueError(f"{name!r} is too long for a member's name")
    return header


def _next(packed: IO[bytes]) -> tuple[str, int]:
    """Read the header of the next member: its name and size."""
    header = packed.read(_BLOCK)
    try:
        name, size = header[:100].rstrip(b"\0").decode("ascii"), int(header[124:136].rstrip(b"\0 "), 8)
        whole = header == _header(name, size)
    except (ValueError, OverflowError):
        whole = False
    if not whole:
        raise ArchiveError(
            "a member's header is none that archives have: damaged, truncated, or made by something else"
        )
    return name, size


def _content(packed: IO[bytes], size: int) -> bytes:
    """Read and return `size` bytes, and skip the padding of their block."""
    pieces, left = [], size
    while left:
        piece = packed.read(min(left, _PIECE))
        if not piece:
            raise ArchiveError("it is truncated")
        pieces.append(piece)
        left -= len(piece)
    packed.read(-size % _BLOCK)
    return b"".join(pieces)
