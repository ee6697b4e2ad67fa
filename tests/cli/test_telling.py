"""``noughts --quiet`` and ``--verbose``: the messages besides results, alike for every command."""

import re
from collections.abc import Generator
from unittest.mock import Mock

import pytest

from noughts.cli.output import detail, note, set_level
from noughts.cli.progress import steps_of, watch
from noughts.questions.carry_out import Progress
from tests.cli.running import Run

MATCH = ("match", "random", "random", "-r", "mnk(2,3,2)", "-n", "2", "-w", "0")


@pytest.fixture(autouse=True)
def _usual_afterwards() -> Generator[None]:
    yield
    set_level(quiet=False, verbose=False)


def test_quiet_prints_only_the_same_results(run: Run) -> None:
    usual, quiet = run(*MATCH), run("--quiet", *MATCH)
    assert "random - random" in usual[2]
    assert "2 of 2" in usual[2]
    assert quiet[0] == 0
    assert quiet[2] == ""
    assert "2 different games" in quiet[1]
    assert quiet[1] == run("--quiet", *MATCH)[1]
    again = run(*MATCH)
    assert "Showing saved results" in again[2], "one command's choice is not the next one's"
    assert run("-q", *MATCH)[2] == ""


def test_verbose_prints_the_request_the_store_and_reused_answers(run: Run, own_store: object) -> None:
    usual, verbose = run(*MATCH), run("--verbose", *MATCH, "--rerun")
    assert verbose[1].splitlines()[0] == usual[1].splitlines()[0]
    assert "noughts 0.1.0, Python 3." in verbose[2]
    assert f"Results are saved in {own_store}" in verbose[2]
    assert "match random - random: run 2" in verbose[2]
    more = run("-v", *MATCH[:-4], "-n", "4", "-w", "0")
    assert "2 of 4 answers found before" in more[2]
    assert "found before" not in usual[2]


def test_where_an_unexpected_error_arose_is_told_in_detail(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.library.games.ask", Mock(side_effect=LookupError("a mistake")))
    code, _, err = run(*MATCH)
    assert code == 1
    assert err.strip() == (
        "error: unexpected LookupError: a mistake: please report it; `noughts --verbose ...` shows where it arose"
    )
    code, _, err = run("--verbose", *MATCH)
    assert code == 1
    assert "Traceback" in err
    assert "in match" in err
    assert err.strip().endswith("error: unexpected LookupError: a mistake: please report it")


def test_notes_and_details(capsys: pytest.CaptureFixture[str]) -> None:
    for quiet, verbose, told in ((True, False, ""), (False, False, "note\n"), (False, True, "note\ndetail\n")):
        set_level(quiet, verbose)
        note("note")
        detail("detail")
        assert capsys.readouterr().err == told


def test_verbose_prints_progress_as_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # as in a terminal
    set_level(quiet=False, verbose=True)
    watch(steps_of(iter([Progress(1, 3, 0), Progress(3, 3, 2)]), "work"), lambda: "a table")
    assert capsys.readouterr().err == "work: 1 of 3 answers found before\nwork: 3 of 3\n"


def test_piped_output_has_no_colours(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run(*MATCH)
    assert (code, "\x1b" in out + err) == (0, False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    code, out, err = run(*MATCH, "--rerun")
    assert code == 0
    assert re.search(r"\x1b\[[0-9;]*[349][0-7]m", out + err) is None
