"""The agents that do not search: the random one, and you."""

from noughts.agents.agent import Decision, OneByOne, Want
from noughts.positions import Position, Rng
from noughts.rules import AgentError


class RandomAgent(OneByOne):
    """Plays a legal move at random."""

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """A uniformly random legal move."""
        legal = position.legal_moves
        return Decision(legal[rng.below(len(legal))])


def human() -> OneByOne:
    """You, at the keyboard. Always raises AgentError, because only `noughts play` can read your moves."""
    raise AgentError("agent 'human' plays only in `noughts play`, where you enter its moves: it gives no hints")
