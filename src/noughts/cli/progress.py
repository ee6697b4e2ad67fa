"""Progress of long work on standard error: a bar with the time left and growing tables, or lines in files and pipes."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

from noughts.cli.output import console_of, detail, is_quiet, is_verbose, print_error

if TYPE_CHECKING:
    from rich.console import RenderableType

    from noughts.questions.carry_out import Progress as Answered

TABLE_SECONDS = 1.0
"""Minimum time between two drawings of the tables."""

LINE_SECONDS = 5.0
"""Minimum time between two lines if there is no live view."""

_NOTE_CHARACTERS = 200
_PACE_SECONDS = 600.0  # period behind the estimate of the time left: one training or walk may take minutes


class Progressed(NamedTuple):
    """The progress of some work.

    Attributes:
        title: The name of the work.
        counted: The progress in words.
        done, total: The progress as numbers, for the bar; `total` is None if the end is unknown.
        note: The current activity.
        line: A line to print even beside the bar, such as a measurement.
        part: A change restarts the estimate of the time left.
    """

    title: str
    counted: str
    done: float
    total: float | None
    note: str = ""
    line: str = ""
    part: int = 0


def watch(
    steps: Iterable[Progressed], tables: "Callable[[], RenderableType] | None" = None, quiet: bool = False
) -> None:
    """Do some work and show its progress.

    If standard error is not a terminal, or with ``--verbose``, it prints a line every few seconds.

    Args:
        steps: Iterating over them does the work.
        tables: Makes the results so far, which are drawn below the bar.
        quiet: Whether to show nothing, as with ``--quiet``.
    """
    if quiet or is_quiet():
        for _ in steps:
            pass
        return

    from rich.console import Group
    from rich.live import Live
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.text import Text

    console, clock = console_of(stderr=True), time.monotonic
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[counted]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        speed_estimate_period=_PACE_SECONDS,
        get_time=clock,
    )
    row, part = bar.add_task("", total=None, counted=""), None
    under = Text(no_wrap=True, overflow="ellipsis", style="dim")
    shown, last = clock(), None
    view = Live(Group(bar, under), console=console, refresh_per_second=8, transient=True, vertical_overflow="ellipsis")
    with view if console.is_terminal and not is_verbose() else nullcontext() as live:
        for step in steps:
            last = step
            if step.part != part:
                part = step.part
                bar.reset(row, total=step.total, completed=int(step.done))
            bar.update(row, description=step.title, total=step.total, completed=step.done, counted=step.counted)
            now = clock()
            if live is not None:
                under.plain = _one_line(step.note)
                if step.line:
                    live.console.print(step.line)
                if tables is not None and now - shown >= TABLE_SECONDS:
                    live.update(Group(bar, under, tables()))  # first the bar, because tall tables are cut off
                    # Tables take longer as results grow, so spend at most a fifth of the time on them.
                    shown = clock() + 4 * (clock() - now)
            elif step.line or now - shown >= LINE_SECONDS:
                shown = now
                print_error(step.line or _line(step, bar.tasks[0].time_remaining))
    if live is None and last is not None:
        print_error(f"{last.title}: {last.counted}")


def _line(step: Progressed, seconds: float | None) -> str:
    """Format a step as one line, with the time left if it is known."""
    from noughts.reports.presenting.text import seconds_text

    counted = f"{step.counted}, about {seconds_text(seconds)} left" if seconds else step.counted
    return ": ".join(filter(None, (step.title, counted, _one_line(step.note))))


def _one_line(note: str) -> str:
    """Remove control characters and line breaks from a note, and shorten it."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in note).split())
    return words if len(words) <= _NOTE_CHARACTERS else words[: _NOTE_CHARACTERS - 4] + " ..."


def steps_of(answered: "Iterable[Answered]", name: str) -> Iterator[Progressed]:
    """Convert the progress of questions to steps; --verbose prints how many answers of each stage were saved before."""
    part = 0
    for one in answered:
        title = name if one.stages == 1 else f"{name}, part {one.stage} of {one.stages}"
        if one.stage != part:
            part = one.stage
            detail(f"{title}: {one.done - one.new:,} of {one.total:,} answers found before")
        yield Progressed(title, f"{one.done} of {one.total}", one.done, one.total, one.note, part=part)
