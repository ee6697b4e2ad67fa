"""``noughts runs compare --truth``: what was judged in every position has no interval."""

import json
import re
from pathlib import Path

import pytest

from noughts.cli.main import main


def test_runs_that_were_judged_in_every_position_have_no_interval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    for name in ("few", "more"):
        assert (
            main(["train", "mnk(2,3,2)", "--method", "es", "--iterations", "1", "--set", "rounds=2", "--run", name])
            == 0
        )
    capsys.readouterr()
    words = ["runs", "compare", "few", "more", "--truth", "--workers", "0"]
    assert main([*words, "--json"]) == 0
    tests = json.loads(capsys.readouterr().out)["tests"]
    assert all(test["exact"] and test["low"] == test["value"] == test["high"] for test in tests)
    assert main(words) == 0
    out = capsys.readouterr().out
    table = out[out.index("measured alike") :]
    assert not re.search(r"\d to \d", table)
    assert "every" in table
