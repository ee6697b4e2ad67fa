"""`AlphaZeroActor`: plays a share of the games of an iteration, on one device, in whichever process it is."""

from collections.abc import Mapping, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh

from noughts.networks.network import BoardShape, Network
from noughts.networks.spec import NetworkSpec
from noughts.networks.weights import WEIGHTS, from_arrays, load_network, save_network, to_arrays
from noughts.positions import derive_seed
from noughts.positions.batched import stack_rules
from noughts.rules import parse_task
from noughts.training.actors import Arrays, Play
from noughts.training.alphazero.config import AlphaZeroConfig
from noughts.training.alphazero.selfplay import (
    Endings,
    GamesInFlight,
    Samples,
    TaskDistribution,
    new_games,
    self_play,
)
from noughts.training.devices import GAMES

_GAMES, _SAMPLES, _ENDINGS = "games", "samples", "endings"

compiled_share = eqx.filter_jit(self_play)


def first_key(config: AlphaZeroConfig) -> jax.Array:
    """From which the keys of all iterations derive."""
    return jax.random.key(derive_seed(config.seed, "alphazero") >> 33)


def keys_of(key: jax.Array, iteration: int, count: int) -> jax.Array:
    """The keys of an iteration: one for each device, or for each share, which is played as if it were a device's."""
    return jax.random.split(jax.random.fold_in(key, iteration), count)


def distribution_of(config: AlphaZeroConfig) -> TaskDistribution:
    """The games of a config's task."""
    task = parse_task(config.task)
    return TaskDistribution(stack_rules(task.rules), jnp.log(jnp.asarray(task.weights, jnp.float32)))


class AlphaZeroActor:
    """An `Actor` for a config."""

    def __init__(self, config: AlphaZeroConfig) -> None:
        self._config = config
        self._board = BoardShape.of(parse_task(config.task).rules)
        self._distribution = distribution_of(config)
        self._key = first_key(config)
        self._mesh = Mesh(np.array(jax.devices()[:1]), (GAMES,))
        count = config.games // config.actors
        self._like = jax.eval_shape(
            lambda key: new_games(self._board, self._distribution, key, count, config.most_opening_plies), self._key
        )

    def play(self, weights: bytes, iteration: int, share: int, arrays: Arrays) -> Arrays:
        """See `Actor`: games under way come in; these, samples and endings go out."""
        network = load_network({WEIGHTS: weights}).network
        keys = keys_of(self._key, iteration, self._config.actors)[share : share + 1]
        games = from_arrays(self._like, arrays)
        games, samples, endings = compiled_share(
            network, games, self._distribution, keys, self._board, self._config, self._mesh
        )
        found = jax.device_get({_GAMES: games, _SAMPLES: samples, _ENDINGS: endings})
        return {f"{name}{path}": array for name, tree in found.items() for path, array in to_arrays(tree).items()}


def play_of(
    iteration: int, network: Network, spec: NetworkSpec, board: BoardShape, games: GamesInFlight, shares: int
) -> Play:
    """What actors are asked for one iteration: each share goes on with games of its own."""
    weights = save_network(jax.device_get(network), spec, board, {})
    arrays = to_arrays(jax.device_get(games))
    parts = tuple({name: np.split(array, shares)[share] for name, array in arrays.items()} for share in range(shares))
    return Play(iteration, weights, parts)


def gathered(played: Sequence[Arrays], games: GamesInFlight) -> tuple[GamesInFlight, Samples, Endings]:
    """What all shares have played, as if it had been played at once; `games` are of the form of those that come out."""

    def joined(name: str, axis: int) -> Mapping[str, Any]:
        return {
            path.removeprefix(name): np.concatenate([share[path] for share in played], axis)
            for path in played[0]
            if path.startswith(name)
        }

    samples, endings = joined(_SAMPLES, 1), joined(_ENDINGS, 1)
    return (
        from_arrays(games, joined(_GAMES, 0)),
        Samples(**{name: samples[f".{name}"] for name in Samples._fields}),
        Endings(**{name: endings[f".{name}"] for name in Endings._fields}),
    )
