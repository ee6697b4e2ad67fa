"""What players see, what is drawn when an episode begins, and what is refused."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from noughts.bridges.boards import (
    CLOSED,
    FIRST,
    LEGAL,
    ONES,
    OTHER,
    OWN,
    Starts,
    cell_of_action,
    observation_shape,
    observe,
    picture,
    read_task,
    require_second_move,
)
from noughts.positions import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Position, Rng, Side
from noughts.rules import RulesError, parse_rules, parse_task, task_of
from tests.bridges.games import GAMES, playthrough


def test_a_position_is_seen_from_both_sides() -> None:
    rules = parse_rules("mnk(2,3,3,bricks=B3)")
    position = Position.start(rules, (0, 4))  # X on A1, O on B2
    for side, own, other in ((Side.FIRST, 0, 4), (Side.SECOND, 4, 0)):
        seen = observe(position, side)
        assert seen.dtype == np.int8
        assert seen.shape == (2, 3, 6)
        planes = seen.reshape(6, 6).T
        assert [np.flatnonzero(planes[plane]).tolist() for plane in (OWN, OTHER, CLOSED, LEGAL)] == [
            [own],
            [other],
            [5],
            [1, 2, 3],
        ]
        assert (planes[FIRST] == (side == Side.FIRST)).all()
        assert planes[ONES].all()


@pytest.mark.parametrize("rules", GAMES)
def test_the_planes_say_what_the_position_says(rules: str) -> None:
    for seed in range(3):
        for position in playthrough(rules, seed):
            for side in Side:
                seen = observe(position, side)
                assert seen.shape == observation_shape(position.rules)
                planes = seen.reshape(position.rules.size, -1).T
                own = FIRST_MARK if position.rules.marks == "shared" else FIRST_MARK + side
                for cell, content in enumerate(position.cells):
                    closed = cell // position.rules.board_size in position.closed
                    assert planes[OWN, cell] == (content == own)
                    assert planes[OTHER, cell] == (content not in (own, EMPTY, BRICK))
                    assert planes[CLOSED, cell] == (content == BRICK or closed)
                    assert planes[LEGAL, cell] == position.is_legal(cell)
                assert not planes[OTHER].any() or position.rules.marks == "own"
                assert SECOND_MARK not in position.cells or position.rules.marks == "own"


def test_games_are_drawn_as_often_as_the_task_says() -> None:
    task = parse_task("3*bttt(D4) | bttt(E5)")
    starts, rng = Starts(task), Rng(1)
    seeds, games, sides = zip(*(starts.draw(rng) for _ in range(4000)), strict=True)
    assert Counter(games)[task.rules[0]] / 4000 == pytest.approx(0.75, abs=0.03)
    assert Counter(sides)[Side.FIRST] / 4000 == pytest.approx(0.5, abs=0.03)
    assert len(set(seeds)) == 4000


def test_all_games_of_a_large_task_are_drawn() -> None:
    starts, rng = Starts(parse_task("bttt(*)")), Rng(2)
    assert len({starts.draw_rules(rng) for _ in range(1000)}) == 49


def test_what_is_played_may_be_given_as_a_value() -> None:
    rules = parse_rules("notakto(3)")
    assert read_task(rules) == read_task("notakto(3)") == read_task(task_of(rules)) == task_of(rules)


@pytest.mark.parametrize("given", ["mnk(3,3,4)", "chess", 3, None])
def test_what_is_no_game_is_refused_in_one_line(given: Any) -> None:
    with pytest.raises(RulesError) as caught:
        read_task(given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rules", ["mnk(1,1,1)", "mnk(3,3,1)", "mnk(1,2,2,lineless=true,bricks=A1)"])
def test_a_second_player_needs_a_move(rules: str) -> None:
    with pytest.raises(RulesError, match="first move"):
        require_second_move(read_task(rules))
    position = Position.start(parse_rules(rules))
    assert all(position.play(move).is_over for move in position.legal_moves)


def test_a_picture_shows_the_marks() -> None:
    start = Position.start(parse_rules("tic-tac-toe"))
    empty, marked = picture(start), picture(start.play(4))
    assert empty.dtype == np.uint8
    assert empty.shape == marked.shape == (324, 324, 3)
    assert (empty != marked).any()
    assert (empty == picture(start)).all()


def test_actions_are_whole_numbers_alone_or_in_an_array_of_one() -> None:
    whole: tuple[Any, ...] = (3, np.int64(3), np.uint8(3), np.array(3), np.array([3]), np.array([[3]], np.int8))
    for action in whole:
        assert cell_of_action(action) == 3
    assert cell_of_action(-1) == -1
    for action in (
        1.0,
        np.float32(3),
        np.array([3.0]),
        True,
        np.bool_(True),
        None,
        "3",
        [3, 4],
        np.array([]),
        np.array([1, 2]),
    ):
        with pytest.raises(RulesError, match="is no cell: give a whole number"):
            cell_of_action(action)
