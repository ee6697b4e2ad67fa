"""``noughts export``: from what was played to files that others read."""

import json
from pathlib import Path

import numpy as np

from noughts.bridges.formats import read_games
from tests.cli.running import Run


def test_a_match_is_exported_in_every_form(run: Run, tmp_path: Path) -> None:
    assert run("match", "random", "minimax:depth=1", "-n", "5", "--workers", "0")[0] == 0
    records = None
    for name in ("games.jsonl", "games.pgn", "games.npz"):
        path = tmp_path / name
        code, out, err = run("export", "match", "--to", str(path), "--workers", "0")
        assert code == 0, err
        assert out.startswith(f"{path}: ")
        assert "5 games" in out
        records = records or read_games(path)
        assert read_games(path) == records
    with np.load(tmp_path / "games.npz") as arrays:
        assert (arrays["value_low"] == arrays["value_high"]).all()
        assert (arrays["optimal"].sum(axis=1) > 0).tolist() == (~arrays["is_last"]).tolist()
    lines = tmp_path / "lines.jsonl"
    code, out, _ = run("export", "match", "-f", "openspiel", "--to", str(lines), "--json")
    assert (code, json.loads(out)["games"], len(lines.read_text().splitlines())) == (0, 5, 5)
    places = ["-f", "positions", "--to", str(lines), "--force", "--workers", "0", "--json"]
    code, out, _ = run("export", str(tmp_path / "games.pgn"), *places)
    said = json.loads(out)
    assert (code, said["not_proved"]) == (0, 0)
    assert said["positions"] == len(lines.read_text().splitlines()) > 5
