"""Every reply to an agent on either side of one game: asked, read, and what both walks together say of it."""

from collections.abc import Mapping, Sequence

from noughts.agents import AgentSpec
from noughts.examine.walk_result import WalkResult
from noughts.play.playthrough import SIDES
from noughts.play.score import Player
from noughts.questions.answers import Answers
from noughts.questions.walked import EveryReply
from noughts.rules import Rules

Walks = Mapping[Player, WalkResult]
"""What is known of each side."""


def on_both_sides(rules: Rules, agent: AgentSpec) -> Sequence[EveryReply]:
    """Every reply to an agent, as first and as second player; a lost game is a shortest one."""
    return [EveryReply(rules=rules, agent=agent, side=side) for side in SIDES]


def known_walks(rules: Rules, agent: AgentSpec, answers: Answers) -> Walks:
    """What the answers say of `on_both_sides`."""
    return {asked.side: walk for asked in on_both_sides(rules, agent) if (walk := answers[asked]) is not None}


def unbeatable(walks: Walks, *sides: Player) -> bool | None:
    """Whether no reply beats the agent on these sides, both unless given; None while that is not known."""
    found = [walks.get(side) for side in sides or SIDES]
    if any(walk is not None and walk.lost_game is not None for walk in found):
        return False
    return True if all(walk is not None and walk.proved for walk in found) else None
