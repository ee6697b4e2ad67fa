"""The brute force of the solvers' tests against the rule book, played by a recursion that reads like the definition."""

import random
from functools import cache

import pytest

from noughts.positions import FIRST_MARK, SECOND_MARK, Outcome, Position
from noughts.positions.reference import ReferencePosition
from noughts.rules import Rules, parse_rules
from noughts.rules.squares import WRAPS
from noughts.solvers.bits import mask_of, words
from tests.positions.counting import Counts
from tests.rules.strategies import random_rules
from tests.solvers.brute_force import NO_DISTANCE, Truths, all_games, every_position, lines, position_of

Found = dict[tuple[int, int], tuple[int, int]]
"""From a position's two words to its value and its distance."""


def by_the_book(rules: Rules, moves: tuple[int, ...] = ()) -> Found:
    """Every unfinished position after `moves`, each explored once, on the slow backend."""
    game = ReferencePosition(rules)
    for move in moves:
        game.play(move)
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


def as_found(truths: Truths) -> Found:
    keys = zip(truths.first.tolist(), truths.second.tolist(), strict=True)
    return dict(zip(keys, zip(truths.value.tolist(), truths.distance.tolist(), strict=True), strict=True))


@cache
def small_games() -> list[Rules]:
    """Games of every kind with boards up to 3x3, and several boards."""
    rng = random.Random(7)
    shapes = [
        (1, 4, 1),
        (2, 2, 1),
        (2, 3, 1),
        (3, 2, 1),
        (1, 6, 1),
        (2, 2, 2),
        (1, 2, 3),
        (1, 3, 2),
        (2, 3, 2),
        (1, 1, 3),
    ]
    games = [random_rules(rng, shape) for shape in shapes for _ in range(25)]
    return games + [random_rules(rng, (3, 3, 1)) for _ in range(15)]


@pytest.mark.parametrize("chunk", [0, 1, *(pytest.param(chunk, marks=pytest.mark.heavy) for chunk in (2, 3, 4))])
def test_every_value_and_distance_is_the_rule_books(chunk: int) -> None:
    kinds = set()
    for rules in small_games()[chunk::5]:
        found = as_found(every_position(rules))
        assert found == by_the_book(rules), rules
        kinds |= set(found.values())
    assert {value for value, _ in kinds} == {-1, 0, 1}


def test_every_tiny_game_is_the_rule_books() -> None:
    for shape in ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2)):
        for wrap in WRAPS:
            for rules in all_games(*shape, wrap):
                assert as_found(every_position(rules)) == by_the_book(rules), rules


def test_tic_tac_toe_has_its_published_positions() -> None:
    rules, published = Counts.published("tic_tac_toe")
    found = as_found(every_position(rules))
    unfinished = published.positions.total() - published.finished_positions.total()
    assert published.positions.total() == 5478
    assert len(found) == unfinished
    assert found == by_the_book(rules)


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
def test_the_start_of_known_games(game: str, value: int, plies: int) -> None:
    truths = every_position(parse_rules(game))
    assert (truths.value[0], truths.distance[0]) == (value, plies)
    assert truths.first[0] == truths.second[0] == 0


def test_later_starts_are_part_of_the_whole() -> None:
    rng = random.Random(3)
    for game in ("tic-tac-toe", "notakto(2,boards=2)", "mnk(2,4,2,full=first,line=loses)"):
        rules = parse_rules(game)
        whole = every_position(rules)
        for _ in range(20):
            place = rng.randrange(len(whole.value))
            start = position_of(rules, int(whole.first[place]), int(whole.second[place]))
            part = as_found(every_position(rules, start))
            assert next(iter(part)) == words(start)
            assert part == by_the_book(rules, start.moves)
            assert part.items() <= as_found(whole).items()


def test_positions_are_rebuilt_from_their_words() -> None:
    for rules in small_games():
        truths = every_position(rules)
        for first, second in list(zip(truths.first.tolist(), truths.second.tolist(), strict=True))[::7]:
            position = position_of(rules, first, second)
            assert words(position) == (first, second)
            assert not position.is_over
            assert position == Position.start(rules, position.moves)


def test_lines_are_counted_by_hand() -> None:
    assert len(lines(parse_rules("tic-tac-toe"))) == 8
    assert len(lines(parse_rules("mnk(3,4,3,marks=shared,boards=2)"))) == 2 * (6 + 4 + 4)
    assert len(lines(parse_rules("mnk(3,3,1,bricks=B2)"))) == 8
    assert len(lines(parse_rules("mnk(3,4,3,wrap=columns)"))) == 12 + 4 + 2 * 4  # rows, columns, diagonals
    assert len(lines(parse_rules("mnk(3,4,4,wrap=both)"))) == 3 + 2 * 12  # a row all round is one line
    assert lines(parse_rules("mnk(2,3,3,wrap=columns)")) == [(0, 1, 2), (3, 4, 5)]
    assert lines(parse_rules("mnk(3,3,3,bricks=B2)")) == [(0, 1, 2), (0, 3, 6), (2, 5, 8), (6, 7, 8)]


def test_all_games_of_a_size_are_all() -> None:
    games = list(all_games(2, 2))
    assert len(games) == len(set(games)) == 5 * 3 * 12
    assert sum(rules.lineless for rules in games) == 5 * 12  # k = 3
    assert len(list(all_games(1, 1))) == 2 * 12
