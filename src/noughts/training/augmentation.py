"""The symmetries that turn positions before a network learns from them."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from noughts.rules import Rules, Symmetry, symmetries

Augmentation = Literal["board", "rules", "reflections", "none"]

_REFLECTIONS = ("identity", "flip-rows", "flip-columns", "rotate-180")


def turning(rules: Rules, augmentation: Augmentation) -> tuple[Symmetry, ...]:
    """The symmetries by which a game's positions are turned, the identity first; bricks turn with the board.

    ``board``: all symmetries of the board, with shifts over joined edges. ``rules``: those that keep the bricks in place.
    ``reflections``: four. ``none``: the identity.
    """
    if augmentation == "rules":
        return symmetries(rules)
    of_board = symmetries(rules.model_copy(update={"bricks": ()}))
    if augmentation == "reflections":
        return tuple(symmetry for symmetry in of_board if symmetry.name in _REFLECTIONS)
    return of_board if augmentation == "board" else of_board[:1]


class Turns:
    """The symmetries by which positions may be turned.

    Attributes:
        images: int32 [symmetries, size]: ``turned[image[cell]] = cells[cell]``.
        sources: int32 [symmetries, size], the inverse.
        allowed: For each game of the task, the indices of its symmetries: int32 [games, most], repeated to fill the row.
        counts: int32 [games], the number of symmetries of each game.
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

    def draw(self, number: NDArray[Any], generator: np.random.Generator) -> NDArray[np.int32]:
        """The index of a random symmetry for each position [N], uniform over those that its game allows."""
        drawn = (generator.random(len(number)) * self.counts[number]).astype(np.int32)
        return np.asarray(self.allowed[number, drawn])
