"""`noughts score`: tables, JSON, a figure, and bad options."""

from pathlib import Path

import pytest

from tests.cli.running import Run, Shown

SCORE = ("score", "--workers", "0")
LAST = "python:tests.examine.judged:Last"


def test_a_sample_has_intervals_and_the_json_says_the_same(
    monkeypatch: pytest.MonkeyPatch, run: Run, shown: Shown
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    words = (LAST, "--rules", "mnk(4,4,3)", "--per-ply", "5", "--plies", "8-9")
    found = shown(*SCORE, *words, "--all-up-to", "0")
    (game,) = found["games"]
    assert [row["ply"] for row in game["plies"]] == [8, 9]
    total = found["total"]
    assert game["total"] == total
    assert (game["rules"], game["sampled"], found["seed"]) == ("mnk(4,4,3)", True, 0)
    assert total["positions"] == sum(row["positions"] for row in game["plies"])
    assert total["choices"] + total["indifferent"] == total["positions"]
    interval = total["optimal_interval"]
    assert interval["low"] < interval["share"] == total["optimal"] / total["choices"] < interval["high"]
    assert total["value_error"] is None
    assert total["exact"] is False
    code, out, _ = run(*SCORE, *words, "--all-up-to", "0")
    assert code == 0
    assert "a sample" in out
    low, high = 100 * interval["low"], 100 * interval["high"]
    assert f"({low:.1f} to {high:.1f}) of {total['choices']} positions" in out
    wrong, blundered = total["choices"] - total["optimal"], total["blunders"]
    assert wrong > 3
    assert len(blundered) == min(10, wrong)
    told = out[out.index("first blunders:\n") :].splitlines()[1:5]
    assert [line.partition(", then ")[0].strip() for line in told[:3]] == [one["position"] for one in blundered[:3]]
    assert not told[3].startswith(" ")
    assert "intervals are 95 % Wilson intervals" in out


def test_a_figure_of_the_accuracy_by_ply(tmp_path: Path, shown: Shown) -> None:
    words = ("mcts:sims=5", "--plies", "1-3", "--report", str(tmp_path / "new" / "figures"))
    found = shown(*SCORE, *words)
    svg = Path(found["figure"]).read_text()
    assert Path(found["figure"]).name.startswith("accuracy-")
    assert "optimal moves in non-trivial positions" in svg
    assert "a random player" in svg
    assert shown(*SCORE, *words, "--seed", "1")["figure"] != found["figure"]
    nothing = shown(*SCORE, "mcts:sims=5", "--plies", "8", "--report", str(tmp_path))  # no choice, so no points
    assert "no points" in Path(nothing["figure"]).read_text()


def test_an_agent_that_fails_gives_exit_code_1(run: Run) -> None:
    raises = "python:tests.agents.players:RaisesLater"
    code, out, err = run(*SCORE, raises, "--plies", "1-2")
    assert code == 1
    assert "the agent failed in 72 positions" in out
    assert "failed: after A1 A2: KeyError: 'gone'" in err
    assert "Traceback" not in err
