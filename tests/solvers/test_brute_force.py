"""The solvers' brute force compared with the rule book, played by a recursion that reads like the definition."""

import random

import pytest

from noughts.positions import FIRST_MARK, SECOND_MARK, Outcome
from noughts.positions.reference import ReferencePosition
from noughts.rules import Rules, parse_rules
from noughts.rules.squares import WRAPS
from noughts.solvers.bits import mask_of
from tests.rules.strategies import random_rules
from tests.solvers.brute_force import NO_DISTANCE, Known, all_games, every_position

Found = dict[tuple[int, int], tuple[int, int]]
"""From a position's two words to its value and its distance."""


def by_the_book(rules: Rules) -> Found:
    """Every unfinished position, each explored once, on the slow backend."""
    game = ReferencePosition(rules)
    found: Found = {}

    def explore() -> tuple[int, int]:
        """Value for the side to move, and plies to the end."""
        if game.outcome is not Outcome.ONGOING:
            return game.outcome.value(game.to_move), 0
        key = mask_of(bytes(game.cells), FIRST_MARK), mask_of(bytes(game.cells), SECOND_MARK)
        if key not in found:
            children = []
            for move in game.legal_moves:
                game.play(move)
                value, plies = explore()
                game.undo()
                children.append((-value, plies + 1))
            best = max(value for value, _ in children)
            lasting = [plies for value, plies in children if value == best]
            found[key] = best, min(lasting) if best == 1 else max(lasting) if best == -1 else NO_DISTANCE
        return found[key]

    explore()
    return found


def small_games() -> list[Rules]:
    """Games of all kinds with boards up to 3x3, and several boards."""
    rng = random.Random(7)
    shapes = [(1, 4, 1), (2, 2, 1), (2, 3, 1), (3, 2, 1), (1, 6, 1), (2, 2, 2), (1, 2, 3), (1, 3, 2), (1, 1, 3)]
    games = [random_rules(rng, shape) for shape in shapes for _ in range(5)]
    return games + [random_rules(rng, (3, 3, 1)) for _ in range(2)]


def test_every_value_and_distance_of_tiny_and_random_small_games_equals_the_rule_book() -> None:
    shapes, kinds = [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)], set()
    tiny = [rules for shape in shapes for wrap in WRAPS for rules in all_games(*shape, wrap)]
    for rules in tiny + small_games():
        found = Known(rules).answers
        assert found == by_the_book(rules), rules
        kinds |= set(found.values())
    assert {value for value, _ in kinds} == {-1, 0, 1}


@pytest.mark.parametrize(
    ("game", "value", "plies"),
    [
        ("tic-tac-toe", 0, NO_DISTANCE),
        ("misere-tic-tac-toe", 0, NO_DISTANCE),
        ("notakto(3)", 1, 6),  # won from the centre; the second player completes the line
        ("mnk(3,4,3)", 1, 7),
        ("mnk(1,1,1,line=loses)", -1, 1),
        ("tic-tac-toe(wrap=columns)", 1, 7),
        ("tic-tac-toe(wrap=both)", 1, 7),
        ("tic-tac-toe(wrap=both,line=loses)", 1, 8),
    ],
)
def test_known_values_of_the_start(game: str, value: int, plies: int) -> None:
    truths = every_position(parse_rules(game))
    assert (truths.value[0], truths.distance[0]) == (value, plies)
    assert truths.first[0] == truths.second[0] == 0
