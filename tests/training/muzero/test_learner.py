"""The unrolled loss compared with plain NumPy, its gradient with differences, and the scaling of gradients."""

from functools import cache
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from noughts.networks.model import LatentModel
from noughts.networks.network import BoardShape
from noughts.networks.spec import make_model, parse_network
from noughts.rules import parse_task
from noughts.training.augmentation import Turns
from noughts.training.games import TaskDistribution
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.muzero.learner import loss, scale_gradient
from noughts.training.muzero.replay import GamesReplay, Unrolled
from tests.training.muzero.games import random_games
from tests.training.muzero.twin import twin_loss
from tests.training.small_runs import tiny_muzero

NETWORK = "mlp:widths=9,value_widths=5"
EVERYTHING: dict[str, Any] = {
    "model": {"ends": "learned", "legality": "learned", "decoder": "loss", "consistency": True},
    "consistency_weight": 2.0,
    "legality_weight": 0.7,
    "value_weight": 0.3,
    "task": "mnk(2,3,2,bricks=A2)",
    "batch": 6,
}


def everything(**fields: Any) -> MuZeroConfig:
    return tiny_muzero(**{**EVERYTHING, **fields})


@cache
def setting() -> tuple[BoardShape, TaskDistribution, LatentModel, Unrolled]:
    config = everything()
    task = parse_task(config.task)
    board = BoardShape.of(task.rules)
    distribution = TaskDistribution.of_task(task)
    model = make_model(parse_network(NETWORK), board, jax.random.key(3), config.model)
    # Biases of 0 would hide the values they are added to.
    model = jax.tree.map(
        lambda leaf: (
            leaf + 0.1 * jax.random.normal(jax.random.key(leaf.size), leaf.shape) if eqx.is_array(leaf) else leaf
        ),
        model,
    )
    games = random_games(task.rules[0], 10, seed=1)
    batch = GamesReplay(50, {}).added(games).draw(config, Turns(task.rules, "none"), np.random.default_rng(0))
    assert batch.over.any()
    assert not batch.over[:, -1].all()
    return board, distribution, model, batch


@pytest.mark.heavy
def test_the_loss_equals_the_numpy_twins() -> None:
    config = everything()
    board, distribution, model, batch = setting()
    _, (_, found) = eqx.filter_jit(loss)(model, batch, distribution, board, config)
    expected = twin_loss(model, batch, config)
    assert set(found) == set(expected)
    assert len(found) == 8
    for name, term in expected.items():
        assert float(found[name]) == pytest.approx(term, abs=2e-5), name


def test_only_the_gradient_is_scaled_and_not_the_value() -> None:
    x = jnp.array([1.5, -2.0])
    np.testing.assert_allclose(scale_gradient(x, 0.5), x)
    np.testing.assert_allclose(jax.grad(lambda x: (scale_gradient(x, 0.5) ** 2).sum())(x), x)


@pytest.mark.slow
def test_the_gradient_through_k_moves_is_halved_k_times() -> None:
    """The gradient of the first weights, which see positions, is g0 + s g1 + s^2 g2 for a factor s: a line through 0, a half and 1."""
    board, distribution, model, batch = setting()

    def seeing(factor: float) -> Any:
        config = everything(
            latent_gradient=factor, consistency_weight=0.0, model=EVERYTHING["model"] | {"consistency": False}
        )

        def of(see: Any) -> Any:
            changed = eqx.tree_at(lambda model: model.body.see, model, see)
            return loss(changed, batch, distribution, board, config)[0]

        see = model.body.see  # type: ignore[attr-defined]
        return np.concatenate([leaf.ravel() for leaf in jax.tree.leaves(eqx.filter_jit(eqx.filter_grad(of))(see))])

    none, quarter, half, whole = (seeing(factor) for factor in (0.0, 0.25, 0.5, 1.0))
    # A square through 0, a half and 1 also goes through a quarter.
    second = 2 * (whole - 2 * half + none)
    first = whole - none - second
    np.testing.assert_allclose(quarter, none + 0.25 * first + 0.0625 * second, atol=1e-5)
    assert np.abs(first).max() > 1e-3
    assert np.abs(second).max() > 1e-4


@pytest.mark.heavy
def test_a_probe_only_changes_its_own_weights() -> None:
    board, distribution, _, batch = setting()
    found = {}
    for decoder in ("probe", "loss"):
        config = everything(
            unroll=1,
            model=EVERYTHING["model"] | {"decoder": decoder, "consistency": False, "ends": "value", "legality": "root"},
            consistency_weight=0.0,
            policy_weight=0.0,
            value_weight=0.0,
            reward_weight=0.0,
        )
        model = make_model(parse_network("mlp:widths=9"), board, jax.random.key(3), config.model)
        gradient = eqx.filter_jit(
            eqx.filter_grad(lambda model, config=config: loss(model, batch, distribution, board, config)[0])
        )(model)
        found[decoder] = [
            sum(float(jnp.abs(leaf).sum()) for leaf in jax.tree.leaves(part))
            for part in (gradient.body, gradient.belief)
        ]
    assert found["probe"][0] == 0
    assert found["probe"][1] > 0
    assert min(found["loss"]) > 0
