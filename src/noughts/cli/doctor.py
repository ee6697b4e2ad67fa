"""``noughts doctor``: check the installed libraries, the machine and the places where files are saved."""

import contextlib
import importlib.metadata
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from noughts.cli.options import JsonOption, StoreOption
from noughts.rules.errors import install_command

if TYPE_CHECKING:
    from packaging.requirements import Requirement

State = Literal["fine", "missing", "broken"]
"""``missing``: only some commands need it; ``broken``: it must be fixed."""

Finding = tuple[str, State, str]
"""What was checked, its state, and what was found, with what to do if it is not fine."""

_LEAST_BYTES = 1 << 30  # free memory and disk space that studies need


def doctor(store: StoreOption = None, as_json: JsonOption = False) -> int:
    """Check the installation, the machine and the store. The exit code is 1 if something is broken.

    Examples:
        noughts doctor
    """
    from noughts.cli.output import show
    from noughts.document.document import Document, Listing

    findings = [*_program(), *_libraries(), *_extras(), *_machine(), *_caches(), *_store()]
    broken = any(state == "broken" for _, state, _ in findings)
    named = [{"about": about, "state": state, "detail": detail} for about, state, detail in findings]
    data = {"fine": not broken, "findings": named}
    show(Document((Listing("", ("", "", ""), tuple(findings), labels=3),), data), as_json)
    return 1 if broken else 0


def _program() -> Iterator[Finding]:
    import noughts
    from noughts.machine.environment import current_environment

    commit = current_environment().commit
    where = Path(noughts.__file__).parent
    yield "noughts", "fine", f"{noughts.__version__}{f', commit {commit}' if commit else ''}, in {where}"
    yield "Python", "fine", f"{platform.python_version()}, {sys.executable}"


def _libraries() -> Iterator[Finding]:
    """Check the libraries that every installation needs."""
    required = [wanted for wanted, extra in _requirements() if not extra]
    if wrong := list(filter(None, map(_problem, required))):
        yield "libraries", "broken", f"{'; '.join(wrong)}: install noughts again"
    else:
        yield "libraries", "fine", f"all {len(required)} that are needed"


def _extras() -> Iterator[Finding]:
    extras: dict[str, list[Requirement]] = {}
    for wanted, extra in _requirements():
        if extra:
            extras.setdefault(extra, []).append(wanted)
    for extra, needed in sorted(extras.items()):
        if any(map(_problem, needed)):
            yield f"extra {extra}", "missing", install_command(extra)
        else:
            versions = (f"{wanted.name} {importlib.metadata.version(wanted.name)}" for wanted in needed)
            yield f"extra {extra}", "fine", ", ".join(versions)


def _requirements() -> "Iterator[tuple[Requirement, str]]":
    """Yield each requirement in the package's metadata, with the name of its extra or an empty text."""
    from packaging.requirements import Requirement

    for line in importlib.metadata.requires("noughts") or ():
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", line)
        yield Requirement(line), extra.group(1) if extra else ""


def _problem(wanted: "Requirement") -> str:
    """Return why the installation does not meet a requirement and its own extras; empty if it does."""
    from packaging.requirements import Requirement

    try:
        version = importlib.metadata.version(wanted.name)
        if not wanted.specifier.contains(version, prereleases=True):
            return f"{wanted.name} is {version}, and {wanted.specifier} is needed"
        for extra in wanted.extras:
            for inside in map(Requirement, importlib.metadata.requires(wanted.name) or ()):
                if inside.marker and inside.marker.evaluate({"extra": extra}):
                    importlib.metadata.version(inside.name)
    except importlib.metadata.PackageNotFoundError as error:
        return f"{error.name} is not installed"
    return ""


def _machine() -> Iterator[Finding]:
    from noughts.machine.environment import processor_name, usable_cores
    from noughts.machine.memory import available_bytes, size_text

    yield "cores", "fine", f"{usable_cores()} that may be used; {processor_name() or platform.machine()}"
    free = available_bytes()
    little = "" if free >= _LEAST_BYTES else ": too little for the studies"
    yield "memory", "broken" if little else "fine", f"{size_text(free)} free{little}"
    try:
        import jax

        devices = ", ".join(sorted({f"{device.device_kind} ({device.platform})" for device in jax.devices()}))
        yield "JAX computes on", "fine", devices
    except Exception as error:  # drivers and half-installed libraries raise errors of any type
        yield "JAX computes on", "broken", " ".join(f"nothing: {type(error).__name__}: {error}".split())


def _caches() -> Iterator[Finding]:
    from noughts.networks.program_cache import programs_folder
    from noughts.positions.numba_kernel import kernels_folder

    for about, folder in (("compiled kernels", kernels_folder()), ("compiled programs", programs_folder())):
        if _can_be_written(folder):
            yield about, "fine", f"{folder}, {_size(folder)}"
        else:
            detail = f"{folder} cannot be written: every start compiles again"
            yield about, "missing", detail


def _store() -> Iterator[Finding]:
    from noughts.rules import NoughtsError
    from noughts.store.place import is_url, store_folder, store_place

    try:
        folder, url = store_folder(), is_url(store_place())
        if not _can_be_written(folder):
            yield "store", "broken", f"{folder} cannot be written: choose another place with --store"
            return
        if not url and not (folder / "results.sqlite").exists():
            yield "store", "fine", f"{folder}, nothing in it yet; --store or NOUGHTS_STORE chooses another place"
        else:
            from noughts.machine.memory import size_text
            from noughts.store.results import Store

            with Store.open() as opened:
                runs, size = len(opened.runs(results=False)), opened.server_bytes()
            if size is None:
                yield "store", "fine", f"{folder}, {runs} runs, {_size(folder)}"
            else:
                held = f"{size_text(size)}; files in {folder}, {_size(folder)}"
                yield "store", "fine", f"{opened.called}, {runs} runs, {held}"
    except NoughtsError as error:
        yield "store", "broken", str(error)
        return
    free = shutil.disk_usage(_nearest(folder)).free
    little = ": too little for the studies" if free < _LEAST_BYTES else ""
    yield "disk", "broken" if little else "fine", f"{free / (1 << 30):.1f} GiB free{little}"


def _nearest(folder: Path) -> Path:
    """Return the folder, or its nearest parent that exists."""
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def _can_be_written(folder: Path) -> bool:
    """Return whether files can be created in a folder, which need not exist yet."""
    nearest = _nearest(folder)
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def _size(folder: Path) -> str:
    from noughts.machine.memory import size_text

    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # a file may disappear meanwhile
            total += path.stat().st_size if path.is_file() else 0
    return size_text(total)
