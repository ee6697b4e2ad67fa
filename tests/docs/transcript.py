"""What README's commands printed: ``uv run python -m tests.docs.transcript`` runs them and keeps it, before a release.

It trains for two minutes. What is printed goes to ``docs/findings/readme.txt``, with the commit and the machine, and into
README: each line that stands there is replaced by the new one that begins with the same word.
"""

import re
import tempfile
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from benchmarks.printed import read, run
from noughts.machine.environment import current_environment
from noughts.store.files import write_atomically
from tests.docs.pages import DOCS, ROOT, blocks

README = ROOT / "README.md"
TRANSCRIPT = DOCS / "findings" / "readme.txt"


def shown() -> list[tuple[list[str], list[str]]]:
    """README's commands that print something there, with the lines shown; not the server, which prints until it is ended."""
    return [
        (one.text.splitlines(), two.text.splitlines())
        for one, two in pairwise(blocks(README))
        if (one.kind, two.kind) == ("sh", "text") and "noughts serve" not in one.text
    ]


def printed() -> dict[str, list[str]]:
    """The lines that each command printed when it was run last."""
    return read(TRANSCRIPT, "$ ")


def run_commands() -> None:
    """Run them in an empty folder, one after the other, with a store of their own; write both files."""
    environment = current_environment()
    lines = [
        f"Written by `uv run python -m tests.docs.transcript` on {datetime.now(UTC):%Y-%m-%d},",
        f"commit {environment.commit}, on {environment.cores} cores of {environment.machine}.",
    ]
    text = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for commands, before in shown():
            now: dict[str, str] = {}
            for command in commands:
                said = run(command.removeprefix("uv run "), Path(folder))
                lines += ["", f"$ {command}", *said]
                now |= {_first_word(line): line for line in said}
            text = text.replace("\n".join(before), "\n".join(now[_first_word(line)] for line in before))
    write_atomically(TRANSCRIPT, "\n".join([*lines, ""]))
    write_atomically(README, text)


def _first_word(line: str) -> str:
    return re.split(r"\s", line, maxsplit=1)[0]


if __name__ == "__main__":
    run_commands()
