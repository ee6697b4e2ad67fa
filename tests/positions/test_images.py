"""Images of games are games by the rule book: the symmetries of `rules.symmetry`, played out."""

from collections.abc import Sequence
from random import Random

import pytest

from noughts.positions.reference import ReferencePosition
from noughts.rules import Rules, symmetries
from noughts.rules.symmetry import image_onto
from tests.rules.one_field import PAIRS
from tests.rules.strategies import brick_orbit, random_rules


def small_games() -> list[Rules]:
    """Games with each field away from its default, and random ones."""
    random = Random(5)
    shapes = [(2, 2, 1), (2, 3, 1), (3, 3, 1), (3, 4, 1), (2, 2, 2)]
    return [*(other for _, other in PAIRS.values()), *(random_rules(random, random.choice(shapes)) for _ in range(40))]


def require_alike(one: Rules, other: Rules, image: Sequence[int], random: Random) -> None:
    """Require that a random game and its image, both played by the rule book, have the same legal moves and end alike."""
    game, imaged = ReferencePosition(one), ReferencePosition(other)
    while True:
        assert game.outcome is imaged.outcome
        assert sorted(image[move] for move in game.legal_moves) == sorted(imaged.legal_moves)
        if not game.legal_moves:
            return
        move = random.choice(list(game.legal_moves))
        game.play(move)
        imaged.play(image[move])


@pytest.mark.parametrize("rules", small_games(), ids=str)
def test_images_of_games_are_games_by_the_rule_book(rules: Rules) -> None:
    random = Random(9)
    for symmetry in symmetries(rules):
        require_alike(rules, rules, symmetry.image, random)
    for bricks in brick_orbit(rules):
        other = Rules(**dict(rules) | {"bricks": bricks})
        image = image_onto(rules, other)
        assert image is not None
        require_alike(rules, other, image, random)
