"""The benchmark of MuZero's self-play: its cases, our side in small, and options that cannot be."""

import sys
from pathlib import Path

import pytest

from benchmarks import muzero, selfplay
from benchmarks.selfplay_cases import base
from benchmarks.selfplay_work import muzero_self_play
from tests.benchmarks.test_selfplay import MadeUp

pytestmark = pytest.mark.slow
"""Tools of ours that time things: tried by hand after they change."""


def test_each_case_of_lightzero_has_one_of_noughts_with_as_many_games_and_simulations() -> None:
    cases = muzero.all_cases(2, "")
    assert len({(case.group.name, case.program) for case in cases}) == len(cases)
    for case in cases:
        ours = base(cases, case)
        assert {name: ours.arguments[name] for name in ("games", "simulations")} == {
            name: case.arguments[name] for name in ("games", "simulations")
        }
    assert [case.arguments["games"] for case in cases if not case.is_peer] == [8, 256, 32, 256]


def test_lightzero_runs_where_it_is_installed_and_is_listed_where_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "Worker", MadeUp)
    without = selfplay.run(muzero.all_cases(2, ""), 1, 1.0, lambda line: None)
    assert {row.status for row in without if row.is_peer} == {"not installed"}
    rows = selfplay.run(muzero.all_cases(2, sys.executable), 1, 1.0, lambda line: None)
    assert [row.ratio.times.median for row in rows if row.ratio is not None] == [4.0] * 6


def test_positions_are_the_moves_of_whole_games() -> None:
    work = muzero_self_play("tic-tac-toe", "resnet:channels=4,blocks=1", 8, 2)
    assert 8 * 5 <= work.chunk() <= 8 * 9


def test_an_interpreter_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        muzero.main(["--lightzero", str(tmp_path / "python"), "--no-write"])
    assert stopped.value.code == 2
    assert "there is no file" in capsys.readouterr().err
