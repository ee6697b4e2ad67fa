"""Progress of long work on standard error: a bar with the time left and tables that fill, or lines in files and pipes."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

from noughts.cli.output import console_of, detail, is_quiet, is_verbose, print_error

if TYPE_CHECKING:
    from rich.console import RenderableType

    from noughts.questions.carry_out import Progress as Answered

TABLE_SECONDS = 1.0
"""Least time between two drawings of the tables."""

LINE_SECONDS = 5.0
"""Least time between two lines where there is no live view."""

_NOTE_CHARACTERS = 200
_PACE_SECONDS = 600.0  # the time left follows from the results of so long: a training or a walk may take minutes


class Progressed(NamedTuple):
    """How far work is.

    Attributes:
        title: What is done.
        counted: How far it is, in words.
        done, total: The same as numbers, for the bar; a total of None if the end is not known.
        note: What is being done now.
        line: What is printed in any case, such as a measurement.
        part: The time left is estimated anew when this changes.
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
    """Show each step of some work, to its end.

    Where standard error is no terminal, or with ``--verbose``, it prints a line every few seconds.

    Args:
        steps: Going through them does the work.
        tables: What is known so far, drawn below the bar.
        quiet: Whether nothing is shown, as with ``--quiet``.
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
                    live.update(Group(bar, under, tables()))  # the bar first: tall tables are cut at the foot
                    # A table takes longer to make as results grow: never spend most of the time on it.
                    shown = clock() + 4 * (clock() - now)
            elif step.line or now - shown >= LINE_SECONDS:
                shown = now
                print_error(step.line or _line(step, bar.tasks[0].time_remaining))
    if live is None and last is not None:
        print_error(f"{last.title}: {last.counted}")


def _line(step: Progressed, seconds: float | None) -> str:
    """A step in a line, with the time left where it is known."""
    from noughts.reports.presenting.text import seconds_text

    counted = f"{step.counted}, about {seconds_text(seconds)} left" if seconds else step.counted
    return ": ".join(filter(None, (step.title, counted, _one_line(step.note))))


def _one_line(note: str) -> str:
    """A note without line breaks and other control characters, cut to what a person may read."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in note).split())
    return words if len(words) <= _NOTE_CHARACTERS else words[: _NOTE_CHARACTERS - 4] + " ..."


def steps_of(answered: "Iterable[Answered]", name: str) -> Iterator[Progressed]:
    """Steps of questions that are being answered; --verbose prints how many answers of each stage were saved before."""
    part = 0
    for one in answered:
        title = name if one.stages == 1 else f"{name}, part {one.stage} of {one.stages}"
        if one.stage != part:
            part = one.stage
            detail(f"{title}: {one.done - one.new:,} of {one.total:,} answers found before")
        yield Progressed(title, f"{one.done} of {one.total}", one.done, one.total, one.note, part=part)
