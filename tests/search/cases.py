"""Positions of many games for the tests of searches: all kinds of rules, from the start to the last plies."""

import random

from noughts.positions import Position
from noughts.rules import parse_rules
from tests.positions.reached import wandered

GAMES = (
    "tic-tac-toe",
    "misere-tic-tac-toe",
    "bttt(D4)",
    "notakto(3)",
    "notakto(3,boards=2)",
    "mnk(3,4,3,marks=shared,full=second)",
    "mnk(4,4,3,full=second)",
    "mnk(9,9,5)",
    "mnk(1,5,2)",
    "mnk(3,5,3,bricks=A1+B3,line=loses,full=first)",
    "mnk(2,2,3,lineless=true,full=first)",
)


def positions(per_game: int, seed: int = 0) -> list[Position]:
    """Unfinished positions after random plies."""
    rng = random.Random(seed)
    found = list[Position]()
    for game in GAMES:
        rules = parse_rules(game)
        found += [wandered(rules, rng.randrange(0, rules.size), rng) for _ in range(per_game)]
    return found
