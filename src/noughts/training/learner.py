"""The weights in training, the optimiser, and one step down the gradient of a loss; for policy networks and models.

Python calls one compiled program for each step, because inside `lax.scan`, XLA on a CPU takes 45 times as long for the
gradient of a convolution.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import equinox as eqx
import jax
import optax
from jax.sharding import Mesh, PartitionSpec

from noughts.networks.layers import trainable
from noughts.networks.model import LatentModel
from noughts.networks.network import Array, BoardShape, Network
from noughts.training.devices import GAMES
from noughts.training.games import TaskDistribution
from noughts.training.self_play_config import Optimiser, SelfPlayConfig

Net = TypeVar("Net", Network, LatentModel)
Tree = TypeVar("Tree")

Loss = Callable[[Net, Any, TaskDistribution, BoardShape, Any], tuple[Array, tuple[Net, Mapping[str, Array]]]]
"""From a network, a batch, the task, the board and the config to the mean loss, the network with updated running statistics,
and mean metrics."""


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


@eqx.filter_jit
def learn(
    loss: Loss[Net],
    learned: Learned[Net],
    batch: Any,
    task: TaskDistribution,
    board: BoardShape,
    config: SelfPlayConfig,
    mesh: Mesh,
) -> tuple[Learned[Net], Mapping[str, Array]]:
    """Make one step down the gradient of a loss on a batch; also return its metrics.

    `batch` [N] is split over the devices; `learned` and `task` are on every one. The rest is static.
    """
    weights, rest = eqx.partition(learned.network, trainable(learned.network))

    def of(weights: Net, batch: Any) -> tuple[Array, tuple[Net, Mapping[str, Array]]]:
        return loss(eqx.combine(weights, rest), batch, task, board, config)

    gradient, block = jax.grad(of, has_aux=True), learned.network.block(board)
    if block is None:
        gradients, (updated, metrics) = gradient(weights, batch)
    else:

        def of_block(batch: Any) -> tuple[Net, Mapping[str, Array]]:
            gradients, (_, metrics) = gradient(weights, batch)
            return gradients, metrics

        (gradients, metrics), updated = _mean_of_blocks(of_block, block, batch, mesh), learned.network
    changes, optimiser = make_optimiser(config.optimiser).update(gradients, learned.optimiser, weights)
    # `updated` has the new running statistics, but the old weights.
    network = eqx.combine(eqx.apply_updates(weights, changes), eqx.filter(updated, trainable(updated), inverse=True))
    keep = config.averaging
    average = jax.tree.map(
        lambda old, new: keep * old + (1 - keep) * new if eqx.is_inexact_array(new) else new, learned.average, network
    )
    return Learned(network, average, optimiser), {**metrics, "gradient_norm": optax.tree.norm(gradients)}


def _mean_of_blocks(function: Callable[[Any], Tree], size: int, batch: Any, mesh: Mesh) -> Tree:
    """The mean of a function over equal blocks of a batch that is split over the devices; on a CPU, of at most `size` rows."""

    def on_one(batch: Any) -> Tree:
        count = jax.tree.leaves(batch)[0].shape[0]
        least = -(-count // size) if jax.default_backend() == "cpu" else 1
        blocks = next(number for number in range(least, count + 1) if count % number == 0)
        divided = jax.tree.map(lambda leaf: leaf.reshape(blocks, -1, *leaf.shape[1:]), batch)
        each = jax.lax.map(function, divided)
        mean: Tree = jax.tree.map(lambda leaf: jax.lax.pmean(leaf.mean(0), GAMES), each)  # type: ignore[no-untyped-call]
        return mean

    shared, whole = PartitionSpec(GAMES), PartitionSpec()  # type: ignore[no-untyped-call]
    return jax.shard_map(on_one, mesh=mesh, in_specs=shared, out_specs=whole, check_vma=False)(batch)
