"""What a file of Python does, as a hash: comments, blank lines and docstrings are no part of it.

To find it out means to parse the file. Hundreds of files are asked for by nearly every command, so the hashes of files that
were parsed are kept, each under the hash of the file's content, for the next process.
"""

import ast
import contextlib
import functools
import hashlib
import json
import sys
from pathlib import Path

import platformdirs

_MOST_KEPT = 4096
"""Files: all of the project in some twenty versions."""


def meaning_hash(content: bytes) -> str:
    """32 hexadecimal digits that are equal for files that do the same; of one that is no Python, those of its content."""
    return _KNOWN.hash_of(content)


def keep_meanings() -> None:
    """Keep what was found out, for other processes. Where nothing can be written, they find it out themselves."""
    _KNOWN.keep()


def meanings_file() -> Path:
    """Where it is kept; it need not exist. Another version of Python sees other things in a file."""
    version = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
    return Path(platformdirs.user_cache_dir("noughts", appauthor=False)) / f"meanings-{version}.json"


class _KnownHashes:
    """The hashes that are known, by the hash of the file's content."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    @functools.cached_property
    def _kept(self) -> dict[str, str]:
        return _read(meanings_file())

    def hash_of(self, content: bytes) -> str:
        name = hashlib.blake2b(content, digest_size=16).hexdigest()
        known = self._found.get(name) or self._kept.get(name)
        if known is None:
            known = self._found[name] = _parsed(content) or name
        return known

    def keep(self) -> None:
        if not self._found.keys() - self._kept.keys():
            return
        known = _read(meanings_file()) | self._kept | self._found  # the newest last
        self._kept = dict(list(known.items())[-_MOST_KEPT:])
        _write(meanings_file(), self._kept)


_KNOWN = _KnownHashes()


def _parsed(content: bytes) -> str | None:
    try:
        does = ast.dump(_WithoutTexts().visit(ast.parse(content)))
    except (SyntaxError, ValueError, RecursionError):  # who imports it will say so
        return None
    return hashlib.blake2b(does.encode(), digest_size=16).hexdigest()


class _WithoutTexts(ast.NodeTransformer):
    """Leaves out statements that are nothing but a text: docstrings, of constants too."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node


def _checked(hashes: dict[str, str]) -> str:
    return hashlib.blake2b(json.dumps(hashes).encode(), digest_size=16).hexdigest()


def _read(path: Path) -> dict[str, str]:
    """What is kept; nothing if there is none, or if it is damaged."""
    try:
        found = json.loads(path.read_bytes())
        hashes: dict[str, str] = found["hashes"]
        return hashes if found["check"] == _checked(hashes) else {}
    except (OSError, ValueError, LookupError, TypeError):
        return {}


def _write(path: Path, hashes: dict[str, str]) -> None:
    """Not atomically: what another process finds half-written counts as damaged, and it parses the files itself."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"check": _checked(hashes), "hashes": hashes}))
