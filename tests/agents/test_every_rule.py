"""Our agents follow the rules of every game. A search that takes an empty cell for a legal move, or a line for a counting one,
loses a game to an error here."""

from random import Random

import pytest

from noughts import play_game
from noughts.agents import build_agent, parse_agent
from noughts.agents.agent import refusal_of
from noughts.positions.reference import ReferencePosition
from noughts.rules import Rules
from tests.rules.one_field import PAIRS, SMALL
from tests.rules.strategies import random_rules

AGENTS = (
    *("minimax:depth=1", "minimax:depth=3", "mcts:sims=30", "mc:sims=3"),
    *("omniscient:sims=1,inside=random", "perfect", "threats:nodes=300"),
)
"""Agents that need nothing but the rules."""


def games() -> list[Rules]:
    """Games with each field away from its default, and random ones."""
    random = Random(11)
    shapes = [(2, 3, 1), (3, 3, 1), (2, 4, 1), (1, 3, 3), (2, 2, 2)]
    return [
        *(other for _, other in PAIRS.values()),
        *SMALL.values(),
        *(random_rules(random, random.choice(shapes)) for _ in range(30)),
    ]


@pytest.mark.parametrize("rules", games(), ids=str)
def test_every_move_is_legal(rules: Rules) -> None:
    for text in AGENTS:
        if refusal_of(build_agent(parse_agent(text)), rules) is not None or (text == "perfect" and rules.size > 9):
            continue
        for first, second in ((text, "random"), ("random", text)):
            record = play_game(first, second, rules, seed=3)
            assert not record.error, record
            book = ReferencePosition(rules)
            for move in record.moves:
                assert move in book.legal_moves
                book.play(move)
            assert str(book.outcome) == record.ending
