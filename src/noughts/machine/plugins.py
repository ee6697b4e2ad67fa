"""Plugins: third-party agents, networks, evaluators, methods and studies, all loaded in the same way.

    python:file.py:Name      a class or function in a file
    python:module:Name       one in a module that can be imported, also from the working folder
    name                     an entry point of this name in an installed package

Options follow after commas, or after the colon of a name: ``python:file.py:Name,depth=2``, ``name:depth=2``; `parameters` reads them.
Each kind has its own group of entry points. What the code prints while it is loaded goes to standard error, so that our own
output stays readable.

A script may define an agent without an ``if __name__ == "__main__":`` around its main part: when a process loads the script,
loading stops as soon as it begins work (`require_loaded`), and what it has defined by then is used.

One switch, `shut`, disables the loader in a process and in all processes that it starts, for every kind and way of loading: a
server that others can reach must not run code that visitors name.
"""

import contextlib
import functools
import importlib
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

from noughts.machine.dependencies import NOTHING, Dependencies, of_place
from noughts.machine.jobs import in_one_process
from noughts.machine.sources import beside, find_source, meaning_hash, search_path
from noughts.rules.errors import ComputeError, NoughtsError, one_line, shortened
from noughts.rules.text import unknown

PYTHON = "python"
"""The prefix of code that is named by its place."""

FORMS = (f"{PYTHON}:file.py:Class", f"{PYTHON}:module:Class")
"""The ways to name code by its place, as people write them."""

SHUT = "NOUGHTS_CODE_SHUT"
"""The environment variable that forbids third-party code in a process, and in processes that it starts."""

_FILE_MODULE = "noughts_plugin_"

_loading: ContextVar[bool] = ContextVar("loading", default=False)
_unfinished: set[str] = set()
"""The modules of files whose loading stopped because they began work."""


class BeginsWorkError(ComputeError):
    """Code begins work while it is loaded."""


def require_loaded() -> None:
    """Raise BeginsWorkError if this process is loading third-party code, which should define something but begin no work."""
    if _loading.get():
        raise BeginsWorkError("loaded code must not start work: put that under if __name__ == '__main__':")


@contextlib.contextmanager
def shut() -> Iterator[None]:
    """Forbid, during the block, third-party code and programs in this process and in processes that it starts meanwhile."""
    before = os.environ.get(SHUT)
    os.environ[SHUT] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SHUT]
        else:
            os.environ[SHUT] = before


def require_open(called: str, error: type[NoughtsError]) -> None:
    """Raise `error` if the loader is shut. Call it before any look-up, so that the error does not reveal what exists."""
    if SHUT in os.environ:
        raise error(f"{shortened(called)}: a server that others can reach runs no third-party code; use a terminal")


@dataclass(frozen=True)
class PluginKind:
    """A kind of plugin.

    Attributes:
        called: Its name in errors.
        group: The group of entry points in which installed packages offer it.
        error: Raised for a plugin that does not exist or cannot be loaded.
    """

    called: str
    group: str
    error: type[NoughtsError]

    def offered(self) -> dict[str, EntryPoint]:
        """The entry points of installed packages, by name; nothing is imported. Built-in names have precedence."""
        return _offered(self.group, tuple(sys.path))

    def is_outside(self, text: str) -> bool:
        """Whether a text, without options, names third-party code: by its place, or by an entry point."""
        return text.startswith(f"{PYTHON}:") or text in self.offered()

    def unknown(self, name: str, built_in: Iterable[str]) -> NoughtsError:
        """The error for a name that is neither one of ours nor offered by an installed package; it lists all ways to name one."""
        return self.error(unknown(self.called, name, {*built_in, *self.offered(), *FORMS}))

    def load(self, text: str, called: str = "") -> Any:
        """Load ``python:file.py:Name``, ``python:module:Name`` or an entry point by its name.

        Args:
            text: Without options.
            called: Its name in errors; empty for the text itself.

        Raises:
            NoughtsError: `error`: it does not exist, or its code fails while it is loaded.
        """
        called = f"{self.called} {called or text!r}"  # as errors name it
        require_open(called, self.error)
        target = text.removeprefix(f"{PYTHON}:")
        if target == text:
            offered = self.offered()
            if text not in offered:
                raise self.unknown(text, ())
            with self.guarded(f"{called}: {offered[text].value} cannot be loaded"):
                return offered[text].load()
        return self.load_target(target, called)

    def load_target(self, target: str, called: str) -> Any:
        """Load ``file.py:Name`` or ``module:Name``; `called` begins the text of errors, which are those of `load`."""
        require_open(called, self.error)
        place, colon, name = target.rpartition(":")
        if not colon or not place or not name:
            raise self.error(f"{called} is malformed: write {' or '.join(FORMS)}")
        if not all(map(str.isidentifier, name.split("."))):
            if "," in name:
                raise self.error(f"{called} is malformed: a {self.called} takes no options; write {FORMS[0]}")
            hint = f"options follow commas, {PYTHON}:{place},{name}" if "=" in name else f"{name!r} is no class"
            raise self.error(f"{called} is malformed: {hint}; write {FORMS[0]},option=value")
        if place == "__main__":
            raise self.error(
                f"{called} is in no module that others can import, but in a script or a notebook: save it in a file, "
                f"{PYTHON}:file.py:{name}"
            )
        with self.guarded(f"{called}: {place} cannot be loaded"):
            module = _file(place) if place.endswith(".py") else _module(place)
        found: Any = module
        for part in name.split("."):
            if not hasattr(found, part):
                classes = {key: value for key, value in vars(found).items() if isinstance(value, type)}
                own = [key for key, value in classes.items() if value.__module__ == module.__name__]
                if module.__name__ in _unfinished:
                    raise self.error(f"{called}: {place} begins work before it defines {name!r}: define that first")
                raise self.error(f"{called}: " + unknown("class", name, own or classes, place))
            found = getattr(found, part)
        return found

    def depends_on(self, text: str) -> Dependencies:
        """The dependencies of a plugin: its file with local imports, or its installed package's name and version, too.

        They are empty if the text names no third-party code. Nothing is imported.
        """
        found = self.place(text)
        if found is None:
            return NOTHING
        place, package = found
        code = of_place(f"{self.called} {text}", place)
        named = tuple((name, f"{package} {version}".strip()) for name, version in code.named)
        return Dependencies(named, code.files)

    def source(self, text: str) -> str:
        """The full path of a plugin's file, which may be gone; the name of the plugin if its file is unknown."""
        found = self.place(text)
        return str((found and find_source(found[0])) or text)

    def place(self, text: str) -> tuple[str, str] | None:
        """The file or module of a plugin, and its package or an empty text; None if the text names no third-party code."""
        if text.startswith(f"{PYTHON}:"):
            return text.removeprefix(f"{PYTHON}:").rpartition(":")[0], ""
        point = self.offered().get(text)
        return None if point is None else (point.value.partition(":")[0].strip(), offered_by(point))

    @contextlib.contextmanager
    def guarded(self, failure: str) -> Iterator[None]:
        """A context for third-party code: its exceptions become an `error` of one line that begins with `failure`, except Ctrl-C."""
        try:
            with contextlib.redirect_stdout(sys.stderr), in_one_process():
                yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.error(f"{failure}: {one_line(error)}") from error


