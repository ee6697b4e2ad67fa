"""What learns: the weights, the optimiser, and one step along the gradient of a loss, for policy networks and models alike."""

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
"""From a network its loss, itself with its running statistics brought up to date, and what is worth knowing."""


class Learned(NamedTuple, Generic[Net]):
    """What learning changes.

    Attributes:
        network: The latest weights.
        average: The averaged ones, which agents get and by which positions are searched anew.
        optimiser: What the optimiser remembers.
    """

    network: Net
    average: Net
    optimiser: Any


def begin(network: Net, optimiser: Optimiser) -> Learned[Net]:
    """Before the first step."""
    weights = eqx.filter(network, trainable(network))
    return Learned(network, network, make_optimiser(optimiser).init(weights))


def make_optimiser(chosen: Optimiser) -> optax.GradientTransformation:
    """The chosen optimiser, of optax."""
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
    """One step down the gradient of a loss, and what is worth knowing of it."""
    weights, rest = eqx.partition(learned.network, trainable(learned.network))

    def of(weights: Net) -> tuple[Array, tuple[Net, Mapping[str, Array]]]:
        return loss(eqx.combine(weights, rest))

    gradients, (updated, metrics) = jax.grad(of, has_aux=True)(weights)
    changes, optimiser = make_optimiser(config.optimiser).update(gradients, learned.optimiser, weights)
    # `updated` has the new running statistics, and the weights of before.
    network = eqx.combine(eqx.apply_updates(weights, changes), eqx.filter(updated, trainable(updated), inverse=True))
    keep = config.averaging
    average = jax.tree.map(
        lambda old, new: keep * old + (1 - keep) * new if eqx.is_inexact_array(new) else new, learned.average, network
    )
    return Learned(network, average, optimiser), {**metrics, "gradient_norm": optax.tree.norm(gradients)}
