"""Every backend counts the same positions and games as are known, each in the way that suits it."""

from collections import Counter

import jax
import numpy as np
import pytest

from noughts.positions import Outcome, Position
from noughts.positions.backends import Backend, BatchedBackend, KernelBackend, PositionBackend, ReferenceBackend
from noughts.positions.batched import Batched, rules_arrays
from noughts.positions.kernels import board_at, perft, tables
from noughts.rules import Rules, parse_rules
from tests.positions.counting import Counts, count_by_merging, count_positions

FILES = ["tic_tac_toe", "notakto_3x3"]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("backend_type", [PositionBackend, ReferenceBackend, KernelBackend])
def test_known_counts_by_merging(backend_type: type[Backend], file: str) -> None:
    rules, expected = Counts.published(file)
    assert count_by_merging(backend_type(), rules) == expected


@pytest.mark.parametrize("file", FILES)
def test_known_counts_by_kernel(file: str) -> None:
    rules, expected = Counts.published(file)
    found, games = _perft(rules)
    assert (found, games) == (expected.perft, expected.games)


@pytest.mark.parametrize("file", FILES)
def test_known_counts_by_whole_plies_at_once(file: str) -> None:
    rules, expected = Counts.published(file)
    assert _breadth_first(rules) == expected


def test_misere_turns_the_winners_of_tic_tac_toe_around() -> None:
    _, normal = Counts.published("tic_tac_toe")
    perft, games = _perft(parse_rules("misere-tic-tac-toe"))
    assert perft == normal.perft
    assert games == {
        Outcome.FIRST: normal.games[Outcome.SECOND],
        Outcome.SECOND: normal.games[Outcome.FIRST],
        Outcome.DRAW: normal.games[Outcome.DRAW],
    }


@pytest.mark.parametrize("text", ["notakto(2,boards=2)", "mnk(2,4,2,bricks=A2)", "mnk(3,3,3,bricks=B2,line=loses)"])
def test_all_ways_to_count_agree(text: str) -> None:
    rules = parse_rules(text)
    expected = count_by_merging(ReferenceBackend(), rules)
    assert count_by_merging(PositionBackend(), rules) == expected
    assert count_by_merging(BatchedBackend(), rules) == expected
    assert _breadth_first(rules) == expected
    assert _perft(rules) == (expected.perft, expected.games)


def test_two_boards_are_the_product_of_one() -> None:
    # A board goes on until it holds a line, whatever happens on the other.
    one = count_by_merging(PositionBackend(), parse_rules("notakto(2)"))
    two = count_by_merging(PositionBackend(), parse_rules("notakto(2,boards=2)"))
    assert sum(two.positions.values()) == sum(one.positions.values()) ** 2
    assert sum(two.finished_positions.values()) == sum(one.finished_positions.values()) ** 2


def test_perft_of_a_finished_game_and_to_depth_zero() -> None:
    rules = parse_rules("tic-tac-toe")
    over = Position.start(rules, (0, 3, 1, 4, 2))
    for position, depth, outcome in ((over, 3, Outcome.FIRST), (Position.start(rules), 0, Outcome.ONGOING)):
        counts = np.zeros((depth + 1, 4), np.int64)
        perft(tables(rules), board_at(position), depth, np.empty(depth + 1, np.int64), counts)
        assert counts.sum() == counts[0, outcome] == 1


def _perft(rules: Rules) -> tuple[Counter[int], Counter[Outcome]]:
    depth = rules.size
    counts = np.zeros((depth + 1, 4), np.int64)
    board = board_at(Position.start(rules))
    before = [array.copy() for array in board]
    perft(tables(rules), board, depth, np.empty(depth + 1, np.int64), counts)
    assert all((one == two).all() for one, two in zip(before, board, strict=True))
    sequences = Counter({length: int(count) for length, count in enumerate(counts.sum(axis=1)) if length})
    games = Counter({Outcome(number): int(counts[:, number].sum()) for number in (1, 2, 3)})
    return +sequences, +games


def _breadth_first(rules: Rules) -> Counts:
    """All positions of a ply are stepped by all moves in one call; equal ones are merged, their sequences added."""
    env = Batched.of(rules)
    start = jax.jit(env.init)(rules_arrays(rules))
    # Every action in every state; illegal ones leave the ply as it is, and are dropped.
    expand = jax.jit(jax.vmap(jax.vmap(env.step, in_axes=(None, 0)), in_axes=(0, None)))
    actions = np.arange(env.size, dtype=np.int32)
    room = 2048  # one shape for all plies, so that there is one compilation
    states = jax.tree.map(lambda array: np.asarray(array)[None], start)
    sequences = np.ones(1, np.int64)
    counts, seen = Counts(), {}
    for ply in range(env.size + 1):
        for cells, outcome, count in zip(states.cells, states.outcome, sequences, strict=True):
            seen[cells.tobytes()] = Outcome(int(outcome))
            if outcome != Outcome.ONGOING:
                counts.games[Outcome(int(outcome))] += int(count)
        if ply:
            counts.perft[ply] = int(sequences.sum())
        filled = jax.tree.map(lambda a: np.concatenate([a, np.repeat(a[:1], room - len(a), axis=0)]), states)
        after = jax.tree.map(np.asarray, expand(filled, actions))
        made = (after.ply == ply + 1) & (np.arange(room) < len(sequences))[:, None]
        if not made.any():
            break
        after = jax.tree.map(lambda array, made=made: array[made], after)
        _, first, which = np.unique(after.cells, axis=0, return_index=True, return_inverse=True)
        merged = np.zeros(len(first), np.int64)
        np.add.at(merged, which, np.repeat(sequences[:, None], env.size, axis=1)[made[: len(sequences)]])
        states, sequences = jax.tree.map(lambda array, first=first: array[first], after), merged
    positions = count_positions(rules, seen)
    positions.perft, positions.games = counts.perft, counts.games
    return positions
