"""`SearchSettings`: how a network guides a search. A value, so checking a configuration needs no array library."""

from typing import ClassVar, Literal

from pydantic import Field

from noughts.rules import NoughtsError, Value

MAX_GUIDED_SIMULATIONS = 10_000
"""Limited, because each simulation of each game takes a node on the device."""

Method = Literal["gumbel", "puct", "muzero"]


class SearchSettings(Value):
    """How a network guides a search.

    Attributes:
        method: ``gumbel``: Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022): sequential
            halving among the moves with the highest priors; learns with few simulations. ``puct``: AlphaZero
            (Silver et al., Science 2018). ``muzero``: the same with values scaled to those seen nearby in the tree
            (Schrittwieser et al., Nature 2020).
        simulations: Simulations for each move; 0 for the network's policy alone.
        considered: Gumbel: how many moves the halving starts with.
        c_init, c_base: PUCT and MuZero: the prior's weight, c(N) = c_init + log((N + c_base + 1) / c_base) after N simulations.
        dirichlet_alpha, dirichlet_fraction: PUCT and MuZero, in self-play: the Dirichlet noise at the root, and its share of the prior.
        terminal: The value of a finished game: its true ``result``, or the ``network``'s evaluation, a mistake whose cost
            a study measures.
    """

    error_type: ClassVar = NoughtsError
    called: ClassVar = "search"

    method: Method = "gumbel"
    simulations: int = Field(default=24, ge=0, le=MAX_GUIDED_SIMULATIONS)
    considered: int = Field(default=16, ge=1, le=361)
    c_init: float = Field(default=1.25, ge=0, le=1000)
    c_base: float = Field(default=19652.0, ge=1, le=1e30)
    dirichlet_alpha: float = Field(default=0.3, gt=0, le=1000)
    dirichlet_fraction: float = Field(default=0.25, ge=0, le=1)
    terminal: Literal["result", "network"] = "result"
