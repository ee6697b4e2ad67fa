"""``noughts solve``: certificates, unsolved moves, and budgets."""

from pathlib import Path

import numpy as np

from noughts.positions import Side
from noughts.rules import parse_rules
from noughts.solvers.certificate import Certificate, write_certificate
from tests.cli.running import Run, Shown, Told


def test_bad_files_are_not_overwritten_and_good_ones_stay_as_they_are(tmp_path: Path, run: Run, shown: Shown) -> None:
    folder = tmp_path / "proofs"
    words = ("solve", "mnk(3,4,3,bricks=B1|B4)", "--certificate", folder, "--workers", "0")
    games = shown(*words)["games"]
    before = {path: path.read_bytes() for path in folder.iterdir()}

    def times() -> list[int]:
        return [Path(game["certificate"]).stat().st_mtime_ns for game in games]

    written = times()
    path, nothing = Path(games[0]["certificate"]), np.zeros(0, np.uint64)
    empty = Certificate(parse_rules(games[0]["game"]), Side.FIRST, nothing, nothing, np.zeros(0, np.uint8))
    write_certificate(tmp_path / "empty.proof", empty)
    agents = ("perfect", "-r", games[0]["game"], "--as", "first", "--certificate", tmp_path / "agents", "-w", "0")
    assert run("prove", *agents)[0] == 0
    (of_an_agent,) = (tmp_path / "agents").iterdir()
    for bad in (before[path][:-3], (tmp_path / "empty.proof").read_bytes(), of_an_agent.read_bytes()):
        path.write_bytes(bad)
        code, _, err = run(*words)
        assert (code, path.read_bytes()) == (1, bad)
        assert f"{path} is there already and proves nothing of it: --force writes over it\n" in err
        shown(*words, "--force")
        assert [now == then for now, then in zip(times(), written, strict=True)] == [False, True]
        assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_an_exhausted_budget_gives_bounds_and_exit_code_1(shown: Shown, told: Told) -> None:
    out = told("solve", "bttt(C3)", "--nodes", "1000", "-w", "0", code=1)
    assert "bttt(C3): not decided\nproof-number search: 1,000 nodes" in out
    (found,) = shown("solve", "mnk(7,7,5)", "--seconds", "0.3", "-w", "0", code=1)["games"]
    assert found["value"] is None


def test_positions_that_no_solver_covers_stay_unsolved(shown: Shown, told: Told) -> None:
    words = ("solve", "notakto(8)", "--after", "A1", "--moves", "-w", "0")
    assert "wins after B7 G2\n  not decided after 61 other moves\n" in told(*words)
    (found,) = shown(*words)["games"]
    assert found["value"] == 1
    assert [move["move"] for move in found["moves"] if move["low"] == 1] == ["B7", "G2"]  # two pairings
    assert {(move["low"], move["high"]) for move in found["moves"]} == {(1, 1), (-1, 1)}
