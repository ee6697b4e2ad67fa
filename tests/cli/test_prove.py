"""``noughts prove``: what it prints and keeps, its exit codes, and that it can be stopped and go on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from noughts.cli.main import main
from noughts.play.playthrough import replay
from noughts.positions import Outcome
from noughts.store.results import Store

SLOW = ("prove", "python:tests.examine.deciders:Slow", "--rules", "mnk(3,5,4)", "--as", "second", "--json")


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_proof_is_one_line_with_a_drawn_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "prove", "minimax:depth=9,ties=first", "--workers", "0")
    assert code == 0
    answer, *shown = out.splitlines()
    assert answer.startswith(
        "proved: minimax:depth=9,ties=first never loses as first player of tic-tac-toe against every reply ("
    )
    assert "a game that it draws:" in shown
    assert " A  X  " in out
    assert "positions after 2 plies: " in err


def test_a_won_game_needs_no_picture(own_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("prove", "minimax:depth=9", "--rules", "notakto(3)", "--as", "first", "--workers", "0")
    code, out, _ = run(capsys, *words)
    assert (code, out.count("\n")) == (0, 1)
    assert "minimax:depth=9 wins as first player of notakto(3) against every reply, however its ties fall (" in out
    assert list((own_store / "pages").iterdir()) == []


def test_a_refutation_is_drawn_and_kept(own_store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("prove", "random", "--instance", "4", "--as", "second", "--workers", "0")
    code, out, _ = run(capsys, *words)
    assert code == 1
    assert out.startswith("refuted: instance 4 of random can be beaten as second player of tic-tac-toe (")
    with Store.open(str(own_store)) as store:
        (info,) = store.runs("proof")
        (game,) = store.games_of(info.id)
    assert info.status == "finished"
    rules, position = replay(game)
    assert position.outcome is Outcome.FIRST
    assert str(position) in out
    for number, move in enumerate(game.moves, 1):
        assert f"{number:4}  {'XO'[1 - number % 2]} {rules.name_of(move)}" in out
    assert (game.first, game.second) == ("every reply", "random")
    picture = Path(out.splitlines()[-1].removeprefix("picture: "))
    assert picture.parent == own_store / "pages"
    assert picture.read_text().startswith("<svg") or "<svg" in picture.read_text()
    code, out, err = run(capsys, *words, "--json", "--report", str(own_store / "elsewhere"))
    shown = json.loads(out)
    assert (code, err) == (1, "")
    assert (shown["answer"], shown["game"]) == ("refuted", list(game.moves))
    assert Path(shown["picture"]).parent == own_store / "elsewhere"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("random",), "random cannot be proved: the agent is not deterministic: in tic-tac-toe at the start it draws"),
        (("random", "--as", "third"), "side='third' is not allowed: first or second"),
        (("nobody",), "there is no agent 'nobody'"),
        (("mcts:sims=10",), "mcts:sims=10 cannot be proved: the agent is not deterministic"),
        (("human",), "plays only in `noughts play`"),
        (("minimax", "--rules", "chess"), "there is no rules preset 'chess'"),
        (("minimax:depth=9", "--most", "20"), "more than 20 positions"),
        (("minimax", "--report", "/dev/null/x"), "/dev/null/x cannot be made"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "prove", *words, "--workers", "0", "--json")
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err


def test_what_is_refused_at_once_leaves_no_run_and_is_not_gone_on_with(
    own_store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        code, out, err = run(capsys, "prove", "mcts:sims=10", "--workers", "0")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "going on" not in err
    with Store.open(str(own_store)) as store:
        assert store.runs() == ()
    for number in range(2):
        code, out, err = run(capsys, "prove", "minimax:depth=9", "--most", "20", "--workers", "0")
        assert code == 2
        assert ("going on with the proof of minimax:depth=9 that was interrupted" in err) == (number == 1)


def test_an_agent_that_ends_its_process_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "prove", "python:tests.examine.deciders:Leaves", "--json")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "its process ended" in err


def test_an_agent_that_fails_gets_one_line_and_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "prove", "python:tests.play.players:RaisesLater", "--workers", "0", "--json")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "after A1 A2: KeyError: 'gone'" in err


def started(store: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "noughts", *SLOW, "--workers", "2"],
        env={**os.environ, "NOUGHTS_STORE": str(store)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def chunks(store: Path) -> int:
    if not (store / "results.sqlite").exists():
        return 0
    with Store.open(str(store)) as opened:
        return sum(len(opened.measurements_of(info.id)) for info in opened.runs())


def test_stopped_by_ctrl_c_and_by_kill_it_goes_on_to_the_same_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut, kept = tmp_path / "cut", 0
    for ending in (signal.SIGINT, signal.SIGKILL):
        process = started(cut)
        until = time.monotonic() + 60
        while chunks(cut) < kept + 2 and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(process.pid, ending)
        out, err = process.communicate(timeout=60)
        assert out == ""
        assert process.returncode == (130 if ending == signal.SIGINT else -ending), err
        assert "Traceback" not in err
        assert chunks(cut) >= kept + 2
        kept = chunks(cut)
    with started(cut) as process:
        out, err = process.communicate(timeout=120)
    assert process.returncode == 1, err
    code, expected, _ = run(capsys, *SLOW, "--workers", "0")
    assert code == 1
    assert {**json.loads(out), "picture": ""} == {**json.loads(expected), "picture": ""}
    with Store.open(str(cut)) as opened:
        (info,) = opened.runs()
    assert info.status == "finished"
