"""The agents that do not search: chance, and you."""

from noughts.agents.agent import Decision, OneByOne, Want
from noughts.positions import Position, Rng
from noughts.rules import AgentError


class RandomAgent(OneByOne):
    """Plays a legal move, each as likely."""

    def decide_one(self, position: Position, rng: Rng, want: Want) -> Decision:
        """A uniformly random legal move."""
        legal = position.legal_moves
        return Decision(legal[rng.below(len(legal))])


def human() -> OneByOne:
    """You, at the keyboard: AgentError, because only `noughts play` can ask you."""
    raise AgentError("agent 'human' plays only in `noughts play`, where you enter its moves")
