"""``noughts runs compare``: exhaustive results have no interval, and repeated games narrow none."""

import re

import pytest

from tests.cli.running import Run, Shown

TRAIN = ("train", "mnk(2,3,2)", "--method", "es", "--iterations", "1", "--set", "rounds=2", "--run")
COMPARE = ("runs", "compare", "few", "more", "--workers", "0")


@pytest.fixture(autouse=True)
def trained(run: Run) -> None:
    """Two runs, ``few`` and ``more``."""
    assert [run(*TRAIN, name)[0] for name in ("few", "more")] == [0, 0]


def told(out: str) -> str:
    """The table of equal measurements."""
    return out[out.index("equal measurements") :]


def test_runs_judged_in_every_position_have_no_interval(run: Run, shown: Shown) -> None:
    tests = shown(*COMPARE, "--truth")["tests"]
    assert all(test["exact"] and test["low"] == test["value"] == test["high"] for test in tests)
    table = told(run(*COMPARE, "--truth")[1])
    assert not re.search(r"\d to \d", table)
    assert "every" in table


def test_the_number_of_distinct_games_is_printed_if_some_are_repeated(run: Run, shown: Shown) -> None:
    alike = (*COMPARE, "--against", "minimax:depth=2,ties=first")
    tests = shown(*alike)["tests"]
    assert all(0 < test["distinct"] < test["tested"] == 100 for test in tests)
    assert "intervals count repeated games once" in run(*alike)[1]
    out = run("match", tests[0]["agent"], alike[-1], "-r", "mnk(2,3,2)", "--workers", "0")[1]
    assert "intervals count repeated games once" in " ".join(out.split())
    out = run(*COMPARE, "--against", "random", "--games", "1")[1]
    assert "different" not in told(out)
    assert "no further evidence" not in out
