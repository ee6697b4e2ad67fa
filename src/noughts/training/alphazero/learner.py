"""The learner: a network, an optimiser, and one step of learning from a batch.

A step is one compiled program that Python calls: inside `lax.scan`, XLA on a CPU takes 45 times as long for the
gradient of a convolution.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from noughts.networks.layers import trainable
from noughts.networks.network import Array, BoardShape, Network, Observation, observe
from noughts.positions.batched import BatchedState
from noughts.positions.position import EMPTY, Outcome
from noughts.training.alphazero.config import AlphaZeroConfig, Optimiser
from noughts.training.alphazero.selfplay import Samples, TaskDistribution

_LOWEST = float(np.finfo(np.float32).min)


class Learned(NamedTuple):
    """What learning changes.

    Attributes:
        network: The latest weights.
        average: The averaged ones, which agents get.
        optimiser: What the optimiser remembers.
    """

    network: Network
    average: Network
    optimiser: Any


def begin(network: Network, optimiser: Optimiser) -> Learned:
    """Before the first step."""
    weights = eqx.filter(network, trainable(network))
    return Learned(network, network, make_optimiser(optimiser).init(weights))


def make_optimiser(chosen: Optimiser) -> optax.GradientTransformation:
    """The chosen optimiser, of optax."""
    clip = optax.clip_by_global_norm(chosen.clip) if chosen.clip else optax.identity()
    if chosen.name == "adamw":
        return optax.chain(clip, optax.adamw(chosen.learning_rate, weight_decay=chosen.decay))
    return optax.chain(
        clip, optax.add_decayed_weights(chosen.decay), optax.sgd(chosen.learning_rate, momentum=chosen.momentum)
    )


def loss(
    network: Network, seen: Observation, legal: Array, batch: Samples, board: BoardShape, config: AlphaZeroConfig
) -> tuple[Array, tuple[Network, Mapping[str, Array]]]:
    """value_weight * (z - v)^2 - policy_weight * pi . log p, the mean over a batch (Silver et al. 2018, equation 1)."""
    predicted, updated = network.apply(seen, board, training=True)
    logits = jnp.where(legal, predicted.logits, _LOWEST)
    # Where the target is zero the logarithm may be minus infinity.
    surprise = -jnp.where(batch.policy > 0, batch.policy * jax.nn.log_softmax(logits), 0.0).sum(-1).mean()
    value_error = jnp.square(predicted.value - batch.value).mean()
    total = config.value_weight * value_error + config.policy_weight * surprise
    entropy = -jnp.where(batch.policy > 0, batch.policy * jnp.log(jnp.maximum(batch.policy, 1e-30)), 0.0).sum(-1).mean()
    metrics = {
        "loss": total,
        "value_loss": value_error,
        "policy_loss": surprise,
        "policy_divergence": surprise - entropy,
    }
    return total, (updated, metrics)


def learn(
    learned: Learned, batch: Samples, task: TaskDistribution, board: BoardShape, config: AlphaZeroConfig
) -> tuple[Learned, Mapping[str, Array]]:
    """One step; `batch` [N] is shared out over the devices, all else is on every one. The board and the config are static."""
    seen, legal = _observe(batch, task, board)
    weights, rest = eqx.partition(learned.network, trainable(learned.network))

    def of(weights: Network) -> tuple[Array, tuple[Network, Mapping[str, Array]]]:
        return loss(eqx.combine(weights, rest), seen, legal, batch, board, config)

    gradients, (updated, metrics) = jax.grad(of, has_aux=True)(weights)
    changes, optimiser = make_optimiser(config.optimiser).update(gradients, learned.optimiser, weights)
    # `updated` has the new running statistics, and the weights of before.
    network = eqx.combine(eqx.apply_updates(weights, changes), eqx.filter(updated, trainable(updated), inverse=True))
    keep = config.averaging
    average = jax.tree.map(
        lambda old, new: keep * old + (1 - keep) * new if eqx.is_inexact_array(new) else new, learned.average, network
    )
    metrics = {**metrics, "gradient_norm": optax.tree.norm(gradients)}
    return Learned(network, average, optimiser), metrics


def _observe(batch: Samples, task: TaskDistribution, board: BoardShape) -> tuple[Observation, Array]:
    """What was seen in the positions of a batch, and which moves were legal."""
    rules = task.of(batch.number)
    cells, closed = jnp.asarray(batch.cells), jnp.asarray(batch.closed)
    count = len(cells)
    legal = (cells == EMPTY) & ~jnp.repeat(closed, board.rows * board.cols, axis=1, total_repeat_length=board.size)
    states = BatchedState(
        rules=rules,
        cells=cells,
        closed=closed,
        ply=jnp.asarray(batch.ply),
        outcome=jnp.full(count, int(Outcome.ONGOING), jnp.int32),
        legal_action_mask=legal,
        rewards=jnp.zeros((count, 2), jnp.float32),
    )
    return observe(board.env, states), legal


compiled_learn = eqx.filter_jit(learn)
