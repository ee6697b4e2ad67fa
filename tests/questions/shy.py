"""An agent whose module no process should load but a worker."""

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
    """The same, of games without bricks alone."""

    def refusal(self, rules: Rules) -> str | None:
        return "it knows no bricks" if rules.bricks else None
