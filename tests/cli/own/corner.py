"""An agent, and an evaluator."""

from noughts.positions import Position, Rng
from noughts.rules import Rules


class Corner:
    """Plays the highest cell but `back`."""

    def __init__(self, back: int = 0) -> None:
        self.back = back

    def choose(self, position: Position, rng: Rng) -> int:
        return position.legal_moves[max(0, len(position.legal_moves) - 1 - self.back)]


class Late:
    """Likes marks on high cells."""

    unit = 0.001

    def __init__(self, rules: Rules, weight: int = 1) -> None:
        self.weight = weight

    def __call__(self, position: Position) -> int:
        """From the first player's point of view: the moves of even number are its own."""
        return self.weight * (sum(position.moves[0::2]) - sum(position.moves[1::2]))
