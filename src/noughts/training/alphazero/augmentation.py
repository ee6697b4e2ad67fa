"""By which symmetries positions may be turned before a network learns from them."""

from typing import Literal

from noughts.rules import Rules, Symmetry, symmetries

Augmentation = Literal["board", "rules", "reflections", "none"]

_REFLECTIONS = ("identity", "flip-rows", "flip-columns", "rotate-180")


def turning(rules: Rules, augmentation: Augmentation) -> tuple[Symmetry, ...]:
    """The symmetries of a game's board by which its positions are turned, the identity first; bricks turn with it.

    ``board``: all, moves over joined edges among them. ``rules``: those that keep the bricks in place. ``reflections``:
    four. ``none``: the identity.
    """
    if augmentation == "rules":
        return symmetries(rules)
    of_board = symmetries(rules.model_copy(update={"bricks": ()}))
    if augmentation == "reflections":
        return tuple(symmetry for symmetry in of_board if symmetry.name in _REFLECTIONS)
    return of_board if augmentation == "board" else of_board[:1]
