"""Events of a training session, for whoever shows its progress."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from noughts.training.schedule import Limit


@dataclass(frozen=True, slots=True)
class Started:
    """Training begins from nothing."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """Training goes on from a checkpoint.

    Attributes:
        damaged: One line for each newer checkpoint that could not be used.
    """

    iteration: int
    positions: int
    seconds: float
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Iterated:
    """One iteration was done.

    Attributes:
        positions: Seen so far.
        seconds: Spent so far, all sittings together.
        metrics: The iteration's own, by name.
        rate: Positions a second of time spent on iterations, over the last few; 0 where no time passed.
    """

    iteration: int
    positions: int
    seconds: float
    metrics: Mapping[str, float]
    rate: float


@dataclass(frozen=True, slots=True)
class StrengthMeasured:
    """Strength was measured, and the weights were kept.

    Attributes:
        counts: Of how many games or positions a metric is the mean, by name, as far as that is known.
    """

    iteration: int
    positions: int
    seconds: float
    metrics: Mapping[str, float]
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Saved:
    """The full state was saved."""

    iteration: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A limit of the schedule was reached, and everything is kept."""

    iteration: int
    positions: int
    seconds: float
    limit: Limit


Event = Started | Resumed | Iterated | StrengthMeasured | Saved | Finished
