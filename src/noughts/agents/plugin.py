"""Agents from outside the project: a class in a module, in a file, or behind an entry point."""

import ast
import importlib
import importlib.metadata
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from noughts.agents.agent import Agent
from noughts.agents.spec import AgentSpec
from noughts.rules import AgentError
from noughts.rules.text import unknown


def load(spec: AgentSpec) -> Agent:
    """The agent of ``python:module:Class`` or ``python:file.py:Class``; options become keyword arguments.

    Modules are looked for in the working folder too. Values that read as Python literals are passed as such.
    """
    place, colon, name = spec.target.rpartition(":")
    if not colon or not place or not name:
        raise AgentError(f"agent {str(spec)!r} is malformed: write python:module:Class or python:file.py:Class")
    module = _module(spec, place)
    if not hasattr(module, name):
        classes = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise AgentError(f"agent {str(spec)!r}: " + unknown(f"class in {place}", name, classes))
    return _make(spec, getattr(module, name))


def load_entry_point(spec: AgentSpec, group: str) -> Agent:
    """The agent that an installed package offers under this name."""
    (point,) = tuple(importlib.metadata.entry_points(group=group, name=spec.name))[:1]
    try:
        factory = point.load()
    except Exception as error:
        raise AgentError(f"agent {str(spec)!r}: {point.value} cannot be loaded: {describe(error)}") from error
    return _make(spec, factory)


def describe(error: BaseException) -> str:
    """An exception as one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def _module(spec: AgentSpec, place: str) -> ModuleType:
    try:
        if place.endswith(".py"):
            return _file(place)
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(place)
    except Exception as error:
        raise AgentError(f"agent {str(spec)!r}: {place} cannot be loaded: {describe(error)}") from error


def _file(place: str) -> ModuleType:
    """The module in a file, loaded once for each file."""
    path = Path(place).resolve()
    name = f"noughts_agent_{abs(hash(str(path))):x}"
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


def _make(spec: AgentSpec, factory: Any) -> Agent:
    options = {name: _literal(value) for name, value in spec.options}
    try:
        agent = factory(**options)
    except Exception as error:
        raise AgentError(f"agent {str(spec)!r} cannot be made: {describe(error)}") from error
    if not isinstance(agent, Agent):
        raise AgentError(f"agent {str(spec)!r} has no method choose(position, rng)")
    return agent


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
