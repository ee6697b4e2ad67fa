"""Every reply: all the games an opponent could force on one agent, counted to the last.

Playing some games shows how an agent fares; walking every reply shows whether it can be beaten at all. The
agent must decide alike whenever it meets the same position, so its randomness comes from the position and one
seed: another seed is another instance of the same agent.
"""

from typing import NamedTuple

from noughts.agents import Agent, choose_legal
from noughts.positions import Position, Rng, Side, derive_seed
from noughts.rules import Rules


class WalkResult(NamedTuple):
    """Games against every reply, from the agent's point of view.

    Attributes:
        won, drawn, lost: How many different games end so.
        lost_game: Moves of one that is lost; None if none is.
        decisions: Positions in which the agent was asked; positions reached in several ways are asked once.
    """

    won: int
    drawn: int
    lost: int
    lost_game: tuple[int, ...] | None
    decisions: int


class _Count(NamedTuple):
    won: int
    drawn: int
    lost: int
    losing_moves: tuple[int, ...] | None  # from here on


def walk_replies(agent: Agent, rules: Rules, side: Side, seed: int) -> WalkResult:
    """Let the agent play `side` against every sequence of replies. For games of up to some million positions."""
    counts: dict[Position, _Count] = {}
    decisions = 0

    def count(position: Position) -> _Count:
        nonlocal decisions
        if position.is_over:
            value = position.outcome.value(side)
            return _Count(value > 0, value == 0, value < 0, () if value < 0 else None)
        if position in counts:
            return counts[position]
        moves: tuple[int, ...]
        if position.to_move == side:
            decisions += 1
            moves = (choose_legal(agent, position, Rng(derive_seed(seed, position.cells.hex()))),)
        else:
            moves = position.legal_moves
        won = drawn = lost = 0
        losing: tuple[int, ...] | None = None
        for move in moves:
            below = count(position.play(move))
            won, drawn, lost = won + below.won, drawn + below.drawn, lost + below.lost
            if losing is None and below.losing_moves is not None:
                losing = (move, *below.losing_moves)
        counts[position] = _Count(won, drawn, lost, losing)
        return counts[position]

    total = count(Position.start(rules))
    return WalkResult(total.won, total.drawn, total.lost, total.losing_moves, decisions)
