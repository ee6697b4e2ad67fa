"""A walk from beginning to end: its queries and their pieces, when it stops, and its result."""

from collections.abc import Callable
from operator import attrgetter

import numpy as np
import pytest

from noughts.agents import as_agent, build_agent
from noughts.examine.every_reply import ALL_IMAGES, PIECE, Piece, every_reply
from noughts.examine.walk import Walk, positions_after
from noughts.examine.walk_result import WalkResult
from noughts.positions import Outcome, Position, Side
from noughts.rules import AgentError, Rules, parse_rules
from noughts.rules.symmetry import image_onto
from tests.agents.players import First
from tests.examine.walking import walk_every_reply, walked_with

RULES = parse_rules("tic-tac-toe")
PERFECT = build_agent("minimax:depth=9,eval=none,ties=first")

FIRST_CELL = as_agent(First())
EVERY_MOVE = attrgetter("legal_moves")


def asked_of(
    rules: Rules, side: Side, choices: Callable[[Position], tuple[int, ...]] = EVERY_MOVE, **options: object
) -> tuple[list[list[Piece]], WalkResult]:
    """All queries of an agent with these choices, and the result."""
    walk = every_reply(rules, side, **options)  # type: ignore[arg-type]
    return walked_with(walk, lambda positions: list(map(choices, positions)))


@pytest.mark.parametrize("hunt", [None, 1, 5, 10**6])
@pytest.mark.parametrize("side", Side)
def test_the_whole_tree_of_an_agent_that_never_loses_is_walked(side: Side, hunt: int | None) -> None:
    walks: list[Walk] = []
    found = walk_every_reply(PERFECT, RULES, side, 0, hunt=hunt, note=walks.append)
    assert found == walk_every_reply(PERFECT, RULES, side, 0, until_lost=False)
    assert (found.walked, found.proved, found.wins, found.verb) == (True, False, False, "never loses")
    assert str(found) == "walked, not checked: never loses"
    proved = found.model_copy(update={"certificate": "0" * 64})  # a mere walk proves nothing
    assert (proved.proved, proved.wins, str(proved)) == (True, False, "never loses")
    assert (found.whole, found.limit, found.lost, found.lost_game) == (True, None, 0, None)
    assert found.drawn_game is not None
    assert Position.start(RULES, found.drawn_game).outcome is Outcome.DRAW
    assert found.games == found.won + found.drawn > found.won > 0
    assert len({id(walk) for walk in walks}) == (1 if hunt in (None, 10**6) else 2)
    assert [walk.narrowed for walk in walks] == sorted([walk.narrowed for walk in walks], reverse=True)


def test_a_narrow_walk_that_finds_a_loss_ends_the_search() -> None:
    narrow: list[Walk] = []
    hunted = walk_every_reply(FIRST_CELL, RULES, Side.SECOND, 0, hunt=1, note=narrow.append)
    whole = walk_every_reply(FIRST_CELL, RULES, Side.SECOND, 0)
    assert len({id(walk) for walk in narrow}) == 1
    assert max(len(walk) for walk in narrow) <= 9
    assert hunted.decisions < whole.decisions
    assert hunted.lost_game is not None
    assert (hunted.whole, whole.whole) == (False, True)
    for found in (hunted, whole):
        assert found.lost_game is not None
        assert Position.start(RULES, found.lost_game).outcome is Outcome.FIRST
        assert not found.proved
        assert not found.wins
        assert str(found) == f"loses in {len(found.lost_game)} plies"


def test_every_lost_game_is_counted_on_request() -> None:
    walks: list[Walk] = []
    found = walk_every_reply(FIRST_CELL, RULES, Side.SECOND, 0, until_lost=False, hunt=1, note=walks.append)
    assert len({id(walk) for walk in walks}) == 1  # no narrow walk, which would count nothing
    assert not walks[-1].narrowed
    assert found.lost > 1
    assert found.whole
    assert found.plies == 9
    stopped = walk_every_reply(FIRST_CELL, RULES, Side.SECOND, 0)
    assert stopped.plies == 5
    assert stopped.lost < found.lost
    assert stopped.lost_game == found.lost_game


