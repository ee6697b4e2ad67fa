"""What `noughts doctor` finds, and that it makes nothing."""

import importlib.metadata
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from noughts.cli.main import main


def findings(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, tuple[str, str]]:
    main(["doctor", "--json", *options])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return {finding["about"]: (finding["state"], finding["detail"]) for finding in found}


def test_all_is_fine_here_and_nothing_is_made(own_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    assert "cores" in capsys.readouterr().out
    found = findings(capsys)
    assert "broken" not in {state for state, _ in found.values()}
    assert found["store"][1].startswith(f"{own_store}, nothing in it yet")
    assert not own_store.exists()


def test_it_counts_what_is_kept(own_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "random", "random", "-n", "2", "--workers", "0"]) == 0
    capsys.readouterr()
    assert ", 1 runs, " in findings(capsys)["store"][1]


def test_a_store_that_is_none_is_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "results.sqlite").write_text("not a database, whatever its name says")
    assert main(["doctor", "--store", str(tmp_path)]) == 1
    assert "is not a noughts database" in " ".join(capsys.readouterr().out.split())


def test_what_is_missing_and_what_is_too_old_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["numpy>=2", "numba<0.1", "nobody-has-this>=1", "nor-this; extra == 'more'", "numpy>=2; extra == 'less'"]
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: wanted if name == "noughts" else [])
    found = findings(capsys)
    state, detail = found["libraries"]
    assert state == "broken"
    assert f"numba is {importlib.metadata.version('numba')}, and <0.1 is needed" in detail
    assert "nobody-has-this is not installed" in detail
    assert "numpy" not in detail
    assert found["extra more"] == (
        "missing",
        'in your clone of noughts, run pip install ".[more]" or uv sync --extra more',
    )
    assert found["extra less"][0] == "fine"


def test_a_full_disk_and_a_folder_of_others_are_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usage = type("Usage", (), {"free": 1000})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    assert findings(capsys)["disk"][0] == "broken"
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert findings(capsys)["store"][0] == "broken"


def test_people_are_told_once_where_results_will_be_kept(
    own_store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["match", "random", "random", "-n", "2", "--workers", "0", "--json"]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(words) == 0
    assert f"Results will be saved in {own_store}" in capsys.readouterr().err
    assert main(words) == 0
    assert "will be kept" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("noughts match mini", "minimax"),
        ("noughts match random random --rules tic", "tic-tac-toe"),
        ("noughts doc", "doctor"),
    ],
)
def test_shells_complete_words(
    typed: str, completed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from noughts.__main__ import main as start

    monkeypatch.setattr(sys, "argv", ["noughts"])
    for name, value in (("_NOUGHTS_COMPLETE", "complete_bash"), ("COMP_WORDS", typed), ("COMP_CWORD", "2")):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    with pytest.raises(SystemExit) as end:
        sys.exit(start())
    assert not end.value.code
    assert completed in capsys.readouterr().out.split()
