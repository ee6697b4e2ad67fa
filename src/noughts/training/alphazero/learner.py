"""The loss of AlphaZero."""

from collections.abc import Mapping

import jax
import jax.numpy as jnp

from noughts.networks.network import LOWEST, Array, BoardShape, Network, observe
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.selfplay import Samples
from noughts.training.games import TaskDistribution, states_of


def loss(
    network: Network, batch: Samples, task: TaskDistribution, board: BoardShape, config: AlphaZeroConfig
) -> tuple[Array, tuple[Network, Mapping[str, Array]]]:
    """The mean of value_weight * (z - v)^2 - policy_weight * pi . log p over a batch (Silver et al. 2018, equation 1)."""
    states = states_of(
        jnp.asarray(batch.cells), jnp.asarray(batch.closed), jnp.asarray(batch.ply), batch.number, task, board
    )
    predicted, updated = network.apply(observe(board.env, states), board, training=True)
    logits = jnp.where(states.legal_action_mask, predicted.logits, LOWEST)
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