def test_an_agent_that_wins_against_every_reply_is_reported_to_win() -> None:
    found = walk_every_reply(FIRST_CELL, parse_rules("mnk(1,3,2)"), Side.FIRST, 0)
    assert found.lost_game is None
    wins = walk_every_reply(FIRST_CELL, parse_rules("mnk(2,2,2)"), Side.FIRST, 0)
    assert (wins.walked, wins.proved, wins.verb, str(wins)) == (True, False, "wins", "walked, not checked: wins")
    proved = wins.model_copy(update={"certificate": "0" * 64})
    assert (proved.proved, proved.wins, str(proved)) == (True, True, "wins against every reply")
    assert (wins.won, wins.drawn, wins.lost, wins.games, wins.longest) == (3, 0, 0, 3, 3)


def test_a_walk_beyond_its_limit_is_stopped() -> None:
    whole = walk_every_reply(PERFECT, RULES, Side.FIRST, 0)
    just = walk_every_reply(PERFECT, RULES, Side.FIRST, 0, limit=whole.decisions)
    assert just == whole
    short = walk_every_reply(PERFECT, RULES, Side.FIRST, 0, limit=whole.decisions - 1)
    assert (short.whole, short.limit, short.proved, str(short)) == (False, whole.decisions - 1, False, "not decided")
    assert 0 < short.decisions < whole.decisions
    lost = walk_every_reply(FIRST_CELL, RULES, Side.SECOND, 0)
    assert walk_every_reply(FIRST_CELL, RULES, Side.SECOND, 0, limit=lost.decisions) == lost  # found before the limit


def test_each_level_is_queried_in_ordered_pieces_after_a_note() -> None:
    rules, sizes = parse_rules("mnk(4,4,4)"), []
    walk = every_reply(rules, Side.FIRST, until_lost=False, limit=300, note=lambda walk: sizes.append(len(walk)))
    asked = next(walk)
    assert [piece.moves.shape for piece in asked] == [(1, 0)]
    asked = walk.send([[tuple(range(16))]])
    assert [piece.moves.shape for piece in asked] == [(PIECE, 2), (240 - PIECE, 2)]
    pairs = np.concatenate([piece.moves for piece in asked])
    assert len(np.unique(pairs, axis=0)) == 240
    assert sizes == [1, 240]
    with pytest.raises(StopIteration) as end:
        walk.send([[position.legal_moves for position in positions_after(*piece)] for piece in asked])
    assert end.value.value.decisions == 241
    assert end.value.value.limit == 300
    assert sizes == [1, 240]  # the next level, of 10,920, is not started


def test_only_the_positions_of_the_lost_game_are_queried_again() -> None:
    asked, found = asked_of(RULES, Side.SECOND, lambda position: position.legal_moves[:1])
    game = found.lost_game
    assert game is not None
    *_, again = asked
    assert [tuple(map(int, piece.moves[0])) for piece in again] == [game[:1], game[:3]]
    asked, _ = asked_of(RULES, Side.SECOND, lambda position: position.legal_moves[:1], until_lost=False)
    assert [piece.moves.shape[1] for piece in asked[-1]] != [1, 3]


def test_a_result_maps_onto_an_image_of_the_game() -> None:
    found = walk_every_reply(FIRST_CELL, RULES, Side.SECOND, 0)
    assert found.lost_game is not None
    image = (2, 1, 0, 5, 4, 3, 8, 7, 6)
    moved = found.moved(image)
    assert moved.lost_game == tuple(image[move] for move in found.lost_game)
    assert moved.moved(image) == found
    assert found.model_copy(update={"lost_game": None, "drawn_game": None}).moved(image).lost_game is None


TORUS = parse_rules("misere-tic-tac-toe(bricks=A1,wrap=both)")


