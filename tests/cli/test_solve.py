"""``noughts solve``: values, moves, certificates, and what becomes of budgets and bad input."""

import json
from pathlib import Path

import numpy as np
import pytest

from noughts.machine import memory
from noughts.positions import Side
from noughts.rules import parse_rules
from noughts.solvers.certificate import Certificate, write_certificate
from tests.cli.running import Run


def test_certificates_are_written_verified_and_kept(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "proofs"
    words = ("solve", "mnk(3,4,3,bricks=B1|B4)", "--certificate", folder, "--json", "--workers", "0")
    code, out, _ = run(*words)
    assert code == 0
    games = json.loads(out)["games"]
    assert all(Path(game["certificate"]).exists() and not game["kept"] for game in games)
    assert run("verify", folder, "--workers", "0")[0] == 0
    before = {path: path.read_bytes() for path in folder.iterdir()}
    code, out, _ = run(*words)
    assert all(game["kept"] for game in json.loads(out)["games"])
    path, nothing = Path(games[0]["certificate"]), np.zeros(0, np.uint64)
    empty = Certificate(parse_rules(games[0]["game"]), Side.FIRST, nothing, nothing, np.zeros(0, np.uint8))
    write_certificate(tmp_path / "empty.proof", empty)
    for bad in (before[path][:-3], (tmp_path / "empty.proof").read_bytes()):
        path.write_bytes(bad)
        code, out, err = run(*words)
        assert (code, path.read_bytes()) == (1, bad)
        assert f"{path} is there already and proves nothing of it: --force writes over it\n" in err
        code, out, _ = run(*words, "--force")
        assert code == 0
        assert [game["kept"] for game in json.loads(out)["games"]] == [False, True]
        assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.heavy
def test_positions_that_no_solver_covers_stay_open(run: Run) -> None:
    code, out, _ = run("solve", "notakto(8)", "--after", "A1", "--moves", "--json")
    assert code == 0
    (found,) = json.loads(out)["games"]
    assert found["value"] == 1
    assert [move["move"] for move in found["moves"] if move["low"] == 1] == ["B7", "G2"]  # two pairings
    assert {(move["low"], move["high"]) for move in found["moves"]} == {(1, 1), (-1, 1)}


@pytest.mark.heavy
def test_a_budget_leaves_bounds_and_exit_code_1(run: Run) -> None:
    code, out, _ = run("solve", "bttt(C3)", "--nodes", "1000")
    assert code == 1
    assert "bttt(C3): not decided\nproof-number search: 1,000 nodes" in out
    code, out, _ = run("solve", "mnk(7,7,5)", "--seconds", "0.3", "--json")
    assert code == 1
    (found,) = json.loads(out)["games"]
    assert found["value"] is None


def test_memory_that_is_not_there_gets_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 3 * memory.GIB)
    code, _, err = run("solve", "notakto(6)", "--memory", "9", "--workers", "0")
    assert code == 2
    assert "needs 8.0 GiB, and only 3.0 GiB are free on this machine" in err
