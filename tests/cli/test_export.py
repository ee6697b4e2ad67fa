"""``noughts export``: from what was played to files that others read."""

import json
from pathlib import Path

from noughts.bridges.formats import read_games
from tests.cli.running import Run


def test_a_match_is_exported_and_a_file_of_it_in_another_form(run: Run, tmp_path: Path) -> None:
    """What is in a file of each form is in tests/golden/games.txt, and that it is read back in tests/bridges/test_export.py."""
    assert run("match", "random", "minimax:depth=1", "-n", "5", "--workers", "0")[0] == 0
    path, lines = tmp_path / "games.pgn", tmp_path / "lines.jsonl"
    code, out, err = run("export", "match", "--to", str(path))
    assert code == 0, err
    assert out.startswith(f"{path}: ")
    assert "5 games" in out
    assert len(read_games(path)) == 5
    lines.write_text("to be written over")
    code, out, _ = run(
        "export", str(path), "-f", "positions", "--to", str(lines), "--force", "--workers", "0", "--json"
    )
    said = json.loads(out)
    assert (code, said["not_proved"]) == (0, 0)
    assert said["positions"] == len(lines.read_text().splitlines()) > 5
