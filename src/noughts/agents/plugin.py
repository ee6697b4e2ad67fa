"""Agents from outside the project: a class in a module, in a file, or behind an entry point.

What tells one version of such an agent from another: its file and what it imports from beside it, the files that its
options name, and what its class says of itself by `fingerprint`.
"""

import contextlib
import hashlib
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from noughts.agents.agent import Agent, as_agent
from noughts.agents.outside import Outsider
from noughts.agents.spec import AgentSpec
from noughts.machine.parameters import read_options
from noughts.machine.plugins import PYTHON, PluginKind
from noughts.machine.sources import beside, find_source, hash_of_files
from noughts.rules import AgentError

AGENT_PLUGINS = PluginKind("agent", "noughts.agents", AgentError)
"""How agents come from outside."""

_MOST_FILES = 10_000  # in a folder that an option names


def load(spec: AgentSpec) -> Agent:
    """The agent of ``python:module:Class`` or ``python:file.py:Class``, or of an entry point's name.

    Modules are looked for in the working folder too. Options become keyword arguments, read by the annotations of the
    class's constructor (`machine.parameters`).
    """
    factory = named(spec)
    options = keyword_arguments(spec, factory)
    with AGENT_PLUGINS.guarded(f"agent {str(spec)!r} cannot be made"):
        made = factory(**options)
    try:
        return Outsider(as_agent(made))
    except AgentError as error:
        raise AgentError(f"agent {str(spec)!r} cannot be asked: {error}") from None


def named(spec: AgentSpec) -> Any:
    """What a spec names, a class or a function; AgentError if there is none."""
    if spec.name == PYTHON or not spec.target:
        return AGENT_PLUGINS.load(_text(spec), str(spec))
    return AGENT_PLUGINS.load_target(spec.target, f"agent {str(spec)!r}")


def keyword_arguments(spec: AgentSpec, factory: Any, given: int = 0) -> dict[str, Any]:
    """A spec's options as `factory` is called with them, after `given` positional arguments; AgentError if it has not all of them."""
    return read_options(f"agent {str(spec)!r}", factory, spec.options, AgentError, given)


def source_of(text: str) -> str:
    """The code behind a text without options, and where it is, as that may be where it reads what nobody has named."""
    code = AGENT_PLUGINS.code(text)
    if not text.startswith(f"{PYTHON}:"):
        return code
    path = find_source(text.removeprefix(f"{PYTHON}:").rpartition(":")[0])
    return hashlib.blake2b(f"{path}\0{code}".encode(), digest_size=8).hexdigest()


def hash_of_options(options: Iterable[tuple[str, str]]) -> str:
    """A hash of the files and folders that options name, and of their contents; empty if none does.

    Raises:
        AgentError: there is a folder with too many files to look at.
    """
    files = [value for _, value in options if _exists(value)]
    for file in files:
        if Path(file).is_dir() and sum(1 for _ in islice(Path(file).rglob("*"), _MOST_FILES + 1)) > _MOST_FILES:
            raise AgentError(
                f"the folder {file}, which is given to an agent, holds more than {_MOST_FILES:,} files, too many to tell "
                "one state of it from another: give the files that it reads"
            )
    return hash_of_files(files) if files else ""


def has_fingerprint(spec: AgentSpec) -> bool:
    """Whether code of an agent from outside defines something called ``fingerprint``; nothing is imported."""
    if spec.name == PYTHON:
        place = spec.target.rpartition(":")[0]
    elif (point := AGENT_PLUGINS.offered().get(spec.name)) is not None:
        place = point.value.partition(":")[0].strip()
    else:
        return False
    for file in beside(place):
        with contextlib.suppress(OSError):
            if b"fingerprint" in file.read_bytes():
                return True
    return False


def fingerprint_of(spec: AgentSpec) -> str:
    """What the class of an agent from outside says by ``fingerprint(**options)``; empty if it has no such function.

    The class is loaded, and not made.

    Raises:
        AgentError: it cannot be loaded, or the function fails or gives no text.
    """
    found = named(spec)
    hook = getattr(found, "fingerprint", None)
    if not callable(hook):
        return ""
    failure = f"agent {str(spec)!r}: fingerprint(...) of its class"
    options = keyword_arguments(spec, found)
    with AGENT_PLUGINS.guarded(f"{failure} failed"):
        said = hook(**options)
    if not isinstance(said, str):
        raise AgentError(f"{failure} gave a {type(said).__name__}: it must give a text")
    return said


def _text(spec: AgentSpec) -> str:
    """A spec without its options."""
    return f"{spec.name}:{spec.target}" if spec.target else spec.name


def _exists(value: str) -> bool:
    try:
        return Path(value).exists()
    except (OSError, ValueError):  # what cannot be a path
        return False
