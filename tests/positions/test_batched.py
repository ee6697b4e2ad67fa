import re
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from noughts.positions import FIRST_MARK, Position
from noughts.positions.batched import Batched, BatchedState, RulesArrays, rules_arrays, stack_rules
from noughts.positions.laws import random_game
from noughts.rules import RulesError, embed, parse_rules
from tests.positions.reached import at
from tests.positions.test_side_by_side import planes as planes_of
from tests.rules.strategies import random_rules

OWN_OTHER_CLOSED_FIRST = [0, 1, 2, 4]
"""The planes of an observation, among those of `planes_of`."""


@cache
def compiled(env: Batched) -> tuple[Any, Any, Any]:
    """`init`, `step` and `observe`, compiled once for all tests."""
    return jax.jit(env.init), jax.jit(env.step), jax.jit(env.observe)


def play(text: str, moves: str) -> tuple[Batched, list[BatchedState]]:
    """The states of a game, the empty board first."""
    rules = parse_rules(text)
    env = Batched.of(rules)
    init, step, _ = compiled(env)
    states = [init(rules_arrays(rules))]
    for name in moves.split():
        states.append(step(states[-1], rules.cell_of(name)))
    return env, states


def same(one: Any, two: Any) -> bool:
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(two), strict=True)
    return all((np.asarray(a) == np.asarray(b)).all() for a, b in pairs)


def test_observations_equal_the_position() -> None:
    rng = Random(3)
    for shape in ((3, 4, 1), (2, 2, 3)):
        env = Batched(*shape)
        init, step, observe = compiled(env)
        for _ in range(40):
            rules = random_rules(rng, shape)
            state, moves = init(rules_arrays(rules)), random_game(rules, rng)
            for ply, move in enumerate([*moves, 0]):
                planes = np.asarray(observe(state))
                assert planes.dtype == np.float32
                assert planes.shape == env.observation_shape
                position = Position.start(rules, moves[:ply])
                wanted = np.array(planes_of(position, position.to_move))[:, OWN_OTHER_CLOSED_FIRST]
                assert (planes.reshape(wanted.shape) == wanted).all(), (rules, moves[:ply])
                state = step(state, move)


def test_rewards_come_once_and_belong_to_the_players() -> None:
    for text, moves, rewards in (
        ("tic-tac-toe", "A1 B1 A2 B2 A3", [1, -1]),
        ("misere-tic-tac-toe", "A1 B1 A2 B2 A3", [-1, 1]),
        ("tic-tac-toe", "A1 A2 B1 B2 C3 C2", [-1, 1]),
        ("tic-tac-toe", "A1 A2 A3 B2 B1 B3 C2 C1 C3", [0, 0]),
        ("notakto(3)", "A1 A2 A3", [-1, 1]),
        ("mnk(1,2,2,bricks=A1,lineless=true,full=second)", "A2", [-1, 1]),
    ):
        env, states = play(text, moves)
        assert not any(state.rewards.any() for state in states[:-1])
        assert states[-1].rewards.tolist() == rewards, (text, moves)
        assert states[-1].is_terminal
        after = compiled(env)[1](states[-1], 0)
        assert not after.rewards.any()
        assert same(after._replace(rewards=states[-1].rewards), states[-1])


def test_an_illegal_step_changes_nothing() -> None:
    env, states = play("bttt(D4)", "A1 B2")
    taken, brick, below, above, far = 0, 24, -1, 49, 2**31 - 1
    for action in (taken, 8, brick, below, above, far, -49, -(2**31)):
        assert same(compiled(env)[1](states[-1], jnp.int32(action)), states[-1]), action
    env, states = play("notakto(2,boards=2)", "1.A1 1.B2")
    assert same(compiled(env)[1](states[-1], 1), states[-1])
    assert not states[-1].legal_action_mask[1]


def test_actions_may_have_any_integer_type() -> None:
    env, states = play("mnk(19,19,5)", "")
    for kind in (np.int8, np.uint8, np.int16, np.uint32, np.int64, int):
        after = compiled(env)[1](states[0], kind(100))
        assert after.cells[100] == FIRST_MARK
        assert after.ply == 1


