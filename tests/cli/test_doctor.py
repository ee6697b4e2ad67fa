"""The findings of `noughts doctor`, and that it creates nothing."""

import importlib.metadata
import json
import os
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run, Told

MATCH = ("match", "random", "random", "-n", "2", "--workers", "0", "--json")


def findings(run: Run) -> dict[str, tuple[str, str]]:
    found = json.loads(run("doctor", "--json")[1])["findings"]
    return {finding["about"]: (finding["state"], finding["detail"]) for finding in found}


def test_a_sound_installation_passes_creates_nothing_and_counts_results(own_store: Path, run: Run, told: Told) -> None:
    assert "cores" in told("doctor")
    found = findings(run)
    assert "broken" not in {state for state, _ in found.values()}
    assert found["store"][1].startswith(f"{own_store}, nothing in it yet")
    assert not own_store.exists()
    assert run(*MATCH)[0] == 0
    assert ", 1 runs, " in findings(run)["store"][1]


def test_an_unusable_store_is_broken(tmp_path: Path, run: Run) -> None:
    (tmp_path / "results.sqlite").write_text("not a database, whatever its name says")
    code, out, _ = run("doctor", "--store", tmp_path)
    assert (code, "is not a noughts database" in " ".join(out.split())) == (1, True)


def test_missing_and_outdated_dependencies_are_named(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    wanted = ["numpy>=2", "numba<0.1", "nobody-has-this>=1", "nor-this; extra == 'more'", "numpy>=2; extra == 'less'"]
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: wanted if name == "noughts" else [])
    found = findings(run)
    state, detail = found["libraries"]
    assert state == "broken"
    assert f"numba is {importlib.metadata.version('numba')}, and <0.1 is needed" in detail
    assert "nobody-has-this is not installed" in detail
    assert "numpy" not in detail
    how = 'in your clone of noughts, run pip install ".[more]" or uv sync --extra more'
    assert found["extra more"] == ("missing", how)
    assert found["extra less"][0] == "fine"


def test_a_full_disk_and_a_folder_of_others_are_broken(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    usage = type("Usage", (), {"free": 1000})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    assert findings(run)["disk"][0] == "broken"
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert findings(run)["store"][0] == "broken"


def test_the_place_of_results_is_printed_once(own_store: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    told = [f"Results will be saved in {own_store}" in run(*MATCH)[2] for _ in range(2)]
    assert told == [True, False]


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
    monkeypatch.setattr("__main__.__package__", "")  # otherwise the program is called `python -m pytest`
    monkeypatch.setenv("_NOUGHTS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    with pytest.raises(SystemExit) as end:
        sys.exit(start())
    assert not end.value.code
    assert completed in capsys.readouterr().out.split()
