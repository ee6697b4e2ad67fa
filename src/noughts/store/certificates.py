"""Saved certificates: compressed with xz in the store's folder, each named by the SHA-256 of its uncompressed content.

Because the name identifies the content, certificates cannot be confused, and equal ones are saved once. To check one, use
`noughts verify FILE`, or the checker alone, ``python verify.py FILE``.
"""

import hashlib
import lzma
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from noughts.rules import StoreError
from noughts.store.files import make_folder, write_atomically
from noughts.store.place import store_folder

ENDING = ".proof.xz"
_FAST = 1  # a preset of xz; the others take eight times as long, for files that are a sixth smaller
_DIGEST = re.compile("[0-9a-f]{64}")


def certificate_folder() -> Path:
    """The store's folder of certificates; it need not exist."""
    return store_folder() / "certificates"


def certificate_path(digest: str) -> Path:
    """The path of the certificate with this SHA-256, whether it exists or not."""
    return certificate_folder() / f"{digest}{ENDING}"


def is_kept(digest: str) -> bool:
    """Whether there is a sound file of the certificate with this SHA-256."""
    path = certificate_path(digest)
    return _DIGEST.fullmatch(digest) is not None and path.is_file() and _is_sound(path, digest, path.stat().st_mtime_ns)


@lru_cache(maxsize=10_000)  # answers are looked up many times
def _is_sound(path: Path, digest: str, changed: int) -> bool:
    try:
        read_certificate_file(digest)
    except StoreError:
        return False
    return True


def keep_certificate(content: bytes) -> str:
    """Save a certificate, and return its SHA-256; StoreError if it cannot be written."""
    digest = hashlib.sha256(content).hexdigest()
    path = certificate_path(digest)
    try:
        read_certificate_file(digest)
    except StoreError:  # missing or damaged
        make_folder(path.parent)
        write_atomically(path, lzma.compress(content, preset=_FAST))
    return digest


def copy_certificates(digests: Iterable[str], folder: Path) -> list[Path]:
    """Copy the certificates with these SHA-256 into a folder, and return the copies. StoreError if that fails."""
    make_folder(folder)
    kept = list(map(certificate_path, digests))
    for path in kept:
        write_atomically(folder / path.name, path.read_bytes())
    return [folder / path.name for path in kept]


def read_certificate_file(digest: str) -> bytes:
    """Read and decompress the certificate with this SHA-256.

    Args:
        digest: The SHA-256, as hexadecimal digits.

    Raises:
        StoreError: it is missing, unreadable or damaged.
    """
    path = certificate_path(digest)
    try:
        content = lzma.decompress(path.read_bytes())
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise StoreError(f"certificate {path} cannot be read: {error}: prove it again") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise StoreError(f"certificate {path} is damaged: it is not what was written: remove it, and prove it again")
    return content
