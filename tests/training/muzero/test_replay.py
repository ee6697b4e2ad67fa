"""A batch's targets for each position and the following moves, compared with the game replayed by the rules."""

from typing import Any

import numpy as np
import pytest

from noughts.rules import parse_rules
from noughts.training.augmentation import Turns
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.muzero.replay import GamesReplay, turned
from tests.training.muzero.games import random_games
from tests.training.small_runs import tiny_muzero

GAME = parse_rules("mnk(3,3,3)")
K = 4


def config(**fields: Any) -> MuZeroConfig:
    return tiny_muzero(task="mnk(3,3,3)", unroll=K, batch=16, **fields)


def everywhere(replay: GamesReplay) -> tuple[Any, Any]:
    places = [(game, ply) for game in range(len(replay)) for ply in range(replay.rows["length"][game])]
    games, plies = np.array(places).T
    return games, plies


@pytest.mark.parametrize("begin", [0, 3])
@pytest.mark.parametrize(("ends", "td_plies"), [("value", 0), ("reward", 0), ("learned", 0), ("value", 3)])
def test_targets_are_results_or_values_a_number_of_plies_later(begin: int, ends: str, td_plies: int) -> None:
    replay = GamesReplay(100, {}).added(random_games(GAME, 12, seed=2, begin=begin))
    games, plies = everywhere(replay)
    chosen = config(model={"ends": ends}, td_plies=td_plies)
    batch = replay.unrolled(games, plies, chosen, np.random.default_rng(0))
    for n, (game, ply) in enumerate(zip(games, plies, strict=True)):
        length, result = replay.rows["length"][game], replay.rows["result"][game]
        assert batch.ply[n] == begin + ply
        for k in range(K + 1):
            at, over = ply + k, ply + k >= length
            mover = 1 if (begin + at) % 2 == 0 else -1
            assert batch.over[n, k] == over
            assert batch.cells[n, k].tolist() == replay.rows["cells"][game, min(at, length)].tolist()
            if td_plies and at + td_plies < length:
                assert batch.value[n, k] == -replay.rows["value"][game, at + td_plies]
            else:
                assert batch.value[n, k] == (0 if over and ends != "value" else result * mover)
            expected = np.full(9, 1 / 9) if over else replay.rows["policy"][game, at]
            np.testing.assert_allclose(batch.policy[n, k], expected, atol=1e-6)
            if k < K:
                last = at == length - 1
                assert batch.reward[n, k] == (result * mover if last and ends != "value" else 0)
                if not over:
                    assert batch.action[n, k] == replay.rows["action"][game, at]
    past = batch.action[batch.over[:, :-1]]
    assert set(past.tolist()) == set(range(9))  # random moves past the end, legal or not


def test_a_value_found_before_a_random_move_replaces_the_result() -> None:
    games = random_games(GAME, 8, seed=5)
    astray = np.array(games.astray)
    astray[:, 2] = True
    replay = GamesReplay(100, {}).added(games._replace(astray=astray))  # type: ignore[arg-type]
    every, zero = np.arange(8), np.zeros(8, np.int64)
    batch = replay.unrolled(every, zero, config(), np.random.default_rng(0))
    searched, result = replay.rows["value"][:, 2], replay.rows["result"]
    np.testing.assert_allclose(batch.value[:, 0], searched)
    np.testing.assert_allclose(batch.value[:, 1], -searched)
    np.testing.assert_allclose(batch.value[:, 2], searched)
    np.testing.assert_allclose(batch.value[:, 3], -result)


def test_every_position_is_equally_likely() -> None:
    replay = GamesReplay(6, {}).added(random_games(GAME, 6, seed=6))
    games, plies = replay.places(20_000, np.random.default_rng(1))
    assert (plies < replay.rows["length"][games]).all()
    places = replay.rows["length"].sum()
    counts = np.unique(games * 9 + plies, return_counts=True)[1]
    assert len(counts) == places
    assert np.abs(counts / 20_000 * places - 1).max() < 0.2


def test_only_reanalysed_positions_are_replaced() -> None:
    replay = GamesReplay(50, {}).added(random_games(GAME, 4, seed=8))
    policy, value = np.full((2, 9), 1 / 9, np.float32), np.array([0.5, -0.5], np.float32)
    after = replay.renewed(np.array([1, 3]), np.array([0, 2]), policy, value)
    assert after.rows["value"][1, 0] == 0.5
    assert after.rows["value"][3, 2] == -0.5
    np.testing.assert_allclose(after.rows["policy"][3, 2], 1 / 9)
    assert replay.rows["value"][1, 0] != 0.5  # frozen
    assert (after.rows["value"] != replay.rows["value"]).sum() == 2


def test_moves_are_turned_with_the_board() -> None:
    replay = GamesReplay(50, {}).added(random_games(GAME, 10, seed=9))
    turns = Turns([GAME], "board")
    games, plies = everywhere(replay)
    batch = replay.unrolled(games, plies, config(), np.random.default_rng(0))
    other = turned(batch, turns, np.random.default_rng(1))
    assert (other.cells != batch.cells).any()
    for n in range(len(games)):
        for k in range(K):
            if not batch.over[n, k]:
                changed = np.flatnonzero(other.cells[n, k + 1] != other.cells[n, k])
                assert changed.tolist() == [other.action[n, k]]
        np.testing.assert_allclose(np.sort(other.policy[n]), np.sort(batch.policy[n]))
