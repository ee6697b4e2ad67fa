"""Walking every reply to an agent that has no name, for tests."""

from noughts.agents import Agent
from noughts.agents.agent import decide
from noughts.examine.walk import WalkResult, every_reply, positions_after
from noughts.positions import Side
from noughts.rules import Rules


def walk_every_reply(agent: Agent, rules: Rules, side: Side) -> WalkResult:
    """What every reply to an agent shows, until it loses or to the end."""
    walk = every_reply(rules, side)
    try:
        asked = next(walk)
        while True:
            asked = walk.send([decide(agent, positions_after(rules, moves)) for moves in asked])
    except StopIteration as end:
        result: WalkResult = end.value
        return result
