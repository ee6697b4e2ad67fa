"""A search in a learned model equals AlphaZero's search, move for move, if the model is the true rules."""

from functools import cache
from typing import Any, Self

import equinox as eqx
import jax
import jax.numpy as jnp
import mctx
import numpy as np
import pytest

from noughts.networks.model import LatentModel
from noughts.networks.network import LOWEST, Array, BoardShape, Network, Observation, Prediction, observe
from noughts.networks.options import ModelSettings
from noughts.networks.spec import make_model, parse_network
from noughts.positions.batched import BatchedState
from noughts.rules import parse_rules
from noughts.search.guided import guided_growth
from noughts.search.imagined import imagined_growth, line_imagined
from noughts.search.settings import Method, SearchSettings
from noughts.search.tree import BatchedSearchResult
from tests.networks.asking import made, some_positions

GAME = parse_rules("mnk(3,4,3,bricks=A2,full=second)")
BOARD = BoardShape.of([GAME])
POSITIONS = some_positions(GAME, 24, seed=5)


class TrueRules(eqx.Module):
    """The rules as a learned model: its latent states are positions, which a network evaluates."""

    network: Network
    states: BatchedState

    def prepared(self, board: BoardShape) -> Self:
        return self

    def represent(self, seen: Observation, board: BoardShape) -> tuple[Any, "TrueRules"]:
        return self.states, self

    def predict(self, latent: BatchedState, around: Observation) -> Prediction:
        return self.network.predict(observe(BOARD.env, latent), BOARD)

    def imagine(self, latent: Any, action: Array, around: Observation, board: BoardShape) -> Any:
        mover = latent.ply & 1
        after = jax.vmap(board.env.step)(latent, action)
        said = self.predict(after, around)
        reward = jnp.take_along_axis(after.rewards, mover[:, None], 1)[:, 0]
        over = after.is_terminal
        logits = jnp.where(after.legal_action_mask, said.logits - said.logits.max(-1, keepdims=True), LOWEST)
        discount, value = jnp.where(over, 0.0, -1.0), jnp.where(over, 0.0, said.value)
        return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value), after


@pytest.mark.parametrize(
    ("method", "sims", "exploring"),
    [("gumbel", 24, True), *(pytest.param(method, 40, True, marks=pytest.mark.slow) for method in ("puct", "muzero"))],
)
def test_with_the_true_rules_as_model_it_equals_alphazero(method: Method, sims: int, exploring: bool) -> None:
    network = made("mlp:widths=16", GAME, seed=2)
    states = jax.tree.map(jnp.asarray, BOARD.env.states(POSITIONS))
    settings = SearchSettings(method=method, simulations=sims, considered=6)
    key = jax.random.key(8)

    @eqx.filter_jit
    def both(network: Network, states: BatchedState) -> tuple[BatchedSearchResult, BatchedSearchResult]:
        return (
            guided_growth(network, BOARD, states, key, settings, exploring)[0],
            imagined_growth(TrueRules(network, states), BOARD, states, key, settings, exploring)[0],  # type: ignore[arg-type]
        )

    known, learned = both(network, states)
    np.testing.assert_array_equal(np.asarray(known.move), np.asarray(learned.move))
    np.testing.assert_array_equal(np.asarray(known.visits), np.asarray(learned.visits))
    np.testing.assert_array_equal(np.asarray(known.variation), np.asarray(learned.variation))
    np.testing.assert_allclose(np.asarray(known.value), np.asarray(learned.value), atol=1e-6)
    np.testing.assert_allclose(np.asarray(known.policy), np.asarray(learned.policy), atol=1e-6)


@cache
def searched() -> tuple[LatentModel, BatchedState, BatchedSearchResult, Any]:
    """Searches of an untrained model from some positions, their results, and their trees."""
    model = make_model(parse_network("mlp:widths=16"), BOARD, jax.random.key(1), ModelSettings(ends="learned"))
    states = jax.tree.map(jnp.asarray, BOARD.env.states(POSITIONS))
    settings = SearchSettings(method="puct", simulations=48)
    grow = eqx.filter_jit(imagined_growth)
    return model, states, *jax.device_get(grow(model, BOARD, states, jax.random.key(0), settings, False))


def test_illegal_moves_are_masked_only_at_the_root() -> None:
    """Illegal moves are never made at the root; below it an untrained model makes some."""
    _, states, found, tree = searched()
    assert not found.visits[~np.asarray(states.legal_action_mask)].any()
    astray = 0
    for game, position in enumerate(POSITIONS):
        for node in range(1, 49):
            parent = int(tree.parents[game, node])
            if parent > 0 and int(tree.parents[game, parent]) == 0:
                first, second = int(tree.action_from_parent[game, parent]), int(tree.action_from_parent[game, node])
                astray += not position.play(first).is_legal(second)
    assert astray > 0


def test_a_line_is_imagined_as_in_a_search() -> None:
    model, states, _, tree = searched()
    node = int(np.argmax(tree.parents[0] > 0))
    assert node > 0
    moves: list[int] = []
    at = node
    while at > 0:
        moves.insert(0, int(tree.action_from_parent[0, at]))
        at = int(tree.parents[0, at])
    actions = jnp.tile(jnp.asarray(moves, jnp.int32)[:, None], (1, len(POSITIONS)))
    _, latent, said, (steps, latents) = eqx.filter_jit(line_imagined)(model, BOARD, states, actions)
    np.testing.assert_allclose(np.asarray(said.value[0]), tree.raw_values[0, 0], atol=1e-5)
    np.testing.assert_allclose(np.asarray(steps.value[-1, 0]), tree.raw_values[0, node], atol=1e-5)
    np.testing.assert_allclose(np.asarray(latents[-1, 0]), tree.embeddings[0, node], atol=1e-5)
    assert latent.shape == (len(POSITIONS), 16)
