"""JSON objects that carry their own SHA-256, as their last field: a file of a run, or a line of its metrics.

    {"kind":"iteration", ... ,"metrics":{"loss":0.5},"sha256":"..."}

The hash is that of all that stands before its field and the comma there, as UTF-8. Objects that were written before there were hashes have
none, and are read as they are: whoever reads one knows its fields, and refuses a hash's field with a damaged name.
"""

import hashlib

_FIELD = '"sha256":'


def with_hash(text: str) -> str:
    """A JSON object with at least one field, compact or indented by two, with its hash."""
    end, space = ("\n}", "\n  ") if text.endswith("\n}") else ("}", "")
    body = text.removesuffix(end)
    return f'{body},{space}{_FIELD}"{hashlib.sha256(body.encode()).hexdigest()}"{end}'


def without_hash(content: bytes) -> str:
    """The text that `with_hash` was given; ValueError if it is not the one that was written."""
    text = content.decode()
    before, field, after = text.rpartition(_FIELD)
    if not field:
        return text
    body = before.rstrip().removesuffix(",") + ("\n}" if after.endswith("\n}") else "}")
    if with_hash(body) != text:
        raise ValueError("it does not have the SHA-256 that it names")
    return body
