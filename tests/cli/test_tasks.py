"""Every command on a task: a table by game, a heatmap by the brick's square, JSON in the order of the task; nothing twice."""

from pathlib import Path

import pytest

from tests.cli.running import Shown, Told

SQUARES = ("B2", "A1", "A3")
TASK = f"mnk(3,3,3,bricks={'|'.join(SQUARES)},full=second)"
GAMES = [f"tic-tac-toe(bricks={square},full=second)" for square in SQUARES]
COMMANDS = {
    "match": ("match", "minimax:depth=1", "random", "--rules", TASK, "--games", "12"),
    "score": ("score", "minimax:depth=1", "--rules", TASK, "--plies", "2-3"),
    "prove": ("prove", "minimax:depth=9", "--rules", TASK, "--as", "second"),
    "solve": ("solve", TASK, "--distance"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_task_gets_a_table_and_a_heatmap(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: Shown, told: Told
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    words = (*COMMANDS[command], "--workers", "0", "--report", tmp_path / "figures")
    out = told(*words)
    places = [out.index(game) for game in GAMES]
    assert places == sorted(places)  # the order of the task
    lines = out.splitlines()
    head = next(number for number, line in enumerate(lines) if line.endswith("by the brick's square"))
    board = [line.split() for line in lines[head + 1 : head + 5]]
    assert board[0] == ["1", "2", "3"]
    assert [row[0] for row in board[1:]] == ["A", "B", "C"]
    assert board[3] == ["C", "·", "·", "·"]  # no game of this task has that brick
    figure = Path(next(line for line in lines if line.startswith("figure: ")).removeprefix("figure: "))
    assert figure.parent == tmp_path / "figures"
    assert "by the brick" in figure.read_text()
    found = shown(*words)
    assert found["figure"] == str(figure)
    games = found["by_game" if command == "match" else "games"]
    assert [game["game" if command == "solve" else "rules"] for game in games] == GAMES


def test_no_proof_is_repeated_for_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: Shown) -> None:
    """Only the first move is queried each time, to check whether the agent can be proved at all."""
    diary, game = tmp_path / "diary", "mnk(2,3,2,bricks=A1+B1)"
    both = "mnk(2,3,2,bricks=A1+B1|A3+B3)"
    monkeypatch.setenv("DIARY", str(diary))

    def asked() -> list[str]:
        lines = diary.read_text().splitlines()
        diary.unlink()
        return lines

    words = ("prove", "python:tests.agents.deciders:Diary", "--workers", "0", "--rules")
    one = shown(*words, game)
    whole = asked()
    assert len(set(whole)) == one["games"][0]["positions"]
    two = shown(*words, both)
    assert two["games"][0] == one["games"][0]
    assert len(set(asked()) - set(whole)) == two["games"][1]["positions"]
    shown(*words, both, "--certificate", tmp_path / "certificates")
    again = asked()
    assert set(again) == {whole[0]}
    assert len(again) < whole.count(whole[0])
    assert len(list((tmp_path / "certificates").iterdir())) == 2
