"""Transcripts: text files of commands with their output. Running one regenerates its text.

A line that begins with ``$`` is a command; the lines up to the next command are its output. To add a call, add its line and
regenerate the file. Commands other than ``noughts`` are the functions of `SHOWN`, which show files and APIs as text.

Output that differs from run to run is masked: see `MASKED` and `MASKED_KEYS`. Numbers are rounded to four digits, because
the last digits of learned weights differ between processors.
"""

import contextlib
import json
import os
import re
import shlex
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

from tests.cli.running import captured
from tests.golden.shown import SHOWN

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
WIDTH = 110

MASKED = (
    (r"\b20\d{6}-\d{6}-[0-9a-f]{8}\b", "RUN-ID"),
    (r"\b20\d\d-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\.\d+)?(\+00:00| UTC)?)?", "TIME"),
    (r" *\b[\d.]+ (s|ms|min)\b *", " DURATION "),
    (r" *\b[\d.]+ (B|KiB|MiB|GiB)\b *", " SIZE "),
    (r"\btime +size\b", "time size"),  # the heads of columns whose width depends on the masked cells below them
    (r"time per move: .*", "time per move: DURATION"),
    (r"\b\d+\.\d{7,}(e-\d+)?\b|\b\d\.\d+e-\d+\b", "DECIMALS"),
    (r"\b[0-9a-f]{16}\b", "HASH"),
    (r"([━─])\1+", r"\1"),
)
"""Patterns in any text, with their replacements; the folder of the transcript is masked before them."""

MASKED_KEYS = re.compile(r"seconds(_\w+)?|\w*bytes|started|finished|created|basis|environment")
"""Names of JSON values that differ between runs, versions or machines: only whether they are None is kept."""


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def is_heavy(name: str) -> bool:
    """Whether it trains, so that a run of all tests leaves it out."""
    return (FOLDER / f"{name}.txt").read_text("utf-8").startswith("# heavy")


def run(name: str) -> str:
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        place = {"NOUGHTS_STORE": f"{folder}/store", "COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}
        with mock.patch.dict(os.environ, place):
            for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
                if line.startswith("# "):  # the text above the first command stays
                    lines.append(line)
                elif line.startswith("$ "):
                    lines += [line, *printed(line.removeprefix("$ "), folder), ""]
    return "\n".join(lines)


def printed(command: str, folder: str) -> list[str]:
    """The masked output of a command, and its exit code if it is not 0."""
    program, *words = shlex.split(command.replace("TESTS", str(ROOT / "tests")))
    if program != "noughts":
        return masked(SHOWN[program](*words), folder).splitlines()
    code, out, err = captured(*words)
    text = readable(json.loads(out)) if "--json" in words and out else out
    lines = masked(text + (err if code == 2 else ""), folder).splitlines()
    return [*map(str.rstrip, lines), *([f"[exit code {code}]"] if code else [])]


def masked(text: str, folder: str) -> str:
    for place, mask in ((os.path.realpath(folder), "FOLDER"), (folder, "FOLDER"), (str(ROOT), "ROOT")):
        text = text.replace(place, mask).replace(place.strip("/").replace("/", "-"), mask)
    for pattern, mask in MASKED:
        text = re.sub(pattern, mask, text)
    return text


def readable(value: Any, indent: str = "") -> str:
    """A JSON value as text, on one line if it fits."""
    value = without_chance(value)
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, dict | list):
        return line
    deeper = indent + " "
    if isinstance(value, dict):
        inner = [f"{json.dumps(name)}: {readable(each, deeper)}" for name, each in value.items()]
    else:
        inner = [readable(each, deeper) for each in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n" + ",\n".join(deeper + each for each in inner) + f"\n{indent}{last}"


def without_chance(value: Any) -> Any:
    """A JSON value with its masked keys and with rounded numbers."""
    if isinstance(value, dict):
        return {
            name: "MASKED" if MASKED_KEYS.fullmatch(name) and each is not None else without_chance(each)
            for name, each in value.items()
        }
    if isinstance(value, list):
        return [without_chance(each) for each in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def write(name: str) -> Path:
    text, path = run(name), FOLDER / f"{name}.txt"
    path.write_text(text, "utf-8")
    return path
