"""Settings for tests of commands: each has a store of its own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store that commands use unless they are told of another; nothing is in it yet."""
    folder = tmp_path_factory.mktemp("own") / "store"
    monkeypatch.setenv("NOUGHTS_STORE", str(folder))
    return folder
