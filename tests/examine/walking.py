"""Walking every reply to an agent that has no name, for tests."""

from typing import Any

from noughts.agents import Agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.examine.every_reply import every_reply
from noughts.examine.walk import positions_after
from noughts.examine.walk_result import WalkResult
from noughts.positions import Side
from noughts.rules import Rules


def walk_every_reply(
    agent: Agent,
    rules: Rules,
    side: Side,
    instance: int | None = None,
    twice: bool = False,
    **options: Any,
) -> WalkResult:
    """What every reply to an agent, or to one instance of it, shows; `options` are those of `every_reply`."""
    symmetric = instance is None and is_symmetric(agent)
    walk = every_reply(rules, side, symmetric, **options)
    try:
        asked = next(walk)
        while True:
            asked = walk.send([possible_moves(agent, positions_after(*piece), instance, twice) for piece in asked])
    except StopIteration as end:
        result: WalkResult = end.value
        return result
