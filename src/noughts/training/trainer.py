"""`Trainer`: what a method of learning offers, and the laws it keeps, so that one session serves every method."""

from collections.abc import Mapping
from typing import Any, Protocol, Self, runtime_checkable

from noughts.training.schedule import Schedule


class Trainer(Protocol):
    """Something that learns, iteration by iteration.

    Laws:
        - All randomness derives from the config's seed and is part of the state: `restore` with what `state` gave,
          also in another process, and so many steps lead to the same state, bit for bit, as those steps without it.
        - `step` is done or not: if it raises, KeyboardInterrupt at any moment included, the state is that of the last
          whole iteration. (Compute first, then assign everything at once.)
        - `measure`, `state` and `weights` change nothing.
        - `state` may be asked by another thread in the middle of a step: it gives the last whole iteration. (Read what is
          assigned at once, at once.)

    Attributes:
        iteration: Iterations done so far.
        positions: Positions seen so far.
    """

    @property
    def iteration(self) -> int:
        """Iterations done so far."""
        ...

    @property
    def positions(self) -> int:
        """Positions seen so far."""
        ...

    def step(self) -> Mapping[str, float]:
        """Do one iteration; its metrics, such as losses."""
        ...

    def measure(self) -> Mapping[str, float]:
        """How strong it is now."""
        ...

    def state(self) -> Mapping[str, bytes]:
        """Everything that the next steps depend on: content by file name."""
        ...

    def restore(self, files: Mapping[str, bytes]) -> None:
        """Go on from what `state` gave."""
        ...

    def weights(self) -> Mapping[str, bytes]:
        """What an agent needs: content by file name."""
        ...


@runtime_checkable
class CountsMeasured(Protocol):
    """A trainer that also says how many games or positions stand behind what it measures."""

    def measured_counts(self) -> Mapping[str, int]:
        """By names that `measure` gives, as far as they are means of something that is counted; once it has measured."""
        ...


class TrainingConfig(Protocol):
    """What the config of any method has; each is a `noughts.rules.Value`."""

    def __init__(self, **fields: Any) -> None:
        """From JSON values; NoughtsError if it is impossible."""

    @classmethod
    def preset(cls, name: str, **fields: Any) -> Self:
        """The config of a preset's name, with some fields of one's own; NoughtsError if there is no such preset."""
        ...

    @property
    def task(self) -> str:
        """What is played, as text."""
        ...

    @property
    def seed(self) -> int:
        """Every random draw derives from it."""
        ...

    @property
    def schedule(self) -> Schedule:
        """Until when to train, and when to measure and to save."""
        ...

    def model_dump(self, *, mode: str = ...) -> dict[str, Any]:
        """The config as JSON values, with ``mode="json"``."""
        ...
