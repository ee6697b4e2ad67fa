"""``noughts serve`` prints the address of the page first."""

import re
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from noughts.classroom.room import open_class
from noughts.store.results import Store
from noughts.web.engine import Engine
from noughts.web.server import Listening
from tests.cli.running import Run, Told


def test_another_store_applies_to_agents_and_games(
    run: Run, own_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def visit(listening: Listening, app: FastAPI, browser: bool) -> None:
        with closing(listening.socket), TestClient(app, base_url=listening.address) as client:
            assert client.get("/api/games").json() == []

    monkeypatch.setattr("noughts.web.server.run", visit)
    monkeypatch.setattr("noughts.web.app.Engine", partial(Engine, cores=1, warm=False))
    code, _, err = run("serve", "--port", 0, "--no-browser", "--store", tmp_path / "other")
    assert code == 0, err
    assert (tmp_path / "other" / "results.sqlite").is_file()
    assert not own_store.exists()


def test_a_class_prints_its_code_and_one_server_runs_it(run: Run, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("serve", "--class", "--host", "127.0.0.1", "--port", "0", "--no-browser")
    monkeypatch.setattr("noughts.web.server.run", lambda listening, app, browser: listening.socket.close())
    codes = set()
    for _ in range(2):  # the second continues the class of the first
        exit_code, out, _ = run(*words)
        (code,) = re.findall(r"with the code ([A-Z2-9]{6})\n", out)
        codes.add(code)
        assert re.search(rf"pupils join at http://127\.0\.0\.1:\d+/join\?code={code}\n", out)
        assert re.search(r"yours alone, to teach: http://127\.0\.0\.1:\d+/\?token=[\w-]{32}#/class\n", out)
        assert (exit_code, "▄" in out) == (0, True)
    assert len(codes) == 1
    with Store.open() as store:
        class_id, _ = open_class(store.class_records)
        lock = store.class_records.lock(class_id)
        err = told(*words, code=2)
        lock.release()
    assert err.endswith("another `noughts serve --class` is at work there: stop it first\n")


@pytest.mark.usefixtures("own_store")
def test_a_class_is_rejected_without_its_folder(monkeypatch: pytest.MonkeyPatch, told: Told) -> None:
    monkeypatch.setitem(sys.modules, "noughts.classroom", None)  # as if it were not there
    err = told("serve", "--class", "--port", "0", "--no-browser", code=2)
    assert "--class: the folder noughts/classroom was deleted here: leave --class out" in err
