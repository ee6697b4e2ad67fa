"""Printing: JSON for programs, tables and a live view for people."""

import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from noughts.cli.telling import detail, is_quiet, is_verbose, note, set_when_stopped

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

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
_NAMED = 10
_PACE_SECONDS, _PACE_RESULTS = 60.0, 10
_MANY_LEFT = 100  # results of one kind: each must then be quick, and its first one mostly the loading of code
_CALM_SECONDS, _CALM_RESULTS, _CALM_SHARE = 3.0, 3, 0.05


def print_json(value: Any, names: "Names | None" = None) -> None:
    """One JSON object on standard output; with `names`, agents have these, and the object says whom they mean."""
    if names is not None and names.called:
        value = names.within(value) | {"names": names.by_name}
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_tables(tables: "RenderableType", names: "Names | None" = None) -> None:
    """On standard output, and below them whom `names` mean. What agents are called is text, never markup."""
    _console().print(tables)
    if names is not None:
        print_legend(names)


def print_legend(names: "Names") -> None:
    """Whom names mean, a line each."""
    for line in names.legend:
        sys.stdout.write(f"{line}\n")


def name_kept(info: "RunInfo") -> None:
    """Say that what is shown was found before."""
    note(f"kept since {info.started[:16].replace('T', ' ')} (run {info.id}), and shown as it is; --again does it anew")


def name_changed(names: Sequence[str]) -> None:
    """Say why something that was asked before is begun anew: what was found by other code does not count."""
    if names:
        changed = ", ".join(names)
        note(
            f"begun anew, as this has changed since it was last begun: {changed}; answers that do not depend on it are taken over"
        )


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
    """Follow a session to its end: a bar with rate and time left, what the longest-running job says that it is at, and
    tables that fill as results come.

    Where standard error is no terminal, or it is to be verbose, a line every few seconds takes their place; `quiet` shows
    nothing, nor does ``noughts --quiet``.
    """
    console = _console(stderr=True)
    set_when_stopped("stopped; what was finished is kept, and the same command goes on")
    with closing(steps):  # so that Ctrl-C here stops the workers before anything else is closed
        steps = _telling_found(steps, title)
        if quiet or is_quiet():
            for _ in steps:
                pass
        elif console.is_terminal and not is_verbose():
            _watch_live(steps, title, tables, console)
        else:
            _watch_lines(steps, title)


def _telling_found(steps: "Generator[Progress, None, None]", title: str) -> "Generator[Progress, None, None]":
    """The same steps; of each stage it is told in detail how much of it was found before."""
    stage = 0
    for step in steps:
        if step.stage != stage:
            stage = step.stage
            detail(f"{_named(title, step)}: {step.done - step.new:,} of {step.total:,} answers found before")
        yield step


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
    )
    from rich.text import Text

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[pace]}"),
        console=console,
    )
    row = bar.add_task(title, total=None, pace="")
    said = Text(no_wrap=True, overflow="ellipsis", style="dim")
    top = Group(bar, said)
    shown = time.monotonic()
    pace, stage = Pace(), 0
    with Live(top, console=console, refresh_per_second=8, transient=True, vertical_overflow="ellipsis") as live:
        for step in steps:
            now = time.monotonic()
            if step.stage != stage:
                stage = step.stage
                bar.reset(row, description=_named(title, step))
            bar.update(row, completed=step.done, total=step.total, pace=pace.after(step, now))
            said.plain = _one_line(step.note)
            if now - shown >= TABLE_SECONDS:
                live.update(Group(top, tables()))  # the bar first: tall tables are cut at the foot
                # A table takes longer to make as results grow: never spend most of the time on it.
                shown = time.monotonic() + 4 * (time.monotonic() - now)


def _watch_lines(steps: Generator["Progress", None, None], title: str) -> None:
    shown = time.monotonic()
    pace, last = Pace(), None
    for step in steps:
        now = time.monotonic()
        said, last = pace.after(step, now), step
        if now - shown >= LINE_SECONDS:
            shown = now
            last_note = f": {_one_line(step.note)}" if step.note else ""
            counted = ", ".join(filter(None, [f"{step.done} of {step.total}", said]))
            sys.stderr.write(f"{_named(title, step)}: {counted}{last_note}\n")
            sys.stderr.flush()
    if last is not None:
        sys.stderr.write(f"{_named(title, last)}: {last.done} of {last.total}\n")


