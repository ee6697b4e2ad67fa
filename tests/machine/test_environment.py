"""The environment says what made a result, and tells code that was edited from code that was not."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import noughts
from noughts.machine.environment import Environment, current_code, current_environment
from noughts.rules import StoreError


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def code() -> tuple[str, str]:
    """Commit and hash of the source, as a new process would see them."""
    current_environment.cache_clear()
    current_code.cache_clear()
    return current_environment().commit, current_code()["source"]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small noughts in a folder of its own."""
    package = tmp_path / "checkout" / "src" / "noughts"
    (package / "rules").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "rules" / "errors.py").write_text("first = 1\n")
    monkeypatch.setattr(noughts, "__file__", str(package / "__init__.py"))
    yield package
    monkeypatch.undo()
    current_environment.cache_clear()
    current_code.cache_clear()


def test_the_environment_is_known_and_survives_json() -> None:
    environment = current_environment()
    assert environment.versions["noughts"] == noughts.__version__
    assert environment.versions.keys() >= {"python", "numpy", "numba"}
    assert environment.cores >= 1
    assert environment.machine
    assert Environment.from_json(environment.to_json()) == environment
    assert Environment.error_type is StoreError


def test_every_edit_is_other_code(package: Path) -> None:
    root = package.parents[1]
    outside = code()
    assert outside[0] == ""
    assert len(outside[1]) == 16
    git(root, "init")
    git(root, "add", ".")
    git(root, "commit", "-m", "all")
    commit, source = code()
    assert len(commit) == 40
    assert source == outside[1]  # committing changes no source
    (root / "notes.txt").touch()  # is no source
    assert code() == (commit, source)
    (package / "rules" / "errors.py").write_text("first = 2\n")
    edited = code()
    assert edited[0] == f"{commit}+changes"
    assert edited == code()
    (package / "new.py").touch()
    more = code()
    assert more[0] == edited[0]
    assert len({edited[1], more[1], outside[1]}) == 3


def test_a_copy_inside_another_repository_has_no_commit(package: Path) -> None:
    outside = package.parents[2]
    git(outside, "init")
    git(outside, "add", ".")
    git(outside, "commit", "-m", "all")
    assert code()[0] == ""
