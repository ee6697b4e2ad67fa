"""`noughts score`: tables, JSON, a figure, and bad options."""

from pathlib import Path

import pytest

from tests.cli.running import Run, Shown, Told

SCORE = ("score", "--workers", "0")
LAST = "python:tests.agents.deciders:Last"


def test_a_sample_has_intervals_and_blunders(monkeypatch: pytest.MonkeyPatch, shown: Shown, told: Told) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    words = (*SCORE, LAST, "--rules", "mnk(4,4,3)", "--per-ply", "5", "--plies", "8-9", "--all-up-to", "0")
    total = shown(*words)["total"]
    wrong, blundered = total["choices"] - total["optimal"], total["blunders"]
    assert wrong > 3
    assert len(blundered) == min(10, wrong)
    out = told(*words)
    assert "a sample" in out
    low, high = (100 * total["optimal_interval"][end] for end in ("low", "high"))
    assert low < high
    assert f"({low:.1f} to {high:.1f}) of {total['choices']} positions" in out
    first = out[out.index("first blunders:\n") :].splitlines()[1:5]
    assert [line.partition(", then ")[0].strip() for line in first[:3]] == [one["position"] for one in blundered[:3]]
    assert not first[3].startswith(" ")
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


def test_a_failing_agent_gives_exit_code_1(run: Run) -> None:
    raises = "python:tests.agents.players:RaisesLater"
    code, out, err = run(*SCORE, raises, "--plies", "1-2")
    assert code == 1
    assert "the agent failed in 72 positions" in out
    assert "failed: after A1 A2: KeyError: 'gone'" in err
    assert "Traceback" not in err
