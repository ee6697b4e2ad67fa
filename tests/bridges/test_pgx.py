"""Our Pgx environments: Pgx's own test, its tic-tac-toe state by state, and our positions game by game."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
import pgx
import pgx._src.api_test as its_test
import pytest

import noughts.bridges.pgx as bridge
from noughts.positions import Position, Side
from noughts.rules import RulesError, parse_rules

LARGE = pytest.param("mnk(9,9,5,bricks=E5)", marks=pytest.mark.slow)  # too large for lines packed in words
GAMES = ["notakto(3,boards=2)", "mnk(3,4,3,bricks=A1,line=loses,full=first)", LARGE]
BATCH = 32
FIELDS = ("current_player", "observation", "rewards", "terminated", "truncated", "legal_action_mask", "_step_count")


def compiled(env: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))


@pytest.mark.heavy
@pytest.mark.parametrize("game", ["bttt(D4)", pytest.param("notakto(3,boards=2)", marks=pytest.mark.slow)])
def test_pgxs_own_test_passes(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Pgx's test only supports its own environments. It requires a name from its list, so our name is the list during this
    # test. Its `act_randomly` draws along axis 1 of a mask that has one axis for a single game, at which NumPy 2 raises
    # for Pgx's own games too: the last axis is meant. Its pictures only support its own games; our states draw themselves.
    env = bridge.make(game)
    monkeypatch.setattr(its_test, "EnvId", Literal[env.id])
    draw = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1))
    monkeypatch.setattr(its_test, "act_randomly", draw)
    pgx.api_test(env, 3)


@pytest.mark.heavy
@pytest.mark.parametrize("game", GAMES)
def test_a_batch_of_random_games_equals_our_positions(game: str) -> None:
    rules, rng = parse_rules(game), Random(1)
    env = bridge.make(rules)
    init, step = compiled(env)
    state = init(jax.random.split(jax.random.PRNGKey(1), BATCH))
    first = np.asarray(state.current_player)
    assert set(first) == {0, 1}
    positions = [Position.start(rules)] * BATCH
    while not all(position.is_over for position in positions):
        check_batch(state, positions, first)
        moves = [rng.choice(at.legal_moves) if not at.is_over else rng.randrange(rules.size) for at in positions]
        ended = [at.is_over for at in positions]
        positions = [at if at.is_over else at.play(move) for at, move in zip(positions, moves, strict=True)]
        state = step(state, jnp.array(moves))
        rewards = np.asarray(state.rewards)
        for number, (at, over) in enumerate(zip(positions, ended, strict=True)):
            values = [at.outcome.value(side) if at.is_over and not over else 0 for side in Side]
            expected = values if first[number] == 0 else values[::-1]
            assert list(rewards[number]) == expected
    check_batch(state, positions, first)


def check_batch(state: Any, positions: list[Position], first: Any) -> None:
    shown = jax.device_get(state)
    for number, at in enumerate(positions):
        rules = at.rules
        assert shown.current_player[number] == (first[number] + at.ply) % 2
        assert shown.terminated[number] == at.is_over
        assert not shown.truncated[number]
        assert shown._step_count[number] == at.ply
        legal = set(range(rules.size)) if at.is_over else set(at.legal_moves)
        assert set(np.flatnonzero(shown.legal_action_mask[number])) == legal
        assert bridge.position_of(jax.tree.map(lambda leaf, n=number: leaf[n], shown)) == at
        if not at.is_over:
            planes = shown.observation[number].reshape(rules.size, -1).T
            mine, theirs = at.moves[at.ply % 2 :: 2], at.moves[1 - at.ply % 2 :: 2]
            if rules.marks == "shared":
                mine, theirs = at.moves, ()
            unusable = {c for c in range(rules.size) if c // rules.board_size in at.closed} | rules.brick_cells
            expected = [set(mine), set(theirs), unusable]
            assert [set(np.flatnonzero(plane)) for plane in planes] == expected[: len(planes)]
            assert len(planes) == (3 if rules.bricks or rules.boards > 1 else 2)


@pytest.mark.heavy
def test_every_state_equals_pgxs_own_tic_tac_toe() -> None:
    ours, theirs = bridge.make("tic-tac-toe"), pgx.make("tic_tac_toe")
    assert (ours.num_actions, ours.observation_shape, ours.num_players) == (9, (3, 3, 2), 2)
    steps, rng = [compiled(ours), compiled(theirs)], Random(2)
    keys = jax.random.split(jax.random.PRNGKey(3), 256)
    one, other = (init(keys) for init, _ in steps)
    for ply in range(10):
        for name in FIELDS:
            mine, its = getattr(one, name), getattr(other, name)
            assert mine.dtype == its.dtype, name
            assert (mine == its).all(), (name, ply)
        legal = np.asarray(one.legal_action_mask)
        moves = jnp.array([rng.choice(np.flatnonzero(row)) for row in legal])
        (_, ours_step), (_, their_step) = steps
        one, other = ours_step(one, moves), their_step(other, moves)
    assert one.terminated.all()


def test_an_illegal_action_loses_the_game() -> None:
    env = bridge.make("bttt(D4)")
    state = jax.jit(env.init)(jax.random.PRNGKey(0))
    player = int(state.current_player)
    after = jax.jit(env.step)(state, jnp.int32(24))  # the brick
    assert after.terminated
    assert after.legal_action_mask.all()
    assert after.rewards[player] == -1
    assert after.rewards[1 - player] == 1
    assert bridge.position_of(after) == Position.start(parse_rules("bttt(D4)"))


def test_states_draw_our_pictures(tmp_path: Path) -> None:
    env = bridge.make("notakto(3,boards=2)")
    init, step = compiled(env)
    states = step(init(jax.random.split(jax.random.PRNGKey(0), 5)), jnp.array([0, 1, 2, 9, 17]))
    picture = states.to_svg()
    assert "5 of 5 games of notakto(3,boards=2)" in picture
    assert "5: 2 boards of 3x3; marks X 2.C3; second player to move." in picture
    single = jax.tree.map(lambda leaf: leaf[0], states)
    light, dark = single.to_svg(), single.to_svg(color_theme="dark")
    assert light.count("<line") == dark.count("<line") == picture.count("<line") / 5
    assert ("#ffffff" in light, "#ffffff" in dark) == (True, False)
    widths = [float(svg.partition('width="')[2].partition('"')[0]) for svg in (light, single.to_svg(scale=2))]
    assert widths[1] == 2 * widths[0]
    bridge.save_svg(single, tmp_path / "state.svg", color_theme="dark")
    assert (tmp_path / "state.svg").read_text() == dark
    assert single._repr_html_() == light


def test_environment_names_are_rules() -> None:
    env = bridge.make("mnk(7,7,4,bricks=D4,full=second)")
    assert (env.id, env.version) == ("bttt(D4)", "v0")
    assert bridge.make(env.id).rules == env.rules == parse_rules("bttt(D4)")
    assert jax.eval_shape(env.init, jax.random.PRNGKey(0)).env_id == "bttt(D4)"
    assert bridge.__version__ == pgx.__version__
    with pytest.raises(RulesError, match="unknown rules preset 'chess'"):
        bridge.make("chess")
