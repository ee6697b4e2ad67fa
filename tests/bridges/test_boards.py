"""What players observe, which games episodes draw, and what is rejected."""

from collections import Counter
from random import Random
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
    require_second_move,
)
from noughts.positions import BRICK, EMPTY, FIRST_MARK, Position, Rng, Side
from noughts.rules import RulesError, parse_rules, parse_task, read_task, task_of
from tests.bridges.games import GAMES
from tests.positions.reached import played_out


@pytest.mark.parametrize("rules", GAMES)
def test_the_planes_equal_the_position(rules: str) -> None:
    for seed in range(3):
        for position in played_out(parse_rules(rules), Random(seed)):
            for side in Side:
                seen = observe(position, side)
                assert seen.dtype == np.int8
                assert seen.shape == observation_shape(position.rules)
                planes = seen.reshape(position.rules.size, -1).T
                own = FIRST_MARK if position.rules.marks == "shared" else FIRST_MARK + side
                for cell, content in enumerate(position.cells):
                    closed = cell // position.rules.board_size in position.closed
                    assert planes[OWN, cell] == (content == own)
                    assert planes[OTHER, cell] == (content not in (own, EMPTY, BRICK))
                    assert planes[CLOSED, cell] == (content == BRICK or closed)
                    assert planes[LEGAL, cell] == position.is_legal(cell)
                assert (planes[FIRST] == (side == Side.FIRST)).all()
                assert planes[ONES].all()
                assert not planes[OTHER].any() or position.rules.marks == "own"


def test_games_are_drawn_by_the_weights_of_the_task() -> None:
    task = parse_task("3*bttt(D4) | bttt(E5)")
    starts, rng = Starts(task), Rng(1)
    seeds, games, sides = zip(*(starts.draw(rng) for _ in range(4000)), strict=True)
    assert Counter(games)[task.rules[0]] / 4000 == pytest.approx(0.75, abs=0.03)
    assert Counter(sides)[Side.FIRST] / 4000 == pytest.approx(0.5, abs=0.03)
    assert len(set(seeds)) == 4000
    alone, rng = Starts(parse_task("bttt(D4)")), Rng(1)
    assert seeds == tuple(alone.draw(rng)[0] for _ in seeds)  # the opponent's seeds do not depend on the task


def test_a_game_may_be_given_as_a_value() -> None:
    rules = parse_rules("notakto(3)")
    assert read_task(rules) == read_task("notakto(3)") == read_task(task_of(rules)) == task_of(rules)


@pytest.mark.parametrize("given", ["mnk(3,3,4)", "chess", 3, None])
def test_impossible_games_are_rejected_in_one_line(given: Any) -> None:
    with pytest.raises(RulesError):
        read_task(given)


@pytest.mark.parametrize("rules", ["mnk(1,1,1)", "mnk(3,3,1)", "mnk(1,2,2,lineless=true,bricks=A1)"])
def test_a_second_player_needs_a_move(rules: str) -> None:
    with pytest.raises(RulesError, match="first move"):
        require_second_move(read_task(rules))
    position = Position.start(parse_rules(rules))
    assert all(position.play(move).is_over for move in position.legal_moves)


def test_actions_are_integers_or_arrays_of_one_integer() -> None:
    whole: tuple[Any, ...] = (3, np.int64(3), np.uint8(3), np.array(3), np.array([[3]], np.int8))
    assert [*map(cell_of_action, whole)] == [3] * len(whole)
    assert cell_of_action(-1) == -1
    for action in (1.0, np.float32(3), True, np.bool_(True), None, "3", [3, 4], np.array([])):
        with pytest.raises(RulesError, match="is no cell: give a whole number"):
            cell_of_action(action)
