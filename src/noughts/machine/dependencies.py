"""`Dependencies`: what an answer depends on besides its question, as one value that is hashed once.

It holds a version of each thing by name: noughts and its libraries, third-party code, files, weights and the arithmetic. An
answer that other versions computed may differ, so it is not reused. A change in a package that an answer does not use leaves
the answer valid. Nothing is imported to find a version.
"""

import functools
import hashlib
import importlib.metadata
import json
import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import noughts
from noughts.machine.arithmetic import arithmetic
from noughts.machine.sources import beside, is_installed, meaning_hash

OUR_CODE = "noughts"
"""The name, among versions, of noughts' own code and of the question's class."""

COMPUTED_WITH = "what numbers are computed with"
"""The name, among versions, of the arithmetic; present where answers depend on the last bits of numbers."""

LIBRARIES: dict[str, tuple[str, ...]] = {
    "positions": ("numba", "numpy"),
    "networks": ("jax", "jaxlib", "equinox"),
    "search": ("mctx",),
    "training": ("optax", "cma"),
}
"""The libraries whose versions may change the results of a package."""

ANSWERING = (
    *("rules", "statistics", "positions", "networks", "search", "solvers", "agents", "play", "examine", "training"),
    *("questions", "studies", "store", "machine"),
)
"""The packages that may contribute to an answer; machines that work together must have equal versions of them."""

_LEARNS = "training"
"""The package whose answers depend on the last bits of numbers. Agents with weights add that dependency themselves."""

_LARGE = 1 << 20  # bytes; the hashes of larger files are cached until their modification time changes


@dataclass(frozen=True)
class Dependencies:
    """The dependencies of an answer, or of a part such as an agent.

    Attributes:
        named: A version of each thing, by name, in any order.
        files: Full paths of the files from which versions were read, without installed packages: a machine that does not
            share our files needs copies.
    """

    named: tuple[tuple[str, str], ...] = ()
    files: tuple[Path, ...] = ()

    @functools.cached_property
    def versions(self) -> dict[str, str]:
        """The versions by name."""
        return dict(self.named)

    @property
    def outside(self) -> dict[str, str]:
        """The versions of everything but noughts' own code."""
        return {name: version for name, version in self.named if name != OUR_CODE}

    @functools.cached_property
    def basis(self) -> str:
        """16 hexadecimal digits that are equal for equal versions: a saved answer is reused only if its basis is equal."""
        return hashlib.blake2b(json.dumps(sorted(self.versions.items())).encode(), digest_size=8).hexdigest()

    def called(self, name: str) -> "Dependencies":
        """The same versions, all under one name; no versions stay no versions."""
        return Dependencies(tuple((name, version) for _, version in self.named), self.files)


NOTHING = Dependencies()
"""The dependencies of what changes with noughts' own code alone."""


@functools.lru_cache(maxsize=4096)
def together(*parts: Dependencies) -> Dependencies:
    """The union of the dependencies of several parts."""
    versions = {name: version for part in parts for name, version in part.named}
    files = dict.fromkeys(file for part in parts for file in part.files)
    return Dependencies(tuple(versions.items()), tuple(files))


def of_arithmetic() -> Dependencies:
    """The dependencies of answers that the last bits of numbers may change; see `arithmetic`."""
    return Dependencies(((COMPUTED_WITH, arithmetic()),))


def of_our_code(packages: tuple[str, ...]) -> Dependencies:
    """The dependencies of some of our packages: their code, the libraries that they use, and for training the arithmetic.

    Args:
        packages: Names of packages or of single modules of noughts, such as ``("rules", "positions.rng")``.
    """
    ours = Dependencies(((OUR_CODE, _hash_of_packages(packages)),))
    return together(ours, of_arithmetic()) if _LEARNS in packages else ours


