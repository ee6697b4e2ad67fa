"""Short names of agents at the command line: shown everywhere, and never part of a question."""

from pathlib import Path

import pytest

from noughts.cli.completion import complete_agent
from tests.cli.running import Run, Shown

MINE = "python:tests.agents.players:First"


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "150")


def test_a_match_under_another_name_is_the_same_match(run: Run, shown: Shown) -> None:
    code, out, err = run("match", f"me={MINE}", "rival=mcts:sims=20", "-n", "4", "-w", "0")
    assert code == 0
    assert "tic-tac-toe: me against rival" in out
    assert out.endswith(f"me is {MINE}\nrival is mcts:sims=20\n")
    assert "me - rival: 4 of 4" in err
    for words in ((MINE, "mcts:sims=20"), (f"you={MINE}", "mcts:sims=20")):
        _, out, err = run("match", *words, "-n", "4", "-w", "0")
        assert err.startswith("Showing saved results from ")
    assert "against mcts:sims=20" in out
    assert "you against" in out
    found = shown("match", f"me={MINE}", "mcts:sims=20", "-n", "4", "-w", "0")
    assert (found["a"], found["b"], found["names"]) == ("me", "mcts:sims=20", {"me": MINE})
    assert f"{MINE} - mcts:sims=20" in run("results", "list")[1], "what is stored knows no names"


def test_every_command_with_agents_shows_names(tmp_path: Path, run: Run) -> None:
    _, out, _ = run("tournament", f"me={MINE}", "dice=random", "-n", "2", "-w", "0")
    assert "\n1 me" in out
    assert "\n2 dice" in out
    assert out.endswith(f"me is {MINE}\ndice is random\n")
    _, out, _ = run("score", "one=minimax:depth=1", "--rules", "mnk(2,2,2)", "-w", "0")
    assert out.startswith("one on mnk(2,2,2), every position")
    assert "one is minimax:depth=1" in out
    _, out, _ = run("prove", f"me={MINE}", "-w", "0", "--report", tmp_path)
    assert out.startswith("refuted: me can be beaten as first player")
    assert f"me is {MINE}\n" in out
    assert "A game that me loses" in next(tmp_path.glob("*.svg")).read_text()


def test_a_study_shows_a_guests_name_on_its_page_and_keeps_its_text(shown: Shown) -> None:
    study, guest = "python:tests.cli.guests:Beating", "mcts:sims=3"
    found = shown("study", "run", study, "-a", f"me={guest}", "-w", "0")
    assert found["names"] == {"me": guest}
    assert found["tables"][0]["rows"][0]["labels"] == ["me"]
    assert found["findings"] == ["me beat random."]
    assert f"--agent {guest}" in found["repeat"]
    page = Path(found["page"]).read_text()
    assert f"me is {guest}" in page
    assert "me beat random." in page
    kept = shown("study", "show", study)
    assert kept["names"] == {}
    assert kept["tables"][0]["rows"][0]["labels"] == [guest]
    assert kept["agents"] == found["agents"] == [guest]


@pytest.mark.parametrize(
    ("incomplete", "expected"),
    [
        ("mini", ["minimax"]),
        ("me=mini", ["me=minimax"]),
        ("me=mcts:s", ["me=mcts:sims="]),
        ("minimax:depth=2,ties=f", ["minimax:depth=2,ties=first"]),
        ("minimax:depth=2,d", []),
        ("pyth", ["python:"]),
        ("mcts=", []),
        ("az:run", []),
        ("nobody:x", []),
    ],
)
def test_the_shell_completes_kinds_and_options_after_a_name_too(incomplete: str, expected: list[str]) -> None:
    assert complete_agent(incomplete) == expected


def test_a_name_before_anything_is_followed_by_every_kind() -> None:
    assert {"me=random", "me=minimax", "me=python:"} <= set(complete_agent("me="))
