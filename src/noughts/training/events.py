"""Events of a training session, for showing its progress."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from noughts.training.schedule import Limit


@dataclass(frozen=True, slots=True)
class Started:
    """Training starts from new weights."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """Training resumes from a checkpoint; from iteration 0, with new weights, if a damaged run had none yet.

    Attributes:
        damaged: One line for each damaged part of the run, such as a newer checkpoint, which could not be used.
    """

    iteration: int
    positions: int
    seconds: float
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Iterated:
    """One iteration is complete.

    Attributes:
        positions: Positions seen so far.
        seconds: Time spent so far, over all sessions.
        metrics: The metrics of this iteration, by name.
        rate: Positions per second of iteration time, over the last few iterations; 0 if no time passed.
    """

    iteration: int
    positions: int
    seconds: float
    metrics: Mapping[str, float]
    rate: float


@dataclass(frozen=True, slots=True)
class StrengthMeasured:
    """Strength was measured, and the weights were saved.

    Attributes:
        counts: The number of games or positions in the mean of a metric, by name, where known.
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
    """A limit of the schedule was reached, and everything is saved."""

    iteration: int
    positions: int
    seconds: float
    limit: Limit


Event = Started | Resumed | Iterated | StrengthMeasured | Saved | Finished
