"""The agents that do not search: chance, and you."""

from collections.abc import Callable

from noughts.positions import Position, Rng


class RandomAgent:
    """Plays a legal move, each as likely."""

    def choose(self, position: Position, rng: Rng) -> int:
        """A uniformly random legal move."""
        legal = position.legal_moves
        return legal[rng.below(len(legal))]


class HumanAgent:
    """Asks somebody: `ask` is given the position and returns a legal move."""

    def __init__(self, ask: Callable[[Position], int]) -> None:
        self.ask = ask

    def choose(self, position: Position, rng: Rng) -> int:
        """Whatever the person answers."""
        return self.ask(position)
