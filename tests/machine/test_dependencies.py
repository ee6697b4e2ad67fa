"""Versions of code separate changes that may alter an answer from those that cannot."""

import importlib.metadata
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import noughts
from noughts.machine import dependencies
from noughts.machine.dependencies import LIBRARIES, OUR_CODE, of_class, of_our_code
from noughts.machine.sources import meaning_hash

SOURCE = '''"""A module."""

SIZE = 3
"""How large it is."""

class Board:
    """A board."""

    def cells(self) -> int:
        """How many."""
        return SIZE * SIZE  # all of them
'''

REWORDED = '''# A comment.
"""Another description,
of two lines."""
SIZE = 3
"""Its size."""
class Board:
    "The board."
    def cells(self) -> int:
        # A comment.
        return (SIZE * SIZE)
'''

CHANGES = {
    "a constant": ("SIZE = 3", "SIZE = 4"),
    "an operator": ("SIZE * SIZE", "SIZE + SIZE"),
    "a name": ("class Board", "class Table"),
    "a text that is used": ("SIZE = 3", 'SIZE = "3"'),
    "a default": ("cells(self)", "cells(self, more=0)"),
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small copy of noughts in a folder."""
    package = tmp_path / "noughts"
    for name in ("rules", "search", "web"):
        (package / name / "parts").mkdir(parents=True)
        (package / name / "board.py").write_text(SOURCE)
    (package / "__init__.py").touch()
    monkeypatch.setattr(noughts, "__file__", str(package / "__init__.py"))
    return package


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """Clear the caches before and after a test."""
    forget()
    yield
    forget()


def forget() -> None:
    for function in vars(dependencies).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def hash_now(*packages: str) -> str:
    """The hash as computed in a new process."""
    forget()
    return version(*(packages or ("rules", "search")))


def version(*packages: str) -> str:
    return of_our_code(packages).versions[OUR_CODE]


def test_the_code_of_every_package_is_found() -> None:
    packages = tuple(path.parent.name for path in Path(noughts.__file__).parent.glob("*/__init__.py"))
    assert {"rules", "questions", *LIBRARIES} <= set(packages)
    hashes = {package: version(package) for package in packages}
    assert len(set(hashes.values())) == len(packages)
    assert {len(found) for found in hashes.values()} == {16}
    assert version(*packages) not in hashes.values()


def test_the_same_code_in_another_folder_has_the_same_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = hash_now()
    shutil.copytree(Path(noughts.__file__).parent, tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(noughts, "__file__", str(tmp_path / "copy" / "__init__.py"))
    assert hash_now() == here


@pytest.mark.parametrize("change", CHANGES)
def test_the_hash_of_a_foreign_file_depends_on_code_and_not_comments(tmp_path: Path, change: str) -> None:
    hashes = set()
    for text in (SOURCE, REWORDED, SOURCE.replace(*CHANGES[change])):
        (tmp_path / "mine.py").write_text(text)
        hashes.add(meaning_hash(tmp_path / "mine.py"))
    assert len(hashes) == 2
    (tmp_path / "mine.py").write_text("def (")
    assert meaning_hash(tmp_path / "mine.py") not in hashes  # it is not Python


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "new.py").touch(),
        lambda folder: (folder / "parts" / "new.py").touch(),
        lambda folder: (folder / "board.py").rename(folder / "parts" / "board.py"),
        lambda folder: (folder / "board.py").unlink(),
        lambda folder: (folder / "board.py").write_text(SOURCE.replace("3", "4")),
    ],
)
def test_changed_new_deleted_and_moved_files_change_the_hash(package: Path, change: Callable[[Path], object]) -> None:
    before = hash_now()
    change(package / "search")
    assert hash_now() != before


def test_other_packages_and_files_without_code_change_nothing(package: Path) -> None:
    before = hash_now()
    (package / "web" / "board.py").write_text("SIZE = 4")
    (package / "rules" / "notes.txt").write_text("notes")
    assert hash_now() == before
    assert hash_now("rules", "web") != hash_now("rules", "search")


def test_a_librarys_version_only_counts_for_its_users(monkeypatch: pytest.MonkeyPatch) -> None:
    users = {"positions": "numpy", "networks": "jaxlib", "search": "mctx", "training": "cma"}
    before = {package: hash_now(package) for package in [*users, "rules"]}
    installed = importlib.metadata.version
    for user, library in users.items():
        monkeypatch.setattr(
            importlib.metadata, "version", lambda name, old=library: installed(name) + "!" * (name == old)
        )
        assert {package for package in before if hash_now(package) != before[package]} == {user}


def test_python_noughts_and_the_kind_of_machine_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = hash_now()
    for place, name, value in (
        (platform, "python_version", lambda: "3.99.1"),
        (platform, "machine", lambda: "pdp11"),
        (noughts, "__version__", "99"),
    ):
        with monkeypatch.context() as change:
            change.setattr(place, name, value)
            assert hash_now() != before
    assert hash_now() == before


def test_an_unknown_package_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match=r"^noughts has no package or module 'rulez'$"):
        version("rules", "rulez")


def test_a_module_is_identified_by_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("users_own")
    monkeypatch.setitem(sys.modules, "users_own", module)
    assert of_class((), "users_own").versions == of_our_code(()).versions  # typed into a console
    module.__file__ = str(tmp_path / "users_own.py")
    hashes = []
    for text in (SOURCE, REWORDED, SOURCE.replace("3", "4")):
        Path(module.__file__).write_text(text)
        forget()
        found = of_class((), "users_own")
        assert found.files == (Path(module.__file__),)
        hashes.append(found.basis)
    assert hashes[0] == hashes[1] != hashes[2]
    assert len(hashes[0]) == 16
