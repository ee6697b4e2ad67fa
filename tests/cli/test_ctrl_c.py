"""Ctrl-C or SIGTERM during a study stops it at once, in one line. Tests of questions and other commands cover resuming."""

import os
import signal
import subprocess
import sys
import time

import pytest


def start(workers: str, *program: str) -> "subprocess.Popen[str]":
    """A study that begins in a session of its own."""
    command = [sys.executable, *program, "study", "run", "mcts-perfect", "--workers", workers]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


@pytest.mark.heavy
def test_ctrl_c_stops_at_once_even_during_imports() -> None:
    process = start("2", "-m", "noughts")
    time.sleep(0.1)
    begun = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - begun < 5.0  # a fifth of a second on an idle machine
    assert out == ""
    if process.returncode != 130:  # Python was still importing the package, and reports it in its own way
        assert "noughts/__main__" not in err
    else:
        assert err.strip().splitlines()[-1].lower().startswith("stopped")
        assert "Traceback" not in err


@pytest.mark.heavy
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_at_once_in_one_line_and_a_second_one_is_ignored(number: signal.Signals, code: int) -> None:
    lingers = "import atexit, time; atexit.register(time.sleep, 1.5);"  # as libraries with clean-up code do
    at_once = "from noughts.cli import progress; progress.LINE_SECONDS = 0.0;"  # its first line
    begin = "import sys; from noughts.__main__ import main; sys.argv[0] = 'noughts'; sys.exit(main())"
    with start("0", "-c", lingers + at_once + begin) as process:
        assert process.stderr is not None
        said = process.stderr.readline()  # its first progress, so it is working
        begun = time.monotonic()
        process.send_signal(number)
        while said and "stopped" not in said.lower():
            said = process.stderr.readline()
            assert "Traceback" not in said
        assert time.monotonic() - begun < 5.0  # a fifth of a second on an idle machine
        time.sleep(0.3)
        process.send_signal(number)
        assert process.stderr.read() == ""
        assert process.wait(30) == code
