"""Self-play: every recorded sample compared with a slow replay, whole games and segments; the games drawn; the endings."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from noughts.networks.network import BoardShape, Network, observe
from noughts.networks.spec import make_network, parse_network
from noughts.positions import Position, Side
from noughts.positions.batched import stack_rules
from noughts.positions.position import Outcome
from noughts.rules import Rules, parse_task
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.selfplay import Samples
from noughts.training.alphazero.train import compiled_self_play
from noughts.training.devices import mesh_for
from noughts.training.games import Endings, GamesInFlight, TaskDistribution, chosen_moves, new_games
from tests.training.small_runs import tiny_alphazero

TASK = "3*mnk(3,3,3,bricks=B2) | mnk(3,3,3,full=first) | mnk(3,3,3,marks=shared,line=loses)"
GAMES: tuple[Rules, ...] = parse_task(TASK).rules
BOARD, DISTRIBUTION = BoardShape.of(GAMES), TaskDistribution.of_task(parse_task(TASK))
PUCT = {"method": "puct", "simulations": 4, "dirichlet_fraction": 0.5}

Round = tuple[AlphaZeroConfig, Network, GamesInFlight, Samples, Endings, GamesInFlight]


def play(**fields: Any) -> Round:
    """One round: the games before it, the recorded samples and endings, and the games after it."""
    config = tiny_alphazero(task=TASK, network="mlp:widths=8", games=32, **fields)
    network = make_network(parse_network(config.network), BOARD, jax.random.key(1))
    before = new_games(BOARD, DISTRIBUTION, jax.random.key(2), config.games, config.most_opening_plies)
    keys = jax.random.split(jax.random.key(3), 1)
    after, samples, endings = compiled_self_play(network, before, DISTRIBUTION, keys, BOARD, config, mesh_for(1))
    return (config, network, *jax.device_get((before, samples, endings, after)))


@cache
def segment() -> Round:
    """One segment that several tests share."""
    return play(search=PUCT, plies=14)


def games_of(samples: Samples, table: int) -> Iterator[tuple[list[int], list[int]]]:
    """The rows of each game at a table, in order, and the moves between them."""
    rows = np.flatnonzero(samples.valid[:, table])
    for game in np.split(rows, np.flatnonzero(np.diff(samples.ply[rows, table]) != 1) + 1):
        boards = pairwise(samples.cells[game, table])
        yield game.tolist(), [int(np.flatnonzero(board != after).item()) for board, after in boards]


@pytest.mark.heavy
def test_samples_have_the_games_result_except_before_a_random_move() -> None:
    """Each value is the next one's negated, unless a random move comes between: its result does not describe the position
    before it, so the sample has the value that the search found."""
    *_, samples, endings, _ = play(search=PUCT, whole_games=True, temperature_plies=3, random_moves=0.3)
    turned, searched = 0, []
    for table in range(32):
        ((rows, moves),) = games_of(samples, table)
        rules = GAMES[samples.number[rows[0], table]]
        (ending,) = np.flatnonzero(endings.outcome[:, table])
        assert ending == rows[-1]
        assert endings.length[ending, table] == len(rows)
        outcome = Outcome(int(endings.outcome[ending, table]))
        position = Position.start(rules)
        for row, move in zip(rows, [*moves, None], strict=True):
            assert tuple(position.cells) == tuple(samples.cells[row, table])
            assert position.ply == samples.ply[row, table]
            policy = samples.policy[row, table]
            assert set(np.flatnonzero(policy)) <= set(position.legal_moves)
            assert policy.sum() == pytest.approx(1, abs=1e-5)
            if move is not None:
                position = position.play(move)
                assert not position.is_over
        assert outcome in {position.play(last).outcome for last in position.legal_moves}
        values = [float(value) for value in samples.value[rows, table]]
        for value, later in zip(values, [*values[1:], -outcome.value(position.to_move)], strict=True):
            if value == -later:
                turned += 1
            else:
                searched.append(value)
    assert 0.2 < len(searched) / (turned + len(searched)) < 0.4
    assert all(-1 <= value <= 1 for value in searched)
    assert len(set(searched)) > len(searched) / 2, "no results"


@pytest.mark.heavy
def test_games_are_equal_with_cached_evaluations() -> None:
    *_, samples, endings, _ = segment()
    *_, same, same_endings, _ = play(search=PUCT, plies=14, evaluations_kept=1 << 10)
    for mine, other in zip((*samples, *endings), (*same, *same_endings), strict=True):
        where = samples.valid if len(mine) == len(samples.valid) else slice(None)
        np.testing.assert_allclose(other[where], mine[where], atol=1e-5)


@pytest.mark.heavy
def test_segments_restart_and_bootstrap() -> None:
    config, network, before, samples, endings, after = segment()
    rules = stack_rules(GAMES)
    states = after.states._replace(rules=jax.tree.map(lambda a: a[after.number], rules))
    left = np.asarray(jax.jit(lambda s: network.predict(observe(BOARD.env, s), BOARD).value)(states))
    assert samples.valid.all()
    assert config.plies == len(samples.ply) == 14
    np.testing.assert_array_equal(samples.number[0], before.number)
    unfinished = 0
    for table in range(32):
        games = list(games_of(samples, table))
        ends = np.flatnonzero(endings.outcome[:, table])
        assert len(ends) >= 1
        assert [rows[-1] for rows, _ in games if rows[-1] in ends] == list(ends)
        for rows, moves in games:
            position = Position.start(GAMES[samples.number[rows[0], table]], tuple(moves))
            assert samples.ply[rows[0], table] == 0
            assert tuple(position.cells) == tuple(samples.cells[rows[-1], table])
            assert not position.is_over
            if rows[-1] in ends:
                outcome = Outcome(int(endings.outcome[rows[-1], table]))
                expected = [outcome.value(Side(ply % 2)) for ply in range(len(rows))]
                np.testing.assert_array_equal(samples.value[rows, table], expected)
            else:  # unfinished: the network's value for the next side to move, negated at each ply before
                unfinished += 1
                assert rows is games[-1][0]
                assert after.states.ply[table] == len(rows)
                expected = [left[table] * (-1) ** (len(rows) - ply) for ply in range(len(rows))]
                np.testing.assert_allclose(samples.value[rows, table], expected, atol=1e-6)
        if 13 in ends:
            assert after.states.ply[table] == 0
    assert unfinished > 5


def test_a_random_move_is_any_legal_one_of_an_unfinished_game() -> None:
    count = 400
    states = BOARD.env.states([Position.start(GAMES[0], (0, 1))] * count)
    found: Any = SimpleNamespace(move=jnp.full(count, 2, jnp.int32))
    visits, astray_key, random_key = jax.random.split(jax.random.key(0), 3)
    going = jnp.arange(count) < count // 2
    keys = (visits, astray_key, random_key)
    move, astray = map(np.asarray, chosen_moves(found, states, going, keys, tiny_alphazero(random_moves=0.5)))
    assert 0.4 < astray[: count // 2].mean() < 0.6
    assert not astray[count // 2 :].any()
    assert set(move[astray].tolist()) == {2, 3, 5, 6, 7, 8}  # B2 is a brick
    assert set(move[~astray].tolist()) == {2}


@pytest.mark.heavy
def test_digests_distinguish_games() -> None:
    *_, samples, endings, _ = segment()
    seen: dict[tuple[int, ...], tuple[Any, ...]] = {}
    for table in range(32):
        for rows, moves in games_of(samples, table):
            if endings.outcome[rows[-1], table]:
                digest = tuple(endings.digest[rows[-1], table].tolist())
                game = (int(samples.number[rows[0], table]), *moves)
                assert seen.setdefault(digest, game) == game


def test_games_are_drawn_by_the_weights_of_the_task() -> None:
    games = new_games(BOARD, DISTRIBUTION, jax.random.key(0), 4000, 0)
    shares = np.bincount(np.asarray(games.number), minlength=3) / 4000
    np.testing.assert_allclose(shares, [0.6, 0.2, 0.2], atol=0.04)
    assert (np.asarray(games.states.ply) == 0).all()


@pytest.mark.heavy
def test_openings_are_random_legal_and_unfinished() -> None:
    games = jax.jit(lambda key: new_games(BOARD, DISTRIBUTION, key, 500, 3))(jax.random.key(0))
    plies = np.asarray(games.states.ply)
    assert set(plies.tolist()) == {0, 1, 2, 3}
    assert min(np.bincount(plies)) > 80
    cells = np.asarray(games.states.cells)
    assert (((cells == 1) | (cells == 2)).sum(1) == plies).all()
    assert (np.asarray(games.states.outcome) == 0).all()
