"""Saves the output of commands that measure something but write no file: ``uv run python -m benchmarks.printed [WORD...]``.

It runs the commands in `COMMANDS`; with words, only those that contain one of them. The output of a command, with the date,
the machine and the time it took, replaces its previous output in `printed.txt`. `tests/docs/test_performance.py` compares
that file with the pages that quote these numbers.
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
    'python -m benchmarks.selfplay --only "gumbel-2-cores / Pgx" --rounds 3 --seconds 2 --no-write --no-gpu',
    'python -m benchmarks.selfplay --only "gumbel-2-cores / Pgx" --rounds 3 --seconds 2 --no-write --no-gpu --channels 64',
    "python -m benchmarks.guests openspiel",
    "python -m benchmarks.guests sb3",
    "python -m benchmarks.planned",
    'python -m benchmarks.certificates "az:example,sims=0,view=canonical/bttt(D4)/first" "minimax:depth=2/bttt(A1)/first"',
    'python -m benchmarks.two_instruction_sets "az:example,sims=0,view=canonical" --rules "bttt(D4)" --interrupt',
    'python -m benchmarks.two_instruction_sets "az:example,sims=32,view=canonical" --rules "mnk(4,4,3)"',
)
"""`noughts verify` reads what the command before it writes: the word ``proofs`` runs both. The one that needs sb3-contrib
runs with ``uv run --with sb3-contrib python -m benchmarks.printed sb3``."""
_COMMAND = "$ uv run "


def read(path: Path, prompt: str) -> dict[str, list[str]]:
    """Read the output lines of each command from a file; a command is the rest of a line that begins with the prompt."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        if line.startswith(prompt):
            found[line.removeprefix(prompt)] = []
        elif found:
            found[next(reversed(found))].append(line)
    return found


def printed() -> dict[str, list[str]]:
    """The lines of each command's latest output; the first one contains the date, the machine and the duration."""
    return {command: [line for line in lines if line] for command, lines in read(PRINTED, _COMMAND).items()}


def main(words: Sequence[str] | None = None) -> int:
    """Run commands and save their output; return 1 if one failed, 2 if no command contains such a word."""
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
    """The output of a command, after a heading."""
    from noughts.machine.environment import current_environment

    environment = current_environment()
    begun = time.perf_counter()
    said = run(command, folder)
    seconds = time.perf_counter() - begun
    head = (
        f"{datetime.date.today().isoformat()}, commit {environment.commit}, {environment.cores} cores of "
        f"{environment.machine}: {seconds:.0f} s"
    )
    return [head, *(line.rstrip() for line in said if line.strip())]


def run(command: str, folder: Path) -> list[str]:
    """Run a command as after ``uv run``; return its output lines, or raise CalledProcessError if it fails.

    noughts itself runs in the folder, which appears as ``.`` and whose store all commands share; other programs run at the
    root of the repository.
    """
    program, *options = shlex.split(command)
    words = [sys.executable, *(() if program == "python" else ("-m", program)), *options]
    where = folder if program == "noughts" else HERE.parent
    settings = {**os.environ, "NOUGHTS_STORE": str(folder / "store")}
    done = subprocess.run(words, cwd=where, env=settings, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.replace(str(folder), ".").splitlines()


if __name__ == "__main__":
    sys.exit(main())
