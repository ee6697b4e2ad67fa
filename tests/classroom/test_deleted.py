"""The application starts without the class's folder, and `--class` is then refused in one line."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import noughts
from tests.web.serving import server


@pytest.fixture
def without_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package, which has no such folder; programs that are started find it before the other one."""
    copy = tmp_path / "copy"
    shutil.copytree(
        Path(noughts.__file__).parent, copy / "noughts", ignore=shutil.ignore_patterns("classroom", "__pycache__")
    )
    monkeypatch.setenv("PYTHONPATH", str(copy))
    return tmp_path


@pytest.mark.heavy
def test_the_page_is_served_without_it(without_class: Path) -> None:
    with server(without_class) as found, found.client() as client:
        assert client.get("/api/health").json()["scripts"] == []
        assert "main.js" in client.get("/").text
        assert client.get("/class/class.js").status_code == 404
        assert client.get("/api/class").status_code == 404
        assert client.post("/api/position", json={"text": "tic-tac-toe B2"}).json()["ply"] == 1
        assert found.stop() == 130


def test_a_class_is_refused_without_it(without_class: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "noughts", "serve", "--class", "--no-browser", "--store", str(without_class / "store")],
        capture_output=True,
        text=True,
        env=os.environ,
        check=False,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.endswith("--class: the folder noughts/classroom was deleted here: leave --class out")
