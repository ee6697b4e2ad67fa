"""The command line: the output of each command, and one line and exit code 2 for bad input."""

import io
import resource
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from noughts.reports import page
from noughts.rules import StoreError
from noughts.store.results import Store
from tests.cli.running import Run, Shown, Told

PROOF = str(Path(__file__).parents[1] / "formats" / "0.1.0" / "mnk-2-3-2.proof")
PLAYERS = "python:tests.agents.players:"


def test_a_failing_guest_is_reported_and_the_study_ends(own_store: Path, run: Run, shown: Shown) -> None:
    study = "python:tests.cli.guests:Beating"
    code, _, err = run("study", "run", study, "--agent", f"{PLAYERS}RaisesLater", "--workers", "0")
    assert code == 1
    assert "failed: " in err
    assert "KeyError" in err
    (page,) = (own_store / "pages").glob("*.html")
    assert "KeyError" in page.read_text()
    found = shown("study", "show", study, code=1)
    assert found["problems"]
    assert found["page"] == str(page)


def test_an_unwritable_page_loses_no_game(own_store: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("study", "run", "python:tests.cli.guests:Beating", "--agent", "mcts:sims=3", "--workers", "0")
    with monkeypatch.context() as patch:
        patch.setattr(page, "write_report", Mock(side_effect=StoreError("no space left")))
        assert run(*words)[0] == 2
    code, _, err = run(*words)
    assert code == 0
    assert "Showing saved results" in err
    with Store.open(str(own_store)) as store:
        (info,) = store.runs()
    assert info.status == "finished"


@pytest.mark.parametrize(
    "line", ["--help", "rules show bttt(E5)", "agents", "study --help", "serve --help", "verify PROOF -w 0"]
)
def test_light_commands_load_no_heavy_library(line: str) -> None:
    words = [PROOF if word == "PROOF" else word for word in line.split()]
    profiling = [sys.executable, "-X", "importtime", "-m", "noughts", *words]
    done = subprocess.run(profiling, capture_output=True, text=True, timeout=120, check=True)
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert loaded.isdisjoint({"numpy", "numba", "jax", "scipy", "matplotlib", "sqlalchemy", "jinja2"})
    assert loaded.isdisjoint({"fastapi", "uvicorn", "starlette", "websockets"})


@pytest.mark.heavy
def test_light_commands_take_under_half_a_second_of_cpu() -> None:
    def seconds(*words: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert subprocess.run([sys.executable, *words], capture_output=True, check=False).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    words = ("rules", "show", "bttt(E5)")
    seconds("-m", "noughts", *words)  # compiles everything
    times = [(seconds("-m", "noughts", *words), seconds("-c", "import typer, pydantic")) for _ in range(5)]
    command, library = map(min, zip(*times, strict=True))
    # A shared or slow processor needs more CPU seconds for the same work, also for the libraries that the command cannot do
    # without. On an idle machine the half second counts.
    assert command < max(0.5, 2.5 * library)


@pytest.fixture
def play(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Play at the terminal with `given` as the input."""

    def play(given: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        return run("play", *words)

    return play


def test_playing_a_game_at_the_terminal(play: Run) -> None:
    first = f"{PLAYERS}First"
    given = "help\nZ9\nhint\nB2\nB2\nundo\nB2\nrules\nboard\nC1\nC3\n"
    code, out, err = play(given, "--against", first, "--hint", "minimax:depth=9")
    assert code == 0, err
    assert "Type a square such as B2" in out
    assert "'Z9' is not a name such as C3" in out
    assert "value +0.000 (exact)" in out
    assert "is taken by X" in out
    assert f"{first} wins: A1-A2-A3" in out
    code, out, _ = play("A1\nB1\nundo\nB2\nA2\nC3\nA3\n", "--against", "human")
    assert (code, "the first player wins: A1-A2-A3" in out) == (0, True)


def test_leaving_a_game_saves_it(own_store: Path, play: Run) -> None:
    assert play("quit\n", "--second", "--against", "minimax:depth=9")[0] == 0
    with Store.open(str(own_store)) as store:
        (info,) = store.runs("play")
        (game,) = store.kept_by(info.id).games({f"played by hand {info.id}": ""}).values()
    assert (game.ending, len(game.moves)) == ("error", 1)
    assert game.error == "left before the end"


def test_an_agent_that_fails_while_a_person_plays_exits_with_code_1(play: Run) -> None:
    for name, reason in (("Raises", "RuntimeError: lost my marbles"), ("Quits", "SystemExit: 0")):
        code, _, err = play("", "--second", "--against", f"{PLAYERS}{name}")
        assert (code, err.count("\n"), reason in err) == (1, 1, True)
    code, out, err = play("hint\nquit\n", "--hint", f"{PLAYERS}Raises")
    assert (code, err, "no hint: RuntimeError" in out) == (0, "", True)


@pytest.mark.heavy
def test_unusual_terminals_do_not_fail() -> None:
    run_it = f"{sys.executable} -m noughts"
    for line, fails in (
        (f"{run_it} play <&-", False),
        (f"{run_it} rules list --json >&-", False),
        (f"PYTHONIOENCODING=ascii COLUMNS=40 {run_it} tournament random minimax -n 2 -w 0", False),
        (f"{run_it} agents > /dev/full", True),
    ):
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=False)
        assert "Traceback" not in done.stderr
        assert done.returncode == 0 or fails, line


def test_former_option_names_still_work(told: Told) -> None:
    said = told("prove", "minimax:depth=9", "--json", "--workers", "0", "--most", "20", code=2)
    assert "more than 20 positions: allow more with most= or --max-positions" in said
    assert "--most" not in told("prove", "--help")
