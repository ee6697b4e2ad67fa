"""How training goes, for people: a live view with rate, time left, losses and the curve of strength, or plain lines."""

import math
import sys
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from types import MappingProxyType
from typing import TYPE_CHECKING

from noughts.cli.output import write_seconds
from noughts.cli.telling import is_quiet, is_verbose
from noughts.training.events import Event, Finished, Iterated, Resumed, StrengthMeasured
from noughts.training.schedule import LIMITS, Schedule

if TYPE_CHECKING:
    from rich.console import RenderableType


REFRESH_SECONDS = 0.2
"""Least time between two drawings of the live view."""

_LINE_SECONDS = 5.0
_NODES_SECONDS = 1.0
_CURVE_CELLS = 32
_BARS = "▁▂▃▄▅▆▇█"


class TrainingView:
    """What was told of a run so far, in words and small pictures.

    Attributes:
        damaged: Checkpoints that could not be used.
        strength: As it was measured last; empty before.
    """

    def __init__(self, called: str, schedule: Schedule) -> None:
        self.called = called
        self.schedule = schedule
        self.damaged: tuple[str, ...] = ()
        self.strength: Mapping[str, float | None] = {}
        self._curves: dict[str, list[float]] = {}
        self._first: Iterated | None = (
            None  # of this sitting; that its programs are compiled says nothing of the others
        )
        self._last: Iterated | None = None
        self._end: Finished | None = None

    @property
    def end(self) -> Finished:
        """How it ended; ValueError if it has not."""
        if self._end is None:
            raise ValueError(f"{self.called} has not ended")
        return self._end

    def hear(self, event: Event) -> str | None:
        """Take note of an event; a line that people should see in any case, if it is worth one."""
        if isinstance(event, Resumed):
            self.damaged = event.damaged
            damaged = "".join(f"; not used: {line}" for line in event.damaged)
            return f"{self.called}: going on from iteration {event.iteration:,}{damaged}"
        if isinstance(event, Iterated):
            self._first = self._first or event
            self._last = event
        elif isinstance(event, StrengthMeasured):
            self.strength = {name: value if math.isfinite(value) else None for name, value in event.metrics.items()}
            for name, value in event.metrics.items():
                self._curves.setdefault(name, []).append(value)
            return f"{self.called}: strength after {event.positions:,} positions: {write_metrics(event.metrics, event.counts)}"
        elif isinstance(event, Finished):
            self._end = event
        return None

    def line(self) -> str:
        """How it goes, in one line."""
        if self._last is None:
            return f"{self.called}: the first iteration"
        last, left = self._last, self._seconds_left(self._last)
        return (
            f"{self.called}: iteration {last.iteration:,}, {last.positions:,} positions, {last.rate:,.0f}/s"
            + ("" if left is None else f", about {write_seconds(left)} left")
            + f"; {write_metrics(last.metrics)}"
        )

    def picture(self) -> "RenderableType":
        """How it goes, for a terminal."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        if self._last is None:
            return Text(f"{self.called}: the first iteration, for which programs are compiled")
        last, left = self._last, self._seconds_left(self._last)
        head = Table.grid(padding=(0, 2))
        head.add_row(
            Text(self.called, style="bold"),
            ProgressBar(total=self._whole, completed=self._share(last), width=24, pulse=self._whole is None),
            Text(f"iteration {last.iteration:,}"),
            Text(f"{last.positions:,} positions"),
            Text(f"{last.rate:,.0f}/s"),
            Text("" if left is None else f"{write_seconds(left)} left"),
        )
        curves = Table.grid(padding=(0, 2))
        for name, values in self._curves.items():
            curves.add_row(Text(name), Text(sparkline(values), style="green"), Text(write_number(values[-1])))
        return Group(head, Text(write_metrics(last.metrics), style="dim"), curves)

    @property
    def _whole(self) -> float | None:
        """The whole way, as `_share` counts it; None if a proof alone ends it."""
        return None if all(getattr(self.schedule, name) is None for name in LIMITS) else 1.0

    def _share(self, at: Iterated) -> float:
        """How much of the way is done: as far as the limit that is nearest; 0 if a proof alone ends it."""
        done = {"iterations": at.iteration, "positions": at.positions, "minutes": at.seconds / 60}
        limits: dict[str, float | None] = {name: getattr(self.schedule, name) for name in LIMITS}
        return min(1.0, max((done[name] / most for name, most in limits.items() if most is not None), default=0.0))

    def _seconds_left(self, last: Iterated) -> float | None:
        """At the pace of this sitting since its first iteration; None while that is not known."""
        assert self._first is not None
        share = self._share(last)
        new = share - self._share(self._first)
        return (last.seconds - self._first.seconds) * (1 - share) / new if new > 0 else None


def watch_training(events: Generator[Event, None, None], view: TrainingView, quiet: bool = False) -> None:
    """Follow a session to its end on standard error; `quiet` shows nothing, nor does ``noughts --quiet``.

    Args:
        events: Of the session.
        view: What is shown of them.
    """
    from rich.console import Console

    console = Console(stderr=True, markup=False, highlight=False)
    with closing(events):  # so that Ctrl-C here, too, saves the last iteration
        if quiet or is_quiet():
            for event in events:
                view.hear(event)
        elif console.is_terminal and not is_verbose():
            from rich.live import Live

            shown = 0.0
            with Live(view.picture(), console=console, auto_refresh=False, transient=True) as live:
                for event in events:
                    if (line := view.hear(event)) and isinstance(event, Resumed):
                        live.console.print(line)
                    if time.monotonic() - shown >= REFRESH_SECONDS:
                        live.update(view.picture(), refresh=True)
                        shown = time.monotonic()
        else:
            shown = time.monotonic()
            for event in events:
                line = view.hear(event)
                if line is None and isinstance(event, Iterated) and time.monotonic() - shown >= _LINE_SECONDS:
                    line = view.line()
                if line is not None:
                    shown = time.monotonic()
                    sys.stderr.write(line + "\n")
                    sys.stderr.flush()


def sparkline(values: Iterable[float | None]) -> str:
    """A curve as a row of small bars: of the height from 0 to 1 if all are in there, else from least to greatest.

    More values than fit are thinned out evenly; the first and the last stay. What is no number is a blank.
    """
    shown = list(values)
    if len(shown) > _CURVE_CELLS:
        shown = [shown[round(cell * (len(shown) - 1) / (_CURVE_CELLS - 1))] for cell in range(_CURVE_CELLS)]
    numbers = [value for value in shown if value is not None and math.isfinite(value)]
    if not numbers:
        return " " * len(shown)
    low, high = min(0.0, *numbers), max(1.0, *numbers)
    if low < 0 or high > 1:
        low, high = min(numbers), max(numbers)
    span = (high - low) or 1.0
    return "".join(
        _BARS[round((value - low) / span * (len(_BARS) - 1))] if value is not None and math.isfinite(value) else " "
        for value in shown
    )


def write_metrics(metrics: Mapping[str, float | None], counts: Mapping[str, int] = MappingProxyType({})) -> str:
    """Names and values in a line, with n of those that are means of so many games or positions."""
    shown = (
        f"{name} {write_number(value)}" + (f" (n = {counts[name]:,})" if counts.get(name) else "")
        for name, value in metrics.items()
    )
    return ", ".join(shown) or "nothing measured"


def write_number(value: float | None) -> str:
    """Four digits are enough for people."""
    return "-" if value is None else f"{value:.4g}"
