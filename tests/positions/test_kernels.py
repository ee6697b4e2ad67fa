from random import Random

import numpy as np
import pytest
from hypothesis import given

from noughts.positions import EMPTY, Outcome, Position, Rng
from noughts.positions.kernels import (
    FREE,
    OUTCOME,
    PLY,
    SECOND_SHIFT,
    UNKNOWN,
    MutableBoard,
    below,
    board_at,
    copy_board,
    new_board,
    play,
    play_known,
    play_out,
    rollout,
    rollouts,
    tables,
    undo,
)
from noughts.positions.laws import random_game
from noughts.positions.numba_kernel import kernel
from noughts.rules import Rules, line_table, parse_rules
from tests.positions.counting import published
from tests.positions.strategies import games
from tests.rules.strategies import random_rules

ONGOING = int(Outcome.ONGOING)


def contents(board: MutableBoard) -> list[bytes]:
    return [array.tobytes() for array in board]


def rng_state(seed: int) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    return np.array([seed], np.uint64)


@kernel
def count_games(tables, board, depth, counts):  # type: ignore[no-untyped-def]
    """Count the sequences of at most `depth` moves into `counts`, int64 [depth + 1, 4], by length and Outcome."""
    counts[board.counts[PLY], board.counts[OUTCOME]] += 1
    if board.counts[PLY] < depth and board.counts[OUTCOME] == ONGOING:
        for cell in range(board.cells.size):
            if board.cells[cell] == EMPTY and board.closed[tables.board_of[cell]] == 0:
                play(tables, board, cell)
                count_games(tables, board, depth, counts)
                undo(tables, board, cell)


@pytest.mark.parametrize("name", ["tic_tac_toe", "notakto_3x3"])
def test_games_are_counted_up_to_each_depth_as_published(name: str) -> None:
    rules, known = published(name)
    board = board_at(Position.start(rules))
    before = contents(board)
    for depth in range(rules.size + 1):
        counts = np.zeros((rules.size + 1, 4), np.int64)
        count_games(tables(rules), board, depth, counts)
        assert contents(board) == before
        assert np.trim_zeros(counts.sum(axis=1)).tolist() == [1, *known["perft"][:depth]]
    for outcome in Outcome.FIRST, Outcome.SECOND, Outcome.DRAW:
        assert counts[:, outcome].sum() == known["games"][str(outcome)]


def check_moves(rules: Rules, moves: tuple[int, ...]) -> None:
    """Each move changes a board as it changes the position, and undoing it restores every array, at once and at the end."""
    board, before = board_at(Position.start(rules)), []
    for ply, move in enumerate(moves, start=1):
        before.append(contents(board))
        play(tables(rules), board, move)
        undo(tables(rules), board, move)
        assert contents(board) == before[-1]
        play(tables(rules), board, move)
        position = Position.start(rules, moves[:ply])
        fresh = board_at(position)
        for name in ("cells", "codes", "marks", "closed"):
            assert (getattr(board, name) == getattr(fresh, name)).all(), name
        if not position.is_over:
            assert (board.counts == fresh.counts).all()
            free = board.free[: board.counts[FREE]]
            assert tuple(sorted(free)) == position.legal_moves
            assert [board.where[cell] for cell in free] == list(range(len(free)))
        assert board.counts[OUTCOME] == position.outcome
    for move in reversed(moves):
        undo(tables(rules), board, move)
        assert contents(board) == before.pop()


@given(games())
def test_moves_change_a_board_as_the_position_and_can_be_undone(game: tuple[Rules, tuple[int, ...]]) -> None:
    check_moves(*game)


@pytest.mark.parametrize(
    "text",
    [
        "mnk(19,19,5)", "mnk(1,19,3)", "gomoku", "notakto(6,boards=4)", "bttt(E5)", "gomoku(wrap=both)",
        "mnk(3,5,4,wrap=columns)", "mnk(4,3,4,wrap=both)", "bttt(D4,wrap=rows)", "notakto(3,boards=2,wrap=columns)",
    ],
)  # fmt: skip
def test_moves_on_large_and_joined_boards_can_be_undone(text: str) -> None:
    rules = parse_rules(text)
    check_moves(rules, random_game(rules, Rng(7)))


@given(games())
def test_moves_of_a_search_equal_ordinary_moves(game: tuple[Rules, tuple[int, ...]]) -> None:
    rules, moves = game
    board, informed = board_at(Position.start(rules)), new_board(rules)
    copy_board(board, informed)
    for ply, move in enumerate(moves, start=1):
        position = Position.start(rules, moves[:ply])
        assert play_known(tables(rules), board, move, UNKNOWN) == position.outcome == board.counts[OUTCOME]
        assert play_known(tables(rules), informed, move, int(position.outcome)) == board.counts[OUTCOME]
        assert contents(informed) == contents(board)
        assert board.cells.tobytes() == position.cells
        assert position.is_over or tuple(sorted(board.free[: board.counts[FREE]])) == position.legal_moves


