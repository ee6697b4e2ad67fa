"""The command line: what each command prints, and that bad input gets one line and exit code 2."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run

HANGS = "python:tests.agents.players:Hangs"
RAISES = "python:tests.agents.players:RaisesLater"


BAD = {
    ("rules", "show", "bttt(D4"): "malformed",
    ("rules", "show", "chess"): "unknown rules preset 'chess'",
    ("match", "random", "nobody"): "unknown agent 'nobody'",
    ("match", "random", "random", "--games", "many"): "many",
    ("match", "random", "random", "--workers", "0", "--move-seconds", "1"): "needs workers",
    ("match", "random"): "Missing argument",
    ("match", "random", "random", "--nonsense"): "No such option",
    ("study", "run", "everything"): "unknown study 'everything'",
    ("study", "run", "mcts-perfect", "--scale", "huge"): "mcts-perfect has no scale 'huge'",
    ("study", "show", "mcts-perfect"): "no finished run of mcts-perfect",
    ("play", "--against", "nobody"): "unknown agent 'nobody'",
    ("nonsense",): "No such command",
    ("study", "run", "mcts-perfect", "--move-seconds", "-1"): "move_seconds=-1.0 is not allowed",
    ("study", "run", "bttt-tournament", "--report", "/dev/null/x", "--workers", "0"): "/dev/null/x cannot be made",
    ("study", "run", "bttt-tournament", "--agent", "random", "--workers", "0"): "is in the line-up already",
    ("match", "random", "random", "--store", ""): "the store has no name",
    ("match", "random", "random", "--store", "~nosuchperson/x"): "~nosuchperson/x",
}


@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_bad_input_gets_one_line_and_exit_code_2(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert BAD[words] in err


def test_a_broken_agent_is_reported_with_exit_code_1_and_the_match_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = run(capsys, "match", RAISES, "random", "--games", "6", "--workers", "0")
    assert code == 1
    assert err.count("broken off") == 6
    assert "KeyError" in err
    assert "6 broken off" in out


def test_a_hanging_agent_is_broken_off_at_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "match", HANGS, "random", "--games", "2", "--fixed", "--workers", "1", "--move-seconds", "0.5", "--json"
    )
    assert code == 1
    assert all("longer than 0.5 s" in problem for problem in json.loads(out)["problems"])


@pytest.fixture
def small_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies that take a moment."""
    from noughts.agents import parse_agent
    from noughts.studies import bttt_tournament, mcts_perfect

    monkeypatch.setitem(bttt_tournament.GAMES, "quick", 1)
    monkeypatch.setitem(bttt_tournament.TIMED_MOVES, "quick", 2)
    monkeypatch.setattr(
        bttt_tournament,
        "LINE_UP",
        {
            name: parse_agent(text)
            for name, text in (("Random", "random"), ("Minimax", "minimax:depth=2"), ("MCTS 10000", "mcts:sims=9"))
        },
    )
    monkeypatch.setitem(mcts_perfect.SCALES, "quick", mcts_perfect.InstancesScale(1, 1, 1000))