def a_sided_move(position: Position) -> tuple[int, ...]:
    """Every move before ply 2, then the first one: only there images differ."""
    return position.legal_moves if position.ply < 2 else position.legal_moves[:1]


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("rules", [RULES, TORUS])
def test_an_agent_that_wrongly_claims_symmetry_is_detected(rules: Rules, side: Side) -> None:
    for until_lost in (True, False):
        with pytest.raises(AgentError, match=r"claims that it is symmetric, and is not: in .* after .* it plays"):
            asked_of(rules, side, a_sided_move, symmetric=True, until_lost=until_lost)


def test_an_agent_that_treats_images_of_a_game_differently_is_detected() -> None:
    corner, other = parse_rules("mnk(3,3,3,bricks=A1)"), parse_rules("mnk(3,3,3,bricks=C3)")

    def partial(position: Position) -> tuple[int, ...]:
        return position.legal_moves if position.rules == corner else position.legal_moves[:1]

    asked_of(corner, Side.FIRST, partial, symmetric=True, until_lost=False)
    said = r"in tic-tac-toe\(bricks=C3\) at the start it plays A1, and in an image of that"
    with pytest.raises(AgentError, match=said):
        asked_of(corner, Side.FIRST, partial, symmetric=True, until_lost=False, alike=(other,))


def test_small_levels_are_queried_in_all_images_and_large_ones_in_one() -> None:
    rules = parse_rules("mnk(4,4,4)")
    asked, found = asked_of(rules, Side.FIRST, symmetric=True, until_lost=False, limit=10_000)
    sizes = [sum(len(piece.moves) for piece in level) for level in asked]
    levels, images = sizes[::2], sizes[1::2]
    assert sum(levels) == found.decisions
    assert [7 * level <= ALL_IMAGES for level in levels] == [True] * 2 + [False] * (len(levels) - 2)
    assert images == [7 * level if 7 * level <= ALL_IMAGES else level for level in levels]
    together = [positions_after(*piece) for level in asked[2:4] for piece in level]
    assert len({position.cells for some in together for position in some}) == 16 * 15  # as many as without merging


def test_our_own_agents_are_queried_in_images_of_a_sample() -> None:
    rules = parse_rules("mnk(4,4,4)")
    asked, found = asked_of(rules, Side.FIRST, symmetric=True, until_lost=False, limit=60_000, ours=True)
    sizes = [sum(len(piece.moves) for piece in level) for level in asked]
    levels, images = sizes[::2], sizes[1::2]
    assert sum(levels) == found.decisions
    assert images[:2] == [7 * level for level in levels[:2]]
    assert levels[-1] > 2 * ALL_IMAGES
    assert abs(images[-1] - ALL_IMAGES) < 300
    with pytest.raises(AgentError, match="claims that it is symmetric"):
        asked_of(RULES, Side.FIRST, a_sided_move, symmetric=True, ours=True)


@pytest.mark.parametrize("side", Side)
def test_a_lost_game_is_queried_again_in_every_image_of_the_game(side: Side) -> None:
    corner, other = parse_rules("mnk(3,3,3,bricks=A1)"), parse_rules("mnk(3,3,3,bricks=C3)")
    asked, found = asked_of(corner, side, symmetric=True, alike=(other,))
    assert found.lost_game is not None
    image = image_onto(corner, other)
    assert image is not None
    for rules, level, game in ((corner, asked[-2], found), (other, asked[-1], found.moved(image))):
        assert game.lost_game is not None
        assert [piece.rules for piece in level] == [rules] * len(level)
        expected = [game.lost_game[:ply] for ply in range(int(side), len(game.lost_game), 2)]
        assert [tuple(map(int, piece.moves[0])) for piece in level] == expected


def test_ties_are_random_decisions() -> None:
    asked, found = asked_of(RULES, Side.FIRST, symmetric=True, until_lost=False)
    levels = asked[::2]  # each is followed by queries of its images
    positions = [position for level in levels for piece in level for position in positions_after(*piece)]
    assert found.decisions == len(positions)
    assert found.ties == sum(len(position.legal_moves) > 1 for position in positions) < len(positions)
    assert found.games == 255168
