"""Commands on a store in a database server, named by option or environment; they never print its password."""

import json
from pathlib import Path

import pytest

from noughts.cli.main import main
from tests.postgresql import PostgresqlServer


@pytest.fixture
def url(postgresql_server: PostgresqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL, with a password, of an empty place."""
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path / "files"))
    return postgresql_server.new_place().replace("noughts@", "noughts:secret@")


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """The output of a command on both streams, which must not contain the password."""
    assert main(list(words)) == code
    shown = capsys.readouterr()
    assert "secret" not in shown.out + shown.err
    return shown.out or shown.err


def test_every_command_accepts_a_url(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    called = url.partition("?")[0].replace(":secret", "")
    told(capsys, "match", "random", "minimax:depth=1", "-n", "4", "--workers", "0", "--store", url)
    monkeypatch.setenv("NOUGHTS_STORE", url)
    (run,) = json.loads(told(capsys, "results", "list", "--json"))
    assert (run["kind"], run["status"]) == ("match", "finished")
    assert "4 games" in told(capsys, "results", "games", "match")
    findings = {finding["about"]: finding for finding in json.loads(told(capsys, "doctor", "--json"))["findings"]}
    assert findings["store"]["state"] == "fine"
    assert findings["store"]["detail"].startswith(f"{called}, 1 runs, ")
    assert f"files in {tmp_path / 'files'}" in findings["store"]["detail"]
    assert findings["extra postgres"]["state"] == "fine"
    usage = json.loads(told(capsys, "results", "usage", "--json"))
    assert usage["parts"][0]["name"] == "database, on the server"
    assert usage["parts"][0]["bytes"] > 10_000
    assert "no finished run of mcts-perfect in postgresql://noughts@" in told(
        capsys, "study", "show", "mcts-perfect", code=2
    )
    told(capsys, "results", "remove", run["id"], "--yes")
    assert json.loads(told(capsys, "results", "list", "--json")) == []
