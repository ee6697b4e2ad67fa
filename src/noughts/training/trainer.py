"""`Trainer`: what a method of learning offers, and the laws it keeps, so that one session serves every method."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from noughts.rules import Rules


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


class LostGame(NamedTuple):
    """A game that what was learned has lost, as its moves from the start."""

    rules: Rules
    moves: tuple[int, ...]


@runtime_checkable
class UsesRefutations(Protocol):
    """A trainer that can let games begin on lines that refuted it."""

    @property
    def uses_refutations(self) -> bool:
        """Whether it does."""
        ...

    def take_refutations(self, lost: Sequence[LostGame]) -> int:
        """Use the games that were found after this iteration, in place of those taken before at the same iteration.

        Returns:
            How many positions have been supplied since the beginning.
        """
        ...


@runtime_checkable
class CountsMeasured(Protocol):
    """A trainer that also says how many games or positions stand behind what it measures."""

    def measured_counts(self) -> Mapping[str, int]:
        """By names that `measure` gives, as far as they are means of something that is counted; once it has measured."""
        ...
