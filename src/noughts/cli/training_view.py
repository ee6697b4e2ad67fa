"""How a training goes, for people: rate, time left, losses and the curves of strength."""

import math
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING

from noughts.cli.progress import Progressed, watch
from noughts.reports.presenting.text import metrics_text, number_text, sparkline
from noughts.training.events import Event, Finished, Iterated, Resumed, StrengthMeasured
from noughts.training.schedule import LIMITS, Schedule

if TYPE_CHECKING:
    from rich.console import RenderableType


class TrainingView:
    """What is known of a run while it is trained.

    Attributes:
        damaged: Checkpoints that could not be used.
        strength: The last measurement; empty before.
        end: How it ended; None before.
    """

    def __init__(self, called: str, schedule: Schedule) -> None:
        self.called, self.schedule = called, schedule
        self.damaged: tuple[str, ...] = ()
        self.strength: Mapping[str, float | None] = {}
        self.end: Finished | None = None
        self._curves: dict[str, list[float]] = {}

    def watch(self, events: Generator[Event, None, None], quiet: bool = False) -> None:
        """Show a training to its end."""
        with closing(events):  # so that Ctrl-C here, too, saves the last iteration
            watch(self.steps(events), self.curves, quiet)

    def steps(self, events: Iterator[Event]) -> Iterator[Progressed]:
        """A step for each event; the time left is estimated from the second iteration on, as the first is mostly compiling."""
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
        """Take note of an event; a line that is printed in any case, or nothing."""
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
        """The measurements so far, a curve for each metric."""
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2))
        for name, values in self._curves.items():
            grid.add_row(Text(name), Text(sparkline(values), style="green"), Text(number_text(values[-1])))
        return grid

    def _share(self, at: Iterated) -> float:
        """How much of the way is done: as far as the limit that is nearest; 0 if a proof alone ends it."""
        done = {"iterations": at.iteration, "positions": at.positions, "minutes": at.seconds / 60}
        limits: dict[str, float | None] = {name: getattr(self.schedule, name) for name in LIMITS}
        return min(1.0, max((done[name] / most for name, most in limits.items() if most is not None), default=0.0))
