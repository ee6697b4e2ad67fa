"""Printing: JSON for programs, tables and a live view for people."""

import json
import os
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from noughts.cli.telling import detail, is_quiet, is_verbose, note, set_when_stopped

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from noughts.document.document import Document
    from noughts.document.names import Names
    from noughts.document.result import Figure
    from noughts.questions.progress import Progress
    from noughts.store.run import RunInfo

TABLE_SECONDS = 1.0
"""Least time between two drawings of the tables in the live view."""

LINE_SECONDS = 5.0
"""Least time between two lines where there is no live view."""

_PIPE_WIDTH = 160
"""Characters of a line where nobody looks at a screen of its own width."""

_NOTE_CHARACTERS = 200
_PACE_SECONDS = 600.0  # the time left goes by the results of so long: a training or a walk may take minutes


def print_json(value: Any, names: "Names | None" = None) -> None:
    """One JSON object on standard output; with `names`, agents have these, and the object says whom they mean."""
    if names is not None and names.called:
        value = names.within(value) | {"names": names.by_name}
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_document(document: "Document", names: "Names | None" = None) -> None:
    """On standard output, for people; its texts are written as they are, so that paths in them are never broken."""
    from noughts.reports.drawing import clean
    from noughts.reports.terminal import document_parts

    console = _console()
    for part in document_parts(document):
        if isinstance(part, str):
            sys.stdout.write(f"{clean(part)}\n")
        else:
            console.print(part)
    if names is not None:
        print_legend(names)


def print_legend(names: "Names") -> None:
    """Whom names mean, a line each."""
    for line in names.legend:
        sys.stdout.write(f"{line}\n")


def name_kept(info: "RunInfo") -> None:
    """Say that what is shown was found before."""
    note(f"Showing saved results from {info.started[:16].replace('T', ' ')} (run {info.id}). Use --rerun to run again.")


def name_changed(names: Sequence[str]) -> None:
    """Say why something that was asked before is begun anew: what was found by other code does not count."""
    if names:
        changed = ", ".join(names)
        note(f"Starting over because {changed} changed. Results that do not depend on it are reused.")


def save_figure(figure: "Figure | None", folder: Path | None, key: str) -> Path | None:
    """Draw a figure into a folder; its name tells questions apart by their keys. None without figure or folder."""
    from noughts.reports.figures import figure_svg
    from noughts.store.files import make_folder, write_atomically

    if figure is None or folder is None:
        return None
    make_folder(folder)
    path = folder / f"{figure.name}-{key.rsplit(maxsplit=1)[-1][:12]}.svg"
    write_atomically(path, figure_svg(figure))
    return path


def _console(stderr: bool = False) -> "Console":
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPE_WIDTH  # of files and pipes, in which names are looked for and copied
    return console


def watch(
    steps: Generator["Progress", None, None], title: str, tables: Callable[[], "RenderableType"], quiet: bool = False
) -> None:
    """Follow a session to its end: a bar with the time left, what the longest-running job says that it is at, and
    tables that fill as results come.

    Where standard error is no terminal, or it is to be verbose, a line every few seconds takes their place; `quiet` shows
    nothing, nor does ``noughts --quiet``.
    """
    console = _console(stderr=True)
    set_when_stopped("Stopped. Finished work is saved; run the same command to continue.")
    with closing(steps):  # so that Ctrl-C here stops the workers before anything else is closed
        steps = _telling_found(steps, title)
        if quiet or is_quiet():
            for _ in steps:
                pass
        elif console.is_terminal and not is_verbose():
            _watch_live(steps, title, tables, console)
        else:
            _watch_lines(steps, title, console)


def _telling_found(steps: "Generator[Progress, None, None]", title: str) -> "Generator[Progress, None, None]":
    """The same steps; of each stage it is told in detail how much of it was found before."""
    stage = 0
    for step in steps:
        if step.stage != stage:
            stage = step.stage
            detail(f"{_named(title, step)}: {step.done - step.new:,} of {step.total:,} answers found before")
        yield step


def _watch_live(
    steps: Generator["Progress", None, None], title: str, tables: Callable[[], "RenderableType"], console: "Console"
) -> None:
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    bar = _Bar(title, console)
    said = Text(no_wrap=True, overflow="ellipsis", style="dim")
    top = Group(bar.progress, said)
    shown = time.monotonic()
    with Live(top, console=console, refresh_per_second=8, transient=True, vertical_overflow="ellipsis") as live:
        for step in steps:
            now = time.monotonic()
            bar.update(step)
            said.plain = _one_line(step.note)
            if now - shown >= TABLE_SECONDS:
                live.update(Group(top, tables()))  # the bar first: tall tables are cut at the foot
                # A table takes longer to make as results grow: never spend most of the time on it.
                shown = time.monotonic() + 4 * (time.monotonic() - now)


def _watch_lines(steps: Generator["Progress", None, None], title: str, console: "Console") -> None:
    shown = time.monotonic()
    bar, last = _Bar(title, console), None
    for step in steps:
        now = time.monotonic()
        bar.update(step)
        last = step
        if now - shown >= LINE_SECONDS:
            shown = now
            last_note = f": {_one_line(step.note)}" if step.note else ""
            counted = ", ".join(filter(None, [f"{step.done} of {step.total}", bar.left]))
            sys.stderr.write(f"{_named(title, step)}: {counted}{last_note}\n")
            sys.stderr.flush()
    if last is not None:
        sys.stderr.write(f"{_named(title, last)}: {last.done} of {last.total}\n")


class _Bar:
    """The present stage as a bar with the time it has taken and the time left, counted anew in each stage."""

    def __init__(self, title: str, console: "Console") -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self.progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            speed_estimate_period=_PACE_SECONDS,
            get_time=time.monotonic,
        )
        self._title, self._stage = title, 0
        self._row = self.progress.add_task(title, total=None)

    def update(self, step: "Progress") -> None:
        """Move on to a step."""
        if step.stage != self._stage:
            self._stage = step.stage
            self.progress.reset(self._row, total=step.total, completed=step.done, description=_named(self._title, step))
        self.progress.update(self._row, completed=step.done)

    @property
    def left(self) -> str:
        """How long the stage will take, in words; empty while results are too few."""
        seconds = self.progress.tasks[0].time_remaining
        return f"about {write_seconds(seconds)} left" if seconds else ""


def _named(title: str, step: "Progress") -> str:
    """The title of a stage."""
    return title if step.stages == 1 else f"{title}, part {step.stage} of {step.stages}"


def write_seconds(seconds: float) -> str:
    """A time in seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _one_line(note: str) -> str:
    """A note without line breaks and other control characters, cut to what a person may read."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in note).split())
    return words if len(words) <= _NOTE_CHARACTERS else words[: _NOTE_CHARACTERS - 4] + " ..."


def print_problems(problems: Sequence[str]) -> None:
    """On standard error, what went wrong: the first ten, a line each, and how many more there are."""
    for problem in problems[:10]:
        typer.echo(problem, err=True)
    if len(problems) > 10:
        typer.echo(f"and {len(problems) - 10} more", err=True)
