"""Every command on a task: a table by game, a heatmap by the brick's square, JSON in the order of the task; nothing twice."""

import json
from pathlib import Path

import pytest

from noughts.cli.main import main

DECIDER = "python:tests.agents.deciders:Diary"

SQUARES = ("B2", "A1", "A3")
TASK = f"mnk(3,3,3,bricks={'|'.join(SQUARES)},full=second)"
GAMES = [f"tic-tac-toe(bricks={square},full=second)" for square in SQUARES]
COMMANDS = {
    "match": ("match", "minimax:depth=1", "random", "--rules", TASK, "--games", "12"),
    "score": ("score", "minimax:depth=1", "--rules", TASK, "--plies", "2-3"),
    "prove": ("prove", "minimax:depth=9", "--rules", TASK, "--as", "second"),
    "solve": ("solve", TASK, "--distance"),
}


@pytest.fixture(autouse=True)
def diary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file for agents that write down what they are asked."""
    monkeypatch.setenv("DIARY", str(tmp_path / "diary"))


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """What a command says, with no worker and the exit code 0."""
    code = main([*map(str, words), "--workers", "0"])
    out = capsys.readouterr().out
    assert code == 0
    return out


def asked(tmp_path: Path) -> list[str]:
    """What agents with a diary were asked since the last time."""
    diary = tmp_path / "diary"
    lines = diary.read_text().splitlines() if diary.exists() else []
    diary.unlink(missing_ok=True)
    return lines


@pytest.mark.parametrize("command", COMMANDS)
def test_a_task_gets_a_table_and_a_heatmap(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    out = run(capsys, *COMMANDS[command], "--report", tmp_path / "figures")
    places = [out.index(game) for game in GAMES]
    assert places == sorted(places)  # the order of the task
    lines = out.splitlines()
    head = next(number for number, line in enumerate(lines) if line.endswith("by the brick's square"))
    board = [line.split() for line in lines[head + 1 : head + 5]]
    assert board[0] == ["1", "2", "3"]
    assert [row[0] for row in board[1:]] == ["A", "B", "C"]
    assert board[3] == ["C", "·", "·", "·"]  # no brick is there in this task
    figure = Path(next(line for line in lines if line.startswith("figure: ")).removeprefix("figure: "))
    assert figure.parent == tmp_path / "figures"
    assert "by the brick" in figure.read_text()
    shown = json.loads(run(capsys, *COMMANDS[command], "--report", tmp_path / "figures", "--json"))
    assert shown["figure"] == str(figure)
    games = shown["by_game" if command == "match" else "games"]
    assert [game["game" if command == "solve" else "rules"] for game in games] == GAMES


@pytest.mark.parametrize("command", COMMANDS)
def test_long_names_of_games_are_not_cut(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert "…" not in run(capsys, *COMMANDS[command])


def test_what_was_proved_is_not_asked_again_not_even_for_certificates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the first move is asked for each time, to see at once whether the agent can be proved at all."""
    game, others = "mnk(2,3,2,bricks=A1+B1)", "mnk(2,3,2,bricks=A1+B1|A3+B3)"
    words = ("prove", DECIDER, "--json", "--rules")
    one = json.loads(run(capsys, *words, game))
    positions = one["games"][0]["positions"]
    whole = asked(tmp_path)
    assert len(set(whole)) == positions
    assert len(whole) >= 2 * positions  # each position twice and more, because nobody here knows what it decides by
    first = whole.count(whole[0])
    two = json.loads(run(capsys, *words, others))
    assert two["games"][0] == one["games"][0]
    assert len(set(asked(tmp_path)) - set(whole)) == two["games"][1]["positions"]
    run(capsys, *words, others, "--certificate", tmp_path / "certificates")
    again = asked(tmp_path)
    assert set(again) == {whole[0]}
    assert len(again) < first
    assert len(list((tmp_path / "certificates").iterdir())) == 2