@pytest.mark.parametrize("text", ["mnk(2,3,2,bricks=A1,line=loses)", "notakto(2,boards=2)", "mnk(1,4,2,full=second)"])
def test_positions_become_equal_states(text: str) -> None:
    rules, rng = parse_rules(text), Random(4)
    env = Batched.of(rules)
    init, step, _ = compiled(env)
    positions, stepped = [], []
    for _ in range(6):
        state, moves = init(rules_arrays(rules)), random_game(rules, rng)
        for ply in range(len(moves) + 1):
            positions.append(Position.start(rules, moves[:ply]))
            stepped.append(state._replace(rewards=jnp.zeros(2, jnp.float32)))
            state = step(state, moves[ply]) if ply < len(moves) else state
    found = env.states(positions)
    expected = jax.tree.map(lambda *leaves: np.stack(leaves), *stepped)
    assert same(found, expected)
    ours, theirs = ([np.asarray(leaf).dtype for leaf in jax.tree.leaves(one)] for one in (found, expected))
    assert ours == theirs


def test_types_and_shapes_are_as_documented() -> None:
    rules = parse_rules("notakto(3,boards=2,bricks=A1)")
    env = Batched.of(rules)

    def check() -> None:
        # Compiled again for each call of this function, because `enable_x64` changes what tracing sees.
        state = jax.jit(env.init)(rules_arrays(rules))
        for after in (state, jax.jit(env.step)(state, 4), jax.jit(env.step)(state, jnp.asarray(4))):
            shapes = {name: (str(of.dtype), of.shape) for name, of in after._asdict().items() if name != "rules"}
            assert shapes == {
                "cells": ("int8", (18,)), "closed": ("bool", (2,)), "ply": ("int32", ()), "outcome": ("int32", ()),
                "legal_action_mask": ("bool", (18,)), "rewards": ("float32", (2,)),
            }  # fmt: skip
            kinds = {name: (str(value.dtype), value.shape) for name, value in after.rules._asdict().items()}
            assert kinds == {
                "bricks": ("bool", (18,)), "k": ("int32", ()), "shared": ("bool", ()), "line_wins": ("bool", ()),
                "full": ("int32", ()), "wrap": ("int32", ()),
            }  # fmt: skip
            assert after.current_player.dtype == jnp.int32
            planes = jax.eval_shape(env.observe, after)
            assert planes.dtype == jnp.float32
            assert planes.shape == env.observation_shape == (6, 3, 4)

    check()
    with jax.enable_x64(True):
        check()


def stacked(*texts: str) -> RulesArrays:
    return stack_rules([parse_rules(text) for text in texts])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (lambda: Batched(3, 3).states([at("mnk(4,4,3)")]), "positions of mnk(4,4,3) are not for 3x3 x1"),
        (lambda: Batched(3, 3).states([]), "there are no rules to stack"),
        (stacked, "there are no rules to stack"),
        (lambda: stacked("tic-tac-toe", "mnk(4,4,3)"), "share rows, cols and boards, unlike tic-tac-toe and mnk"),
        (lambda: stacked("mnk(2,3,2)", "mnk(3,2,2)"), "share rows, cols and boards, unlike mnk(2,3,2) and mnk(3,2,2)"),
        (lambda: stacked("notakto(3)", "notakto(3,boards=2)"), "share rows, cols and boards, unlike notakto(3) and"),
        (lambda: Batched(3, 3).init(rules_arrays(parse_rules("mnk(4,4,3)"))), "of shape (16,) are not for 3x3 x1"),
        (lambda: Batched(3, 3).init(stacked("tic-tac-toe")), "many games at once need jax.vmap"),
        (lambda: embed(parse_rules("mnk(2,3,2)"), 1, 9), "mnk(2,3,2) does not fit on 1x9"),
        (lambda: embed(parse_rules("mnk(2,3,2)"), 9, 2), "mnk(2,3,2) does not fit on 9x2"),
        (lambda: embed(parse_rules("mnk(2,3,2,wrap=rows)"), 3, 3), "joins edges that would lie apart on 3x3"),
        (lambda: embed(parse_rules("mnk(2,3,2,wrap=columns)"), 2, 4), "joins edges that would lie apart on 2x4"),
    ],
)
def test_games_of_another_size_are_rejected(asked: Callable[[], object], message: str) -> None:
    with pytest.raises(RulesError, match=re.escape(message)):
        asked()
