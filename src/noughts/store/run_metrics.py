"""`Metrics`: the metrics of a training run, one JSON line for each iteration and each measurement of strength."""

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Literal

from noughts.rules import StoreError, Value
from noughts.store.files import write_atomically

Kind = Literal["iteration", "measurement"]

_TAIL_BYTES = 1 << 16


class MetricsLine(Value):
    """One line.

    Attributes:
        kind: Whether an iteration was done or strength was measured.
        iteration: After so many iterations.
        positions: Seen until then.
        seconds: Spent until then, all sittings together.
        metrics: Values by name; None for one that is no number.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "metrics"

    kind: Kind
    iteration: int
    positions: int
    seconds: float
    metrics: dict[str, float | None]


class Metrics:
    """The file of metrics; made with the first line. One process at a time may write; others may read meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, kind: Kind, iteration: int, positions: int, seconds: float, metrics: Mapping[str, float]) -> None:
        """Add a line; StoreError if it cannot be written. It survives the process at once, the machine from `sync` on."""
        numbers = {name: float(value) if math.isfinite(value) else None for name, value in metrics.items()}
        line = MetricsLine(kind=kind, iteration=iteration, positions=positions, seconds=seconds, metrics=numbers)
        content = (line.to_json() + "\n").encode()
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            try:
                while content:  # usually once: then no other process, and no interruption, sees half a line
                    content = content[os.write(handle, content) :]
            finally:
                os.close(handle)
        except OSError as error:
            raise self._failed("written", error) from error

    def sync(self) -> None:
        """Force all lines to the disk."""
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise self._failed("written", error) from error

    def lines(self) -> tuple[MetricsLine, ...]:
        """All lines, in order. A last line that a crash cut off is left out; StoreError if another one is damaged."""
        found = []
        whole, _, _ = self._content().rpartition(b"\n")
        for number, text in enumerate(whole.split(b"\n") if whole else [], start=1):
            try:
                found.append(MetricsLine.from_json(text))
            except StoreError:
                raise StoreError(f"{self.path} is damaged: line {number} is no line of metrics; remove it") from None
        return tuple(found)

    def last(self) -> MetricsLine | None:
        """The last whole line, read quickly; None if there is none."""
        lines = self._content(_TAIL_BYTES).rpartition(b"\n")[0]
        try:
            return MetricsLine.from_json(lines.rpartition(b"\n")[2]) if lines else None
        except StoreError:
            return None

    def truncate(self, iteration: int) -> None:
        """Remove the lines of later iterations, and a line that a crash cut off."""
        content = self._content()
        if not content:
            return
        kept = [line for line in self.lines() if line.iteration <= iteration]
        text = "".join(line.to_json() + "\n" for line in kept).encode()
        if text != content:
            write_atomically(self.path, text)

    def _content(self, tail: int | None = None) -> bytes:
        try:
            with open(self.path, "rb") as file:
                if tail is not None:
                    file.seek(max(0, os.fstat(file.fileno()).st_size - tail))
                return file.read()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise self._failed("read", error) from error

    def _failed(self, verb: str, error: OSError) -> StoreError:
        return StoreError(f"{self.path} cannot be {verb}: {error.strerror or error}")
