"""Agents that are programs, for tests: their texts, and their leftover processes."""

import shlex
import sys
import time
from pathlib import Path

import psutil

FAULTY = Path(__file__).with_name("faulty.py")

REASONS = {
    "crashes": "its process was ended by SIGSEGV",
    "floods": "it took longer than 0.3 s for a move",
    "garbage": "check this out",
    "half_line": "it took longer than 0.3 s for a move",
    "hangs": "it took longer than 0.3 s for a move",
    "huge_line": "it wrote a line of more than 1048576 bytes",
    "no_text": "it wrote bytes that are no text",
    "nonsense_square": "99",
    "out_of_turn": "it wrote out of turn",
    "refuses": "I resign",
    "start_crashes": "its process ended with exit code 4, when it was started",
    "start_talks": "Welcome to my engine!",
    "taken_square": "is taken by",
}
"""Faults that lose the game, and words of their reason."""


def program(protocol: str, kind: str, token: str, *options: str) -> str:
    """The text of an agent that runs a program of `faulty`."""
    command = shlex.join([sys.executable, "-I", "-S", str(FAULTY), protocol, kind, token])
    return ",".join([f"{protocol}:{command}", *options])


def left_over(token: str, seconds: float = 5.0) -> list[str]:
    """The command lines of supervisors and programs with this token that still run after some seconds."""
    until = time.monotonic() + seconds
    while (found := _running(token)) and time.monotonic() < until:
        time.sleep(0.02)
    return found


def _running(token: str) -> list[str]:
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        if token in words and process.info["status"] != psutil.STATUS_ZOMBIE and process.pid != psutil.Process().pid:
            found.append(" ".join(words))
    return found
