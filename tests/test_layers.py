"""No test imports upward: the tests of a package import only what that package may import, and the tests of those packages.

The order is read from the contracts of import-linter in `pyproject.toml`. Names in texts count as imports, because
agents, jobs and programs are given as text.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent

STANDS_FOR = {
    "benchmarks": "cli",  # the benchmarks measure the whole product
    "docs": "cli",  # the pages describe the whole product
    "formats": "cli",  # commands read and show every kind of file
    "golden": "cli",  # the output of every command
    "mutation": "play",  # it counts with confidence intervals
}
"""Folders of tests that are not named after a package: they may import what this package may."""

CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
LAYERS = next(
    [layer.removeprefix("noughts.") for layer in contract["layers"]]
    for contract in CONTRACTS
    if contract["type"] == "layers"
)
"""The packages in their order, the one that imports all others first."""

PACKAGES = sorted(path.name for path in (ROOT / "src" / "noughts").iterdir() if (path / "__init__.py").exists())
NAMED = re.compile(r"(?<![\w./-])(?:noughts|tests)\.([a-z_]\w*)")


def allowed(package: str) -> set[str]:
    """The packages that a package may import, itself included."""
    if package in LAYERS:
        return set(PACKAGES) - set(LAYERS[: LAYERS.index(package)])
    forbidden = {
        name.removeprefix("noughts.")
        for contract in CONTRACTS
        if contract["type"] == "forbidden" and f"noughts.{package}" in contract["source_modules"]
        for name in contract["forbidden_modules"]
    }
    return set(PACKAGES) - forbidden


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and package of everything of ours that a module imports or names in a text; docstrings are ignored."""
    nodes = list(ast.walk(tree))
    described = {
        node.body[0].value
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, f"line {node.lineno}: imports are absolute here"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in described:
            names = [found.group() for found in NAMED.finditer(node.value)]
        for name in names:
            root, _, rest = name.partition(".")
            package = rest.partition(".")[0]
            if root in ("noughts", "tests") and package in {*PACKAGES, *STANDS_FOR}:
                yield getattr(node, "lineno", 0), STANDS_FOR.get(package, package)


@pytest.mark.parametrize("folder", sorted(path.name for path in TESTS.iterdir() if any(path.rglob("*.py"))))
def test_tests_of_a_package_only_import_what_it_may_import(folder: str) -> None:
    package = STANDS_FOR.get(folder, folder)
    assert package in PACKAGES
    may = allowed(package)
    for path in (TESTS / folder).rglob("*.py"):
        upward = [(line, other) for line, other in imported(ast.parse(path.read_text())) if other not in may]
        assert upward == [], path


def test_shared_test_code_does_not_import_noughts() -> None:
    shared = [path for path in TESTS.glob("*.py") if path != Path(__file__)]
    assert shared
    for path in shared:
        assert list(imported(ast.parse(path.read_text()))) == []


def test_every_kind_of_upward_import_is_detected() -> None:
    program = (
        '"""This only speaks of noughts.cli."""\n'
        "import noughts.web.app\n"
        "from noughts import reports\n"
        "def test() -> None:\n"
        "    from tests.training.toy import METHOD\n"
        '    run("python:tests.agents.players:First")\n'
        "from noughts.rules import Rules\n"
        "from noughts.store import GameRecord\n"
        "import tests.positions.counting\n"
    )
    found = [package for _, package in sorted(imported(ast.parse(program)))]
    upward = ["web", "reports", "training", "agents"]
    assert found == [*upward, "rules", "store", "positions"]
    assert [package for package in found if package not in allowed("positions")] == upward


def test_the_order_matches_the_contracts() -> None:
    assert allowed(LAYERS[0]) == set(PACKAGES)
    assert set(LAYERS) | {"store", "machine"} == set(PACKAGES)
    assert allowed("rules") == {"rules", "store", "machine"}
    assert allowed("store") == {"rules", "store", "machine"}
    assert allowed("machine") == {"rules", "machine"}
