"""Third-party code as files: the file of a module, the local files that it imports, and a hash of the meaning of each.

Nothing is imported here. Imports are found in the source text, also inside functions. Modules that are named only at run time
are not found.
"""

import ast
import functools
import hashlib
import importlib.machinery
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

_ENDINGS = tuple(importlib.machinery.all_suffixes())
_SYSTEM = frozenset({"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/System", "/Library", sys.base_prefix})


def is_installed(path: Path) -> bool:
    """Whether a file belongs to Python, to a package that is installed, or to the system."""
    return any(str(folder) in _SYSTEM or _is_place_of_packages(str(folder)) for folder in path.parents)


def search_path() -> list[str]:
    """The folders in which modules are looked for; the working folder is always one."""
    here = str(Path.cwd())
    return sys.path if "" in sys.path or here in sys.path else [here, *sys.path]


def find_source(place: str) -> Path | None:
    """The file of ``file.py`` or of a module, found without importing its parent packages; None if it does not exist."""
    if place.endswith(".py"):
        return Path(place).resolve()
    name, folders, found = "", search_path(), None
    for part in place.split("."):
        name = f"{name}.{part}" if name else part
        try:  # not importlib.util.find_spec, which would import the packages on the way
            found = next(filter(None, (finder.find_spec(name, folders) for finder in sys.meta_path)), None)
            folders = list(found.submodule_search_locations or []) if found else []
        except Exception:  # a folder without __init__.py in another: Python would import the outer one
            found, folders = None, [str(Path(folder, part)) for folder in folders]
    return Path(found.origin).resolve() if found and found.has_location and found.origin else None


def beside(place: str) -> dict[Path, str]:
    """The local files that make up a module: its own, and those that it imports, each with a name.

    Local means: in the file's folder or, for a module, in the folder of its outermost package; or in the working folder. Of
    installed packages only the module's own counts, and no file of noughts.

    Args:
        place: ``file.py`` or the name of a module.
    """
    start = find_source(place)
    if start is None or not start.is_file():
        return {}
    names = [] if place.endswith(".py") else place.split(".")
    own = start.parents[len(names) - (start.name != "__init__.py")] if names else start.parent
    roots = list(dict.fromkeys([own, Path.cwd().resolve()]))
    found = {start: start.relative_to(own).as_posix()}
    waiting = [start]
    if names:
        _add(found, waiting, _along(own, names[:-1]), own)
    while waiting:
        module = waiting.pop()
        for root, dotted in _imports(module, roots):
            if not _is_place_of_packages(str(root)) or (names and dotted[0] == names[0]) or root not in roots:
                _add(found, waiting, _along(root, dotted), own)
    return found


def _add(found: dict[Path, str], waiting: list[Path], files: Iterable[Path], own: Path) -> None:
    """Add files that were not found before."""
    for file in files:
        if file not in found:
            found[file] = file.relative_to(own).as_posix() if file.is_relative_to(own) else str(file)
            waiting.append(file)


def _along(root: Path, names: Iterable[str]) -> Iterator[Path]:
    """The files that Python runs to import a module: those of its parent packages, and its own."""
    folder = root
    for name in names:
        bases = (folder / name / "__init__", folder / name)
        files = (file for base in bases for ending in _ENDINGS if (file := Path(f"{base}{ending}")).is_file())
        if (first := next(files, None)) is not None:
            yield first.resolve()
        folder /= name


def _imports(module: Path, roots: list[Path]) -> list[tuple[Path, list[str]]]:
    """The imports of a module that may be local: the folder to start from, and the dotted name as a list."""
    if module.suffix != ".py":
        return []
    found = []
    for level, dotted in _imported_names(_read(module)):
        names = list(filter(None, dotted.split(".")))
        if level:
            found.append((module.parents[level - 1], names))
        elif names[0] != "noughts":
            known = next((root for root in roots if any(_along(root, names[:1])) or (root / names[0]).is_dir()), None)
            found += [] if known is None else [(known, names)]
    return found


@functools.lru_cache(maxsize=1024)
def _imported_names(content: bytes) -> tuple[tuple[int, str], ...]:
    """The modules that a file may import, with the level of a relative import; none if it is not valid Python."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    found: dict[tuple[int, str], None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= dict.fromkeys((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            found |= dict.fromkeys((node.level, f"{base}.{alias.name}".strip(".")) for alias in node.names)
    return tuple(found)


@functools.lru_cache(maxsize=1024)
def _is_place_of_packages(folder: str) -> bool:
    """Whether a folder contains installed packages or Python itself."""
    places = [*site.getsitepackages(), site.getusersitepackages(), *sysconfig.get_paths().values()]
    return folder in {str(Path(place).resolve()) for place in places}


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def meaning_hash(file: Path) -> str:
    """32 hexadecimal digits that are equal for files with equal code, regardless of comments and docstrings.

    For a file that is not Python it is a hash of the content; for a missing file, a hash of no content.
    """
    return _meaning_of(_read(file))


@functools.lru_cache(maxsize=1024)
def _meaning_of(content: bytes) -> str:
    try:
        does = ast.dump(_WithoutTexts().visit(ast.parse(content))).encode()
    except (SyntaxError, ValueError, RecursionError):  # its import raises the error
        does = content
    return hashlib.blake2b(does, digest_size=16).hexdigest()


class _WithoutTexts(ast.NodeTransformer):
    """Remove statements that consist of a text: docstrings, also those of constants."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node
