"""Positions after given squares or random moves, for tests of all packages that use positions."""

from itertools import accumulate
from random import Random

from noughts.positions import Position
from noughts.positions.laws import random_game
from noughts.rules import Rules, parse_rules

SMALL_GAMES = (
    "tic-tac-toe",
    "misere-tic-tac-toe",
    "notakto(3)",
    "notakto(2,boards=3)",
    "mnk(2,3,2,boards=2,marks=shared,full=second)",
    "mnk(3,3,3,bricks=B2,full=first)",
    "mnk(3,4,3,bricks=A1+B2+C3,line=loses)",
    "mnk(2,2,3,lineless=true,full=first)",
    "mnk(1,1,1)",
)
"""Games of all kinds with few positions."""


def at(text: str, moves: str = "") -> Position:
    """The position of a game after moves on these squares."""
    rules = parse_rules(text)
    return Position.start(rules, tuple(map(rules.cell_of, moves.split())))


def played_out(rules: Rules, rng: Random) -> list[Position]:
    """Every position of a random game, from the empty board to the finished game."""
    return list(accumulate(random_game(rules, rng), Position.play, initial=Position.start(rules)))


def wandered(rules: Rules, plies: int, rng: Random) -> Position:
    """The position after this number of random moves, or before the one that would end the game."""
    position = Position.start(rules)
    for _ in range(plies):
        after = position.play(rng.choice(position.legal_moves))
        if after.is_over:
            break
        position = after
    return position


def late(rules: Rules, most: int, rng: Random) -> Position:
    """The first position of a random game with at most this number of legal moves; none if the game is over."""
    return next(position for position in played_out(rules, rng) if len(position.legal_moves) <= most)