@functools.lru_cache(maxsize=64)
def _offered(group: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """The entry points of a group, cached by the module search path."""
    return {point.name: point for point in reversed(tuple(importlib.metadata.entry_points(group=group)))}


def offered_by(point: EntryPoint) -> str:
    """The package of an entry point, with its version."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def place_of(loaded: type) -> str:
    """Name a class for other processes: ``module:Name``, or ``file.py:Name`` with its version.

    A file below the working folder gets a relative path, so that another machine finds it below its own working folder.
    """
    name, file = loaded.__module__, getattr(sys.modules[loaded.__module__], "__file__", None)
    if file is None or not (name.startswith(_FILE_MODULE) or name == "__main__"):
        return f"{name}:{loaded.__qualname__}"
    version = _file_module(Path(file).resolve()) if name == "__main__" else name
    return f"{version} {_from_here(Path(file))}:{loaded.__qualname__}"


def at_place(text: str) -> Any:
    """The class that `place_of` named in another process; NoughtsError if its file has changed since."""
    if not text.startswith("noughts."):
        require_open(f"class {text!r}", NoughtsError)
    version, space, target = text.partition(" ")
    if not space:
        module_name, _, name = text.partition(":")
        found: Any = importlib.import_module(module_name)
    else:
        path, _, name = target.rpartition(":")
        found = _file(path)
        if _file_module(Path(path).resolve()) != version:
            raise NoughtsError(f"{path} has changed while it was at work: begin again")
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _from_here(path: Path) -> Path:
    """A path relative to the working folder if it is below that, else the full path."""
    here = Path.cwd().resolve()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _file_module(path: Path) -> str:
    """The module name for a file: the same in every process and on every machine, so that its classes can be sent."""
    return f"{_FILE_MODULE}{of_place(str(_from_here(path)), str(path)).basis}"


_loaded: dict[Path, str] = {}
"""The third-party files that this process may have imported, each with its version at that time."""


def _module(place: str) -> ModuleType:
    sys.path[:] = search_path()
    _prepare(place)
    return importlib.import_module(place)


def _file(place: str) -> ModuleType:
    """Load the module in a file, once per version; if the file is the running script, return that."""
    path = Path(place).resolve()
    script = sys.modules["__main__"]
    if Path(getattr(script, "__file__", None) or "").resolve() == path:
        return script
    name = _file_module(path)
    loaded = sys.modules.get(name)
    if loaded is not None and loaded.__file__ == str(path):  # otherwise it is an equal file of another working folder
        return loaded
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise ImportError(f"no Python file at {place}")
    sys.path[:] = [str(path.parent), *(folder for folder in search_path() if folder != str(path.parent))]
    _prepare(str(path))
    module = sys.modules[name] = importlib.util.module_from_spec(found)
    loading = _loading.set(True)
    try:
        found.loader.exec_module(module)
    except BeginsWorkError:
        _unfinished.add(name)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        _loading.reset(loading)
    return module


def _prepare(place: str) -> None:
    """Before third-party code is imported, make sure that this process holds no other version of the local files it imports.

    A process keeps modules as they were first imported, so changed code needs a new process; each command starts new workers.
    Two agents of one game may each have a local module of the same name; the second agent gets its own.

    Raises:
        NoughtsError: a file has changed since this process imported it.
    """
    # Never reset, because this code may import more when it runs. Python uses stale bytecode for a file that was changed within
    # the same second to one of the same length.
    sys.dont_write_bytecode = True
    for file, name in beside(place).items():
        if place.endswith(".py") and file == find_source(place):
            continue  # each version of it has its own module
        called = name.removesuffix("/__init__.py").removesuffix(file.suffix).replace("/", ".")
        origin = getattr(sys.modules.get(called), "__file__", None)
        known, version = None if origin is None else Path(origin).resolve(), meaning_hash(file)
        if known == file and _loaded.get(file, version) != version:
            raise NoughtsError(f"{file.name} has changed since this process loaded it: restart the command or notebook")
        if known != file and known in _loaded:
            del sys.modules[called]
        if known != file:
            _loaded[file] = version
