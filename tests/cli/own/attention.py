"""A network: a small transformer whose words are the cells of the board."""

from typing import Self

import equinox as eqx
import jax
import jax.numpy as jnp

from noughts.networks.network import Array, BoardShape, Network, Observation, Prediction
from noughts.rules import Rules


class Attention(Network):
    """Cells look at one another."""

    embed: eqx.nn.Linear
    places: Array
    looks: list[eqx.nn.Linear]
    thinks: list[eqx.nn.Linear]
    policy: eqx.nn.Linear
    value: eqx.nn.Linear

    def __init__(self, key: Array, board: BoardShape, width: int = 32, blocks: int = 2) -> None:
        keys = iter(jax.random.split(key, 2 * blocks + 4))
        self.embed = eqx.nn.Linear(4, width, key=next(keys))
        self.places = 0.1 * jax.random.normal(next(keys), (board.size, width))
        self.looks = [eqx.nn.Linear(width, 3 * width, key=next(keys)) for _ in range(blocks)]
        self.thinks = [eqx.nn.Linear(width, width, key=next(keys)) for _ in range(blocks)]
        self.policy = eqx.nn.Linear(width, 1, key=next(keys))
        self.value = eqx.nn.Linear(width, 1, key=next(keys))

    def apply(self, seen: Observation, board: BoardShape, training: bool) -> tuple[Prediction, Self]:
        logits, values = jax.vmap(self._look)(seen.planes.reshape(-1, board.size, 4))
        return Prediction(logits, values), self

    def _look(self, cells: Array) -> tuple[Array, Array]:
        x = jax.vmap(self.embed)(cells) + self.places
        for look, think in zip(self.looks, self.thinks, strict=True):
            query, key, value = jnp.split(jax.vmap(look)(x), 3, axis=-1)
            x = x + jax.nn.softmax(query @ key.T / jnp.sqrt(x.shape[-1])) @ value
            x = x + jax.nn.relu(jax.vmap(think)(x))
        return jax.vmap(self.policy)(x)[:, 0], jnp.tanh(self.value(x.mean(axis=0)))[0]

    def refusal(self, rules: Rules) -> str | None:
        return None if rules.size == len(self.places) else "it was made for another board"
