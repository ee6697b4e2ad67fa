"""``noughts runs remove``: trainings are removed after confirmation, and saved results of their agents stay."""

import pytest

from noughts.store.run_folder import RunFolder, run_names
from tests.agents.runs import evolved_run
from tests.cli.running import Run, Shown, Told


@pytest.fixture(autouse=True)
def runs() -> None:
    """Three of them."""
    for name in ("first", "second", "third"):
        evolved_run(name)


def test_runs_are_removed_after_confirmation(run: Run, monkeypatch: pytest.MonkeyPatch, shown: Shown) -> None:
    assert run("runs", "remove", "first", "no-such-run", "--yes")[0] == 2
    asked = []
    monkeypatch.setattr("typer.confirm", lambda question, **_: asked.append(question))
    assert run("runs", "remove", "first") == (0, "", "")
    assert asked[0].startswith("remove training run first, tic-tac-toe by es, ")
    assert run_names() == ("first", "second", "third")
    code, out, err = run("runs", "remove", "first", str(RunFolder.find("second").folder), "first", "-y")
    assert (code, err) == (0, "")
    assert out.count("removed ") == 2
    assert run_names() == ("third",)
    parts = shown("results", "usage")["parts"]
    assert [part["name"] for part in parts if part["name"].startswith("training/")] == ["training/third"]


def test_no_run_is_removed_while_one_is_training(told: Told) -> None:
    with RunFolder.find("second").locked():
        assert "second is in use by another process" in told("runs", "remove", "first", "second", "--yes", code=2)
    assert run_names() == ("first", "second", "third")


def test_a_damaged_run_is_removed(told: Told) -> None:
    (RunFolder.find("first").folder / "run.json").write_text("{")
    assert "removed first: which cannot be read, " in told("runs", "remove", "first", "--yes")
    assert run_names() == ("second", "third")


def test_saved_results_of_a_removed_agent_stay(run: Run, shown: Shown) -> None:
    assert run("match", "es:first", "random", "-n", "2", "-w", "0")[0] == 0
    assert run("runs", "remove", "first", "--yes")[0] == 0
    assert len(shown("results", "games", "all", "--agent", "es:first")) == 2
