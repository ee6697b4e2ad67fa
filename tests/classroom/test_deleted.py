"""The application starts without the class's folder, and then `--class` is rejected in one line."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import noughts


@pytest.fixture(scope="module")
def without_class(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package without that folder."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        Path(noughts.__file__).parent, copy / "noughts", ignore=shutil.ignore_patterns("classroom", "__pycache__")
    )
    return copy


VISITED = """
import sys
from functools import partial
from fastapi.testclient import TestClient
from noughts.__main__ import main
from noughts.web import app, server

def visit(listening, application, browser):
    with TestClient(application, base_url=listening.address.rstrip("/")) as client:
        assert client.get("/api/health").json()["scripts"] == []
        assert "main.js" in client.get("/").text
        assert client.get("/class/class.js").status_code == client.get("/api/class").status_code == 404
        assert client.post("/api/position", json={"text": "tic-tac-toe B2"}).json()["ply"] == 1

app.Engine = partial(app.Engine, cores=1, warm=False)
server.run = visit
sys.exit(main())
"""


def serve(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run `noughts serve`, which answers one visitor without workers and ends."""
    options = ("--port", "0", "--no-browser", "--store", str(folder / "store"))
    return subprocess.run(
        [sys.executable, "-c", VISITED, "serve", *options, *words],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(folder)},  # imported before the complete package
        check=False,
    )


@pytest.mark.heavy
def test_the_page_is_served_without_the_class_folder(without_class: Path) -> None:
    done = serve(without_class)
    assert done.returncode == 0, done.stderr


@pytest.mark.heavy
def test_a_class_is_rejected_without_its_folder(without_class: Path) -> None:
    done = serve(without_class, "--class")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.endswith("--class: the folder noughts/classroom was deleted here: leave --class out")
