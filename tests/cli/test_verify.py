"""``noughts verify``: what it says about files, folders and damage, and with which exit code."""

import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.cli.main import main
from noughts.cli.verify import SUFFIX
from noughts.rules import parse_rules
from noughts.solvers import certificate as certificates
from noughts.solvers.certificate import file_name, write_certificate
from tests.solvers.test_certificate import certificate_of

TEXTS = ("mnk(2,3,2)", "notakto(3)", "mnk(3,3,3,full=second)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three certificates and a file that is none."""
    for text in TEXTS:
        certificate = certificate_of(text)
        write_certificate(tmp_path / file_name(certificate.rules), certificate)
    (tmp_path / "README").write_text("not a certificate, and not named like one")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    code = main(["verify", *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_proof_gets_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "notakto-3.proof"
    code, out, err = run(capsys, path)
    assert code == 0
    assert out.startswith(
        f"{path}: proved: first wins notakto(3) against every reply; 7 positions, 36 replies, longest game 6"
    )
    assert out.count("\n") == 1
    assert "error" not in err


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_folder_is_checked_file_by_file(workers: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, folder, "--workers", workers)
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines()] == sorted(
        str(folder / file_name(parse_rules(text))) for text in TEXTS
    )
    assert out.count(": proved: ") == 3
    assert "certificates: 3 of 3" in err


@pytest.mark.parametrize("workers", ["0", "2"])
def test_one_that_is_refused_is_named_and_the_others_are_checked(
    workers: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = folder / "notakto-3.proof"
    bad.write_bytes(bad.read_bytes()[:-17])
    code, out, err = run(capsys, folder, "-w", workers)
    assert code == 1
    assert out.count(": proved: ") == 2
    refused = [line for line in err.splitlines() if "refused" in line]
    assert len(refused) == 1
    assert refused[0].startswith(f"{bad}: refused: after ")
    assert refused[0].endswith("first has no move in the table (the file is truncated: 7 records expected, 6 found)")


def test_json_says_it_all(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = folder / "mnk-2-3-2.proof"
    bad.write_bytes(b"no")
    code, out, err = run(capsys, bad, folder / "notakto-3.proof", "--json", "--workers", "0")
    assert (code, err.count("\n"), err.startswith(f"{bad}: refused: ")) == (1, 1, True)
    shown = json.loads(out)
    assert shown["proved"] is False
    refused, proved = shown["files"]  # in the order in which they were given
    assert (refused["file"], refused["proved"]) == (str(bad), False)
    assert "not a certificate" in refused["error"]
    assert proved.pop("error") == ""
    del proved["seconds"]
    assert proved.pop("sha256") == hashlib.sha256((folder / "notakto-3.proof").read_bytes()).hexdigest()
    assert proved == {
        "file": str(folder / "notakto-3.proof"), "proved": True, "side": "first", "claim": "wins", "agent": "", "rules": "notakto(3)",
        "positions": 7, "replies": 36, "unused": 0, "longest": 6,
    }  # fmt: skip
    assert json.loads(run(capsys, folder / "notakto-3.proof", "--json")[1])["proved"] is True


def test_what_is_not_there_is_an_error_of_input(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").mkdir()
    cases: dict[tuple[str | Path, ...], str] = {
        (folder / "none.proof",): f"there is no file {folder / 'none.proof'}",
        (folder / "notakto-3.proof", folder / "none.proof"): "there is no file",
        (folder / "empty",): f"the folder {folder / 'empty'} has no certificate in it",
        ("/dev/null",): "/dev/null is not a file that can be read",
        (): "Missing argument",
    }
    for words, said in cases.items():
        code, out, err = run(capsys, *words)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("error: ")
        assert said in err


def test_a_terminal_gets_a_bar(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["verify", str(folder / "notakto-3.proof")]) == 0
    assert "certificates" in terminal.getvalue()
    assert "1 of 1" in terminal.getvalue()
    assert capsys.readouterr().out.count("\n") == 1


PERFECT = "perfect:nodes=1000000"


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    """A folder with a certificate of what is played as the second player of tic-tac-toe."""
    assert main(["prove", "perfect", "--as", "second", "--certificate", str(tmp_path), "-w", "0", "--json"]) == 0
    (tmp_path / "second-tic-tac-toe.proof").rename(tmp_path / "agent.proof")
    return tmp_path


def test_what_an_agent_plays_gets_one_line(agents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = agents / "agent.proof"
    code, out, _ = run(capsys, path)
    assert code == 0
    assert out.startswith(
        f"{path}: proved: {PERFECT} as second player never loses tic-tac-toe against every reply; 146 positions, "
        "474 replies, longest game 9 moves, "
    )
    assert out.count("\n") == 1
    proved = json.loads(run(capsys, path, "--json")[1])["files"][0]
    assert {name: proved[name] for name in ("proved", "side", "claim", "agent", "rules", "positions")} == {
        "proved": True, "side": "second", "claim": "never loses", "agent": PERFECT, "rules": "tic-tac-toe",
        "positions": 146,
    }  # fmt: skip


def test_checking_needs_no_array_library(folder: Path, agents: Path) -> None:
    """Neither version does, nor the network of the agent: where importing one fails, all is checked the same."""
    program = f"""
import sys
class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("jax", "jaxlib", "numpy", "numba", "scipy", "equinox", "sqlalchemy"):
            raise ImportError(name)
sys.meta_path.insert(0, Nowhere())
from noughts.cli.main import main
sys.exit(main(["verify", {str(folder)!r}, "-w", "0"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count(": proved: ")) == (0, 4), done.stderr


def test_the_suffix_is_that_of_certificates() -> None:
    assert SUFFIX == certificates.SUFFIX


def test_a_run_that_ended_proved_is_checked_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_STORE", str(tmp_path))
    small = ("network=mlp:widths=8", "games=2", "plies=2", "window=16", "batch=4", "steps=1", "search.simulations=2")
    settings = [word for one in (*small, "schedule.measure_iterations=1") for word in ("--set", one)]
    train = ["train", "mnk(2,2,2)", *settings]
    assert main([*train, "--until", "proved:raw,as=first", "--run", "won"]) == 0
    assert main(["verify", "won"]) == 0
    assert ": proved: az:won@1,sims=0,view=one-side as first player wins mnk(2,2,2)" in capsys.readouterr().out
    assert main([*train, "--iterations", "1", "--run", "unproved"]) == 0
    assert main(["verify", "unproved"]) == 2
    assert capsys.readouterr().err.endswith("`noughts train TASK --until proved` makes them\n")
