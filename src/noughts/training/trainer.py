"""`Trainer`: the interface of a training method, and its laws, so that one loop works for every method."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from noughts.rules import Rules


class Trainer(Protocol):
    """Something that learns, iteration by iteration.

    Laws:
        - All randomness derives from the config's seed and is part of the state: if a run is saved by `state` and resumed by
          `restore`, also in another process, the same number of steps leads to the same state, bit for bit.
        - `step` is atomic: if it raises, even KeyboardInterrupt at any moment, the state is that of the last whole
          iteration. (Compute first, then assign everything at once.)
        - `measure`, `state` and `weights` change nothing.
        - Another thread may call `state` during a step: it returns the last whole iteration. (Read the state, which is
          assigned at once, only once.)

    Optional:
        - `measured_counts()`, called after `measure`: the number of games or positions behind each measurement that is their
          mean, by name.
        - `uses_refutations`: whether games may begin in positions of games that refuted the agent. Then `take_refutations(lost)`
          uses the lost games (`LostGame`) that were found after this iteration, in place of those of an earlier call at the same
          iteration, and returns the number of positions supplied since the beginning.
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
        """Do one iteration, and return its metrics, such as losses."""
        ...

    def measure(self) -> Mapping[str, float]:
        """Measure the strength: metrics by name."""
        ...

    def state(self) -> Mapping[str, bytes]:
        """Everything that the next steps depend on: content by file name."""
        ...

    def restore(self, files: Mapping[str, bytes]) -> None:
        """Resume from the result of `state`."""
        ...

    def weights(self) -> Mapping[str, bytes]:
        """The files that an agent needs: content by file name."""
        ...


class LostGame(NamedTuple):
    """A game that the trained agent lost, as its moves from the start."""

    rules: Rules
    moves: tuple[int, ...]
