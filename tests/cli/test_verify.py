"""``noughts verify``: its output and exit code for files, folders and damage."""

import hashlib
from pathlib import Path

import pytest

from noughts.rules import parse_rules
from noughts.solvers.certificate import file_name, write_certificate
from noughts.store.run_folder import CERTIFICATES
from tests.agents.runs import make_run
from tests.cli.running import Run, Shown, Told
from tests.solvers.test_certificate import certificate_of
from tests.store.power import emptied

TEXTS = ("mnk(2,3,2)", "notakto(3)", "mnk(3,3,3,full=second)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three certificates and a file that is none."""
    for text in TEXTS:
        certificate = certificate_of(text)
        write_certificate(tmp_path / file_name(certificate.rules), certificate)
    (tmp_path / "README").write_text("not a certificate, and not named like one")
    return tmp_path


def test_a_folder_is_checked_file_by_file_despite_failures(folder: Path, run: Run, shown: Shown) -> None:
    code, out, err = run("verify", folder, "--workers", "0")
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines()] == sorted(
        str(folder / file_name(parse_rules(text))) for text in TEXTS
    )
    assert out.count(": proved: ") == 3
    bad = folder / "notakto-3.proof"
    line = f"{bad}: proved: first wins notakto(3) against every reply; 7 positions, 36 replies, longest game 6"
    assert line in out
    assert "certificates: 3 of 3" in err
    bad.write_bytes(bad.read_bytes()[:-17])
    code, out, err = run("verify", folder, "-w", "0")
    assert (code, out.count(": proved: ")) == (1, 2)
    (refused,) = (line for line in err.splitlines() if "refused" in line)
    assert refused.startswith(f"{bad}: refused: after ")
    assert refused.endswith("first has no move in the table (the file is truncated: 7 records expected, 6 found)")
    good = folder / "mnk-2-3-2.proof"
    found = shown("verify", bad, good, "-w", "0", code=1)
    assert not found["proved"]
    assert [(file["file"], file["proved"]) for file in found["files"]] == [(str(bad), False), (str(good), True)]
    assert [bool(file["error"]) for file in found["files"]] == [True, False]
    assert found["files"][1]["sha256"] == hashlib.sha256(good.read_bytes()).hexdigest()


def test_a_missing_file_is_an_input_error(folder: Path, told: Told) -> None:
    (folder / "empty").mkdir()
    cases: dict[tuple[str | Path, ...], str] = {
        (folder / "notakto-3.proof", folder / "none.proof"): f"there is no file {folder / 'none.proof'}",
        (folder / "empty",): f"the folder {folder / 'empty'} has no certificate in it",
        ("/dev/null",): "/dev/null is not a file that can be read",
        (): "Missing argument",
    }
    for words, message in cases.items():
        assert message in told("verify", *words, code=2)


def test_a_run_that_ended_proved_is_checked_by_its_name(folder: Path, told: Told) -> None:
    won = make_run("won", {1: b"weights"})
    (folder / "notakto-3.proof").rename(emptied(won.folder / CERTIFICATES) / "it.proof")
    assert ": proved: first wins notakto(3)" in told("verify", "won", "-w", "0")
    make_run("unproved", {1: b"weights"})
    assert told("verify", "unproved", code=2).endswith("`noughts train TASK --until proved` makes them\n")
