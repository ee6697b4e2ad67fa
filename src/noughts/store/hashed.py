"""JSON objects with their own SHA-256 as the last field, for the files of a run and the lines of its metrics.

    {"kind":"iteration", ... ,"metrics":{"loss":0.5},"sha256":"..."}

The hash covers all text before its field and the comma there, as UTF-8. Older objects without a hash are still read. This is
safe, because each class rejects unknown fields, and so also a hash field with a damaged name.
"""

import hashlib
from pathlib import Path
from typing import TypeVar

from noughts.rules.errors import StoreError
from noughts.store.file_format import NewerFormatError, VersionedValue

ValueT = TypeVar("ValueT", bound=VersionedValue)

_FIELD = '"sha256":'


def read_value(path: Path, kind: type[ValueT], hint: str = "") -> ValueT:
    """Read the value in a file with a hash.

    Args:
        path: The file.
        kind: The value's class.
        hint: A text to append to an error about damage.

    Raises:
        FileNotFoundError, NotADirectoryError: there is no such file.
        NewerFormatError: a newer noughts wrote it.
        StoreError: it is damaged, or cannot be read.
    """
    try:
        return kind.from_json(without_hash(path.read_bytes()))
    except (FileNotFoundError, NotADirectoryError):
        raise
    except NewerFormatError as error:
        raise NewerFormatError(f"{path}: {error}") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from error
    except (StoreError, ValueError) as error:
        raise StoreError(f"{path} is damaged: {error}{hint}") from None


def with_hash(text: str) -> str:
    """Add the hash to a JSON object with at least one field, compact or indented by two."""
    end, space = ("\n}", "\n  ") if text.endswith("\n}") else ("}", "")
    body = text.removesuffix(end)
    return f'{body},{space}{_FIELD}"{hashlib.sha256(body.encode()).hexdigest()}"{end}'


def without_hash(content: bytes) -> str:
    """Check and remove the hash of `with_hash`; ValueError if the text does not match it."""
    text = content.decode()
    before, field, after = text.rpartition(_FIELD)
    if not field:
        return text
    body = before.rstrip().removesuffix(",") + ("\n}" if after.endswith("\n}") else "}")
    if with_hash(body) != text:
        raise ValueError("it does not have the SHA-256 that it names")
    return body
