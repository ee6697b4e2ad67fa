"""`Replay`: the latest positions of self-play, from which batches are drawn, turned by the symmetries of the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noughts.rules import Rules
from noughts.training.alphazero.augmentation import Augmentation, turning
from noughts.training.alphazero.selfplay import Samples

AnyArray = NDArray[np.generic]
_KEPT = tuple(name for name in Samples._fields if name != "valid")


@dataclass(frozen=True)
class Replay:
    """A sliding window over positions, oldest first, on the host. Frozen: `added` gives the next one.

    Attributes:
        window: How many positions it keeps.
        rows: The arrays of `Samples` by name, with a leading axis [positions]; none at the beginning.
    """

    window: int
    rows: Mapping[str, AnyArray]

    def __len__(self) -> int:
        return len(self.rows["value"]) if self.rows else 0

    def added(self, samples: Samples) -> "Replay":
        """With the valid ones of samples [plies, G] taken in, in the order of plies."""
        valid = np.asarray(samples.valid).reshape(-1)
        arrays = {name: np.asarray(getattr(samples, name)) for name in _KEPT}
        new = {name: array.reshape(-1, *array.shape[2:])[valid] for name, array in arrays.items()}
        rows = {name: np.concatenate([self.rows[name], new[name]]) for name in _KEPT} if self.rows else new
        return Replay(self.window, {name: array[-self.window :] for name, array in rows.items()})

    def draw(self, count: int, turns: "Turns", generator: np.random.Generator) -> Samples:
        """`count` positions at random, each turned by a symmetry that is drawn for it."""
        chosen = generator.integers(len(self), size=count)
        rows = {name: array[chosen] for name, array in self.rows.items()}
        return turns.turn(Samples(**rows, valid=np.ones(count, np.bool_)), generator)  # type: ignore[arg-type]


class Turns:
    """The symmetries by which positions may be turned.

    Attributes:
        images: int32 [symmetries, size]: ``turned[image[cell]] = cells[cell]``.
        sources: int32 [symmetries, size], the inverse.
        allowed: For each of the task's games, the numbers of its symmetries: int32 [games, most], repeated to fill.
        counts: int32 [games], how many of them there are.
    """

    def __init__(self, games: Sequence[Rules], augmentation: Augmentation) -> None:
        turned = [[symmetry.image for symmetry in turning(rules, augmentation)] for rules in games]
        images = list(dict.fromkeys(image for own in turned for image in own))
        self.images = np.array(images, np.int32)
        self.sources = np.argsort(self.images, axis=1).astype(np.int32)
        numbers = {image: number for number, image in enumerate(images)}
        own = [[numbers[image] for image in some] for some in turned]
        most = max(map(len, own))
        self.allowed = np.array([(some * most)[:most] for some in own], np.int32)
        self.counts = np.array([len(some) for some in own], np.int32)

    def turn(self, samples: Samples, generator: np.random.Generator) -> Samples:
        """The same samples [N], each turned; bricks turn with the board."""
        number = np.asarray(samples.number)
        which = self.allowed[number, (generator.random(len(number)) * self.counts[number]).astype(np.int32)]
        sources = self.sources[which]
        return samples._replace(
            cells=np.take_along_axis(np.asarray(samples.cells), sources, 1),  # type: ignore[arg-type]
            policy=np.take_along_axis(np.asarray(samples.policy), sources, 1),  # type: ignore[arg-type]
        )
