"""The weights in training, the optimiser, and one step down the gradient of a loss; for policy networks and models."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import equinox as eqx
import jax
import optax

from noughts.networks.layers import trainable
from noughts.networks.model import LatentModel
from noughts.networks.network import Array, Network
from noughts.training.self_play_config import Optimiser, SelfPlayConfig

Net = TypeVar("Net", Network, LatentModel)

Loss = Callable[[Net], tuple[Array, tuple[Net, Mapping[str, Array]]]]
"""From a network to its loss, the network with updated running statistics, and metrics."""


class Learned(NamedTuple, Generic[Net]):
    """The state that training steps change.

    Attributes:
        network: The latest weights.
        average: The averaged weights, which agents use and which reanalyse positions.
        optimiser: The optimiser's state.
    """

    network: Net
    average: Net
    optimiser: Any


def begin(network: Net, optimiser: Optimiser) -> Learned[Net]:
    """The state before the first step."""
    weights = eqx.filter(network, trainable(network))
    return Learned(network, network, make_optimiser(optimiser).init(weights))


def make_optimiser(chosen: Optimiser) -> optax.GradientTransformation:
    """Create the optimiser from optax."""
    clip = optax.clip_by_global_norm(chosen.clip) if chosen.clip else optax.identity()
    rate: Any = chosen.learning_rate
    if chosen.zero_after:
        rate = optax.linear_schedule(rate, 0.0, chosen.zero_after)
    if chosen.name == "adamw":
        return optax.chain(clip, optax.adamw(rate, weight_decay=chosen.decay))
    return optax.chain(clip, optax.add_decayed_weights(chosen.decay), optax.sgd(rate, momentum=chosen.momentum))


def improved(
    learned: Learned[Net], loss: Loss[Net], config: SelfPlayConfig
) -> tuple[Learned[Net], Mapping[str, Array]]:
    """Make one step down the gradient of a loss; also return its metrics."""
    weights, rest = eqx.partition(learned.network, trainable(learned.network))

    def of(weights: Net) -> tuple[Array, tuple[Net, Mapping[str, Array]]]:
        return loss(eqx.combine(weights, rest))

    gradients, (updated, metrics) = jax.grad(of, has_aux=True)(weights)
    changes, optimiser = make_optimiser(config.optimiser).update(gradients, learned.optimiser, weights)
    # `updated` has the new running statistics, but the old weights.
    network = eqx.combine(eqx.apply_updates(weights, changes), eqx.filter(updated, trainable(updated), inverse=True))
    keep = config.averaging
    average = jax.tree.map(
        lambda old, new: keep * old + (1 - keep) * new if eqx.is_inexact_array(new) else new, learned.average, network
    )
    return Learned(network, average, optimiser), {**metrics, "gradient_norm": optax.tree.norm(gradients)}
