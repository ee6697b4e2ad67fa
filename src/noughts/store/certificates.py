"""Certificates that are kept: packed with xz in the store's folder, each under the SHA-256 of what is packed.

A file's name identifies its content, so that one is never mistaken for another, and equal ones are kept once. To check
one, use `noughts verify FILE`, or the checker alone, ``python verify.py FILE``.
"""

import hashlib
import lzma
import re
from collections.abc import Iterable
from pathlib import Path

from noughts.rules import StoreError
from noughts.store.files import make_folder, write_atomically
from noughts.store.place import store_folder

ENDING = ".proof.xz"
_FAST = 1  # of the presets of xz: the others take eight times as long for a sixth less
_DIGEST = re.compile("[0-9a-f]{64}")


def certificate_folder() -> Path:
    """Where the store keeps certificates; it need not exist."""
    return store_folder() / "certificates"


def certificate_path(digest: str) -> Path:
    """Where the certificate of this SHA-256 lies, if it is kept."""
    return certificate_folder() / f"{digest}{ENDING}"


def is_kept(digest: str) -> bool:
    """Whether there is a certificate of this SHA-256; what is in it, its checker finds out."""
    return _DIGEST.fullmatch(digest) is not None and certificate_path(digest).is_file()


def keep_certificate(content: bytes) -> str:
    """Keep a certificate, and give its SHA-256; StoreError if it cannot be written."""
    digest = hashlib.sha256(content).hexdigest()
    path = certificate_path(digest)
    try:
        read_certificate_file(digest)
    except StoreError:  # it is not there, or damaged
        make_folder(path.parent)
        write_atomically(path, lzma.compress(content, preset=_FAST))
    return digest


def copy_certificates(digests: Iterable[str], folder: Path) -> list[Path]:
    """Copy the certificates of these SHA-256 into a folder, which is made; gives the copies. StoreError if that fails."""
    make_folder(folder)
    kept = list(map(certificate_path, digests))
    for path in kept:
        write_atomically(folder / path.name, path.read_bytes())
    return [folder / path.name for path in kept]


def read_certificate_file(digest: str) -> bytes:
    """The certificate of this SHA-256, unpacked.

    Args:
        digest: Hexadecimal digits.

    Raises:
        StoreError: it is not kept, cannot be read, or is not what was written.
    """
    path = certificate_path(digest)
    try:
        content = lzma.decompress(path.read_bytes())
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise StoreError(f"certificate {path} cannot be read: {error}: prove it again") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise StoreError(f"certificate {path} is damaged: it is not what was written: remove it, and prove it again")
    return content
