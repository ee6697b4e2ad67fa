"""The environment describes what made a result: a commit, or files that differ from it."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import noughts
from noughts.machine.environment import Environment, current_environment


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def commit_all(folder: Path) -> None:
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "all")


def commit() -> str:
    """The commit as found by a new process."""
    current_environment.cache_clear()
    return current_environment().commit


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small copy of noughts in a folder."""
    package = tmp_path / "checkout" / "src" / "noughts"
    (package / "rules").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "rules" / "errors.py").write_text("first = 1\n")
    monkeypatch.setattr(noughts, "__file__", str(package / "__init__.py"))
    yield package
    monkeypatch.undo()
    current_environment.cache_clear()


def test_the_environment_is_known_and_survives_json() -> None:
    environment = current_environment()
    assert environment.versions["noughts"] == noughts.__version__
    assert environment.versions.keys() >= {"python", "numpy", "numba"}
    assert environment.cores >= 1
    assert environment.machine
    assert Environment.from_json(environment.to_json()) == environment


def test_the_commit_is_our_own_checkouts(package: Path) -> None:
    root = package.parents[1]
    assert commit() == ""
    commit_all(root)
    clean = commit()
    assert len(clean) == 40
    (root / "notes.txt").touch()  # not source code
    assert commit() == clean
    (package / "rules" / "errors.py").write_text("first = 2\n")
    assert commit() == f"{clean}+changes"
    git(root, "checkout", "--", ".")
    (package / "new.py").touch()
    assert commit() == f"{clean}+changes"


def test_a_copy_inside_another_repository_has_no_commit(package: Path) -> None:
    commit_all(package.parents[2])
    assert commit() == ""
