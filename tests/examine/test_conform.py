"""`conform` passes correct designs, names each planted fault in one line, and its rule book equals ours."""

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from noughts.examine import conform
from noughts.examine.conform import Conformance, MnkGame
from noughts.positions import Outcome, Position
from noughts.rules import parse_rules
from tests.examine.designs import Canonical, Functional, Stateful

RETURNS = {Outcome.ONGOING: None, Outcome.FIRST: (1, -1), Outcome.SECOND: (-1, 1), Outcome.DRAW: (0, 0)}


SIMULATIONS = 100
"""Enough for every check of a search."""


@pytest.mark.parametrize("design", [Stateful, Canonical, Functional])
def test_correct_designs_pass(design: type) -> None:
    found = list(Conformance(design(), MnkGame(), SIMULATIONS).run())
    assert [error for _, _, error in found if error] == []
    assert {"turns", "legal", "ends", "returns", "unchanged", "visits", "win in one", "win in three", "signs"} <= {
        name for name, _, _ in found
    }


@pytest.mark.parametrize(
    ("design", "fault", "check"),
    [
        (Canonical, "mask", "legal"),
        (Canonical, "end", "returns"),
        (Canonical, "in place", "unchanged"),
        (Canonical, "symmetry", "symmetries"),
        (Canonical, "sign", "signs"),
        (Canonical, "visits", "visits"),
        (Stateful, "turn", "turns"),
        (Stateful, "end", "returns"),
        (Stateful, "first player's value", "signs"),
        (Stateful, "draw", "ends"),
        (Stateful, "player of the node", "win in one"),
        (Stateful, "depth", "win in three"),
        (Functional, "mask", "legal"),
        (Functional, "end", "returns"),
        (Functional, "sign", "signs"),
        (Functional, "first player's value", "win in one"),
    ],
)
def test_a_planted_fault_is_named_with_its_position(design: type, fault: str, check: str) -> None:
    checks = Conformance(design(fault), MnkGame(), SIMULATIONS).run()
    error = next(error for name, _, error in checks if name == check)
    assert "\n" not in error
    assert error.startswith(("after ", "at the start"))


@pytest.mark.parametrize("kind", [bool, int])
def test_a_mask_of_another_length_is_named(kind: type) -> None:
    class WithPass(Canonical):
        def legal(self, state: Any) -> Any:
            return np.append(super().legal(state), False).astype(kind)

    errors = {name: error for name, _, error in Conformance(WithPass(), MnkGame(), SIMULATIONS).run()}
    assert errors["legal"] == "legal() gives a mask of 10 entries, and the board has 9 cells"


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (MnkGame(), "tic-tac-toe"),
        (MnkGame(misere=True), "misere-tic-tac-toe"),
        (MnkGame(3, 4, 3), "mnk(3,4,3)"),
        (MnkGame(4, 3, 2, True), "mnk(4,3,2,line=loses)"),
    ],
)
def test_its_rule_book_equals_ours(rules: MnkGame, text: str) -> None:
    random, ours = Random(0), parse_rules(text)
    for _ in range(100):
        position: Position = Position.start(ours)
        moves: tuple[int, ...] = ()
        while not position.is_over:
            assert conform.returns_after(rules, moves) is None
            assert conform.legal_after(rules, moves) == list(position.legal_moves)
            move = random.choice(position.legal_moves)
            position, moves = position.play(move), (*moves, move)
        assert conform.returns_after(rules, moves) == RETURNS[position.outcome]


@pytest.mark.parametrize(
    ("option", "value", "least"),
    [("--rows", "0", 1), ("--rows", "-1", 1), ("--cols", "x", 1), ("--k", "0", 1), ("--sims", "0", 10)],
)
def test_impossible_numbers_are_named(option: str, value: str, least: int, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        conform.main(["mine.py:Mine", option, value])
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == f"conform: error: argument {option}: {value!r} is not a whole number from {least} on"


def test_a_class_without_the_functions_is_rejected_with_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert conform.main(["tests.examine.designs:Mutable"]) == 2
    error = "error: tests.examine.designs:Mutable has no start(), player(), legal(), play()\n"
    assert capsys.readouterr() == ("", error)


@pytest.mark.heavy
def test_it_only_needs_numpy_and_python(tmp_path: Path) -> None:
    (tmp_path / "designs.py").write_text((Path(__file__).parent / "designs.py").read_text())
    program = "import sys; sys.modules['noughts'] = None; sys.argv = sys.argv[1:]; import runpy; runpy.run_path(sys.argv[0], run_name='__main__')"
    (tmp_path / "mine.py").write_text("from designs import Stateful\n\nBroken = Stateful('turn')\n")
    for design, code in (("Stateful", 0), ("Broken", 1)):
        words = [sys.executable, "-c", program, conform.__file__, f"{tmp_path / 'mine.py'}:{design}", "--sims", "100"]
        done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert (done.returncode, done.stderr) == (code, "")
        assert done.stdout.splitlines()[-1] == ("all right" if code == 0 else "1 wrong")


GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "conform.md"


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "needs"), [("spiel", "pyspiel"), ("with_pgx", "pgx")])
def test_the_adapters_of_the_guide_pass(
    name: str, needs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip(needs)
    monkeypatch.setattr(sys, "path", sys.path.copy())  # the folder of the checked file is added to it
    monkeypatch.setattr(conform, "GAMES", 40)
    (code,) = (block for block in GUIDE.read_text().split("```python\n") if block.startswith(f"# {name}.py"))
    (tmp_path / f"{name}.py").write_text(code.partition("```")[0])
    assert conform.main([f"{tmp_path / name}.py:Mine", "--sims", str(SIMULATIONS)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "all right"
