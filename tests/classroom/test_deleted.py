"""The application starts without the class's folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import noughts

VISITED = """
import sys
from functools import partial
from importlib.util import find_spec
from fastapi.testclient import TestClient
from noughts.__main__ import main
from noughts.web import app, server

assert find_spec("noughts.classroom") is None

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


@pytest.mark.heavy
def test_the_page_is_served_without_the_class_folder(tmp_path: Path) -> None:
    """`noughts serve`, in a copy of the package, answers one visitor without workers and ends."""
    shutil.copytree(Path(noughts.__file__).parent, tmp_path / "noughts", ignore=shutil.ignore_patterns("classroom"))
    options = ("--port", "0", "--no-browser", "--store", str(tmp_path / "store"))
    subprocess.run(
        [sys.executable, "-c", VISITED, "serve", *options],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},  # imported before the complete package
        check=True,
    )
