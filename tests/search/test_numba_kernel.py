"""Cached machine code is used exactly as long as its source files are unchanged."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import noughts
from noughts.positions.numba_kernel import FOLDERS_WITH_KERNELS

RUN = """
from noughts.positions import Position, Rng
from noughts.rules import parse_rules
from noughts.search import montecarlo
print(montecarlo.flat_monte_carlo(Position.start(parse_rules("tic-tac-toe")), 50, Rng(1)))
print(montecarlo.__file__)
import numba
print(numba.config.CACHE_DIR)
"""


def copy(folder: Path) -> Path:
    assert noughts.__file__
    source = Path(noughts.__file__).parent
    return Path(shutil.copytree(source, folder / "noughts", ignore=shutil.ignore_patterns("__pycache__")))


def run(package: Path, **environment: str) -> tuple[str, bool]:
    """The result of a search with this copy, and whether its machine code was on disk."""
    given = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    given |= {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    given["NUMBA_DEBUG_CACHE"] = "1"  # prints cache events on lines that begin with [cache]
    command = [sys.executable, "-c", RUN]
    done = subprocess.run(command, env=given, cwd=package.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    loaded = any(line.startswith("[cache] data loaded from") and "montecarlo" in line for line in lines)
    result, file, users = (line for line in lines if not line.startswith("[cache]"))
    assert Path(file).is_relative_to(package)
    assert users == environment.get("NUMBA_CACHE_DIR", "")  # functions of other libraries keep their place
    return result, loaded


@pytest.mark.slow
def test_a_changed_kernel_recompiles_the_searches_that_inline_it(tmp_path: Path) -> None:
    package = copy(tmp_path)
    before, loaded = run(package)
    assert not loaded
    assert run(package) == (before, True)
    (folder,) = (package / "__pycache__").glob("kernels-*")
    kernels = package / "positions" / "kernels.py"
    changed = kernels.read_text().replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17")
    assert changed != kernels.read_text()
    kernels.write_text(changed)
    after, loaded = run(package)
    assert (after != before, loaded) == (True, False)
    (only,) = (package / "__pycache__").glob("kernels-*")
    assert only != folder


@pytest.mark.slow
def test_a_users_cache_folder_is_used_and_a_read_only_package_works(tmp_path: Path) -> None:
    package, users = copy(tmp_path), tmp_path / "users"
    (package / "__pycache__").write_text("nobody can make a folder in here")
    found, _ = run(package, NUMBA_CACHE_DIR=str(users))
    assert [path.name.partition("-")[0] for path in users.iterdir()] == ["kernels"]
    assert run(package, NUMBA_CACHE_DIR=str(users)) == (found, True)
    assert run(package)[0] == found


def test_every_folder_with_kernels_is_watched_for_changes() -> None:
    package = Path(noughts.__file__).parent
    folders = {
        path.parent.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"numba_kernel import .*\bkernel\b", path.read_text())
    }
    assert folders == set(FOLDERS_WITH_KERNELS)
