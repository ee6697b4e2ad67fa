"""`Replay`: the latest positions of self-play. Batches are drawn from it, with positions turned by symmetries of the board."""

from dataclasses import dataclass

import numpy as np

from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.selfplay import Samples
from noughts.training.augmentation import Turns
from noughts.training.replay import SlidingWindow

_KEPT = tuple(name for name in Samples._fields if name != "valid")


@dataclass(frozen=True)
class Replay(SlidingWindow):
    """A sliding window over positions; its rows are the arrays of `Samples` by name."""

    def added(self, samples: Samples) -> "Replay":
        """A replay with the valid ones of samples [plies, G] added, in the order of plies."""
        valid = np.asarray(samples.valid).reshape(-1)
        arrays = {name: np.asarray(getattr(samples, name)) for name in _KEPT}
        return self.followed_by({name: array.reshape(-1, *array.shape[2:])[valid] for name, array in arrays.items()})

    def draw(self, config: AlphaZeroConfig, turns: Turns, generator: np.random.Generator) -> Samples:
        """A batch of random positions, each turned by a random symmetry."""
        chosen = generator.integers(len(self), size=config.batch)
        rows = {name: array[chosen] for name, array in self.rows.items()}
        return turned(Samples(**rows, valid=np.ones(len(chosen), np.bool_)), turns, generator)  # type: ignore[arg-type]


def turned(samples: Samples, turns: Turns, generator: np.random.Generator) -> Samples:
    """The samples [N], each turned by a random symmetry; bricks turn with the board."""
    sources = turns.sources[turns.draw(np.asarray(samples.number), generator)]
    return samples._replace(
        cells=np.take_along_axis(np.asarray(samples.cells), sources, 1),  # type: ignore[arg-type]
        policy=np.take_along_axis(np.asarray(samples.policy), sources, 1),  # type: ignore[arg-type]
    )
