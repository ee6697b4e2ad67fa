"""The loss of MuZero, with the model unrolled over the moves of a batch.

    position --represent--> latent_0 --advance a_0--> latent_1 --advance a_1--> ... latent_K
                               |                         |                         |
                          policy, value        reward, policy, value      reward, policy, value

The loss of the position itself has weight 1, and that of each imagined move 1/K. Between moves the gradient of the latent
state is halved (MuZero, appendix G).
"""

from collections.abc import Mapping

import jax
import jax.numpy as jnp
import optax

from noughts.networks.model import Belief, LatentModel, without_marks
from noughts.networks.network import Array, BoardShape, observe
from noughts.positions.batched import BatchedState
from noughts.positions.position import BRICK, EMPTY, FIRST_MARK, SECOND_MARK
from noughts.training.games import TaskDistribution, states_of
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.muzero.replay import Unrolled


def loss(
    model: LatentModel, batch: Unrolled, task: TaskDistribution, board: BoardShape, config: MuZeroConfig
) -> tuple[Array, tuple[LatentModel, Mapping[str, Array]]]:
    """The mean loss over a batch; also the model with updated running statistics, and the loss's terms."""
    unroll = config.unroll
    real = [_position(batch, task, board, ply) for ply in range(unroll + 1)]
    seen = [observe(board.env, states) for states in real]
    around = without_marks(seen[0])
    latent, updated = model.represent(seen[0], board, training=True)
    terms: dict[str, Array] = {}

    def add(name: str, ply: int, each: Array) -> None:
        """Add the losses [N] of one ply to a term."""
        terms[name] = terms.get(name, jnp.float32(0)) + each.mean() * (1.0 if ply == 0 else 1.0 / unroll)

    for ply in range(unroll + 1):
        if ply > 0:
            latent = scale_gradient(latent, config.latent_gradient)
            step, updated = updated.advance(latent, batch.action[:, ply - 1], around, board, training=True)
            latent = step.latent
            add("reward", ply, jnp.square(step.reward - batch.reward[:, ply - 1]))
            if step.over is not None:
                add("ends", ply, optax.sigmoid_binary_cross_entropy(step.over, batch.over[:, ply].astype(jnp.float32)))
            if config.consistency_weight:
                there = updated.represent(seen[ply], board)[0]
                add("consistency", ply, _difference(updated, latent, there, batch.over[:, ply - 1]))
        said = updated.predict(latent, around)
        add("policy", ply, optax.softmax_cross_entropy(said.logits, batch.policy[:, ply]))
        add("value", ply, jnp.square(said.value - batch.value[:, ply]))
        known = updated.legal(latent, around)
        if known is not None:
            may = (real[ply].legal_action_mask & ~batch.over[:, ply, None]).astype(jnp.float32)
            add("legality", ply, optax.sigmoid_binary_cross_entropy(known, may).mean(-1))
        believed = updated.believe(jax.lax.stop_gradient(latent) if config.model.decoder == "probe" else latent, around)
        if believed is not None:
            add("decoder", ply, _misbelief(believed, real[ply], batch.over[:, ply]))
    weights = {name: getattr(config, f"{name}_weight") for name in terms}
    total = sum((weights[name] * term for name, term in terms.items()), jnp.float32(0))
    return total, (updated, {"loss": total} | {f"{name}_loss": term for name, term in terms.items()})


def scale_gradient(x: Array, factor: float) -> Array:
    """Return `x`, but multiply its gradient by `factor`."""
    return x * factor + jax.lax.stop_gradient(x) * (1 - factor)


def _position(batch: Unrolled, task: TaskDistribution, board: BoardShape, ply: int) -> BatchedState:
    """The positions `ply` plies later, as if the games were not over."""
    return states_of(
        batch.cells[:, ply], batch.closed[:, ply], jnp.asarray(batch.ply) + ply, jnp.asarray(batch.number), task, board
    )


def _difference(model: LatentModel, imagined: Array, real: Array, past: Array) -> Array:
    """Minus the cosine similarity of the projections of imagined and real latent states, [N]; 0 after the end of a game.

    The gradient of the real state is stopped, as in SimSiam.
    """
    assert model.projection is not None
    target = jax.lax.stop_gradient(model.projection(real))
    guess = model.projection.guess(model.projection(imagined))
    cosine = optax.cosine_similarity(guess, target, epsilon=1e-8)
    each = cosine.reshape(len(cosine), -1).mean(-1)
    return jnp.where(past, 0.0, -each)


def _misbelief(believed: Belief, real: BatchedState, over: Array) -> Array:
    """The decoder's cross-entropy [N]: the mean over cells, plus those of the side to move and of the end."""
    cells = optax.softmax_cross_entropy_with_integer_labels(believed.cells, cell_kinds(real))
    first = ((real.ply & 1) == 0).astype(jnp.float32)
    total: Array = (
        cells.mean(-1)
        + optax.sigmoid_binary_cross_entropy(believed.first, first)
        + optax.sigmoid_binary_cross_entropy(believed.over, jnp.asarray(over, jnp.float32))
    )
    return total


def cell_kinds(states: BatchedState) -> Array:
    """Each cell's content for the side to move, as in `Belief.cells`, also on closed boards and at the end: int32 [N, size]."""
    cells, first_to_move = states.cells, (states.ply & 1) == 0
    mine = jnp.where(states.rules.shared | first_to_move, FIRST_MARK, SECOND_MARK)[:, None]
    return jnp.where(cells == EMPTY, 0, jnp.where(cells == BRICK, 3, jnp.where(cells == mine, 1, 2)))
