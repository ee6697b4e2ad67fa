"""``noughts runs compare``: what was judged in every position has no interval, and repeated games narrow none."""

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
    """The table of what was equal measurements."""
    return out[out.index("equal measurements") :]


def test_runs_that_were_judged_in_every_position_have_no_interval(run: Run, shown: Shown) -> None:
    tests = shown(*COMPARE, "--truth")["tests"]
    assert all(test["exact"] and test["low"] == test["value"] == test["high"] for test in tests)
    table = told(run(*COMPARE, "--truth")[1])
    assert not re.search(r"\d to \d", table)
    assert "every" in table


def test_it_is_said_how_many_games_differ_where_some_are_repeated(run: Run, shown: Shown) -> None:
    alike = (*COMPARE, "--against", "minimax:depth=2,ties=first")
    tests = shown(*alike)["tests"]
    assert all(0 < test["distinct"] < test["tested"] == 100 for test in tests)
    assert "intervals count repeated games once" in run(*alike)[1]
    out = run("match", tests[0]["agent"], alike[-1], "-r", "mnk(2,3,2)", "--workers", "0")[1]
    assert "intervals count repeated games once" in " ".join(out.split())
    out = run(*COMPARE, "--against", "random", "--games", "1")[1]
    assert "different" not in told(out)
    assert "no further evidence" not in out


def test_runs_that_differ_in_their_seeds_alone_have_means(run: Run, shown: Shown) -> None:
    assert run(*TRAIN, "other", "--seed", "1")[0] == 0
    words = ("runs", "compare", "few", "other", "--workers", "0", "--against", "rival=random", "--games", "20")
    said = shown(*words)
    (group,) = said["means_over_seeds"]
    assert group["runs"] == ["few", "other"]
    means = {one["name"]: one for one in group["means"]}
    values = [test["value"] for test in said["tests"]]
    found = means[said["tests"][0]["test"]]
    assert abs(found["mean"] - sum(values) / 2) < 1e-9
    assert found["low"] <= min(values)
    assert "lost_rounds" in means
    out = run(*words)[1]
    assert "means over seeds" in out
    assert "few, other" in out
    assert "means over seeds" not in run(*words[:3], "more", *words[4:])[1]  # of one seed both
