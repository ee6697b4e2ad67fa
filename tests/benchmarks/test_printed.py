"""The output of each command is saved beside it; a failing command keeps the previous output."""

from pathlib import Path

import pytest

from benchmarks import printed


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(printed, "PRINTED", tmp_path / "printed.txt")
    return tmp_path / "printed.txt"


def test_the_last_output_of_each_command_is_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed, "COMMANDS", ("python -c 'print(1); print(); print(2)'", "python -c 'print(3)' other"))
    assert printed.main([]) == 0
    assert printed.main(["other"]) == 0
    first, second = printed.printed().values()
    assert first[1:] == ["1", "2"]
    assert second[1:] == ["3"]
    assert "commit" in first[0]
    assert list(printed.printed()) == list(printed.COMMANDS)


def test_a_failing_command_is_reported_and_changes_nothing(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = "python -c 'print(7); raise SystemExit(5)'"
    monkeypatch.setattr(printed, "COMMANDS", (command,))
    kept.write_text(f"$ uv run {command}\nbefore\n")
    assert printed.main([]) == 1
    assert printed.printed() == {command: ["before"]}
    said = capsys.readouterr().err
    assert "7\nit ended with exit code 5" in said


def test_a_filter_that_matches_no_command_is_rejected(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed.main(["chess"]) == 2
    assert "noughts verify proofs" in capsys.readouterr().err
    assert not kept.exists()
