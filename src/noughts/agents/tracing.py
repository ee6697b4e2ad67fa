"""Agents whose search can be watched, one simulation at a time.

An agent has this capability if it keeps `Traceable`; of our kinds of agents, `AgentKind.traces` says so without making one.
"""

from typing import Protocol, runtime_checkable

from noughts.positions import Position, Rng
from noughts.search.trace import Trace


@runtime_checkable
class Traceable(Protocol):
    """An agent that grows a tree."""

    def trace(self, position: Position, simulations: int, rng: Rng) -> Trace:
        """The search after so many of its simulations, and what the last of them did.

        With an equal `rng` it is the search behind the agent's own move.

        Args:
            position: Not over.
            simulations: From 0 to as many as the agent makes for a move.
            rng: As in `Agent.decide`.

        Raises:
            AgentError: the agent makes fewer, or cannot play the game.
        """
        ...
