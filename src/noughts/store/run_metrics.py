"""`Metrics`: the metrics of a training run, one JSON line for each iteration and each measurement of strength.

Each line contains its own SHA-256. Missing lines at the end are detected, because the status and the checkpoints count the lines.
"""

import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar, Literal

from noughts.machine import disk
from noughts.rules import StoreError
from noughts.store.file_format import FileFormat, NewerFormatError, VersionedValue
from noughts.store.files import explained, write_atomically
from noughts.store.hashed import with_hash, without_hash

Kind = Literal["iteration", "measurement"]

METRICS = FileFormat("a line of a training run's metrics.jsonl", 1)

MEND = "`noughts runs resume` repairs it"
_TAIL_BYTES = 1 << 16


class MetricsLine(VersionedValue):
    """One line of the metrics.

    Attributes:
        kind: An iteration, or a measurement of strength.
        iteration: The number of iterations so far.
        positions: The number of positions so far.
        seconds: The time so far, all sessions together.
        metrics: Values by name; None for one that is not a number.
        counts: The number of games or positions in the mean of a measurement, by name, if known.
    """

    error_type: ClassVar = StoreError
    called: ClassVar = "metrics"
    file_format: ClassVar = METRICS

    kind: Kind
    iteration: int
    positions: int
    seconds: float
    metrics: dict[str, float | None]
    counts: dict[str, int] = {}


class Metrics:
    """The file of metrics, which the first line creates. One process at a time may write; others may read meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._count: int | None = None  # the number of lines; None if not counted
        self._synced = False  # whether all of them are on the disk

    def append(
        self,
        kind: Kind,
        iteration: int,
        positions: int,
        seconds: float,
        metrics: Mapping[str, float],
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """Append a line; StoreError if that fails. It survives a crash of the process, and after `sync` one of the machine."""
        numbers = {name: float(value) if math.isfinite(value) else None for name, value in metrics.items()}
        line = MetricsLine(
            kind=kind,
            iteration=iteration,
            positions=positions,
            seconds=seconds,
            metrics=numbers,
            counts=dict(counts or {}),
        )
        self._synced = False
        count, self._count = self._count, None  # counted again if this is interrupted
        with explained(self.path, "written"):
            disk.DISK.append(self.path, f"{with_hash(line.to_json())}\n".encode())
        if count is not None:
            self._count = count + 1

    def sync(self) -> int:
        """Force all lines to the disk, and return the number of complete ones."""
        if self._synced and self._count is not None:
            return self._count
        with explained(self.path, "written"):
            if self._count is None:
                disk.DISK.append(self.path, b"")  # creates it
                disk.DISK.sync_folder(self.path.parent)
                self._count = self._content().count(b"\n")
            disk.DISK.sync(self.path)
        self._synced = True
        return self._count

    def lines(self, least: int | None = None) -> tuple[MetricsLine, ...]:
        """All lines, in order, without a last one that a crash cut off.

        Args:
            least: The number of lines that were forced to the disk. A crash may damage the lines after these, so the result
                ends at the first damaged one. None if the number is unknown; then no line may be damaged.

        Raises:
            StoreError: one of these lines is damaged or missing, or the file cannot be read.
        """
        found: list[MetricsLine] = []
        for number, text in enumerate(self._content().split(b"\n")[:-1], start=1):
            line = self._read(text)
            if line is None and (least is None or number <= least):
                raise StoreError(f"{self.path} is damaged: line {number} is not the one that was written: {MEND}")
            if line is None:
                break
            found.append(line)
        if least is not None and len(found) < least:
            raise StoreError(f"{self.path} is damaged: {least - len(found)} of {least} lines are missing: {MEND}")
        return tuple(found)

    def readable(self) -> tuple[MetricsLine, ...]:
        """Every undamaged line; everything between them is skipped."""
        return tuple(line for text in self._content().split(b"\n") if (line := self._read(text)) is not None)

    def replace(self, lines: Iterable[MetricsLine]) -> None:
        """Replace all lines by these. The file is rewritten only if it differs."""
        self._count = None
        text = "".join(f"{with_hash(line.to_json())}\n" for line in lines).encode()
        if text != self._content():
            write_atomically(self.path, text)

    def last(self) -> MetricsLine | None:
        """The last line, read quickly; None if there is none, or a crash left only half of it."""
        lines = self._content(_TAIL_BYTES).rpartition(b"\n")[0]
        return self._read(lines.rpartition(b"\n")[2]) if lines else None

    def truncate(self, iteration: int, least: int | None = None) -> None:
        """Remove the lines of later iterations, and damage that a crash left at the end; `least` is as for `lines`."""
        self.replace(line for line in self.lines(least) if line.iteration <= iteration)

    def _content(self, tail: int | None = None) -> bytes:
        with explained(self.path, "read"):
            if not self.path.exists():
                return b""
            with open(self.path, "rb") as file:
                if tail is not None:
                    file.seek(max(0, os.fstat(file.fileno()).st_size - tail))
                return file.read()

    def _read(self, text: bytes) -> MetricsLine | None:
        """Parse a line; None if it is damaged."""
        try:
            return MetricsLine.from_json(without_hash(text))
        except NewerFormatError as error:
            raise NewerFormatError(f"{self.path}: {error}") from None
        except (StoreError, ValueError):
            return None
