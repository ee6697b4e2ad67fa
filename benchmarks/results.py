"""What was measured, as values that can be stored: the raw rounds, and the arithmetic on them."""

import statistics
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict


class Stored(BaseModel):
    """The base of all that goes into a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Measured(Stored):
    """One case in one round: units done, and the seconds that took by the clock and of the processor."""

    units: int
    wall_s: float
    cpu_s: float

    @property
    def rate(self) -> float:
        """Units a second, by the clock."""
        return self.units / self.wall_s


class Spread(Stored):
    """A number over the rounds."""

    median: float
    min: float
    max: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Of at least one value."""
        return cls(median=statistics.median(values), min=min(values), max=max(values))


class Ratio(Stored):
    """How many times as quick as a peer a case of noughts is: over the rounds, of the ratio within each round."""

    noughts: str
    times: Spread


class Row(Stored):
    """A case, with what came of it.

    Attributes:
        group, program, call, paper_seconds: As in `Case`; the group by its name.
        is_peer: Whether this is somebody else's program.
        note: What was decided while getting ready, such as the size of a batch.
        status: Whether it ran; if not, `problem` says why and there are no rounds.
        rounds: As measured, in order.
        rate: Units a second.
        ratio: For peers that ran, against noughts' quickest case of the group.
        alike: The same against the case that works in the same way, where that is another.
        met: Whether the group's target is met against this peer; None where there is none.
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
    """Where it was measured. No paths and no names."""

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
    """The median over rounds of noughts' rate over the peer's, which a moment that is busy for both leaves alone."""
    times = [mine.rate / other.rate for mine, other in zip(ours, theirs, strict=True)]
    return Ratio(noughts=program, times=Spread.of(times))
