"""The agents that do not search: chance, and you."""

from collections.abc import Callable

from noughts.agents.agent import Decision, OneByOne, Want
from noughts.positions import Position, Rng
from noughts.rules import AgentError


class RandomAgent(OneByOne):
    """Plays a legal move, each as likely."""

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """A uniformly random legal move."""
        legal = position.legal_moves
        return Decision(legal[rng.below(len(legal))])


class HumanAgent(OneByOne):
    """Asks somebody: `ask` is given the position and returns a legal move."""

    shared = False

    def __init__(self, ask: Callable[[Position], int] | None) -> None:
        """AgentError without `ask`."""
        if ask is None:
            raise AgentError("agent 'human' plays only in `noughts play`, where somebody can be asked")
        self.ask = ask

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """Whatever the person answers."""
        return Decision(self.ask(position))
