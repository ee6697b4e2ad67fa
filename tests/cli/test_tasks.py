"""Every command on a task: a table by game, a heatmap by the brick's square, JSON in the order of the task; nothing twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from noughts.agents import parse_agent
from noughts.cli.main import main
from noughts.questions.answers import Answers
from noughts.questions.carry_out import carry_out
from noughts.questions.played import Played
from noughts.rules import parse_task
from noughts.store.results import Store

PLAYER = "python:tests.agents.players:Diary"
JUDGED = "python:tests.examine.judged:Diary"
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


def test_490_games_over_49_squares_are_10_on_each(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("match", "random", "random", "--rules", "bttt(*)", "-n", "490", "--json")
    shown = json.loads(run(capsys, *words))
    assert [game["wins"] + game["draws"] + game["losses"] for game in shown["by_game"]] == [10] * 49
    assert shown["total"]["wins"] + shown["total"]["draws"] + shown["total"]["losses"] == 490


def test_a_match_goes_on_and_the_games_that_were_played_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(games: int, *more: str) -> Any:
        words = ("match", PLAYER, "random", "--fixed", "--rules", TASK, "-n", str(games), "--json", *more)
        return json.loads(run(capsys, *words))

    play(6)
    assert len(asked(tmp_path)) == 6  # one line a game
    longer = play(9)
    assert len(asked(tmp_path)) == 3
    assert play(9) == longer
    assert play(6)["total"]["wins"] <= longer["total"]["wins"]
    assert asked(tmp_path) == []
    play(9, "--seed", "1")
    assert len(asked(tmp_path)) == 9


def test_what_a_match_has_played_a_tournament_and_a_study_find(
    own_store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--rules", TASK, "-n", "6", "--json")
    match = json.loads(run(capsys, "match", PLAYER, "random", "--fixed", *words))
    assert len(asked(tmp_path)) == 6
    tournament = json.loads(run(capsys, "tournament", PLAYER, "random", *words))
    assert asked(tmp_path) == []
    assert tournament["matches"][0] == match
    played = Played(task=parse_task(TASK), a=parse_agent(PLAYER), b=parse_agent("random"), games=6, moves_first="a")
    with Store.open(str(own_store)) as store, store.begin("study", "any", {}, 0) as its_run:
        answers = Answers(its_run)
        steps = list(carry_out([played], answers, 0))
        result = answers[played]
    assert [(step.done, step.total, step.new) for step in steps] == [(6, 6, 0)]
    assert result is not None
    assert result.total.wins == match["total"]["wins"]
    assert asked(tmp_path) == []


def test_what_was_scored_is_not_asked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("score", JUDGED, "--plies", "0-1", "--json", "--rules")
    one = json.loads(run(capsys, *words, GAMES[0]))
    assert len(asked(tmp_path)) == 1 + 8
    three = json.loads(run(capsys, *words, TASK))
    assert len(asked(tmp_path)) == 2 * (1 + 8)
    assert three["games"][0] == one["games"][0]
    assert json.loads(run(capsys, *words, TASK)) == three
    assert asked(tmp_path) == []


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
