"""The folder of the store, which is found without loading a database or array library."""

import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from noughts.rules import StoreError
from noughts.store.place import store_folder
from noughts.store.run_folder import run_names


def test_the_folder_is_given_or_from_environment_or_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "there"))
    assert store_folder("here") == Path("here")
    assert store_folder() == tmp_path / "there"
    assert not (tmp_path / "there").exists()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store_folder("~/mine") == tmp_path / "mine"
    ours = Path(platformdirs.user_data_dir("noughts", appauthor=False))
    assert store_folder("postgresql://server/database") == ours
    monkeypatch.delenv("NOUGHTS_STORE")
    assert store_folder() == ours


@pytest.mark.parametrize("place", ["", "  ", "~nosuchperson/x"])
def test_an_impossible_place_is_one_line(place: str) -> None:
    with pytest.raises(StoreError, match="choose another place with --store or NOUGHTS_STORE"):
        store_folder(place)


@pytest.mark.parametrize(
    ("module", "unloaded"),
    [
        ("store", {"sqlalchemy", "filelock", "numpy"}),
        ("store.run_folder", {"sqlalchemy", "numpy", "numba", "jax"}),
        ("store.results", {"numpy", "numba", "jax"}),
    ],
)
def test_no_module_loads_unneeded_libraries(module: str, unloaded: set[str]) -> None:
    program = f"import sys, noughts.{module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not unloaded & set(done.stdout.split())


def test_a_place_that_is_no_folder_has_no_runs_to_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    assert run_names() == ()
    (tmp_path / "file").touch()
    for place in ("/dev/null", str(tmp_path / "file")):
        monkeypatch.setenv("NOUGHTS_STORE", place)
        with pytest.raises(StoreError, match="training cannot be read: Not a directory"):
            run_names()