def test_the_worked_example_of_a_code() -> None:
    rules = parse_rules("tic-tac-toe")
    board = board_at(Position.start(rules, (0, 4, 8)))
    diagonal = line_table(rules).cells.index((0, 4, 8))
    assert board.codes[diagonal] == 2 << SECOND_SHIFT | 5


def test_a_copy_is_equal_and_apart() -> None:
    rules = parse_rules("notakto(3,boards=2)")
    board, copy = board_at(Position.start(rules, (0, 4, 8, 9))), new_board(rules)
    for array in copy:
        array.fill(99)  # new memory may hold the right bytes by chance
    copy_board(board, copy)
    assert contents(copy) == contents(board)
    play(tables(rules), copy, 10)
    assert contents(copy) != contents(board)
    assert board.cells[10] == 0


def test_small_boards_are_packed_into_words_and_large_ones_are_not() -> None:
    packed = {one: tables(parse_rules(one)).packed for one in ("mnk(8,7,4)", "mnk(7,8,4)", "mnk(8,8,4)", "mnk(1,19,4)")}
    assert packed == {"mnk(8,7,4)": True, "mnk(7,8,4)": True, "mnk(8,8,4)": False, "mnk(1,19,4)": True}
    assert not tables(parse_rules("notakto(3,boards=2)")).packed
    assert tables(parse_rules("bttt(D4)")).straight
    assert tables(parse_rules("bttt(D4,wrap=rows)")).packed
    assert not tables(parse_rules("bttt(D4,wrap=rows)")).straight


@pytest.mark.heavy
def test_a_rollout_plays_uniform_moves_by_the_rules() -> None:
    # The rollout keeps only what it needs; here `play`, which keeps everything, plays the same draws.
    rng = Random(5)
    straight = joined = loose = several = 0
    while min(straight, joined, loose, several) < 100:
        rules = random_rules(rng)
        moves = random_game(rules, rng)
        position = Position.start(rules, moves[: rng.randint(0, len(moves))])
        board, scratch, played = board_at(position), new_board(rules), board_at(position)
        before, seed = contents(board), rng.getrandbits(64)
        state, same = rng_state(seed), rng_state(seed)
        outcome = rollout(tables(rules), board, scratch, state)
        while played.counts[OUTCOME] == Outcome.ONGOING:
            play(tables(rules), played, played.free[below(same, played.counts[FREE])])
        assert outcome == played.counts[OUTCOME], (rules, moves, seed)
        assert state == same
        assert contents(board) == before
        state = rng_state(seed)
        assert play_out(tables(rules), board, board, state) == outcome  # in place
        assert state == same
        straight += tables(rules).straight
        joined += tables(rules).packed and not tables(rules).straight
        loose += not tables(rules).packed and rules.boards == 1
        several += rules.boards > 1


@pytest.mark.parametrize(
    ("text", "moves", "chances"),
    [
        # Exact, by hand or by full enumeration weighted with the probability of each move.
        ("mnk(1,3,2,full=second)", (), {Outcome.FIRST: 2 / 3, Outcome.SECOND: 1 / 3}),
        ("tic-tac-toe", (), {Outcome.FIRST: 737 / 1260, Outcome.SECOND: 121 / 420, Outcome.DRAW: 8 / 63}),
        ("misere-tic-tac-toe", (), {Outcome.SECOND: 737 / 1260, Outcome.FIRST: 121 / 420, Outcome.DRAW: 8 / 63}),
        ("tic-tac-toe", (0, 1, 2, 4, 3, 5, 7), {Outcome.FIRST: 1 / 2, Outcome.DRAW: 1 / 2}),
    ],
)
def test_rollouts_have_the_exact_frequencies(text: str, moves: tuple[int, ...], chances: dict[Outcome, float]) -> None:
    rules = parse_rules(text)
    position = Position.start(rules, moves)
    tally = np.zeros(4, np.int64)
    total = 100_000
    rollouts(tables(rules), board_at(position), new_board(rules), total, rng_state(1), tally)
    assert tally.sum() == total
    for outcome in Outcome:
        chance = chances.get(outcome, 0.0)
        assert abs(tally[outcome] - total * chance) <= 5 * (total * chance * (1 - chance)) ** 0.5, outcome


def test_rollouts_add_to_the_tally_and_continue_the_random_stream() -> None:
    rules = parse_rules("bttt(D4)")
    once, twice = np.zeros(4, np.int64), np.zeros(4, np.int64)
    board, scratch = board_at(Position.start(rules)), new_board(rules)
    rollouts(tables(rules), board, scratch, 500, rng_state(9), once)
    state = rng_state(9)
    for part in (200, 300):
        rollouts(tables(rules), board, scratch, part, state, twice)
    assert once.tolist() == twice.tolist()
    assert once.sum() == 500
