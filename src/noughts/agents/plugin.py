"""Agents from outside the project: a class in a module, in a file, or behind an entry point.

What their code prints while it is loaded goes to standard error, so that our own output stays readable.
"""

import ast
import contextlib
import hashlib
import importlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

from noughts.agents.agent import Agent, as_agent
from noughts.agents.outside import Outsider
from noughts.agents.spec import AgentSpec
from noughts.rules import AgentError
from noughts.rules.errors import one_line
from noughts.rules.text import unknown

ENTRY_POINTS = "noughts.agents"
"""The group in which an installed package offers agents."""


def entry_points() -> dict[str, EntryPoint]:
    """The agents that installed packages offer, by name; nothing is imported. Built-in names come before them."""
    return {point.name: point for point in reversed(tuple(importlib.metadata.entry_points(group=ENTRY_POINTS)))}


def load(spec: AgentSpec) -> Agent:
    """The agent of ``python:module:Class`` or ``python:file.py:Class``; options become keyword arguments.

    Modules are looked for in the working folder too. Values that read as Python literals are passed as such.
    """
    return _make(spec, named(spec))


def named(spec: AgentSpec) -> Any:
    """What a target ``module:name`` or ``file.py:name`` names, a class or a function; AgentError if there is none."""
    place, colon, name = spec.target.rpartition(":")
    if not colon or not place or not name:
        form = f"{spec.name}:module:Class or {spec.name}:file.py:Class"
        raise AgentError(f"agent {str(spec)!r} is malformed: write {form}")
    with user_code(f"agent {str(spec)!r}: {place} cannot be loaded"):
        module = _file(place) if place.endswith(".py") else _module(place)
    if not hasattr(module, name):
        known = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise AgentError(f"agent {str(spec)!r}: " + unknown(f"class in {place}", name, known))
    return getattr(module, name)


def keyword_arguments(options: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The options of an agent from outside: a value that reads as a Python literal is passed as such."""
    return {name: _literal(value) for name, value in options}


def load_entry_point(spec: AgentSpec, point: EntryPoint) -> Agent:
    """The agent that an installed package offers under this name."""
    with user_code(f"agent {str(spec)!r}: {point.value} cannot be loaded"):
        factory = point.load()
    return _make(spec, factory)


def offered_by(point: EntryPoint) -> str:
    """The package behind an entry point, with its version."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def source_of(target: str) -> str:
    """A hash of the file that `named` will load a target from and of its path; nothing is imported.

    Other files that the user's file imports are not looked at.
    """
    return _hash(_source(target.rpartition(":")[0]))


@contextlib.contextmanager
def user_code(failure: str) -> Iterator[None]:
    """Around the user's code: whatever it raises is an AgentError; Ctrl-C is ours."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise AgentError(f"{failure}: {one_line(error)}") from error


def _module(place: str) -> ModuleType:
    sys.path[:] = _search_path()
    return importlib.import_module(place)


def _search_path() -> list[str]:
    """Where modules are looked for: the working folder too."""
    here = str(Path.cwd())
    return sys.path if "" in sys.path or here in sys.path else [here, *sys.path]


def _file(place: str) -> ModuleType:
    """The module in a file, loaded once for each file."""
    path = Path(place).resolve()
    # A name that is the same in every process, so that what it defines can be sent to others.
    name = f"noughts_agent_{hashlib.blake2b(str(path).encode(), digest_size=8).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise ImportError(f"no Python file at {place}")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _source(place: str) -> Path | None:
    """The file that `load` would read, found without importing the packages around it; None if there is none."""
    if place.endswith(".py"):
        return Path(place).resolve()
    name, folders, found = "", _search_path(), None
    for part in place.split("."):
        name = f"{name}.{part}" if name else part
        try:  # not importlib.util.find_spec, which would import the packages on the way
            found = next(filter(None, (finder.find_spec(name, folders) for finder in sys.meta_path)), None)
            folders = list(found.submodule_search_locations or []) if found else []
        except Exception:  # a folder without __init__.py inside another: Python asks for the outer one, imported
            found, folders = None, [str(Path(folder, part)) for folder in folders]
    return Path(found.origin).resolve() if found and found.has_location and found.origin else None


def _hash(path: Path | None) -> str:
    """16 hexadecimal characters for a file's path and contents."""
    digest = hashlib.blake2b(str(path).encode(), digest_size=8)
    with contextlib.suppress(OSError):  # the path alone: it cannot be loaded either
        digest.update(b"\0" + (path.read_bytes() if path else b""))
    return digest.hexdigest()


def _make(spec: AgentSpec, factory: Any) -> Agent:
    with user_code(f"agent {str(spec)!r} cannot be made"):
        made = factory(**keyword_arguments(spec.options))
    try:
        return Outsider(as_agent(made))
    except AgentError as error:
        raise AgentError(f"agent {str(spec)!r} cannot be asked: {error}") from None


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # the last two when nested too deeply
        return text
