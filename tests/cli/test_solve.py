"""``noughts solve``: values, moves, certificates, and what becomes of budgets and bad input."""

import json
from pathlib import Path

import numpy as np
import pytest

from noughts.machine import memory
from noughts.positions import Side
from noughts.rules import parse_rules
from noughts.solvers.certificate import Certificate, file_name, write_certificate
from tests.cli.running import Run


@pytest.mark.heavy
def test_moves_are_grouped_by_what_they_are_worth(run: Run) -> None:
    code, out, _ = run("solve", "mnk(3,4,3)", "--moves", "--distance")
    assert code == 0
    assert out.startswith("mnk(3,4,3): the first player wins in 7 plies\n")
    assert "  the first player wins after A1(9) A2(7) A3(7) A4(9) B2(7) B3(7) C1(9) C2(7) C3(7) C4(9)\n" in out
    assert "  the second player wins after B1(10) B4(10)\n" in out


@pytest.mark.heavy
def test_many_games_come_as_a_table_in_their_order(run: Run) -> None:
    code, out, err = run("solve", "mnk(3,4,3,bricks=A1|A4|B2)", "--json", "--workers", "0")
    assert code == 0
    games = json.loads(out)["games"]
    assert [game["game"] for game in games] == [f"mnk(3,4,3,bricks={square})" for square in ("A1", "A4", "B2")]
    assert games[0]["nodes"] == games[1]["nodes"]  # images of one another: one proof
    assert err == ""
    code, out, err = run("solve", "mnk(3,4,3,bricks=A1|A4|B2)", "--workers", "0", "--rerun")
    assert code == 0
    assert (
        sum(line.startswith("mnk") and (" first wins " in line or " a draw " in line) for line in out.splitlines()) == 3
    )
    assert "exact values of mnk(3,4,3,bricks=A1|A4|B2): 2 of 2" in err  # of two classes of images


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
    path = Path(games[0]["certificate"])
    path.write_bytes(before[path][:-3])
    code, out, err = run(*words)
    assert (code, path.read_bytes()) == (1, before[path][:-3])
    assert f"{path} is there already and proves nothing of it: --force writes over it\n" in err
    code, out, _ = run(*words, "--force")
    assert code == 0
    assert [game["kept"] for game in json.loads(out)["games"]] == [False, True]
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_certificate_that_proves_nothing_is_not_believed(tmp_path: Path, run: Run) -> None:
    rules = parse_rules("mnk(3,4,3,bricks=B1)")
    words = np.zeros(1, np.uint64)
    for moves in (np.zeros(0, np.uint8), np.full(1, 200, np.uint8)):
        false = Certificate(rules, Side.FIRST, words[: len(moves)], words[: len(moves)], moves)
        write_certificate(tmp_path / file_name(rules), false)
        code, out, _ = run(
            "solve", "mnk(3,4,3,bricks=B1|B4)", "--certificate", tmp_path, "--force", "--json", "--workers", "0"
        )
        assert code == 0
        assert [game["kept"] for game in json.loads(out)["games"]] == [False, False]
        assert run("verify", tmp_path, "--workers", "0")[0] == 0
        for path in tmp_path.iterdir():
            path.unlink()


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
