"""Rows of games side by side equal `Position` after the moves that they report."""

import numpy as np
import pytest

from noughts.positions import BRICK, FIRST_MARK, SECOND_MARK, Outcome, Position, Rng, Side
from noughts.positions.side_by_side import (
    DRAWN,
    SEEN,
    begin,
    move,
    new_rows,
    position_in,
    reply,
    reply_at_random,
    see,
    side_number,
    stack_games,
)
from noughts.rules import parse_task

ROWS = 40
TASKS = (
    "mnk(3,3,3,bricks=*,line=wins|loses)",
    "mnk(2,3,2,marks=shared,boards=3) | 2*mnk(2,3,3,marks=shared,boards=3,full=second,bricks=A1)",
    "mnk(9,9,5)",
    "mnk(3,4,3,wrap=none|rows|columns|both)",
)


def planes(position: Position, side: Side) -> list[list[float]]:
    """The observation of each cell for the learner's side, computed from the position."""
    rules, found = position.rules, []
    for cell, content in enumerate(position.cells):
        own = content == FIRST_MARK if rules.marks == "shared" else content == FIRST_MARK + side
        other = content in (FIRST_MARK, SECOND_MARK) and not own
        closed = content == BRICK or cell // rules.board_size in position.closed
        found.append([*map(float, (own, other, closed, cell in position.legal_moves, side is Side.FIRST, True))])
    return found


@pytest.mark.parametrize("text", TASKS)
def test_rows_equal_positions_by_the_rules(text: str) -> None:
    task = parse_task(text)
    games = task.rules
    until = [*(np.cumsum(task.weights) / sum(task.weights))[:-1].tolist(), 2.0]
    stack, rows = stack_games(games, until), new_rows(games, ROWS)
    rows.stream[:] = np.arange(ROWS)
    everywhere = np.ones(ROWS, np.bool_)
    seen = np.zeros((ROWS, games[0].size, SEEN), np.float32)
    mask = np.zeros((ROWS, games[0].size), np.int8)
    rng = np.random.default_rng(1)
    begin(stack, rows, everywhere, DRAWN, np.zeros(games[0].boards, np.int8))
    assert set(rows.side.tolist()) == {0, 1}
    assert len(set(rows.game.tolist())) == len(games) or len(games) > 9
    reply_at_random(stack, rows)
    while True:
        see(stack, rows, seen, mask)
        for row in range(ROWS):
            position = position_in(rows, row, games)
            replayed = Position.start(position.rules, position.moves)
            assert position == replayed
            assert tuple(np.flatnonzero(seen[row, :, 3]).tolist()) == position.legal_moves
            assert seen[row].tolist() == planes(position, Side(int(rows.side[row])))
            if not rows.over[row]:
                assert position.to_move == rows.side[row]
                assert mask[row].tolist() == seen[row, :, 3].tolist()
            else:
                assert mask[row].all()
                assert rows.reward[row] == position.outcome.value(Side(int(rows.side[row])))
        if rows.over.all():
            break
        actions = (mask * rng.random(mask.shape)).argmax(axis=1)
        move(stack, rows, ~rows.over, actions, -9.0)
        reply_at_random(stack, rows)
    assert {position_in(rows, row, games).outcome for row in range(ROWS)} > {Outcome.FIRST}


def test_draws_equal_the_generators() -> None:
    games = parse_task("mnk(3,3,3)").rules
    stack, rows = stack_games(games, [2.0]), new_rows(games, 1)
    rows.stream[0], rng = 7, Rng(7)
    begin(stack, rows, np.ones(1, np.bool_), side_number("second"), np.zeros(1, np.int8))
    opponent = Rng(rng.next64())
    assert int(rows.opponent[0]) == opponent.getstate()[0]
    rng.random()
    rng.below(2)
    assert int(rows.stream[0]) == rng.getstate()[0]
    reply_at_random(stack, rows)
    assert position_in(rows, 0, games).moves == (opponent.below(9),)


def test_an_illegal_move_ends_the_episode_and_changes_nothing_else() -> None:
    games = parse_task("mnk(3,3,3)").rules
    stack, rows = stack_games(games, [2.0]), new_rows(games, 4)
    everywhere = np.ones(4, np.bool_)
    begin(stack, rows, everywhere, side_number("first"), np.zeros(1, np.int8))
    move(stack, rows, everywhere, np.array([-1, 9, 0, 4]), -0.5)
    assert rows.over.tolist() == [True, True, False, False]
    assert rows.awaited.tolist() == [False, False, True, True]
    assert rows.reward.tolist() == [-0.5, -0.5, 0.0, 0.0]
    assert position_in(rows, 0, games).moves == ()


def test_games_and_sides_are_drawn_with_the_right_frequencies() -> None:
    games = parse_task("mnk(3,3,3) | 3*mnk(3,3,2)").rules
    stack, rows = stack_games(games, [0.25, 2.0]), new_rows(games, 4000)
    rows.stream[:] = np.arange(4000)
    begin(stack, rows, np.ones(4000, np.bool_), DRAWN, np.zeros(1, np.int8))
    assert abs((rows.game == 0).mean() - 0.25) < 0.03
    assert abs((rows.side == 0).mean() - 0.5) < 0.03
    assert rows.awaited.tolist() == (rows.side == 1).tolist()
    assert not rows.over.any()
    assert len(set(rows.opponent.tolist())) == 4000


@pytest.mark.parametrize("plays", Side)
def test_a_row_restarts_while_others_continue(plays: Side) -> None:
    games = parse_task("mnk(1,5,3)").rules
    stack, rows = stack_games(games, [2.0]), new_rows(games, 2)
    nothing = np.zeros(1, np.int8)
    begin(stack, rows, np.ones(2, np.bool_), int(plays), nothing)
    if plays is Side.SECOND:
        reply(stack, rows, np.array([4, 4]))
    for mine, theirs in ((0, 3), (1, 2)):
        move(stack, rows, np.ones(2, np.bool_), np.array([mine, mine]), -9.0)
        assert rows.awaited.all() or position_in(rows, 0, games).is_over
        if not rows.over.any():
            reply(stack, rows, np.array([theirs, theirs]))
    stands = position_in(rows, 0, games)
    assert len(stands.moves) == (4 if plays is Side.FIRST else 5)
    assert rows.over.all() == (plays is Side.SECOND)
    assert rows.reward.tolist() == ([0.0, 0.0] if plays is Side.FIRST else [-1.0, -1.0])
    begin(stack, rows, np.array([True, False]), int(plays), nothing)
    assert position_in(rows, 0, games) == Position.start(games[0])
    assert rows.reward[0] == 0.0
    assert not rows.over[0]
    assert position_in(rows, 1, games) == stands


def test_new_rows_are_finished() -> None:
    rows = new_rows(parse_task("mnk(2,3,2)").rules, 3)
    assert rows.over.all()
    assert not rows.awaited.any()
    assert rows.cells.shape == rows.moves.shape == (3, 6)
