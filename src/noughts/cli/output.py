"""Printing: JSON for programs, tables and a live view for people."""

import json
import sys
import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from noughts.matches.session import Progress

_TABLE_SECONDS = 1.0
_LINE_SECONDS = 5.0
_NOTE_CHARACTERS = 200


def print_json(value: Any) -> None:
    """One JSON object on standard output."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_tables(tables: "RenderableType") -> None:
    """On standard output. What agents are called is text, never markup."""
    _console().print(tables)


def _console(stderr: bool = False) -> "Console":
    from rich.console import Console

    return Console(stderr=stderr, markup=False, highlight=False)


def watch(
    steps: Generator["Progress", None, None], title: str, tables: Callable[[], "RenderableType"], quiet: bool = False
) -> None:
    """Follow a session to its end: a bar with rate and time left, what the longest-running job says that it is at, and
    tables that fill as results come.

    Where standard error is no terminal, a line every few seconds takes their place; `quiet` shows nothing.
    """
    console = _console(stderr=True)
    with closing(steps):  # so that Ctrl-C here stops the workers before anything else is closed
        if quiet:
            for _ in steps:
                pass
        elif console.is_terminal:
            _watch_live(steps, title, tables, console)
        else:
            _watch_lines(steps, title)


def _watch_live(
    steps: Generator["Progress", None, None], title: str, tables: Callable[[], "RenderableType"], console: Any
) -> None:
    from rich.console import Group
    from rich.live import Live
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
    )
    row = bar.add_task(title, total=None, rate="")
    note = Text(no_wrap=True, overflow="ellipsis", style="dim")
    top = Group(bar, note)
    begun = shown = time.monotonic()
    stage = 0
    with Live(top, console=console, refresh_per_second=8, transient=True, vertical_overflow="ellipsis") as live:
        for step in steps:
            now = time.monotonic()
            if step.stage != stage:
                stage, begun = step.stage, now
                bar.reset(row, description=_named(title, step))
            rate = _pace(step.new / (now - begun)) if step.new and now > begun else ""
            bar.update(row, completed=step.done, total=step.total, rate=rate)
            note.plain = _one_line(step.note)
            if now - shown >= _TABLE_SECONDS:
                live.update(Group(top, tables()))  # the bar first: tall tables are cut at the foot
                # A table takes longer to make as results grow: never spend most of the time on it.
                shown = time.monotonic() + 4 * (time.monotonic() - now)


def _watch_lines(steps: Generator["Progress", None, None], title: str) -> None:
    begun = shown = time.monotonic()
    last = None
    for step in steps:
        now = time.monotonic()
        if last is not None and step.stage != last.stage:
            begun = now
        last = step
        if now - shown >= _LINE_SECONDS:
            shown = now
            rate = step.new / (now - begun) if now > begun else 0.0
            pace = f", {_pace(rate)}, about {write_seconds((step.total - step.done) / rate)} left" if rate else ""
            note = f": {_one_line(step.note)}" if step.note else ""
            sys.stderr.write(f"{_named(title, step)}: {step.done} of {step.total}{pace}{note}\n")
            sys.stderr.flush()
    if last is not None:
        sys.stderr.write(f"{_named(title, last)}: {last.done} of {last.total}\n")


def _named(title: str, step: "Progress") -> str:
    """The title of a stage."""
    return title if step.stages == 1 else f"{title}, part {step.stage} of {step.stages}"


def _pace(per_second: float) -> str:
    """A rate, by the second, the minute or the hour, whichever makes it a number worth reading."""
    for seconds, unit in ((1, "s"), (60, "min")):
        if per_second * seconds >= 1:
            return f"{per_second * seconds:,.1f}/{unit}"
    return f"{per_second * 3600:,.1f}/h"


def write_seconds(seconds: float) -> str:
    """A time in seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _one_line(note: str) -> str:
    """A note without line breaks and other control characters, cut to what a person may read."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in note).split())
    return words if len(words) <= _NOTE_CHARACTERS else words[: _NOTE_CHARACTERS - 4] + " ..."