@pytest.mark.heavy
@pytest.mark.usefixtures("small_studies")
@pytest.mark.parametrize("study", ["bttt-tournament", pytest.param("mcts-perfect", marks=pytest.mark.slow)])
def test_a_guest_that_fails_is_reported_and_the_study_ends(
    study: str, own_store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("study", "run", study, "--agent", RAISES, "--workers", "0")
    code, out, err = run(capsys, *words)
    assert code == 1
    assert "failed: " in err
    assert "KeyError" in err
    (page,) = (own_store / "pages").glob(f"{study}-quick-with-*.html")
    assert "KeyError" in page.read_text()
    code, out, _ = run(capsys, "study", "show", study, "--json")
    shown = json.loads(out)
    assert code == 1
    assert shown["problems"]
    assert shown["page"] == str(page)


@pytest.mark.usefixtures("small_studies")
def test_a_page_that_cannot_be_written_costs_no_game(
    own_store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from noughts.reports import page
    from noughts.rules import StoreError
    from noughts.store.results import Store

    def full_disk(*_: object) -> None:
        raise StoreError("no space left")

    words = ("study", "run", "bttt-tournament", "--workers", "0")
    with monkeypatch.context() as patch:
        patch.setattr(page, "write_report", full_disk)
        assert run(capsys, *words)[0] == 2
    code, _, err = run(capsys, *words)
    assert code == 0
    assert "Showing saved results" in err
    with Store.open(str(own_store)) as store:
        (info,) = store.runs()
    assert info.status == "finished"


def test_names_of_agents_are_text_and_not_markup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    (tmp_path / "odd.py").write_text(
        "class Odd:\n    def __init__(self, x): pass\n    def choose(self, p, r): return p.legal_moves[0]\n"
    )
    agent = f"python:{tmp_path}/odd.py:Odd,x=[/b]"
    for words in (("match", agent, "random"), ("tournament", agent, "random")):
        code, out, err = run(capsys, *words, "--games", "2", "--workers", "0")
        assert (code, err.count("Traceback")) == (0, 0)
        assert "[/b]" in out


def fresh(*words: str, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "noughts", *words],
        input=given,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("words", [("--help",), ("rules", "show", "bttt(E5)"), ("agents",), ("study", "--help")])
def test_light_commands_load_no_heavy_library(words: tuple[str, ...]) -> None:
    done = fresh(*words, PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert loaded.isdisjoint({"numpy", "numba", "jax", "scipy", "matplotlib", "sqlalchemy", "jinja2"})


@pytest.mark.heavy
def test_light_commands_take_under_half_a_second_of_cpu() -> None:
    def seconds(*words: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert subprocess.run([sys.executable, *words], capture_output=True, check=False).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    for words, libraries in ((("--help",), "typer, rich.table"), (("rules", "show", "bttt(E5)"), "typer, pydantic")):
        fresh(*words)  # compiles what is not compiled yet
        times = [(seconds("-m", "noughts", *words), seconds("-c", f"import {libraries}")) for _ in range(5)]
        command, library = map(min, zip(*times, strict=True))
        # A processor that is shared, or slow, counts more seconds for the same work: also for the libraries that the command
        # cannot do without. Where nothing else runs the half second is what counts.
        assert command < max(0.5, 2.5 * library)


@pytest.mark.heavy
def test_playing_a_game_at_the_terminal(own_store: Path) -> None:
    first = "python:tests.agents.players:First"
    given = "help\nZ9\nhint\nB2\nB2\nundo\nB2\nrules\nboard\nC1\nC3\n"
    done = fresh("play", "--against", first, "--hint", "minimax:depth=9", given=given)
    assert done.returncode == 0, done.stderr
    assert "Type a square such as B2" in done.stdout
    assert "'Z9' is not a name such as C3" in done.stdout
    assert "value +0.000 (exact)" in done.stdout
    assert "is taken by X" in done.stdout
    assert f"{first} wins: A1-A2-A3" in done.stdout


@pytest.mark.heavy
def test_leaving_a_game_keeps_it(own_store: Path) -> None:
    from noughts.store.results import Store

    done = fresh("play", "--second", "--against", "minimax:depth=9", given="quit\n")
    assert done.returncode == 0, done.stderr
    with Store.open(str(own_store)) as store:
        (info,) = store.runs("play")
        (game,) = store.kept_by(info.id).games({f"played by hand {info.id}": ""}).values()
    assert (game.ending, len(game.moves)) == ("error", 1)
    assert game.error == "left before the end"


@pytest.mark.heavy
def test_a_friend_may_take_the_other_side() -> None:
    done = fresh("play", "--against", "human", given="A1\nB1\nundo\nB2\nA2\nC3\nA3\n")
    assert done.returncode == 0, done.stderr
    assert "the first player wins: A1-A2-A3" in done.stdout


@pytest.mark.heavy
def test_an_agent_that_fails_at_the_table_ends_the_game_with_exit_code_1(own_store: Path) -> None:
    for name, reason in (("Raises", "RuntimeError: lost my marbles"), ("Quits", "SystemExit: 0")):
        done = fresh("play", "--second", "--against", f"python:tests.agents.players:{name}")
        assert done.returncode == 1
        assert reason in done.stderr
        assert done.stderr.count("\n") == 1
    done = fresh("play", "--hint", "python:tests.agents.players:Raises", given="hint\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no hint: RuntimeError" in done.stdout


@pytest.mark.heavy
def test_odd_terminals_are_no_reason_to_fail(own_store: Path) -> None:
    run_it = f"{sys.executable} -m noughts"
    for line in (
        f"{run_it} play <&-",
        f"{run_it} rules list --json >&-",
        f"PYTHONIOENCODING=ascii {run_it} match random random -n 4 -w 0",
        f"COLUMNS=40 {run_it} tournament random minimax -n 2 -w 0",
    ):
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False)
        assert "Traceback" not in done.stderr
        assert done.returncode == 0, line
    full = subprocess.run(
        ["bash", "-c", f"{run_it} agents > /dev/full"], capture_output=True, text=True, timeout=60, check=False
    )
    assert "Traceback" not in full.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("match", "random", "python:tests.questions.shy:Fussy"),
        ("tournament", "random", "python:tests.questions.shy:Fussy"),
        ("score", "python:tests.questions.shy:Fussy"),
    ],
    ids=lambda words: words[0],
)
def test_who_cannot_play_a_game_is_refused_in_one_line_and_nothing_is_played(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    from noughts.store.results import Store

    code, out, err = run(capsys, *words, "--rules", "bttt(D3|D4)", "--workers", "0")
    assert (code, out) == (2, "")
    assert err == "error: python:tests.questions.shy:Fussy cannot play bttt(D3): it knows no bricks\n"
    with Store.open() as place:
        assert place.runs() == ()


def test_options_answer_to_their_former_names(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "prove", "minimax:depth=9", "--workers", "0", "--most", "20")
    assert (code, "--max-positions" in err) == (2, True)
    assert "--most" not in run(capsys, "prove", "--help")[1]