def _named(title: str, step: "Progress") -> str:
    """The title of a stage."""
    return title if step.stages == 1 else f"{title}, part {step.stage} of {step.stages}"


@dataclass(slots=True)
class _KindPace:
    """Of one kind of result: how many there were, and are, and over how many of them how many seconds were counted."""

    begun: int
    seen: int
    results: int = 0
    seconds: float = 0.0


class Pace:
    """How quickly results come of late, and so how long a stage will take: its last results may be its slowest.

    Counted over the last minute, or over the last ten results where they take longer. What came before the first result
    is mostly the start of processes and the loading of code. So it does not count, and nothing is said before results
    have come for as long as the first one took, and for some seconds at least. Nor is anything said in the first minute before
    a part of the whole is done: what is asked first may take longer than the rest. Where each result takes long, a part
    of the whole after a minute will do, and then all the time counts.

    Where results are of several kinds, such as games and walks, each kind has a time of its own: that since the result before,
    on average, the first of many aside. A kind of which none has come yet is taken to be as slow as the others are on average.
    """

    def __init__(self) -> None:
        self._stage = 0
        self._begun = (0.0, 0)  # when the stage began, and how many results there were then
        self._first = 0.0  # when its first result came
        self._seen: deque[tuple[float, int]] = deque()
        self._kinds: list[_KindPace] = []

    def after(self, step: "Progress", now: float) -> str:
        """In words, for a step that came at `now` seconds; "" while too little is known."""
        seen = self._seen
        if step.stage != self._stage:
            self._stage, self._begun = step.stage, (now, step.new)
            seen.clear()
            self._kinds = [_KindPace(kind.new, kind.new) for kind in step.kinds]
        if step.new > (seen[-1] if seen else self._begun)[1]:
            self._count_kinds(step, now - seen[-1][0] if seen else None)
            self._first = self._first if seen else now
            seen.append((now, step.new))
        while len(seen) > 1 and seen[1][0] <= now - _PACE_SECONDS and step.new - seen[1][1] >= _PACE_RESULTS:
            seen.popleft()
        since = self._since(step, now)
        if since is None:
            return ""
        then, before = since
        rate = (step.new - before) / (now - then)
        return f"{_pace(rate)}, about {write_seconds(self._left(step, rate))} left"

    def _count_kinds(self, step: "Progress", elapsed: float | None) -> None:
        """Share the seconds since the result before out over the results that came; None for the first, which is not counted."""
        came = [kind.new - pace.seen for kind, pace in zip(step.kinds, self._kinds, strict=True)]
        for kind, pace, new in zip(step.kinds, self._kinds, came, strict=True):
            is_cold = pace.seen == pace.begun and kind.left + new > _MANY_LEFT
            pace.seen += new
            if elapsed is not None and new and not is_cold:
                pace.results += new
                pace.seconds += elapsed * new / sum(came)

    def _left(self, step: "Progress", rate: float) -> float:
        """Seconds until the stage is done, if results of one kind come at a rate."""
        results, seconds = sum(pace.results for pace in self._kinds), sum(pace.seconds for pace in self._kinds)
        if sum(kind.left > 0 or kind.new > 0 for kind in step.kinds) < 2 or not seconds:
            return (step.total - step.done) / rate
        return sum(
            kind.left * (pace.seconds / pace.results if pace.results else seconds / results)
            for kind, pace in zip(step.kinds, self._kinds, strict=True)
        )

    def _since(self, step: "Progress", now: float) -> tuple[float, int] | None:
        """From when on results are counted, and how many there were then; None if too few have come."""
        if not self._seen:
            return None
        begun, before = self._begun
        calm = now - self._first >= max(_CALM_SECONDS, self._first - begun)
        late, share = now - begun >= _PACE_SECONDS, step.new - before >= _CALM_SHARE * step.total
        if calm and (late or share) and step.new - self._seen[0][1] >= _CALM_RESULTS:
            return self._seen[0]
        if late and share:
            return self._begun
        return None


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


def print_problems(what: str, problems: Sequence[str]) -> None:
    """Say on standard error what went wrong: the first ten, a line each, and how many more there are."""
    for problem in problems[:10]:
        typer.echo(f"{what}: {problem}", err=True)
    if len(problems) > 10:
        typer.echo(f"and {len(problems) - 10} more", err=True)
