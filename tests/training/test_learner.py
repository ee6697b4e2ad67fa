"""The optimisers: how their learning rate falls."""

import jax.numpy as jnp
import pytest

from noughts.training.learner import make_optimiser
from noughts.training.self_play_config import Optimiser


@pytest.mark.parametrize("name", ["sgd", "adamw"])
def test_a_learning_rate_falls_to_zero(name: str) -> None:
    """After four steps nothing is learned any more; their counter is part of the optimiser's state."""
    falling = make_optimiser(Optimiser(name=name, zero_after=4, learning_rate=0.1))
    weights = jnp.ones(3)
    state, sizes = falling.init(weights), list[float]()
    for _ in range(6):
        changes, state = falling.update(weights, state, weights)
        sizes.append(float(jnp.abs(changes).max()))
    assert min(sizes[:4]) > 0
    assert sizes[4:] == [0, 0]
    constant = make_optimiser(Optimiser(name=name, learning_rate=0.1))
    changes, _ = constant.update(weights, state, weights)
    assert float(jnp.abs(changes).max()) > 0
