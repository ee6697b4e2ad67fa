"""The exports of `import noughts`: all exist, with correct types, and nothing is loaded before it is used."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import noughts

ROOT = Path(noughts.__file__).parent
SURFACES = {"bridges", "classroom", "cli", "document", "examine", "library", "play", "questions", "web"}
"""Packages that export nothing but their modules: `noughts` itself exports `library`."""


def test_completion_only_shows_exports_and_packages() -> None:
    import noughts.rules

    assert "rules" in dir(noughts)
    assert {"offer", "sys"}.isdisjoint(dir(noughts))


def test_type_stubs_equal_what_is_loaded() -> None:
    told = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.parse((ROOT / "__init__.pyi").read_text()).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(told) == sorted(noughts.__all__)
    for name, (module, there) in told.items():
        assert module is not None
        assert getattr(importlib.import_module(module), there) is getattr(noughts, name)


def test_importing_loads_nothing() -> None:
    program = "import sys, noughts; dir(noughts); print(*sorted(n for n in sys.modules if n.startswith('noughts')))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["noughts", "noughts.offering"]


FACES = sorted({module.name for module in pkgutil.iter_modules([str(ROOT)]) if module.ispkg} - SURFACES)


@pytest.mark.parametrize("package", ["noughts", *(f"noughts.{package}" for package in FACES)])
def test_each_package_lists_its_exports(package: str) -> None:
    found = importlib.import_module(package)
    modules = {module.name for module in pkgutil.iter_modules(found.__path__)}
    assert found.__all__
    assert not modules & set(found.__all__), "a module and what it holds cannot share a name"
    for name in found.__all__:
        assert name in dir(found)
        assert getattr(found, name) is getattr(found, name)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing_such'"):
        found.nothing_such  # noqa: B018


@pytest.mark.parametrize("package", FACES)
def test_type_imports_equal_the_exports_of_a_package(package: str) -> None:
    tree = ast.parse((ROOT / package / "__init__.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.If):
            told = {alias.name for line in node.body if isinstance(line, ast.ImportFrom) for alias in line.names}
            assert told == set(importlib.import_module(f"noughts.{package}").__all__)
