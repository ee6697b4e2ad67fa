"""The compared programs do the same: other libraries' games equal noughts', as does the network of mctx's self-play."""

import random
import warnings

import jax
import numpy as np
import pytest

from benchmarks.bridges import one_player
from benchmarks.peers_openspiel import GOMOKU_7, GOMOKU_15, MNK_7, TIC_TAC_TOE
from benchmarks.selfplay_cases import RULES, Sizes, all_cases
from noughts.bridges.gymnasium import LearnerEnv
from noughts.networks.network import BoardShape, count_parameters
from noughts.networks.spec import make_network, parse_network
from noughts.positions import Position, Side
from noughts.positions.batched import Batched
from noughts.positions.openspiel import rules_of
from noughts.rules import parse_rules


def test_openspiels_games_equal_ours() -> None:
    """`tests/positions/test_openspiel.py` plays such games in both libraries."""
    games = {TIC_TAC_TOE: "tic-tac-toe", GOMOKU_7: "mnk(7,7,4)", MNK_7: "mnk(7,7,4)", GOMOKU_15: "gomoku"}
    assert {name: str(rules_of(name)) for name in games} == games


def test_pettingzoos_game_equals_ours() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = one_player()
    ours, rng = LearnerEnv("tic-tac-toe"), np.random.default_rng(1)
    found = {}
    for name, env in (("ours", ours), ("theirs", theirs)):
        rewards, steps = [], 0
        for seed in range(400):
            _, info = env.reset(seed=seed)
            over = False
            while not over:
                _, reward, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
                steps += 1
            rewards.append(reward)
        found[name] = np.mean(np.array(rewards)[:, None] == [-1, 0, 1], axis=0), steps / 400
    np.testing.assert_allclose(found["ours"][0], found["theirs"][0], atol=0.09)
    assert found["ours"][1] == pytest.approx(found["theirs"][1], abs=0.25)


@pytest.mark.slow
def test_the_game_of_the_self_play_peer_equals_ours() -> None:
    pytest.importorskip("pgx")
    from benchmarks.peers_mctx import k_in_a_row

    env = k_in_a_row(4, 5, 3)
    step, rules, rng = jax.jit(env.step), parse_rules("mnk(4,5,3)"), random.Random(1)
    ours = Batched.of(rules)
    for number in range(15):
        position, state = Position.start(rules), env.init(jax.random.key(number))
        first = int(state.current_player)
        while not position.is_over:
            assert not state.terminated
            assert np.flatnonzero(state.legal_action_mask).tolist() == list(position.legal_moves)
            planes = np.asarray(jax.vmap(ours.observe)(ours.states([position])))[0]
            np.testing.assert_array_equal(planes[..., :2], np.asarray(state.observation, np.float32))
            move = rng.choice(position.legal_moves)
            position, state = position.play(move), step(state, move)
        assert state.terminated
        rewards = np.asarray(state.rewards).tolist()
        assert [rewards[first], rewards[1 - first]] == [position.outcome.value(side) for side in Side]


@pytest.mark.slow
def test_the_peers_network_equals_ours_layer_by_layer() -> None:
    pytest.importorskip("pgx")
    from benchmarks.peers_mctx import make_weights

    sizes = Sizes()
    (case, *_) = all_cases(sizes, (4,))
    board = BoardShape.of([parse_rules(RULES)])
    ours = count_parameters(make_network(parse_network(case.arguments["network"]), board, jax.random.key(0)))
    weights = make_weights(jax.random.key(0), (7, 7, 2), sizes.channels, sizes.blocks, board.size)
    theirs = sum(leaf.size for leaf in jax.tree.leaves(weights))
    # Ours has two more input planes: who moves first, and the unusable cells.
    assert ours - theirs == 2 * 9 * sizes.channels
