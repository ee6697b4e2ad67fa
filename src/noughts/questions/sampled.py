"""`AboutSample`: the positions of a game in which agents are evaluated, and the solver's budget for each.

These are all positions of a small game, and a sample for each ply of a larger one. The positions are cut into pieces,
each with its own solver, so that the answer is the same for any number of workers.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Self

from pydantic import Field, model_validator

from noughts.examine.sample import Plies, Stratum, all_positions, sample_positions
from noughts.positions import Position
from noughts.rules import AgentError, NoughtsError, Rules, Value

Piece = tuple[int, int]
"""A range of positions in the order of plies: the index of the first, and the index after the last."""


class AboutSample(Value):
    """The positions to evaluate, and the limits of the solver.

    Attributes:
        all_up_to: All positions are evaluated if a game has at most this many non-terminal ones.
        per_ply: Otherwise the number of positions to draw for each ply.
        plies: The first and last ply of the positions; None for all plies.
        seed: The seed of the sample and of the agents' choices.
        nodes: The limit of a solver's work on one position, in its own unit; None for no limit.
        memory: The limit of GiB for the solver's tables.
    """

    error_type: ClassVar = AgentError
    allowed: ClassVar = {
        "all_up_to": "a whole number from 0 to 1000000",
        "plies": "two plies such as 4-10, the first from 0 on and not above the second",
        "memory": "a whole number of GiB from 1 to 1048576",
        "chunk": "a whole number from 1 to 1000000",
        "move_seconds": "a number of seconds above 0 and up to 86400",
    }

    all_up_to: int = Field(default=20_000, ge=0, le=1_000_000)
    per_ply: int = Field(default=50, ge=1, le=100_000)
    plies: Plies | None = None
    seed: int = 0
    nodes: int | None = Field(default=1_000_000, ge=1, le=10**12)
    memory: int = Field(default=1, ge=1, le=1 << 20)

    @model_validator(mode="after")
    def _plies_are_in_order(self) -> Self:
        if self.plies is not None and not 0 <= self.plies[0] <= self.plies[1]:
            raise ValueError(f"plies={self.plies[0]}-{self.plies[1]} is not allowed: {self.allowed['plies']}")
        return self

    def strata(self, rules: Rules) -> tuple[Stratum, ...]:
        """The positions of a game by ply; NoughtsError if there are none."""
        found = _strata(rules, self.all_up_to, self.per_ply, self.plies, self.seed)
        if not found:
            given = "{}-{}".format(*self.plies or (0, rules.size))
            raise NoughtsError(f"no game of {rules} was found that lasts to plies {given}: choose earlier plies")
        return found

    def positions(self, rules: Rules, piece: Piece | None) -> Sequence[Position]:
        """The positions of a piece, or all if it is None, in the order of plies."""
        found = [position for stratum in self.strata(rules) for position in stratum.positions]
        return found if piece is None else found[slice(*piece)]

    def pieces(self, rules: Rules, size: int) -> list[Piece]:
        """The pieces of a game, of `size` positions each."""
        count = sum(len(stratum.positions) for stratum in self.strata(rules))
        return [(start, min(start + size, count)) for start in range(0, count, size)]


@lru_cache(maxsize=64)
def _strata(rules: Rules, all_up_to: int, per_ply: int, plies: Plies | None, seed: int) -> tuple[Stratum, ...]:
    strata = all_positions(rules, all_up_to, plies)
    return sample_positions(rules, per_ply, seed, plies) if strata is None else strata
