"""The time of a generation: every number of threads is measured, and bad options are refused."""

import pytest

from benchmarks import evolution

pytestmark = pytest.mark.slow
"""Tools of ours that time things: tried by hand after they change."""


def test_it_prints_a_line_for_each_number_of_threads(capsys: pytest.CaptureFixture[str]) -> None:
    assert evolution.main(["--generations", "2", "--repeats", "1", "--threads", "1", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["1", "2"]
    assert all(float(line.split()[2]) > 0 for line in lines[1:])


def test_nothing_can_be_measured_in_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert evolution.main(["--generations", "0"]) == 2
    assert "from 1 on" in capsys.readouterr().err
