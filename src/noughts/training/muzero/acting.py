"""`MuZeroActor`: plays a share of the games of an iteration, on one device, in whichever process it is."""

from collections.abc import Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh

from noughts.networks.model import LatentModel
from noughts.networks.network import BoardShape
from noughts.networks.spec import NetworkSpec
from noughts.networks.weights import WEIGHTS, load_model, save_model, to_arrays
from noughts.positions import derive_seed
from noughts.positions.batched import stack_rules
from noughts.rules import parse_task
from noughts.training.actors import Arrays, Play
from noughts.training.alphazero.selfplay import Endings, TaskDistribution
from noughts.training.devices import GAMES
from noughts.training.muzero.config import MuZeroConfig
from noughts.training.muzero.selfplay import PlayedGames, self_play

_PLAYED, _ENDINGS = "played", "endings"

compiled_share = eqx.filter_jit(self_play)


def first_key(config: MuZeroConfig) -> jax.Array:
    """From which the keys of all iterations derive."""
    return jax.random.key(derive_seed(config.seed, "muzero") >> 33)


def distribution_of(config: MuZeroConfig) -> TaskDistribution:
    """The games of a config's task."""
    task = parse_task(config.task)
    return TaskDistribution(stack_rules(task.rules), jnp.log(jnp.asarray(task.weights, jnp.float32)))


class MuZeroActor:
    """An `Actor` for a config."""

    def __init__(self, config: MuZeroConfig) -> None:
        self._shares = config.actors
        self._config = config.model_copy(update={"games": config.games // config.actors})
        self._board = BoardShape.of(parse_task(config.task).rules)
        self._distribution = distribution_of(config)
        self._key = first_key(config)
        self._mesh = Mesh(np.array(jax.devices()[:1]), (GAMES,))

    def play(self, weights: bytes, iteration: int, share: int, arrays: Arrays) -> Arrays:
        """See `Actor`: nothing comes in, as every game begins anew; games and endings go out."""
        model = load_model({WEIGHTS: weights}).model
        keys = jax.random.split(jax.random.fold_in(self._key, iteration), self._shares)[share : share + 1]
        played, endings = compiled_share(model, self._distribution, keys, self._board, self._config, self._mesh)
        found = jax.device_get({_PLAYED: played, _ENDINGS: endings})
        return {f"{name}{path}": array for name, tree in found.items() for path, array in to_arrays(tree).items()}


def play_of(iteration: int, model: LatentModel, spec: NetworkSpec, board: BoardShape, shares: int) -> Play:
    """What actors are asked for one iteration."""
    return Play(iteration, save_model(jax.device_get(model), spec, board, {}), ({},) * shares)


def gathered(played: Sequence[Arrays]) -> tuple[PlayedGames, Endings]:
    """What all shares have played, as if it had been played at once."""

    def joined(name: str, axis: int) -> jax.Array:
        return np.concatenate([share[name] for share in played], axis)  # type: ignore[return-value]

    return (
        PlayedGames(**{name: joined(f"{_PLAYED}.{name}", 0) for name in PlayedGames._fields}),
        Endings(**{name: joined(f"{_ENDINGS}.{name}", 1) for name in Endings._fields}),
    )
