"""Fixtures for tests of commands; each test has its own store."""

import json
from pathlib import Path
from typing import Any

import pytest

from noughts.cli.main import main
from tests.cli.running import Run, Shown, Told


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The default store of commands; still empty."""
    folder = tmp_path_factory.mktemp("own") / "store"
    monkeypatch.setenv("NOUGHTS_STORE", str(folder))
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command; return only its own output."""

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(list(map(str, words)))
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def told(run: Run) -> Told:
    """Run a command and return its messages to people: its one line on standard error if it is rejected."""

    def told(*words: object, code: int = 0) -> str:
        found, out, err = run(*words)
        assert found == code, err
        if code == 2:
            assert (out, err.startswith("error: "), err.count("\n")) == ("", True, 1), err
        return err if code == 2 else out

    return told


@pytest.fixture
def shown(run: Run) -> Shown:
    """Run a command and parse its JSON."""

    def shown(*words: object, code: int = 0) -> Any:
        found, out, err = run(*words, "--json")
        assert found == code, err
        return json.loads(out)

    return shown
