"""mctx's search contract, on models with known answers: signs, backups, masks; and searches compared with mctx's own."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import mctx
import numpy as np
import pytest

from noughts.networks.network import LOWEST
from noughts.search.settings import Method, SearchSettings
from noughts.search.tree import BatchedSearchResult, grown

MOVES = 4
METHODS: tuple[Method, ...] = ("gumbel", "puct", "muzero")
RNG = np.random.default_rng(3)
LOGITS = jnp.asarray(RNG.normal(size=(3, 50, MOVES)), jnp.float32)
VALUES = jnp.asarray(np.tanh(RNG.normal(size=(3, 50))), jnp.float32)


def expand(weights: dict[str, Any], action: jax.Array, state: jax.Array) -> tuple[mctx.RecurrentFnOutput, jax.Array]:
    """States are numbers of a table, determined by the moves that lead there; sides alternate."""
    after = (state * MOVES + action + 1) % 50
    each = jnp.arange(len(action))
    output = mctx.RecurrentFnOutput(
        reward=weights["reward"][each, after],
        discount=weights["discount"][each, after],
        prior_logits=weights["logits"][each, after],
        value=weights["value"][each, after],
    )
    return output, after


def tables(**changes: Any) -> dict[str, Any]:
    plain = {"logits": LOGITS, "value": VALUES, "reward": jnp.zeros((3, 50)), "discount": -jnp.ones((3, 50))}
    return plain | changes


SIMS = 40


@eqx.filter_jit
def _found(weights: dict[str, Any], mask: jax.Array, method: Method, exploring: bool) -> BatchedSearchResult:
    logits = jnp.where(mask, LOWEST, weights["logits"][:, 0])
    root = mctx.RootFnOutput(prior_logits=logits, value=weights["value"][:, 0], embedding=jnp.zeros(3, jnp.int32))
    settings = SearchSettings(method=method, simulations=SIMS, considered=MOVES, dirichlet_alpha=1.0)
    return grown(weights, jax.random.key(1), root, expand, mask, settings, exploring)[0]


def found(weights: dict[str, Any], method: Method, illegal: Any = None, exploring: bool = False) -> BatchedSearchResult:
    """A search of `SIMS` simulations; one program serves all tables."""
    return _found(weights, jnp.zeros((3, MOVES), bool) if illegal is None else jnp.asarray(illegal), method, exploring)


@pytest.mark.parametrize("method", METHODS)
def test_rewards_are_the_movers_and_a_discount_of_0_ends_the_game(method: Method) -> None:
    reward = jnp.zeros((3, 50)).at[:, 3].set(1.0)  # the third move wins
    discount = -jnp.ones((3, 50)).at[:, 3].set(0.0)
    seen = found(tables(reward=reward, discount=discount, logits=0.1 * LOGITS), method)
    visited = np.asarray(seen.visits)[:, 2] > 0
    assert visited.all()
    np.testing.assert_allclose(np.asarray(seen.move_values)[:, 2], 1.0, atol=1e-6)
    assert (np.asarray(seen.move) == 2).all()


@pytest.mark.parametrize("method", METHODS)
def test_an_opponents_win_is_found_two_plies_later(method: Method) -> None:
    """Every reply to the first move wins for the opponent, so the move is worth -1 and is not made."""
    replies = [(1 * MOVES + action + 1) % 50 for action in range(MOVES)]
    reward = jnp.zeros((3, 50)).at[:, jnp.array(replies)].set(1.0)
    discount = -jnp.ones((3, 50)).at[:, jnp.array(replies)].set(0.0)
    logits = (0.1 * LOGITS).at[:, 0, 0].add(1.0)  # its prior is high
    seen = found(tables(reward=reward, discount=discount, logits=logits, value=0 * VALUES), method)
    tried = np.asarray(seen.visits)[:, 0]
    assert (tried > 1).all()
    worth = np.asarray(seen.move_values)[:, 0]
    np.testing.assert_allclose(worth, -(tried - 1) / tried, atol=1e-5)  # the first visit found 0
    assert (np.asarray(seen.move) != 0).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("exploring", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_root_s_illegal_moves_are_never_tried(method: Method, exploring: bool) -> None:
    illegal = np.array([[True, False, False, True], [False, True, True, True], [False, False, True, False]])
    seen = found(tables(), method, illegal, exploring)
    assert (np.asarray(seen.visits)[illegal] == 0).all()
    assert not illegal[np.arange(3), np.asarray(seen.move)].any()
    assert np.abs(np.asarray(seen.policy)[illegal]).max() < 1e-6
    np.testing.assert_allclose(np.asarray(seen.policy).sum(-1), 1, atol=1e-5)


ILLEGAL = jnp.asarray([[True, False, False, False], [False] * 4, [False, False, True, False]])


def of_mctx(policy: Any, **settings: Any) -> mctx.PolicyOutput[Any]:
    """The result of mctx's own search of the same tables."""
    weights = tables()
    logits = jnp.where(ILLEGAL, LOWEST, weights["logits"][:, 0])
    root = mctx.RootFnOutput(prior_logits=logits, value=weights["value"][:, 0], embedding=jnp.zeros(3, jnp.int32))
    return policy(
        params=weights,
        rng_key=jax.random.key(1),
        root=root,
        recurrent_fn=lambda weights, key, action, state: expand(weights, action, state),
        num_simulations=SIMS,
        invalid_actions=ILLEGAL,
        max_depth=min(SIMS, MOVES),
        **settings,
    )


def require_equal_trees(ours: BatchedSearchResult, theirs: mctx.PolicyOutput[Any]) -> None:
    summary = theirs.search_tree.summary()
    np.testing.assert_array_equal(np.asarray(ours.visits), np.asarray(summary.visit_counts))
    tried = np.asarray(ours.visits) > 0
    np.testing.assert_allclose(np.asarray(ours.move_values), np.asarray(summary.qvalues) * tried, atol=1e-6)


@pytest.mark.heavy
@pytest.mark.parametrize("exploring", [False, True])
def test_gumbel_search_equals_mctx(exploring: bool) -> None:
    ours = found(tables(), "gumbel", ILLEGAL, exploring)
    theirs = of_mctx(mctx.gumbel_muzero_policy, max_num_considered_actions=MOVES, gumbel_scale=float(exploring))
    require_equal_trees(ours, theirs)
    np.testing.assert_array_equal(np.asarray(ours.move), np.asarray(theirs.action))
    np.testing.assert_allclose(np.asarray(ours.policy), np.asarray(theirs.action_weights), atol=1e-6)


def test_muzero_search_equals_mctx() -> None:
    settings = SearchSettings()
    formula = {"pb_c_init": settings.c_init, "pb_c_base": settings.c_base}
    theirs = of_mctx(mctx.muzero_policy, dirichlet_fraction=0.0, temperature=0.0, **formula)
    require_equal_trees(found(tables(), "muzero", ILLEGAL), theirs)
