"""Walks of every reply for tests, by an agent without a name or by a function that gives the choices."""

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from noughts.agents import Agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.examine.every_reply import Asked, Choices, Piece, every_reply
from noughts.examine.walk import positions_after
from noughts.examine.walk_result import WalkResult
from noughts.positions import Position, Side
from noughts.rules import Rules

Result = TypeVar("Result")


def walked_with(
    walk: Generator[Asked, Choices, Result], chosen: Callable[[Sequence[Position]], Sequence[tuple[int, ...]]]
) -> tuple[list[list[Piece]], Result]:
    """All queries of a walk and its result, with the choices in the positions of each piece given by a function."""
    found = []
    try:
        asked = next(walk)
        while True:
            found.append(list(asked))
            asked = walk.send([chosen(positions_after(*piece)) for piece in asked])
    except StopIteration as end:
        return found, end.value


def walk_every_reply(
    agent: Agent,
    rules: Rules,
    side: Side,
    instance: int | None = None,
    twice: bool = False,
    **options: Any,
) -> WalkResult:
    """The result of every reply to an agent, or to one instance of it; `options` are those of `every_reply`."""
    walk = every_reply(rules, side, instance is None and is_symmetric(agent), **options)
    return walked_with(walk, lambda positions: possible_moves(agent, positions, instance, twice))[1]
