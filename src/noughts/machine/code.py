"""What an answer depends on: the code of some packages, without its comments and docstrings, and the libraries they use.

An answer that was found by other code may differ. One that was found before a comment was reworded, or before a package
changed that it does not use, cannot.
"""

import functools
import hashlib
import importlib.metadata
import platform
import sys
from pathlib import Path

import noughts
from noughts.machine.arithmetic import arithmetic
from noughts.machine.meaning import keep_meanings, meaning_hash
from noughts.machine.sources import hash_of_place

LIBRARIES: dict[str, tuple[str, ...]] = {
    "positions": ("numba", "numpy"),
    "networks": ("jax", "jaxlib", "equinox"),
    "search": ("mctx",),
    "training": ("optax", "cma"),
}
"""The libraries whose versions may change what a package finds."""

_ANSWERING = (
    *("rules", "statistics", "positions", "networks", "search", "solvers", "agents", "play", "examine", "training"),
    *("questions", "studies", "store", "machine"),
)

_LEARNS = "training"
"""The package whose answers hang on the last bits of numbers. Agents with weights say so themselves."""


def hash_of_code(packages: tuple[str, ...]) -> str:
    """16 hexadecimal digits that are equal for equal code of these packages of noughts and equal libraries.

    Where something is trained it covers what numbers are computed with, too: see `arithmetic`.

    Args:
        packages: Names of packages or of single modules, such as ``("rules", "positions.rng")``.
    """
    return _hash_of_code(packages, arithmetic() if _LEARNS in packages else "")


def hash_of_answers() -> str:
    """The same of everything that may have a part in an answer, whatever numbers are computed with: machines that answer for
    each other must agree in it."""
    return _hash_of_code(_ANSWERING, "")


@functools.lru_cache(maxsize=64)
def _hash_of_code(packages: tuple[str, ...], computed_with: str) -> str:
    digest = hashlib.blake2b(digest_size=8)
    digest.update(f"{noughts.__version__} {platform.python_version()} {platform.machine()} {computed_with}".encode())
    for package in packages:
        digest.update(f"\0{package} {_source(package)}".encode())
        for library in LIBRARIES.get(package, ()):
            digest.update(f"\0{library} {importlib.metadata.version(library)}".encode())
    keep_meanings()
    return digest.hexdigest()


@functools.lru_cache(maxsize=64)
def hash_of_module(name: str) -> str:
    """16 hexadecimal digits that are equal for equal code of a module that is imported; nothing for one in no file.

    Of one from outside, what it imports from beside it counts, too.
    """
    path = getattr(sys.modules[name], "__file__", None)
    if path is None:
        return ""
    if name.partition(".")[0] != noughts.__name__:
        return hash_of_place(path)
    return meaning_hash(Path(path).read_bytes())[:16]


@functools.lru_cache(maxsize=64)
def _source(package: str) -> str:
    folder = Path(noughts.__file__).parent.joinpath(*package.split("."))
    module = folder.with_suffix(".py")
    if not folder.is_dir() and not module.is_file():
        raise ValueError(f"noughts has no package or module {package!r}")
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [module]:
        name = path.relative_to(folder.parent).as_posix()
        digest.update(f"{name}\0{meaning_hash(path.read_bytes())}\0".encode())
    return digest.hexdigest()
