"""The benchmark of bridges: what is compared is the same game, and the tables are written where they belong."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import read_options
from benchmarks.bridges import BEGIN, CASES, END, GROUPS, one_player
from noughts.bridges.gymnasium import LearnerEnv

ROOT = Path(__file__).parents[2]


def benchmarks(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "benchmarks.bridges", "--rounds", "1", "--seconds", "0.02", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def test_cases_of_a_group_stand_together_ours_first() -> None:
    cases = [make() for make in CASES]
    assert [case.group for case in cases] == sorted((case.group for case in cases), key=GROUPS.index)
    for group in GROUPS:
        own = [case for case in cases if case.group == group]
        assert [case.is_peer for case in own] == sorted(case.is_peer for case in own)
        assert not own[0].is_peer
        assert any(case.sets_target for case in own)


def test_the_peer_is_the_same_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = one_player()
    ours, rng = LearnerEnv("tic-tac-toe"), np.random.default_rng(1)
    found = {}
    for name, env in (("ours", ours), ("theirs", theirs)):
        rewards, steps = [], 0
        for seed in range(400):
            _, info = env.reset(seed=seed)
            over = False
            while not over:
                _, reward, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
                steps += 1
            rewards.append(reward)
        found[name] = np.mean(np.array(rewards)[:, None] == [-1, 0, 1], axis=0), steps / 400
    np.testing.assert_allclose(found["ours"][0], found["theirs"][0], atol=0.09)
    assert found["ours"][1] == pytest.approx(found["theirs"][1], abs=0.25)


def test_it_writes_its_part_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(f"# Kept\n\n{BEGIN}\nold\n{END}\n\nKept too.\n")
    done = benchmarks("--only", "without-wrappers", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "README.md").read_text()
    assert page.startswith("# Kept\n")
    assert page.endswith("Kept too.\n")
    assert "old" not in page
    assert done.stdout.strip() in page
    rows = json.loads((tmp_path / "bridges.json").read_text())["rows"]
    assert [row["program"] for row in rows] == ["noughts", "PettingZoo"]
    assert rows[1]["met"] in (True, False)


def test_a_part_of_the_cases_is_written_nowhere_unless_a_folder_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert not read_options(["--only", "x"], "it", "").write
    assert read_options(["--only", "x", "--out", "there"], "it", "").write
    assert read_options([], "it", "").write
    with pytest.raises(SystemExit):
        read_options(["--rounds", "0"], "it", "")
    assert "--rounds must be at least 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("only", "message"), [("chess", "no case has 'chess'"), ("wrappers", "the page needs the line")]
)
def test_mistakes_are_told_before_anything_is_timed(only: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Nothing here\n")
    done = benchmarks("--only", only, "--out", str(tmp_path))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
