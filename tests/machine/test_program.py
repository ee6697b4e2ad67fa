"""The end of a program is described by its exit code or signal, and the processes it started end with it."""

import os
import sys
import time
from pathlib import Path

import psutil
import pytest

from noughts.machine.program import Program, ProgramError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs from outside need Unix")


def ended(command: list[str], log: Path) -> str:
    """The description of how a program without output ended."""
    program = Program(command, log)
    with pytest.raises(ProgramError) as found:
        program.read_line(time.monotonic() + 30)
    program.end()
    return str(found.value)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise SystemExit(3)", "its process ended with exit code 3"),
        ("import os; os.kill(os.getpid(), 11)", "its process was ended by SIGSEGV"),
        ("import os; os.kill(os.getpid(), 9)", "its process was ended by SIGKILL"),
    ],
)
def test_a_programs_end_is_described_in_words(code: str, said: str, tmp_path: Path) -> None:
    assert ended([sys.executable, "-c", code], tmp_path / "log") == said


def test_a_program_may_close_its_output_and_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.machine.program._ENDED_SECONDS", 0.2)
    code = "import os, time; os.close(1); time.sleep(60)"
    assert ended([sys.executable, "-c", code], tmp_path / "log") == "it closed its output"


def test_a_log_explains_why_a_program_cannot_be_started(tmp_path: Path) -> None:
    (tmp_path / "it").write_bytes(b"\x7fELF and no more")
    (tmp_path / "it").chmod(0o755)
    assert ended([str(tmp_path / "it")], tmp_path / "log") == "its process ended with exit code 126"
    assert "it cannot be started: Exec format error" in (tmp_path / "log").read_text()


def test_processes_that_a_program_started_end_with_it(tmp_path: Path) -> None:
    code = "import os, sys; print(os.posix_spawn('/bin/sleep', ['sleep', '60'], os.environ, setsid=True), flush=True)"
    program = Program([sys.executable, "-c", code], tmp_path / "log")
    left = int(program.read_line(time.monotonic() + 30))
    program.end()
    assert not psutil.pid_exists(left)
