"""Stores of both kinds: tests of a store run on a folder and on a database in a server."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from noughts.rules import StoreError
from noughts.store.results import Store

KINDS = ("folder", "server")


def refused(act: Callable[..., object], *arguments: object) -> str:
    """The message of the expected StoreError, which is one line."""
    with pytest.raises(StoreError) as raised:
        act(*arguments)
    return str(raised.value)


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty place for a store: a folder, or the URL of a database. Files go into `tmp_path / "place"`."""
    return _place(request, tmp_path, monkeypatch, "postgresql_server")


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """A store there."""
    with Store.open(place) as store:
        yield store


@pytest.fixture(params=KINDS)
def durable_place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same, on a server that keeps acknowledged data through any failure."""
    return _place(request, tmp_path, monkeypatch, "durable_server")


@pytest.fixture
def server_place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty database on a server."""
    return _place(request, tmp_path, monkeypatch, "postgresql_server")


def _place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: str) -> str:
    if getattr(request, "param", "server") == "folder":
        return str(tmp_path / "place")
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path / "place"))
    url: str = request.getfixturevalue(server).new_place()
    return url
