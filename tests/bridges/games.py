"""The games on which every bridge is tested, and how random moves are made there."""

import random
from collections.abc import Iterator

from noughts.positions import Position
from noughts.rules import parse_rules

GAMES = (
    "tic-tac-toe",
    "misere-tic-tac-toe",
    "bttt(D4)",
    "notakto(3)",
    "mnk(3,3,3,marks=shared,line=loses,boards=3)",
    "mnk(2,4,3,marks=shared,boards=2,full=first,bricks=B1)",
    "mnk(4,5,4,full=first)",
    "mnk(3,5,3,bricks=A1+B3,line=loses,full=second)",
    "mnk(5,4,4,marks=shared)",
    "mnk(2,2,3,lineless=true,full=second)",
    "mnk(3,4,3,bricks=B2,wrap=columns)",
    "gomoku",
)
"""Several boards, shared marks, lines that lose, bricks, every rule for a full board, joined edges, and boards that are no
squares."""

OF_EACH_SHAPE = (
    "tic-tac-toe",
    "mnk(2,4,3,marks=shared,boards=2,full=first,bricks=B1)",
    "mnk(3,4,3,bricks=B2,wrap=columns)",
)
"""Enough for what depends on the shape of a board alone, as the interfaces of other libraries do: they ask `Position` for the
rest, and what they show of it is tested on all games in `test_boards`."""


def playthrough(rules: str, seed: int) -> Iterator[Position]:
    """The positions of a random game, from the empty board to the end."""
    rng, position = random.Random(seed), Position.start(parse_rules(rules))
    yield position
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves))
        yield position
