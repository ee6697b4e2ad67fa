"""Commands on a store in a database server, named by option or environment; they never print its password."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.postgresql import PostgresqlServer


@pytest.fixture
def url(postgresql_server: PostgresqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL, with a password, of an empty place."""
    monkeypatch.setenv("NOUGHTS_FILES", str(tmp_path / "files"))
    return postgresql_server.new_place().replace("noughts@", "noughts:secret@")


def test_every_command_accepts_a_url(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    called = url.partition("?")[0].replace(":secret", "")

    def told(*words: str, code: int = 0) -> str:
        """The output on either stream, neither of which contains the password."""
        found, out, err = run(*words)
        assert (found, "secret" in out + err) == (code, False)
        return out or err

    told("match", "random", "minimax:depth=1", "-n", "4", "--workers", "0", "--store", url)
    monkeypatch.setenv("NOUGHTS_STORE", url)
    (listed,) = json.loads(told("results", "list", "--json"))
    assert (listed["kind"], listed["status"]) == ("match", "finished")
    assert "4 games" in told("results", "games", "match")
    findings = {finding["about"]: finding for finding in json.loads(told("doctor", "--json"))["findings"]}
    assert findings["store"]["state"] == "fine"
    assert findings["store"]["detail"].startswith(f"{called}, 1 runs, ")
    assert f"files in {tmp_path / 'files'}" in findings["store"]["detail"]
    assert findings["extra postgres"]["state"] == "fine"
    usage = json.loads(told("results", "usage", "--json"))
    assert usage["parts"][0]["name"] == "database, on the server"
    assert usage["parts"][0]["bytes"] > 10_000
    missing = told("study", "show", "mcts-perfect", code=2)
    assert "no finished run of mcts-perfect in postgresql://noughts@" in missing
    told("results", "remove", listed["id"], "--yes")
    assert json.loads(told("results", "list", "--json")) == []
