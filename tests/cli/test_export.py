"""``noughts export``: from what was played to files that others read."""

import json
from pathlib import Path

import numpy as np
import pytest

from noughts.bridges.formats import read_games
from tests.cli.running import run


def test_a_match_is_exported_in_every_form(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "match", "random", "minimax:depth=1", "-n", "5", "--workers", "0")[0] == 0
    records = None
    for name in ("games.jsonl", "games.pgn", "games.npz"):
        path = tmp_path / name
        code, out, err = run(capsys, "export", "match", "--to", str(path), "--workers", "0")
        assert code == 0, err
        assert out.startswith(f"{path}: ")
        assert "5 games" in out
        records = records or read_games(path)
        assert read_games(path) == records
    with np.load(tmp_path / "games.npz") as arrays:
        assert (arrays["value_low"] == arrays["value_high"]).all()
        assert (arrays["optimal"].sum(axis=1) > 0).tolist() == (~arrays["is_last"]).tolist()
    lines = tmp_path / "lines.jsonl"
    code, out, _ = run(capsys, "export", "match", "-f", "openspiel", "--to", str(lines), "--json")
    assert (code, json.loads(out)["games"], len(lines.read_text().splitlines())) == (0, 5, 5)
    places = ["-f", "positions", "--to", str(lines), "--force", "--workers", "0", "--json"]
    code, out, _ = run(capsys, "export", str(tmp_path / "games.pgn"), *places)
    said = json.loads(out)
    assert (code, said["not_proved"]) == (0, 0)
    assert said["positions"] == len(lines.read_text().splitlines()) > 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["all"], "Missing option '--to'"),
        (["all", "--to", "x.pdf"], "the form of x.pdf is unknown"),
        (["all", "--to", "x.pgn", "-f", "pdf"], "unknown form 'pdf'"),
        (["all", "--to", "nowhere/x.pgn"], "there is no folder nowhere"),
        (["all", "--to", "x.pgn"], "all has no games"),
        (["nobody", "--to", "x.pgn"], "unknown run, kind of run, study or file 'nobody'"),
        (["all", "--to", "there.pgn"], "there.pgn is there already: --force writes over it"),
        (["there.pgn", "--to", "x.pgn"], "there.pgn: game 1: Rules, First, Second are missing"),
        (["all", "--to", "x.pgn", "--rules", "chess"], "unknown rules preset 'chess'"),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_line(
    words: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.pgn").write_text("1. A1 *\n")
    code, out, err = run(capsys, "export", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.pgn"]
