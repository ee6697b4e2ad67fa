"""The live view of a training: rate, time left, losses and curves of strength."""

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from noughts.cli.progress import Progressed, watch
from noughts.reports.presenting.text import metrics_text, number_text, sparkline
from noughts.training.events import Event, Finished, Iterated, Resumed, StrengthMeasured
from noughts.training.schedule import LIMITS, Schedule

if TYPE_CHECKING:
    from rich.console import RenderableType

    from noughts.library.training import TrainingSession


class TrainingView:
    """The progress of a run in training.

    Attributes:
        damaged: Checkpoints that could not be used.
        strength: The last measurement; empty before the first.
        end: The final event; None before.
    """

    def __init__(self, called: str, schedule: Schedule) -> None:
        self.called, self.schedule = called, schedule
        self.damaged: tuple[str, ...] = ()
        self.strength: Mapping[str, float | None] = {}
        self.end: Finished | None = None
        self._curves: dict[str, list[float]] = {}

    def watch(self, events: "TrainingSession", quiet: bool = False) -> None:
        """Run a training and show its progress."""
        with events:  # so that Ctrl-C saves the last iteration here, too
            watch(self.steps(events), self.curves, quiet)

    def steps(self, events: Iterator[Event]) -> Iterator[Progressed]:
        """Yield a step for each event. The estimate of the time left leaves out the first iteration, which is mostly compiling."""
        whole = None if all(getattr(self.schedule, name) is None for name in LIMITS) else 1.0  # as `_share` counts it
        step = Progressed(self.called, "the first iteration, for which programs are compiled", 0.0, whole)
        yield step
        for event in events:
            if isinstance(event, Iterated):
                counted = f"iteration {event.iteration:,}, {event.positions:,} positions, {event.rate:,.0f}/s"
                step = step._replace(counted=counted, done=self._share(event), note=metrics_text(event.metrics), part=1)
                yield step
            elif line := self._noted(event):
                yield step._replace(line=f"{self.called}: {line}")

    def _noted(self, event: Event) -> str:
        """Record an event, and return a line to print, or an empty text."""
        if isinstance(event, Resumed):
            self.damaged = event.damaged
            damaged = "".join(f"; not used: {line}" for line in event.damaged)
            return f"resuming from iteration {event.iteration:,}{damaged}"
        if isinstance(event, StrengthMeasured):
            self.strength = {name: value if math.isfinite(value) else None for name, value in event.metrics.items()}
            for name, value in event.metrics.items():
                self._curves.setdefault(name, []).append(value)
            return f"strength after {event.positions:,} positions: {metrics_text(event.metrics, event.counts)}"
        if isinstance(event, Finished):
            self.end = event
        return ""

    def curves(self) -> "RenderableType":
        """Draw the measurements so far, one curve per metric."""
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2))
        for name, values in self._curves.items():
            grid.add_row(Text(name), Text(sparkline(values), style="green"), Text(number_text(values[-1])))
        return grid

    def _share(self, at: Iterated) -> float:
        """Return the finished fraction of the training by its nearest limit; 0 if only a proof ends it."""
        done = {"iterations": at.iteration, "positions": at.positions, "minutes": at.seconds / 60}
        limits: dict[str, float | None] = {name: getattr(self.schedule, name) for name in LIMITS}
        return min(1.0, max((done[name] / most for name, most in limits.items() if most is not None), default=0.0))
