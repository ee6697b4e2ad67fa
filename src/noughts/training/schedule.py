"""`Schedule`: when training ends, and how often it measures strength and saves."""

from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from noughts.rules import NoughtsError, Value
from noughts.training.until import FORM, UntilProved

Limit = Literal["iterations", "positions", "minutes", "proved"]

LIMITS: tuple[Limit, ...] = ("iterations", "positions", "minutes")
ENDS = (*LIMITS, "until")
"""The fields that determine when training ends."""


class Schedule(Value):
    """When to end, to measure and to save. The first limit that is reached ends training; at least one is needed.

    Attributes:
        iterations, positions: The number after which training ends.
        minutes: The time after which training ends, with measuring and saving; after a resume, the sum of all parts.
        until: Training ends as soon as no reply beats the agent, which each measurement tries: ``proved:sims=32`` or
            ``proved:raw,as=first,stable=3``.
        measure_minutes: Minutes between two measurements of strength, each of which also saves the weights; ``none`` for never.
        measure_iterations: Iterations between two measurements, instead of minutes. The last iteration is always measured.
        measure_at_positions: Also measure as soon as the run has seen each of these numbers of positions.
        checkpoint_seconds: Seconds between two checkpoints. Ctrl-C and the end of training write one, too, so only a crash
            or kill -9 loses work: what was done since the last.
        tensorboard: Whether to write metrics for TensorBoard, too (needs the extra ``tensorboard``).
    """

    called = "schedule"
    allowed = {
        "until": FORM,
        "measure_at_positions": "a list of whole numbers from 1 on",
    }

    iterations: int | None = Field(default=None, ge=1)
    positions: int | None = Field(default=None, ge=1)
    minutes: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    until: str | None = None
    measure_minutes: float | None = Field(default=1.0, gt=0, allow_inf_nan=False)
    measure_iterations: int | None = Field(default=None, ge=1)
    measure_at_positions: tuple[Annotated[int, Field(ge=1)], ...] = ()
    checkpoint_seconds: float = Field(default=60.0, ge=0, allow_inf_nan=False)
    tensorboard: bool = False

    @model_validator(mode="after")
    def _ends(self) -> Self:
        if all(getattr(self, end) is None for end in ENDS):
            raise ValueError("the schedule has no end: give iterations, positions, minutes or until")
        return self

    @field_validator("until")
    @classmethod
    def _canonical_until(cls, text: str | None) -> str | None:
        try:
            return None if text is None else str(UntilProved.parse(text))
        except NoughtsError as error:
            raise ValueError(str(error)) from None

    @property
    def proof(self) -> UntilProved | None:
        """The proof that ends training, if `until` is set."""
        return None if self.until is None else UntilProved.parse(self.until)

    def reached(self, iteration: int, positions: int, seconds: float) -> Limit | None:
        """The limit that is reached; None if there is none."""
        done = {"iterations": iteration, "positions": positions, "minutes": seconds / 60}
        for limit in LIMITS:
            most = getattr(self, limit)
            if most is not None and done[limit] >= most:
                return limit
        return None

    @property
    def end(self) -> str:
        """The end of training, in words."""
        said = {name: getattr(self, name) for name in LIMITS}
        ends = [f"{most:,g} {name}" for name, most in said.items() if most is not None]
        return " or ".join([*ends, *([] if self.until is None else [f"until {self.until}"])])

    def measures_at(self, iteration: int, seconds_since: float, positions: int, positions_then: int) -> bool:
        """Whether strength is due to be measured after an iteration.

        Args:
            iteration: The iteration.
            seconds_since: Seconds since the last measurement.
            positions, positions_then: Positions seen until now, and at the last measurement.
        """
        if any(positions_then < point <= positions for point in self.measure_at_positions):
            return True
        if self.measure_iterations is not None:
            return iteration % self.measure_iterations == 0
        return self.measure_minutes is not None and seconds_since >= 60 * self.measure_minutes
