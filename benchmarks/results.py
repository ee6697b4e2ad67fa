"""Measurements as values that can be stored: the raw rounds, and statistics of them."""

import statistics
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict


class Stored(BaseModel):
    """The base of all values in result files."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Measured(Stored):
    """One case in one round: the units of work, and the seconds of wall-clock and of processor time."""

    units: int
    wall_s: float
    cpu_s: float

    @property
    def rate(self) -> float:
        """Units a second, by wall-clock time."""
        return self.units / self.wall_s


class Spread(Stored):
    """A number over the rounds."""

    median: float
    min: float
    max: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """The spread of at least one value."""
        return cls(median=statistics.median(values), min=min(values), max=max(values))


class Ratio(Stored):
    """The spread, over the rounds, of the factor by which a case of noughts is faster than a peer in the same round."""

    noughts: str
    times: Spread


class Row(Stored):
    """The results of a case.

    Attributes:
        group, program, call, paper_seconds: As in `Case`; the group by its name.
        is_peer: Whether this is not noughts.
        note: Choices made during preparation, such as the size of a batch.
        status: Whether it ran; if not, `problem` is the reason and there are no rounds.
        rounds: As measured, in order.
        rate: Units a second.
        ratio: For peers that ran, relative to the first case of noughts in the group.
        alike: Likewise, relative to the case that works in the same way, if that is another one.
        met: Whether the group's target is met against this peer; None without a target.
    """

    group: str
    program: str
    call: str
    is_peer: bool
    note: str = ""
    status: Literal["ran", "not installed", "failed"] = "ran"
    problem: str = ""
    rounds: tuple[Measured, ...] = ()
    rate: Spread | None = None
    ratio: Ratio | None = None
    alike: Ratio | None = None
    met: bool | None = None
    paper_seconds: float | None = None


class Machine(Stored):
    """The machine that measured, without paths and host names."""

    processor: str
    system: str
    cores: int
    pinned: bool  # to one core
    versions: dict[str, str]
    commit: str
    load_before: float | None  # of the last minute, before the run
    load_after: float | None


class Results(Stored):
    """A run of the benchmarks."""

    date: str
    rounds: int
    seconds: float
    machine: Machine
    rows: tuple[Row, ...]


def ratio_of_rounds(program: str, ours: Sequence[Measured], theirs: Sequence[Measured]) -> Ratio:
    """The spread over rounds of noughts' rate divided by the peer's, on which load that affects both has no effect."""
    times = [mine.rate / other.rate for mine, other in zip(ours, theirs, strict=True)]
    return Ratio(noughts=program, times=Spread.of(times))
