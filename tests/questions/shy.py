"""An agent whose module only a worker may load."""

from collections.abc import Sequence

from noughts.agents import Decision, Want
from noughts.positions import Position, Rng
from noughts.rules import Rules


class Shy:
    """The first free cell."""

    symmetric = True

    def decide(self, positions: Sequence[Position], rngs: Sequence[Rng], want: Want = Want.MOVE) -> Sequence[Decision]:
        return [Decision(position.legal_moves[0], (position.legal_moves[0],)) for position in positions]


class Fussy(Shy):
    """Plays the first free cell, but only games without bricks."""

    def refusal(self, rules: Rules) -> str | None:
        return "it knows no bricks" if rules.bricks else None
