"""`noughts select`: runs play each other, and the best average is taken; what cannot be is refused in one line."""

import json
from pathlib import Path

import pytest

from noughts.cli.main import main


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """The store, and in it an untrained run and two of a few generations."""
    store = str(tmp_path / "store")
    for name, generations in (("few", 1), ("more", 12)):
        words = ["tic-tac-toe", "--method", "es", "--iterations", str(generations), "--run", name]
        assert main(["train", *words, "--set", "rounds=20", "--store", store, "--json"]) == 0
    return ["--store", store]


def test_the_best_average_is_selected(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["select", "few", "more", "-n", "4", "-w", "0", "--json", *runs]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {row["agent"] for row in shown["ranking"]} == {"es:few@1", "es:more@12"}
    assert shown["selected"] == max(shown["ranking"], key=lambda row: row["score"])
    assert [row["games"] for row in shown["ranking"]] == [8, 8]
    first, other = shown["ranking"]
    assert shown["equal"] == ([other["agent"]] if other["score"] == first["score"] else [])
    assert main(["select", "few", "more", "-n", "4", "-w", "0", *runs]) == 0
    assert f"selected  {shown['selected']['agent']}" in capsys.readouterr().out


def test_those_that_score_as_much_are_named(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    at_once = ["--rules", "mnk(3,3,1)"]  # who begins wins, so that both win half of their games
    assert main(["select", "few@1", "more@12", "-n", "2", "-w", "0", "--json", *at_once, *runs]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [row["score"] for row in shown["ranking"]] == [0.5, 0.5]
    assert shown["equal"] == [shown["ranking"][1]["agent"]]


def test_runs_of_other_games_need_rules(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "misere-tic-tac-toe", "--method", "es", "--iterations", "1", "--run", "misere"]
    assert main([*words, "--set", "rounds=2", *runs, "--json"]) == 0
    capsys.readouterr()
    assert main(["select", "few", "misere", *runs]) == 2
    assert "several games (misere-tic-tac-toe, tic-tac-toe): choose one with --rules" in capsys.readouterr().err
    assert main(["select", "few", "misere", "-n", "1", "-w", "0", "--rules", "tic-tac-toe", *runs]) == 0


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["few"], "at least two agents"),
        (["few", "nobody"], "there is no run 'nobody'"),
        (["few", "few"], "named twice"),
        (["few", "more@7"], "7"),
    ],
)
def test_what_cannot_be_is_one_line(
    runs: list[str], words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["select", *words, *runs]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
