"""Walks of every reply for tests, by an agent without a name or by a function that gives the choices; and a plain recursion."""

from collections.abc import Callable, Generator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from noughts.agents import Agent
from noughts.agents.asking import is_symmetric, possible_moves
from noughts.examine.every_reply import Asked, Choices, Piece, every_reply
from noughts.examine.walk import positions_after
from noughts.examine.walk_result import WalkResult
from noughts.positions import Position, Side
from noughts.rules import Rules

Result = TypeVar("Result")


class Fate(NamedTuple):
    """The results of every reply: games won, drawn and lost, positions decided, and the loss rate against the best replies."""

    won: int
    drawn: int
    lost: int
    decisions: int
    chance: float


def fate(rules: Rules, side: Side, choices: Callable[[Position], Sequence[int]]) -> Fate:
    """The results by a recursion that shares no code with the walk."""
    known: dict[Position, tuple[int, int, int, Fraction]] = {}

    def below(position: Position) -> tuple[int, int, int, Fraction]:
        if position.is_over:
            worth = position.outcome.value(side)
            return int(worth > 0), int(worth == 0), int(worth < 0), Fraction(worth < 0)
        if position not in known:
            own = position.to_move == side
            moves = choices(position) if own else position.legal_moves
            won, drawn, lost, chances = zip(*(below(position.play(move)) for move in moves), strict=True)
            chance = sum(chances, Fraction(0)) / len(moves) if own else max(chances)
            known[position] = sum(won), sum(drawn), sum(lost), chance
        return known[position]

    won, drawn, lost, chance = below(Position.start(rules))
    return Fate(won, drawn, lost, sum(position.to_move == side for position in known), float(chance))


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
    agent: Agent, rules: Rules, side: Side, instance: int | None = None, twice: bool = False, **options: Any
) -> WalkResult:
    """The result of every reply to an agent, or to one instance of it; `options` are those of `every_reply`."""
    walk = every_reply(rules, side, instance is None and is_symmetric(agent), **options)
    return walked_with(walk, lambda positions: possible_moves(agent, positions, instance, twice))[1]
