"""What is known of a training: the proof against every reply, and its moves beside exact truth."""

from collections.abc import Mapping
from typing import NamedTuple

from noughts.examine.judge import Tally
from noughts.positions import Side
from noughts.studies.betazero_post_mortem.plan import Condition
from noughts.studies.examined import Walked, judged, unbeatable, walks_of
from noughts.studies.study import Results


class Examined(NamedTuple):
    """What is known of one training with some simulations."""

    condition: Condition
    walks: Mapping[Side, Walked]
    tallies: Mapping[int, Tally]

    @classmethod
    def read(cls, condition: Condition, sims: int, results: Results) -> "Examined":
        """What the results say of it."""
        name = condition.examined(sims)
        return cls(condition, walks_of(name, results), judged(name, results))

    @property
    def unbeatable(self) -> bool | None:
        """Whether no reply beats it on either side; None while that is not known."""
        return unbeatable(self.walks)

    @property
    def total(self) -> Tally:
        """All positions."""
        return sum(self.tallies.values(), Tally(complete=True))
