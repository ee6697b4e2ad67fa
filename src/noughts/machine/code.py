"""What an answer depends on: the code of some packages, without its comments and docstrings, and the libraries they use.

An answer that was found by other code may differ. One that was found before a comment was reworded, or before a package
changed that it does not use, cannot.
"""

import ast
import functools
import hashlib
import importlib.metadata
import platform
from pathlib import Path

import noughts

LIBRARIES: dict[str, tuple[str, ...]] = {
    "positions": ("numba", "numpy"),
    "networks": ("jax", "jaxlib", "equinox"),
    "search": ("mctx",),
    "training": ("optax", "cma"),
}
"""The libraries whose versions may change what a package finds."""


@functools.lru_cache(maxsize=64)
def hash_of_code(packages: tuple[str, ...]) -> str:
    """16 hexadecimal digits that are equal for equal code of these packages of noughts and equal libraries.

    Args:
        packages: Names of packages or of single modules, such as ``("rules", "positions.rng")``.
    """
    digest = hashlib.blake2b(digest_size=8)
    digest.update(f"{noughts.__version__} {platform.python_version()} {platform.machine()}".encode())
    for package in packages:
        digest.update(f"\0{package} {_source(package)}".encode())
        for library in LIBRARIES.get(package, ()):
            digest.update(f"\0{library} {importlib.metadata.version(library)}".encode())
    return digest.hexdigest()


@functools.lru_cache(maxsize=64)
def _source(package: str) -> str:
    folder = Path(noughts.__file__).parent.joinpath(*package.split("."))
    module = folder.with_suffix(".py")
    if not folder.is_dir() and not module.is_file():
        raise ValueError(f"noughts has no package or module {package!r}")
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(folder.rglob("*.py")) or [module]:
        meaning = ast.dump(_without_docstrings(ast.parse(path.read_bytes())))
        digest.update(f"{path.relative_to(folder if path != module else folder.parent).as_posix()}\0{len(meaning)}\0{meaning}".encode())
    return digest.hexdigest()


def _without_docstrings(tree: ast.Module) -> ast.Module:
    """The same tree; texts that stand alone as the first statement of something are gone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and _has_docstring(
            node
        ):
            node.body = node.body[1:]
    return tree


def _has_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return ast.get_docstring(node, clean=False) is not None
