"""Save small files of every kind in this version's formats: ``uv run python -m tests.formats.make``, before a release.

They go into a folder named by the version, with ``said.json``: their contents as read. Later versions must read the same.
A released folder is never made again.
"""

import contextlib
import json
import lzma
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import noughts
from noughts.document.result import Row, Table
from noughts.questions.answers import Answers
from noughts.questions.question import Question
from noughts.studies.study import Conclusion, Settings, Study
from noughts.web.commands import KeptCommand
from tests.cli.running import captured

FORMATS = Path(__file__).parent
GAME = "tic-tac-toe"
SAVED_GAME: dict[str, Any] = {
    "format": "noughts-game",
    "version": 1,
    "rules": GAME,
    "players": {"first": "human", "second": "minimax:depth=2"},
    "seed": 7,
    "tree": {"move": None, "analysis": {}, "children": [{"move": "B2", "analysis": {}, "children": []}]},
}
"""In the page's format."""

_SHORT = ("--iterations", "1", "--seed", "1", "--devices", "1", "--json")
_PLAYED = ("games=4", "window=64", "batch=8", "steps=1", "search.simulations=2", "schedule.checkpoint_seconds=0")
_EVOLVED = ("population=4", "rounds=2", "measure_rounds=2", "widths=4", "strategy=separable-cma")


class Small(Study):
    """A study without questions."""

    name = "small"
    title = "A small study"
    question = "Is anything asked?"

    def questions(self, settings: Settings) -> Sequence[Question[Any]]:
        return []

    def conclude(self, settings: Settings, answers: Answers) -> Conclusion:
        rows = (Row(labels=("questions",), ours="0", value=0.0),)
        return Conclusion((Table(title="All", label_columns=("what",), unit="questions", rows=rows),), (), ("None.",))


def command(*words: str) -> None:
    """Run a command of noughts in this process; it must succeed."""
    code, out, err = captured(*words)
    if code:
        raise SystemExit(f"noughts {' '.join(words)} ended with {code}: {out}{err}")


def make(folder: Path) -> None:
    """Write all of them into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    store = Path(os.environ["NOUGHTS_STORE"])
    _trainings(folder)
    _games(folder)
    command("solve", "mnk(2,3,2)", "--certificate", str(folder), "--json")
    command("prove", "perfect", "-r", "mnk(3,3,2)", "--as", "first", "--certificate", str(folder), "-w", "0", "--json")
    command("study", "run", "python:tests/formats/make.py:Small", "-w", "0", "--json")
    command("study", "archive", "python:tests/formats/make.py:Small", "-o", str(folder / "study.tar.xz"), "--json")
    (folder / "game.json").write_text(json.dumps(SAVED_GAME), "utf-8")
    kept = KeptCommand(arguments=("solve", GAME), state="finished", asked="2026-01-02T03:04:05+00:00", exit_code=0)
    (folder / "command.json").write_text(kept.to_json(), "utf-8")
    (folder / "results.sqlite.xz").write_bytes(lzma.compress(_database(store / "results.sqlite")))


def _trainings(folder: Path) -> None:
    """A run of each method after an iteration, and the weights of those that can be exported."""
    mlp = ("--network", "mlp:widths=4")
    for method, more in (
        ("az", (*mlp, *_set(*_PLAYED, "plies=4"))),
        ("mz", (*mlp, *_set(*_PLAYED, "unroll=1"))),
        ("es", _set(*_EVOLVED)),
    ):
        command("train", GAME, "--method", method, "--run", str(folder / method), *more, *_SHORT)
        (folder / method / "lock").unlink(missing_ok=True)
        if method != "es":
            command("runs", "export", str(folder / method), "--to", str(folder / f"{method}.safetensors"), "--json")
    shutil.rmtree(folder / "mz")  # large, and with no new kind of content
    command("runs", "export", str(folder / "az"), "--to", str(folder / "az.onnx"), "--json")


def _set(*settings: str) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


def _games(folder: Path) -> None:
    """Two games in every format that is read back."""
    command("match", "random", "minimax:depth=1", "-r", GAME, "-n", "2", "-w", "0", "--json")
    for name in ("games.jsonl", "games.csv", "games.pgn"):
        command("export", "match", "--to", str(folder / name), "-w", "0", "--json")


def _database(file: Path) -> bytes:
    """A database as one file without free pages."""
    with tempfile.TemporaryDirectory() as place, contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM INTO ?", (str(Path(place) / "it"),))
        return (Path(place) / "it").read_bytes()


if __name__ == "__main__":
    from tests.formats.reading import said_of

    # Some files contain the path where they were written: replace the user's folder.
    PLACE = Path(tempfile.gettempdir()) / "noughts-formats"
    shutil.rmtree(PLACE, ignore_errors=True)
    os.environ["NOUGHTS_STORE"] = str(PLACE / "store")
    version = sys.argv[1] if len(sys.argv) > 1 else noughts.__version__
    make(PLACE / version)
    (PLACE / version / "said.json").write_text(json.dumps(said_of(PLACE / version), indent=1) + "\n", "utf-8")
    shutil.rmtree(FORMATS / version, ignore_errors=True)
    shutil.copytree(PLACE / version, FORMATS / version)
    shutil.rmtree(PLACE)
