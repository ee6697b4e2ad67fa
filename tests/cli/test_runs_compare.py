"""``noughts runs compare``: what was judged in every position has no interval, and repeated games narrow none."""

import json
import re
from pathlib import Path

import pytest

from noughts.cli.main import main


@pytest.fixture(autouse=True)
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Two runs, ``few`` and ``more``."""
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    words = ["train", "mnk(2,3,2)", "--method", "es", "--iterations", "1", "--set", "rounds=2", "--run"]
    assert [main([*words, name]) for name in ("few", "more")] == [0, 0]
    capsys.readouterr()


def test_runs_that_were_judged_in_every_position_have_no_interval(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["runs", "compare", "few", "more", "--truth", "--workers", "0"]
    assert main([*words, "--json"]) == 0
    tests = json.loads(capsys.readouterr().out)["tests"]
    assert all(test["exact"] and test["low"] == test["value"] == test["high"] for test in tests)
    assert main(words) == 0
    out = capsys.readouterr().out
    table = out[out.index("measured alike") :]
    assert not re.search(r"\d to \d", table)
    assert "every" in table


def test_it_is_said_how_many_games_differ_where_some_are_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["runs", "compare", "few", "more", "--workers", "0", "--against"]
    alike = [*words, "minimax:depth=2,ties=first"]
    assert main([*alike, "--json"]) == 0
    tests = json.loads(capsys.readouterr().out)["tests"]
    assert all(0 < test["distinct"] < test["tested"] == 100 for test in tests)
    assert main(alike) == 0
    out = capsys.readouterr().out
    assert "intervals count repeated games once" in out
    assert main(["match", tests[0]["agent"], alike[-1], "-r", "mnk(2,3,2)", "--workers", "0"]) == 0
    assert "intervals count repeated games once" in " ".join(capsys.readouterr().out.split())
    assert main([*words, "random", "--games", "1"]) == 0
    out = capsys.readouterr().out
    assert "different" not in out[out.index("measured alike") :]
    assert "no further evidence" not in out


def test_runs_that_differ_in_their_seeds_alone_have_means(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "train",
        "mnk(2,3,2)",
        "--method",
        "es",
        "--iterations",
        "1",
        "--set",
        "rounds=2",
        "--seed",
        "1",
        "--run",
        "other",
    ]
    assert main(words) == 0
    capsys.readouterr()
    words = ["runs", "compare", "few", "other", "--workers", "0", "--against", "rival=random", "--games", "20"]
    assert main([*words, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    (group,) = said["means_over_seeds"]
    assert group["runs"] == ["few", "other"]
    means = {one["name"]: one for one in group["means"]}
    values = [test["value"] for test in said["tests"]]
    found = means[said["tests"][0]["test"]]
    assert abs(found["mean"] - sum(values) / 2) < 1e-9
    assert found["low"] <= min(test["value"] for test in said["tests"])
    assert "lost_rounds" in means
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "means over seeds" in out
    assert "few, other" in out
    assert main([*words[:3], "more", *words[4:]]) == 0
    assert "means over seeds" not in capsys.readouterr().out  # of one seed both