@functools.lru_cache(maxsize=64)
def of_class(packages: tuple[str, ...], module: str) -> Dependencies:
    """The dependencies of some of our packages and of a class, ours or third-party.

    Args:
        packages: As in `of_our_code`.
        module: The name of the class's module, which is imported already.
    """
    project, _, name = module.partition(".")
    if project == noughts.__name__:
        return of_our_code((*packages, name))
    ours, file = of_our_code(packages), getattr(sys.modules[module], "__file__", None)
    if file is None:  # it was typed into a console
        return ours
    own = of_place(OUR_CODE, file)
    both = Dependencies(((OUR_CODE, f"{ours.versions[OUR_CODE]} {own.versions[OUR_CODE]}"),), own.files)
    return together(ours, both)


def of_place(name: str, place: str) -> Dependencies:
    """The dependencies of third-party code: a module with the local modules that it imports; see `sources.beside`.

    Args:
        name: The name for its version.
        place: ``file.py`` or the name of a module.
    """
    found = beside(place)
    version = _digest(
        (called, meaning_hash(file) if file.suffix == ".py" else _hash_of_content(file))
        for file, called in found.items()
    )
    return Dependencies(((name, version),), _sent(found))


def of_files(name: str, files: Iterable[str], given: str = "") -> Dependencies:
    """The dependencies of files and of everything in folders: names and contents.

    Args:
        name: The name for their version.
        files: Their paths.
        given: A text that is hashed, too.
    """
    named = []
    for text in files:
        path = Path(text)
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        named += [(str(file), file) for file in inside if file.is_file()]
    version = _digest((text, _hash_of_content(file)) for text, file in named)
    if given:
        version = hashlib.blake2b(f"{given}\0{version}".encode(), digest_size=8).hexdigest()
    return Dependencies(((name, version),), _sent(file for _, file in named))


def of_options(name: str, values: Iterable[str]) -> Dependencies:
    """The dependencies of the files and folders among the values of options, all under one name; `NOTHING` if there are none."""
    files = [value for value in values if value and _exists(value)]
    return of_files(name, files) if files else NOTHING


def _exists(value: str) -> bool:
    try:
        return Path(value).exists()
    except (OSError, ValueError):  # not a valid path
        return False


def _sent(files: Iterable[Path]) -> tuple[Path, ...]:
    resolved = dict.fromkeys(file.resolve() for file in files)
    return tuple(file for file in resolved if not is_installed(file))


@functools.lru_cache(maxsize=64)
def _hash_of_packages(packages: tuple[str, ...]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    digest.update(f"{noughts.__version__} {platform.python_version()} {platform.machine()}".encode())
    for package in packages:
        digest.update(f"\0{package} {_hash_of_package(package)}".encode())
        for library in LIBRARIES.get(package, ()):
            digest.update(f"\0{library} {importlib.metadata.version(library)}".encode())
    return digest.hexdigest()


@functools.lru_cache(maxsize=64)
def _hash_of_package(package: str) -> str:
    folder = Path(noughts.__file__).parent.joinpath(*package.split("."))
    module = folder.with_suffix(".py")
    if not folder.is_dir() and not module.is_file():
        raise ValueError(f"noughts has no package or module {package!r}")
    files = sorted(folder.rglob("*.py")) if folder.is_dir() else [module]
    return _digest((file.relative_to(folder.parent).as_posix(), _hash_of_content(file)) for file in files)


def _hash_of_content(file: Path) -> str:
    try:
        status = file.stat()
        if status.st_size > _LARGE:
            return _hash_of_large(str(file.resolve()), status.st_mtime_ns, status.st_size)
        return hashlib.blake2b(file.read_bytes()).hexdigest()
    except OSError:
        return ""


@functools.lru_cache(maxsize=4096)
def _hash_of_large(path: str, changed: int, size: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()


def _digest(parts: Iterable[tuple[str, str]]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for name, content in parts:
        digest.update(f"{name}\0{content}\0".encode())
    return digest.hexdigest()
