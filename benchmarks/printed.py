"""Keeps what commands print that measure something and write nothing: ``uv run python -m benchmarks.printed [WORD...]``.

Each command is run as it stands in `COMMANDS`, those with one of the words alone if there are words. What it printed, with
the day, the machine and how long it took, replaces in `printed.txt` what it printed before. The pages that tell of these
numbers are compared with that file by `tests/docs/test_performance.py`.
"""

import datetime
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.__main__ import HERE, write_whole

PRINTED = HERE / "printed.txt"
COMMANDS = (
    "python -m benchmarks.solvers --large",
    "python -m benchmarks.evolution --generations 100 --repeats 3",
    'noughts solve "bttt(*)" --certificate proofs',
    "noughts verify proofs",
    "pytest -n0 -s -m slow -k 'not a_hundred' tests/web/test_server_load.py",
    "pytest -n0 -s -m slow tests/web/browser/test_budgets.py",
    "pytest -n0 -s -m slow tests/studies/test_learning_tic_tac_toe.py",
    "pytest -n0 -s -m slow tests/cli/test_bit_flips.py",
)
"""`noughts verify` reads what the command before it writes: the word ``proofs`` runs both."""
_COMMAND = "$ uv run "


def printed() -> dict[str, list[str]]:
    """What each command printed when it was run last, by lines; before them one that says when, where and how long."""
    found: dict[str, list[str]] = {}
    for line in PRINTED.read_text(encoding="utf-8").splitlines() if PRINTED.exists() else []:
        if line.startswith(_COMMAND):
            found[line.removeprefix(_COMMAND)] = []
        elif found and line:
            found[next(reversed(found))].append(line)
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Run commands and keep what they print; 1 if one of them failed, 2 if no command has such a word."""
    words = sys.argv[1:] if words is None else words
    wanted = [command for command in COMMANDS if not words or any(word in command for word in words)]
    if not wanted:
        sys.stderr.write(f"no command has {' or '.join(words)}; there are:\n  " + "\n  ".join(COMMANDS) + "\n")
        return 2
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for command in wanted:
            sys.stderr.write(f"{command}\n")
            try:
                lines = _run(command, Path(folder))
            except subprocess.CalledProcessError as error:
                sys.stderr.write("\n".join(error.stdout.splitlines()[-20:]))
                sys.stderr.write(f"\nit ended with exit code {error.returncode}; what it printed before is kept\n")
                failed = 1
                continue
            now = printed() | {command: lines}
            parts = [f"{_COMMAND}{each}\n" + "\n".join(now[each]) for each in COMMANDS if each in now]
            write_whole(PRINTED, "\n\n".join(parts) + "\n")
    return failed


def _run(command: str, folder: Path) -> list[str]:
    """What it prints, after a line of our own; what is proved lies in a folder that goes with the run."""
    from noughts.machine.environment import current_environment

    environment = current_environment()
    program, *options = (str(folder / word) if word == "proofs" else word for word in shlex.split(command))
    words = [sys.executable, *(() if program == "python" else ("-m", program)), *options]
    settings = {**os.environ, "NOUGHTS_STORE": str(folder / "store")}
    begun = time.perf_counter()
    done = subprocess.run(words, cwd=HERE.parent, env=settings, stdout=subprocess.PIPE, text=True, check=True)
    seconds = time.perf_counter() - begun
    head = (
        f"{datetime.date.today().isoformat()}, commit {environment.commit}, {environment.cores} cores of "
        f"{environment.machine}: {seconds:.0f} s"
    )
    said = [line.rstrip().replace(str(folder), ".") for line in done.stdout.splitlines()]
    return [head, *(line for line in said if line)]


if __name__ == "__main__":
    sys.exit(main())
